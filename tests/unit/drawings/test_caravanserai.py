"""Caravanserai on a terminal, and its turns in plain words."""

from collections.abc import Iterator
from dataclasses import replace

from arena.drawings.caravanserai.drawing import DRAWING
from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.events import Ending
from engine.caravanserai.observation import Observation
from engine.caravanserai.state import CaravanseraiState
from engine.game import TERMINAL
from engine.randomness import Stream
from tests.unit.cli.screens import check_screen
from tests.unit.drawings.played_steps import check_drawings, news, steps, words
from tests.unit.engine.caravanserai.positions import (
    EXPERT,
    OUT_OF_THE_WAY,
    a_caravan,
    a_match,
    a_position,
    in_round_one,
    view,
)
from tests.unit.engine.playing import legal, play

BOTS = ("greedy", "a-bot-with-a-very-long-name", "c", "d", "e", "f")


def lines(seen: Observation | CaravanseraiState, names: tuple[str, ...] = ()) -> list[str]:
    """Return the lines of the drawing, without colours."""
    if isinstance(seen, CaravanseraiState):
        seen = view(seen)
    return [line.rstrip() for line in DRAWING.draw(seen, names).plain.splitlines()]


def below(seen: Observation | CaravanseraiState, names: tuple[str, ...] = ()) -> list[str]:
    """Return the lines below the board."""
    drawn = lines(seen, names)
    return drawn[drawn.index("") + 1 :]


def a_long_caravan(length: int) -> str:
    """To and fro over the smallest board, at most 45 pieces."""
    there = range(-4, 5)
    cells = [(q, r) for r in range(-2, 3) for q in (there if r % 2 == 0 else reversed(there))]
    goods = [f"{q},{r}R" for q, r in cells[: length - 1]]
    return " ".join([*goods, "{},{}c".format(*cells[length - 1])])


def positions(seats: int, *, expert: bool, every: int) -> Iterator[CaravanseraiState]:
    """Now and then a position of a match, and the last one."""
    state = a_match(seats, options=EXPERT if expert else None)
    stream, plies = Stream(bytes(31) + b"d"), 0
    while state.seat_to_act != TERMINAL:
        if plies % every == 0:
            yield state
        state.apply(CARAVANSERAI.sensible_action(state, stream))
        plies += 1
    yield state


def test_whole_positions_are_drawn_as_in_the_golden_file() -> None:
    drawings = {}
    for seats, expert in ((1, False), (2, True), (3, False), (4, True), (6, False)):
        for number, state in enumerate(positions(seats, expert=expert, every=60)):
            drawings[f"{seats} seats, position {number}"] = lines(state, BOTS[:seats])
    for q, r in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)):
        drawings[f"a step by ({q},{r})"] = lines(a_position(f"-3,0R {q - 3},{r}c", OUT_OF_THE_WAY))
    inns = a_position(OUT_OF_THE_WAY, "5,0c", loose="0,0", tiles={(1, 0): "A-K/0"})
    drawings["inns at (0,0), which has a loose good, and at (1,0)"] = lines(inns)
    drawings["pieces on inns"] = lines(a_position("0,0K 1,0l 2,0c", OUT_OF_THE_WAY, expert=True))
    opening = play(a_match(4), legal(a_match(4))[0])
    drawings["S14: an opening, inns to open on are marked"] = lines(opening)
    drawings["a long caravan, whose tail comes back first"] = lines(
        a_position(f"-4,-3W {a_long_caravan(40)}"), BOTS[:1]
    )
    reserve = a_position("-3,0c -2,0P -1,0l 0,0c", OUT_OF_THE_WAY, goods=("WWWKRR", ""), expert=True)
    drawings["a reserve"] = lines(reserve, BOTS[:2])
    check_drawings("caravanserai_positions", drawings)


def test_the_inns_marked_in_the_opening_are_those_that_the_rules_list() -> None:
    """S14."""
    state = play(a_match(4), legal(a_match(4))[0])
    assert "\n".join(lines(state)[:-8]).count("◆") == len(legal(state, "OPEN")) + 1, "one is in the legend"
    assert "◆" not in "\n".join(lines(in_round_one()))


