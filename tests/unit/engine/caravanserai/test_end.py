"""S36 to S43: the end and the result."""

import pytest

from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.events import Ended, Ending, MarketEmptied, RoundBegan, Skipped, SkipReason
from tests.unit.engine.caravanserai.positions import OUT_OF_THE_WAY, a_position, events_of, view
from tests.unit.engine.playing import play

LAST_WHITE = (1, 0, 0, 0, 0)
EMPTY = (0, 0, 0, 0, 0)
THREE = ("-4,0c", OUT_OF_THE_WAY, "-6,2c")
WALLS = "4,1W 5,1W 5,-1W 6,-1W"
"""With them, whoever moves from 4,0 to 5,0 has no room there."""


def test_s36_the_round_in_which_the_market_gets_empty_is_the_trigger() -> None:
    """All colours have to be gone; a reward can empty it, too."""
    state = play(a_position("-4,0c", OUT_OF_THE_WAY, market=LAST_WHITE, round=7), "CAMEL(0)")
    assert view(state).trigger is None
    assert MarketEmptied(7) in events_of(state, "SEED(W,0,0)")
    assert view(state).trigger == 7
    state = a_position("-4,0c", OUT_OF_THE_WAY, market=(1, 1, 0, 0, 0))
    assert view(play(state, "CAMEL(0)", "SEED(W,0,0)")).trigger is None
    state = a_position("-1,0c", OUT_OF_THE_WAY, market=LAST_WHITE)
    assert MarketEmptied(1) in events_of(state, "CAMEL(0)")


def test_s36_later_refills_do_not_cancel_it_and_it_happens_once() -> None:
    state = a_position("-5,0c -1,0c", OUT_OF_THE_WAY, loose="0,0", market=EMPTY, trigger=1, round=2)
    events = events_of(state, "START(0,P,1)")
    assert view(state).market == LAST_WHITE
    events += events_of(state, "CAMEL(1)", "SEED(W,1,0)")
    assert view(state).market == EMPTY
    assert view(state).trigger == 1
    assert not [event for event in events if isinstance(event, MarketEmptied)]


def test_s37_the_round_after_the_trigger_is_the_last() -> None:
    state = a_position("-4,0W -3,0c", OUT_OF_THE_WAY, market=EMPTY, trigger=1, round=1)
    play(state, "CAMEL(0)")
    play(state, "CAMEL(3)")
    assert (view(state).round, view(state).ending) == (2, None)
    play(state, "CAMEL(0)", "CAMEL(3)")
    assert view(state).ending is Ending.MARKET


def test_s37_in_solo_the_round_of_the_trigger_is_the_last_and_its_turn_ends_first() -> None:
    state = play(a_position("-4,0c", market=LAST_WHITE), "CAMEL(0)", "SEED(W,0,0)")
    assert (view(state).ending, view(state).round) == (Ending.MARKET, 1)


def test_s38_the_last_turn_of_the_last_round_ends_the_match_and_no_turn_is_cut_short() -> None:
    state = a_position(*THREE, market=EMPTY, trigger=1, round=2, to_act=1)
    play(state, "CAMEL(3)")
    assert view(state).ending is None
    play(state, "START(0,P,1)")
    assert view(state).ending is None
    assert events_of(state, "CAMEL(0)")[-1] == Ended(Ending.MARKET)


def test_s38_a_skipped_turn_can_be_the_last_one() -> None:
    state = a_position(*THREE, camels=(7, 7, 0), market=EMPTY, trigger=1, round=2, to_act=1)
    assert events_of(state, "CAMEL(3)")[-2:] == [Skipped(2, SkipReason.NO_CAMEL), Ended(Ending.MARKET)]


def test_s38_the_next_round_begins_after_the_last_turn_of_a_round() -> None:
    state = a_position(*THREE, market=EMPTY, to_act=2)
    assert events_of(state, "CAMEL(0)")[-1] == RoundBegan(2)
    assert state.seat_to_act == 0


