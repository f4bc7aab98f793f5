"""Caravanserai on a terminal."""

import re
from collections.abc import Iterator

import pytest

from arena.drawings.caravanserai.drawing import DRAWING
from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.events import Ending
from engine.caravanserai.hexes import Cell
from engine.caravanserai.observation import Observation
from engine.caravanserai.state import CaravanseraiState
from engine.game import TERMINAL
from engine.randomness import Stream
from tests.unit.cli.screens import check_screen
from tests.unit.engine.caravanserai.positions import (
    EXPERT,
    OUT_OF_THE_WAY,
    a_match,
    a_position,
    caravan,
    in_round_one,
    view,
)
from tests.unit.engine.playing import legal, play

CELLS = {1: 133, 2: 133, 3: 168, 4: 189, 5: 210, 6: 210}
"""By number of seats: the table of docs/rules/caravanserai.md."""

ONWARD = {"→": (1, 0), "↘": (0, 1), "↙": (-1, 1), "←": (-1, 0), "↖": (0, -1), "↗": (1, -1)}
"""What each arrow adds to (q,r) (S3), where r grows downwards and the next row stands half a cell further right."""

NAME_OF_CELL = re.compile(r"\((-?\d+),(-?\d+)\)")


def lines(seen: Observation | CaravanseraiState, names: tuple[str, ...] = ()) -> list[str]:
    """Return the lines of the drawing, without colours."""
    if isinstance(seen, CaravanseraiState):
        seen = view(seen)
    return [line.rstrip() for line in DRAWING.draw(seen, names).plain.splitlines()]


def board(drawn: list[str]) -> dict[Cell, str]:
    """Return what is drawn on each cell, counted from the name before its row as a person does."""
    found = {}
    for line in drawn:
        first = NAME_OF_CELL.match(line.strip())
        if first is None:
            break
        last = list(NAME_OF_CELL.finditer(line))[1]
        start, (q, r) = line.index(")") + 2, map(int, first.groups())
        for column in range(start, last.start() - 1, 4):
            found[Cell(q + (column - start) // 4, r)] = line[column : column + 4].rstrip()
        assert (max(cell.q for cell in found if cell.r == r), r) == tuple(map(int, last.groups()))
    return found


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


@pytest.mark.parametrize("expert", [False, True])
@pytest.mark.parametrize("seats", CELLS)
def test_the_whole_position_can_be_read_from_the_drawing_without_colours(seats: int, expert: bool) -> None:
    for state in positions(seats, expert=expert, every=23):
        seen, drawn = view(state), lines(state)
        assert max(map(len, drawn)) <= 80
        cells = board(drawn)
        assert len(cells) == CELLS[seats]
        assert {cell for cell, text in cells.items() if text[0] == "●"} == set(seen.loose)
        table = drawn[-1 - seats : -1]
        for seat, held in enumerate(seen.seats):
            assert read_caravan(cells, seat) == caravan(state, seat)
            row = table[seat].replace("▶", " ").replace("-", "0").split()
            goods, letters = sum(held.goods), "".join(word[-1] for word in caravan(state, seat).split())
            laid = seen.placement.pieces if seen.placement and seat == seen.seat_to_act else ()
            length = len(held.caravan) - len(laid)
            numbers = [seat, length, goods + held.camels, held.camels, *held.goods]
            assert row == [*map(str, numbers), *([letters] if letters else [])]
        market = drawn[-1].replace("-", "0").split()
        assert market == ["market", *map(str, [sum(seen.market), *seen.market])]


def read_caravan(cells: dict[Cell, str], seat: int) -> str:
    """Read the caravan of a seat backwards from its head, and write it as `caravan` does."""
    own = {cell: text for cell, text in cells.items() if text[0] == str(seat)}
    before = {
        Cell(cell.q + ONWARD[text[3]][0], cell.r + ONWARD[text[3]][1]): cell
        for cell, text in own.items()
        if text[3] != "*"
    }
    found: list[Cell] = [cell for cell, text in own.items() if text[3] == "*"]
    while found and found[-1] in before:
        found.append(before[found[-1]])
    assert len(found) == len(own)
    return " ".join(f"{cell.q},{cell.r}{own[cell][1]}" for cell in reversed(found))


def test_a_cell_of_the_same_q_is_half_a_cell_further_right_in_the_next_row() -> None:
    drawn = lines(a_position("0,0c", "3,-2c"))
    assert drawn[7].index("0c") + 2 == lines(a_position("0,1c", "3,-2c"))[8].index("0c")


@pytest.mark.parametrize(("arrow", "step"), ONWARD.items())
def test_arrows_lead_along_a_caravan_to_its_head(arrow: str, step: tuple[int, int]) -> None:
    q, r = step
    drawn = board(lines(a_position(f"-3,0R {q - 3},{r}c", OUT_OF_THE_WAY)))
    assert drawn[Cell(-3, 0)] == f"0R {arrow}"
    assert drawn[Cell(q - 3, r)][:2] + drawn[Cell(q - 3, r)][3] == "0c*"


def test_inns_loose_goods_and_pieces_on_an_inn_differ() -> None:
    """All inns of row r=0 of the smallest board are at q=0 and q=1."""
    drawn = board(lines(a_position(OUT_OF_THE_WAY, "5,0c", loose="0,0", tiles={(1, 0): "A-K/0"})))
    assert [drawn[Cell(q, 0)] for q in (-1, 0, 1)] == ["·", "●W", "◇w"]
    assert drawn[Cell(2, 1)] == "◇k"
    on_inns = board(lines(a_position("0,0K 1,0l 2,0c", OUT_OF_THE_WAY, expert=True)))
    assert [on_inns[Cell(q, 0)] for q in (0, 1, 2)] == ["0Kw→", "0lw→", "0c *"]


def test_in_the_opening_the_inns_to_open_on_are_marked() -> None:
    """S14: what is marked is what the rules list."""
    state = play(a_match(4), legal(a_match(4))[0])
    marked = {cell for cell, text in board(lines(state)).items() if text[0] == "◆"}
    assert marked == {Cell(*map(int, text[5:-1].split(","))) for text in legal(state, "OPEN")}
    assert "◆r to open on" in lines(state)[18]
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


def test_a_seat_shows_its_length_its_reserve_and_its_caravan() -> None:
    state = a_position("-3,0c -2,0P -1,0l 0,0c", OUT_OF_THE_WAY, goods=("WWWKRR", ""), expert=True)
    head, acting, other, market = below(state, ("greedy", "a-bot-with-a-very-long-name"))[-4:]
    assert head.split()[:9] == ["seat", "length", "reserve", "camels", *"WKPRY"]
    assert acting.split() == ["▶", "0", "greedy", "4", "11", "5", "3", "1", "-", "2", "-", "cPlc"]
    assert other.split() == ["1", "a-bot-with-", "1", "7", "7", *"-----", "c"]
    assert market.split() == ["market", "25", *"55555"]
    assert head.rindex("Y") == acting.index("-", 55) == market.rindex("5")


def test_a_long_caravan_shows_its_tail_which_comes_back_first() -> None:
    line = below(a_position(f"-4,-3W {a_long_caravan(40)}"), ("a-bot",))[-2]
    assert len(line) == 80
    assert line.split()[-1] == "W" + 20 * "R" + "…"


def test_the_drawing_keeps_its_height_while_a_match_goes_on() -> None:
    heights = {len(lines(state)) for state in positions(3, expert=True, every=5)}
    assert len(heights) == 1