ASKED = {
    "opening": a_match(),
    "a placement": a_position("-3,0c", OUT_OF_THE_WAY),
    "inside a block": play(a_position("-5,0c", OUT_OF_THE_WAY), "START(0,R,2)"),
    "after a block": play(a_position("-5,0c", OUT_OF_THE_WAY), "START(0,R,2)", "CONTINUE(0)"),
    "inside a block, any way": play(a_position("-1,0c", OUT_OF_THE_WAY), "START(0,R,2)"),
    "after a lying camel": play(a_position("-5,0c", OUT_OF_THE_WAY, expert=True), "LYING(0)"),
    "a good of a reserve": play(a_position("-1,0c", OUT_OF_THE_WAY, market=(0, 5, 5, 5, 5)), "CAMEL(0)"),
    "a good for the board": play(a_position("-5,0c", OUT_OF_THE_WAY, loose=""), "CAMEL(0)"),
    "two goods for the board": play(a_position("-5,0c"), "CAMEL(0)"),
}
TOLD = {
    "nothing laid": a_position("-5,0c", OUT_OF_THE_WAY, expert=True),
    "a block that lacks two": play(
        a_position("-5,0c", OUT_OF_THE_WAY, expert=True), "START(0,R,1)", "LYING(0)", "START(0,K,3)"
    ),
    "S26: a declined good": play(a_position("-1,0c", OUT_OF_THE_WAY, loose="0,0"), "START(0,W,1,decline)"),
    "S36: the market was emptied": a_position("-3,0c", OUT_OF_THE_WAY, first=1, trigger=4, round=4),
    "S37: the last round": a_position("-3,0c", OUT_OF_THE_WAY, first=1, trigger=4, round=5),
    "S37: the last round in solo": a_position("-3,0c", trigger=4, round=4),
    "S43: solo without a level": a_position(a_long_caravan(6)),
    "S43: the first level in solo": a_position(a_long_caravan(25)),
    "S43: the highest level in solo": a_position(a_long_caravan(45)),
}
ENDED = a_position(
    "-3,0R -2,0c",
    "3,-2R 4,-2c",
    "-3,2R -2,2c",
    goods=("WW", "WW", "WWW"),
    first=1,
    round=9,
    seat_to_act=None,
    decision=None,
    ending=Ending.MARKET,
)
"""S42: equal lengths go by the reserve, then to the later in turn order."""


def test_the_question_and_what_is_below_the_board_in_words() -> None:
    ended = below(ENDED, ("anna", "bert", "carl"))
    assert not any("▶" in line for line in ended)
    screens = {title: below(state)[0] for title, state in ASKED.items()}
    screens |= {title: "\n".join(below(state)[:3]) for title, state in TOLD.items()}
    screens["the end"] = "\n".join(ended[:2])
    screens["names"] = below(a_match(), ("greedy", "random"))[0]
    check_screen("drawings/caravanserai", screens)


def test_what_is_laid_does_not_count_before_the_end() -> None:
    assert below(TOLD["a block that lacks two"])[-3].split()[:3] == ["▶", "0", "1"]


def test_the_drawing_keeps_its_height_during_a_match() -> None:
    heights = {len(lines(state)) for state in positions(3, expert=True, every=5)}
    assert len(heights) == 1


NAMES = ("anna", "bert")
EMPTY = (0, 0, 0, 0, 0)
NO_WHITE = (0, 5, 5, 5, 5)


def a_start(**changes: object) -> CaravanseraiState:
    """Return a position whose seat 0 leads from (-5,0) along the row with white inns at (0,0) and (1,0)."""
    return a_position("-5,0c", OUT_OF_THE_WAY, **changes)  # type: ignore[arg-type]


def with_lengths(seen: Observation, *lengths: int) -> Observation:
    """Return the position with caravans of these lengths."""
    caravans = [a_caravan(" ".join(f"{q},0R" for q in range(length))) for length in lengths]
    seats = [seat._replace(caravan=new) for seat, new in zip(seen.seats, caravans, strict=True)]
    return replace(seen, seats=tuple(seats))


def at_the_inns(**changes: object) -> CaravanseraiState:
    """Return a position whose seat 0 leads from (-1,0), next to the white inn at (0,0)."""
    return a_position("-1,0c", OUT_OF_THE_WAY, **changes)  # type: ignore[arg-type]


