"""Caravanserai on a terminal."""

from collections.abc import Iterator

from arena.drawings.caravanserai.drawing import DRAWING
from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.events import Ending
from engine.caravanserai.observation import Observation
from engine.caravanserai.state import CaravanseraiState
from engine.game import TERMINAL
from engine.randomness import Stream
from tests.unit.cli.screens import check_screen
from tests.unit.drawings.played_steps import check_drawings
from tests.unit.engine.caravanserai.positions import (
    EXPERT,
    OUT_OF_THE_WAY,
    a_match,
    a_position,
    in_round_one,
    view,
)
from tests.unit.engine.playing import legal, play

NAMES = ("greedy", "a-bot-with-a-very-long-name", "c", "d", "e", "f")


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
            drawings[f"{seats} seats, position {number}"] = lines(state, NAMES[:seats])
    for q, r in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)):
        drawings[f"a step by ({q},{r})"] = lines(a_position(f"-3,0R {q - 3},{r}c", OUT_OF_THE_WAY))
    inns = a_position(OUT_OF_THE_WAY, "5,0c", loose="0,0", tiles={(1, 0): "A-K/0"})
    drawings["inns at (0,0), which has a loose good, and at (1,0)"] = lines(inns)
    drawings["pieces on inns"] = lines(a_position("0,0K 1,0l 2,0c", OUT_OF_THE_WAY, expert=True))
    opening = play(a_match(4), legal(a_match(4))[0])
    drawings["S14: an opening, inns to open on are marked"] = lines(opening)
    drawings["a long caravan, whose tail comes back first"] = lines(
        a_position(f"-4,-3W {a_long_caravan(40)}"), NAMES[:1]
    )
    reserve = a_position("-3,0c -2,0P -1,0l 0,0c", OUT_OF_THE_WAY, goods=("WWWKRR", ""), expert=True)
    drawings["a reserve"] = lines(reserve, NAMES[:2])
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


def test_the_drawing_keeps_its_height_while_a_match_goes_on() -> None:
    heights = {len(lines(state)) for state in positions(3, expert=True, every=5)}
    assert len(heights) == 1
