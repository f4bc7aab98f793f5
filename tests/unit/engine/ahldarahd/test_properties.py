"""What holds in every position of every match, whoever plays."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.events import Night, Stall, TurnBegan
from engine.ahldarahd.position import ASK_BUILD, ASK_REPLY
from engine.ahldarahd.state import AhldarahdState
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, cards_of, walk
from tests.unit.engine.ahldarahd.naive_legal import has_majority
from tests.unit.engine.ahldarahd.positions import form
from tests.unit.engine.ahldarahd.state_form import NAMES
from tests.unit.engine.matches import examples

seeds = st.integers(0, 2**32)


@st.composite
def matches(draw: st.DrawFn) -> tuple[AhldarahdState, Random]:
    seats, options = draw(st.sampled_from(TABLES))
    dice = Random(draw(seeds))
    return a_match(seats, options, dice.randbytes(32)), dice


def check(state: AhldarahdState) -> None:
    """Gold, cards, markers, control, offers."""
    fields = form(state)
    seats = fields["seats"]
    assert min(fields["gold"]) >= 0
    assert min(min(hand) for hand in state.hands) >= 0
    assert dict(cards_of(state)) == dict.fromkeys(range(10), seats)
    owned = [owner for owners in fields["routes"] for owner in owners.values()]
    for seat in range(seats):
        assert owned.count(seat) == state.placed[seat] <= 21
    for owners, cities in zip(fields["routes"], fields["cities"], strict=True):
        assert all(1 <= int(route) <= 21 for route in owners)
        expected = {city: seat for city in NAMES for seat in range(seats) if has_majority(owners, city, seat)}
        assert cities == expected
    if fields["cup"]:
        assert fields["cup"]["gold"] >= 0
        assert 0 <= fields["cup"]["black"] <= 3
    if fields["auction"]:
        assert fields["auction"]["bid"] <= fields["gold"][fields["auction"]["high"]]


@examples(12)
@given(matches())
def test_a23_gold_cards_markers_and_control_are_right_everywhere(
    drawn: tuple[AhldarahdState, Random],
) -> None:
    """A2, A4, A5, A22, A23, A36."""
    for state in walk(*drawn):
        check(state)
    assert state.outcome() is not None


@examples(25)
@given(matches())
def test_a31_turns_and_plies_are_bounded(drawn: tuple[AhldarahdState, Random]) -> None:
    """A9, A28-A31, A43: at most 6n + 1 turns, at least 7 without the Night, each of which takes cards from the deck."""
    match, dice = drawn
    seats, options = match.setup.seats, match.setup.options
    turns, plies, in_chance, stalls, nights, chance = 0, -1, 0, 0, 0, (0, 0)
    offers: Counter[tuple[int, int]] = Counter()
    for state in walk(match, dice):
        for event in state.take_events():
            turns += isinstance(event, TurnBegan)
            stalls += isinstance(event, Stall)
            nights += isinstance(event, Night)
        in_chance = in_chance + 1 if chance == (state.turn, state.at) else 0
        chance = (state.turn, state.at)
        offers[chance] += state.decision == ASK_REPLY
        if state.decision == ASK_BUILD:
            assert in_chance <= 42 * state.setup.maps + seats + 2 * 2 + 3 * 3 * seats + 2 * seats
        plies += 1
    assert max(offers.values()) <= (2 if options.trading else 0)
    assert turns <= 6 * seats + 1
    assert turns >= 7 or options.night_of_the_outsider
    assert nights <= 3
    assert stalls < turns
    assert plies <= AHLDARAHD.max_plies(seats, options)