def test_s38_the_last_round_comes_before_the_cap_and_the_cap_before_stuck() -> None:
    assert ending(round=60, trigger=59) is Ending.MARKET
    assert ending(round=60, trigger=60) is Ending.ROUND_CAP
    assert ending(round=60) is Ending.ROUND_CAP
    assert ending(round=60, camels=(0, 1)) is Ending.ROUND_CAP
    assert ending(round=59, camels=(0, 1)) is Ending.STUCK
    assert ending(round=59) is None


def ending(**position: object) -> Ending | None:
    """Return the ending after the second of two seats has laid a camel with no room behind it."""
    state = a_position("-4,0c", f"-5,0W {WALLS} 4,0c", market=EMPTY, to_act=1, **position)  # type: ignore[arg-type]
    return view(play(state, "CAMEL(0)")).ending


@pytest.mark.parametrize(
    ("camels", "last"), [((1, 0, 0), Ended(Ending.STUCK)), ((1, 0, 7), Skipped(1, SkipReason.NO_CAMEL))]
)
def test_s39_the_match_is_stuck_when_no_seat_can_lay_also_in_the_middle_of_a_round(
    camels: tuple[int, ...], last: object
) -> None:
    state = a_position("-5,0W 4,0c", f"{WALLS} 4,-1c", "-6,2c", camels=camels, market=EMPTY, round=4)
    assert events_of(state, "CAMEL(0)")[-1] == last
    assert view(state).round == 4


def test_s40_solo_ends_stuck_without_a_camel_or_without_room_but_not_without_goods_to_move() -> None:
    no_camel = a_position("-5,0W -4,0c", camels=(1,), market=EMPTY)
    assert events_of(no_camel, "CAMEL(0)")[-1] == Ended(Ending.STUCK)
    blocked = a_position(f"-5,0W {WALLS} 4,0c", market=EMPTY)
    assert events_of(blocked, "CAMEL(0)")[-1] == Ended(Ending.STUCK)
    no_white = a_position("-5,0c -4,0c", market=(0, 5, 5, 5, 5))
    assert events_of(no_white, "CAMEL(0)")[-1] == RoundBegan(2)


def test_s41_the_match_ends_after_60_rounds() -> None:
    state = a_position("-5,0W -4,0c", OUT_OF_THE_WAY, market=(0, 9, 0, 0, 0), round=60)
    play(state, "CAMEL(0)")
    assert view(state).ending is None
    assert events_of(state, "CAMEL(3)")[-1] == Ended(Ending.ROUND_CAP)


def result(*caravans: str, goods: tuple[str, ...], first: int = 0) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Scores and placings of a match that ended so."""
    state = a_position(
        *caravans,
        goods=goods,
        ending=Ending.STUCK,
        seat_to_act=None,
        decision=None,
        placement=None,
        first=first,
    )
    outcome = state.outcome()
    assert outcome is not None
    return outcome.scores, outcome.placings


def test_s42_the_score_is_the_length_of_the_caravan_and_the_larger_reserve_breaks_ties() -> None:
    longer = "-5,0c -4,0W -3,0W -2,0l -1,0c"
    assert result(longer, OUT_OF_THE_WAY, goods=("", "WWWWWWWWWW")) == ((5, 1), (1, 2))
    # camels count as much as goods: 7 and 3 against 6 and 5
    assert result("-5,0c -4,0W", "5,-4c 6,-4c", goods=("WWW", "WWWWW")) == ((2, 2), (2, 1))


@pytest.mark.parametrize(("first", "placings"), [(0, (3, 2, 1)), (1, (1, 3, 2)), (2, (2, 1, 3))])
def test_s42_of_equal_reserves_the_later_seat_in_turn_order_is_ahead(
    first: int, placings: tuple[int, ...]
) -> None:
    assert result(*THREE, goods=("W", "K", "P"), first=first) == ((1, 1, 1), placings)


def test_s43_solo_has_levels() -> None:
    names = ("", "Camel driver", "Great camel driver", "Xiansheng", "Tribal chief", "Chief of the 5 tribes")
    for number, name in enumerate(names):
        least = 20 + 5 * number if number else 0
        assert [CARAVANSERAI.level(length) for length in (least, 24 + 5 * number)] == [name, name]
    assert CARAVANSERAI.level(60) == names[-1]