TURNS: dict[str, tuple[CaravanseraiState, str]] = {
    "a camel": (a_start(), "CAMEL(0)"),
    "a block of one": (a_start(), "START(0,R,1) CAMEL(0)"),
    "three blocks": (
        a_start(),
        "START(0,R,1) START(0,K,2) CONTINUE(0) START(0,P,3) CONTINUE(0) CONTINUE(0)",
    ),
    "an unfinished block": (a_start(), "START(0,R,1) START(0,K,2)"),
    "a seed": (a_start(), "CAMEL(0) SEED(W,0,0)"),
    "S54: the opening; tile C-Y/1 at (2,-2) has inns at (6,-4) and (6,-3)": (a_match(), "OPEN(6,-4)"),
    "a lying camel": (a_start(expert=True), "LYING(0) CAMEL(0)"),
    "one piece of a block": (play(a_start(), "START(0,R,2)"), "CONTINUE(0)"),
    "S31: a good taken from a seat": (at_the_inns(market=NO_WHITE), "CAMEL(0) STEAL(1)"),
    "S26, S27: loose goods used and sent back": (
        a_position("-2,0c", OUT_OF_THE_WAY, loose="0,0 1,0"),
        "START(0,K,1) START(0,W,2) CONTINUE(0,decline) CAMEL(0)",
    ),
    "S30: earned from board and market": (at_the_inns(loose="0,0"), "CAMEL(0)"),
    "S31: a good that nobody has": (at_the_inns(market=NO_WHITE, goods="KPRY"), "CAMEL(0)"),
    "S32 to S34: counted without the white block on white inns": (
        a_position("-4,0c -3,0l -2,0K -1,0c", OUT_OF_THE_WAY, expert=True, market=EMPTY),
        "START(0,W,1) START(0,K,2) CONTINUE(0) CAMEL(0)",
    ),
    "S35: a good without a free inn": (a_start(market=EMPTY), "CAMEL(0)"),
    "S35: two goods without a free inn": (a_position("-5,0c", market=EMPTY), "CAMEL(0)"),
    "S33: a white block on a white inn": (at_the_inns(), "START(0,W,1) CAMEL(0)"),
    "S36, S37: the market is emptied": (at_the_inns(market=(1, 0, 0, 0, 0), round=4), "CAMEL(0)"),
    "S37: the market is emptied in solo": (a_position("-1,0c", market=(1, 0, 0, 0, 0), round=4), "CAMEL(0)"),
    "S16: no camel is left": (a_start(camels=(7, 0), market=EMPTY), "CAMEL(0)"),
    "S16: there is no room": (a_position("-5,0c", "2,-7R 2,-6R 3,-6R 3,-7c", market=EMPTY), "CAMEL(0)"),
    "S39: the end, nobody has a camel": (
        a_position("-5,0R -4,0c", OUT_OF_THE_WAY, camels=(1, 0), market=EMPTY),
        "CAMEL(0)",
    ),
}


def test_turns_in_words() -> None:
    told = {}
    for title, (state, actions) in TURNS.items():
        told[title] = words(DRAWING, steps(state, *actions.split()), NAMES[: len(view(state).seats)])
    solo = view(a_position("-5,0c"))
    [step] = steps(a_position("-5,0c"), "CAMEL(0)")
    for length in (24, 25):
        reached = replace(step, after=with_lengths(solo, length))
        told[f"S43: length {length} in solo"] = words(DRAWING, [reached], NAMES[:1])
    last = a_start(camels=(1, 7), trigger=3, round=4)
    told["headings"] = "\n".join(DRAWING.heading(view(state)) for state in (a_match(), a_start(), last))
    solo_standings = [DRAWING.standing(with_lengths(solo, length), NAMES[:1]) for length in (30, 9)]
    standings = [DRAWING.standing(with_lengths(view(a_start()), 3, 9), NAMES), *solo_standings]
    told["standings"] = "\n".join(text.plain for text in standings)
    check_screen("words/caravanserai", told)


def test_pieces_change_no_length_before_they_are_counted() -> None:
    laid, counted = steps(at_the_inns(), "START(0,W,1)", "CAMEL(0)")
    assert news(DRAWING, [laid], NAMES) == []
    assert DRAWING.standing(laid.after, NAMES).plain == "bert 1, anna 1"
    assert not DRAWING.is_moment(laid.before, laid.after)
    assert news(DRAWING, [counted], NAMES)[-1].startswith("Length: anna 1 → 2")


def test_a_turn_is_a_round_of_one_seat() -> None:
    """S15: each seat has one turn in each round, and the opening is round 0 (S14)."""
    assert DRAWING.turn(view(a_match())) == 0
    assert DRAWING.turn(view(a_start(round=7))) == 7


def test_the_board_is_shown_again_at_great_moments() -> None:
    seen = view(a_start())
    behind, ahead = with_lengths(seen, 3, 4), with_lengths(seen, 5, 4)
    assert DRAWING.is_moment(behind, ahead)
    assert not DRAWING.is_moment(behind, with_lengths(seen, 4, 4))
    assert DRAWING.is_moment(behind, replace(behind, trigger=1))
    assert not DRAWING.is_moment(replace(behind, trigger=1), replace(behind, trigger=1, round=2))
    assert DRAWING.is_moment(replace(behind, round=0), behind)
    assert DRAWING.is_moment(replace(behind, round=9), replace(behind, round=10))
    assert not DRAWING.is_moment(replace(behind, round=10), replace(behind, round=11))
    solo = view(a_position("-5,0c"))
    assert DRAWING.is_moment(with_lengths(solo, 29), with_lengths(solo, 31))
    assert not DRAWING.is_moment(with_lengths(solo, 25), with_lengths(solo, 29))
