"""Caravanserai as SVG."""

from collections.abc import Iterator
from dataclasses import replace
from math import dist

import pytest

from arena.drawings.drawing import Step
from arena.pictures.caravanserai.board import BOARD_TOP, cells_of
from arena.pictures.caravanserai.picture import PICTURE
from arena.pictures.picture import WIDTH, Layer, Picture
from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.events import Counted, TakenBack
from engine.caravanserai.observation import Observation
from engine.caravanserai.pieces import COLOUR_COUNT, COLOUR_LETTERS, PIECE_LETTERS, Piece
from engine.caravanserai.state import CaravanseraiState
from engine.caravanserai.tables import tables_for
from engine.game import own
from tests.unit.drawings.played_steps import steps
from tests.unit.drawings.test_caravanserai import (
    ASKED,
    ENDED,
    TOLD,
    TURNS,
    a_long_caravan,
    a_start,
    at_the_inns,
)
from tests.unit.engine.caravanserai.positions import (
    EXPERT,
    OUT_OF_THE_WAY,
    a_caravan,
    a_match,
    a_position,
    view,
)
from tests.unit.engine.playing import play as played
from tests.unit.pictures.played import NAMES, check_picture, ids, letters, play

MINUS = "\N{MINUS SIGN}"
MATCHES = [(1, {}), (1, EXPERT), (2, EXPERT), (3, {}), (6, {}), (6, EXPERT)]


def steps_of_matches(every: int) -> Iterator[Step]:
    """Yield steps of matches of all sizes as spectators see them."""
    for seats, options in MATCHES:
        for frames in play(CARAVANSERAI, seats, every=every, options=options):
            yield frames[0].step


def marked(picture: Picture) -> dict[str, str]:
    """Return what is not the position itself, with its text."""
    text = letters(picture)
    unmarked = ("row-", "link-", "market-field")
    return {
        part.id: text[part.id]
        for part in picture.parts
        if part.layer is not Layer.PIECES and not part.id.startswith(unmarked)
    }


def marks(state: CaravanseraiState, actions: str) -> list[dict[str, str]]:
    """Return the marks of each moment of the last of some actions."""
    step = steps(state, *actions.split())[-1]
    return [marked(PICTURE.draw(moment.after, NAMES, moment)) for moment in PICTURE.moments(step)]


def pieces_of(seen: Observation) -> dict[str, str]:
    """Return the ids of all that lies on the board, with the letters on it."""
    found = {}
    for seat, has in enumerate(seen.seats):
        for cell, piece in has.caravan:
            letter = PIECE_LETTERS[piece] if piece < COLOUR_COUNT else str(seat)
            found[f"piece-{cell.q}-{cell.r}"] = letter
    return found


def test_every_piece_is_drawn_once_with_its_letter() -> None:
    for step in steps_of_matches(every=9):
        seen = own(step.after, Observation)
        text = letters(PICTURE.draw(seen, NAMES))
        assert {name: text[name] for name in text if name.startswith("piece-")} == pieces_of(seen)
        loose = {f"loose-{cell.q}-{cell.r}" for cell in seen.loose}
        assert loose == {name for name in text if name.startswith("loose-")}
        links = sum(len(has.caravan) - 1 for has in seen.seats if has.caravan)
        assert links == len([name for name in text if name.startswith("link-")])
        for colour, letter in enumerate(COLOUR_LETTERS):
            assert text[f"market-{letter}"] == f"{seen.market[colour]} {letter}"
            for seat, has in enumerate(seen.seats):
                assert text[f"goods-{seat}-{letter}"] == f"{has.goods[colour]} {letter}"
        for seat, has in enumerate(seen.seats):
            laying = seen.placement if seat == seen.seat_to_act else None
            length = len(has.caravan) - len(laying.pieces if laying else ())
            assert text[f"length-{seat}"] == str(length)
            assert text[f"camels-{seat}"] == str(has.camels)
            assert text[f"reserve-{seat}"] == str(has.camels + sum(has.goods))


def test_all_parts_lie_within_the_picture() -> None:
    for step in steps_of_matches(every=25):
        for moment in PICTURE.moments(step):
            picture = PICTURE.draw(moment.after, NAMES, moment)
            for part in picture.parts:
                assert 0 <= part.x <= WIDTH, part.id
                assert 0 <= part.y <= picture.height, part.id


def test_everybody_sees_the_same() -> None:
    for frames in play(CARAVANSERAI, 3, every=40):
        assert len({PICTURE.draw(frame.step.after, NAMES, frame.moments[-1]).svg() for frame in frames}) == 1


def test_the_board_stays_the_same_during_a_match() -> None:
    for seats in (1, 6):
        drawn = [PICTURE.draw(frames[0].step.after) for frames in play(CARAVANSERAI, seats, every=20)]
        assert len({(picture.board, picture.height) for picture in drawn}) == 1


@pytest.mark.parametrize(
    ("state", "actions", "marks_of_moments"),
    [
        pytest.param(
            a_match(),
            "OPEN(6,-4)",
            [
                {"actor-0": "", "changed": "", "length-0-change": "+1", "camels-0-change": f"{MINUS}1"}
                | {"market-Y-change": f"{MINUS}1", "goods-0-Y-change": "+1"}
            ],
            id="an opening on a yellow inn",
        ),
        pytest.param(
            a_start(),
            "START(0,R,1)",
            [
                {"actor-0": "", "changed": "", "reserve-0-change": f"{MINUS}1"}
                | {"goods-0-R-change": f"{MINUS}1"}
            ],
            id="a good",
        ),
        pytest.param(
            at_the_inns(loose="0,0"),
            "START(0,K,1)",
            [
                {"actor-0": "", "changed": "", "reserve-0-change": f"{MINUS}1", "returned": "W"}
                | {"goods-0-K-change": f"{MINUS}1", "market-W-change": "+1"}
            ],
            id="a good over a loose good",
        ),
        pytest.param(
            a_start(expert=True),
            "LYING(0)",
            [
                {"actor-0": "", "changed": "", "reserve-0-change": f"{MINUS}1"}
                | {"camels-0-change": f"{MINUS}1"}
            ],
            id="a lying camel",
        ),
        pytest.param(
            at_the_inns(),
            "START(0,W,1) CAMEL(0)",
            [
                {"actor-0": "", "changed": "", "camels-0-change": f"{MINUS}1"}
                | {"market-W-change": f"{MINUS}1", "goods-0-W-change": "+1"},
                {"actor-0": "", "ghost--1-0": "0", "length-0-change": "+1", "camels-0-change": "+1"}
                | {"reserve-0-change": "+1"},
            ],
            id="a camel, and the count of two pieces without the omitted one",
        ),
        pytest.param(
            at_the_inns(market=(0, 5, 5, 5, 5)),
            "CAMEL(0) STEAL(1)",
            [
                {"actor-0": "", "stolen": "", "reserve-0-change": "+1", "goods-0-W-change": "+1"}
                | {"reserve-1-change": f"{MINUS}1", "goods-1-W-change": f"{MINUS}1"},
                {"actor-0": "", "ghost--1-0": "0", "camels-0-change": "+1", "reserve-0-change": "+1"},
            ],
            id="a stolen good",
        ),
        pytest.param(
            a_start(),
            "CAMEL(0) SEED(W,0,0)",
            [{"actor-0": "", "changed": "", "market-W-change": f"{MINUS}1"}],
            id="a good for the board",
        ),
    ],
)
def test_an_action_marks_what_it_has_changed(state, actions, marks_of_moments) -> None:
    assert marks(state, actions) == marks_of_moments


def test_before_the_count_all_pieces_lie_on_the_board() -> None:
    """S34: what is taken back lies where it lay, and is not in the reserve yet."""
    counts = 0
    for step in steps_of_matches(every=1):
        if not any(isinstance(event, Counted) for event in step.events):
            continue
        counts += 1
        before, after = own(step.before, Observation), own(step.after, Observation)
        laid = own(PICTURE.moments(step)[0].after, Observation)
        taken = next(event for event in step.events if isinstance(event, TakenBack))
        old, between, new = (seen.seats[step.seat] for seen in (before, laid, after))
        assert between.caravan[-1] == new.caravan[-1]
        assert len(between.caravan) == len(new.caravan) + len(taken.pieces)
        assert between.caravan[: len(old.caravan)] == old.caravan
        assert between.camels + sum(p >= COLOUR_COUNT for p in taken.pieces) == new.camels
        assert sum(between.goods) + sum(p < COLOUR_COUNT for p in taken.pieces) == sum(new.goods)
        assert laid.placement is not None
        assert laid.placement.pieces[-1] is Piece.CAMEL
        assert PICTURE.scores(laid) == PICTURE.scores(before)
    assert counts


def test_skipped_seats_are_a_moment_of_their_own() -> None:
    [step] = steps(a_start(camels=(7, 0), market=(0, 0, 0, 0, 0)), "CAMEL(0)")
    *_, skip = PICTURE.moments(step)
    assert skip.caption == "Skipped: seat 1 (no camel)"
    assert marked(PICTURE.draw(skip.after, NAMES, skip)) == {"actor-1": ""}


@pytest.mark.parametrize("turn", TURNS)
def test_every_kind_of_turn_is_drawn(turn: str) -> None:
    state, actions = TURNS[turn]
    for step in steps(state, *actions.split()):
        for moment in PICTURE.moments(step):
            assert ids(PICTURE.draw(moment.after, (), moment))


def test_what_is_asked_and_what_is_laid_are_written_above_the_board() -> None:
    drawn = {title: letters(PICTURE.draw(view(state), ("ant",))) for title, state in (ASKED | TOLD).items()}
    assert [drawn[title]["turn"] for title in ASKED] == [
        "Opening 0 ant: opens on an outer tile",
        "Round 1 0 ant: begins to lay",
        "Round 1 0 ant: lays 1 more red",
        "Round 1 0 ant: a camel, or 3 goods",
        "Round 1 0 ant: lays 1 more red",
        "Round 1 0 ant: a camel, or 2 goods",
        "Round 1 0 ant: takes a white good",
        "Round 1 0 ant: 1 good to the board",
        "Round 1 0 ant: 2 goods to the board",
    ]
    blocks = drawn["a block that lacks two"]
    assert [blocks[f"laid-{block}"] for block in range(3)] == ["1 R", "l", "1/3 K"]
    assert "laid" not in drawn["nothing laid"]
    assert drawn["S36: the market was emptied"]["end"] == "last round: 5"
    assert (
        drawn["S37: the last round"]["end"] == drawn["S37: the last round in solo"]["end"] == "the last round"
    )
    assert drawn["S43: solo without a level"]["level"].startswith("Level: none; Camel driver from 25")
    assert drawn["S43: the highest level in solo"]["level"] == "Level: Chief of the 5 tribes"
    ended = letters(PICTURE.draw(view(ENDED), NAMES))
    assert "over: the market is empty" in ended["turn"]
    assert "end" not in ended


def test_a_long_name_leaves_room_for_what_is_asked() -> None:
    line = letters(PICTURE.draw(view(ASKED["two goods for the board"]), ("a-bot-with-a-very-long-name",)))[
        "turn"
    ]
    assert "a-bot-wi" in line
    assert line.endswith(": 2 goods to the board")


@pytest.mark.parametrize("seats", [1, 3, 4, 6])
def test_the_legend_is_beside_the_board(seats: int) -> None:
    tables = tables_for(seats)
    cells = cells_of(tables)
    legend = [(x, y) for x in range(460, WIDTH, 4) for y in range(BOARD_TOP, BOARD_TOP + 68, 4)]
    centres = [cells.at(cell) for cell in tables.cells]
    assert min(dist(point, centre) for point in legend for centre in centres) > cells.size


def test_the_longest_placement_stays_on_its_line() -> None:
    """Blocks of 1 to 8 goods are more than a seat can ever lay."""
    seen = view(played(a_start(expert=True), "START(0,R,1)"))
    assert seen.placement is not None
    pieces = tuple(Piece(block % 2) for block in range(8) for _ in range(block + 1))
    first = seen.seats[0]._replace(caravan=a_caravan(a_long_caravan(45)))
    crowded = replace(
        seen,
        placement=seen.placement._replace(pieces=pieces, size=8),
        seats=(first, seen.seats[1]),
        trigger=59,
    )
    parts = {part.id: part for part in PICTURE.draw(crowded).parts}
    assert parts["laid-7"].x + 28 < parts["count"].x
    assert parts["count"].x + 75 < parts["end"].x - 150


def test_the_count_so_far_leaves_out_blocks_on_inns_of_their_colour() -> None:
    """S32, S33: white on a white inn is omitted, the good before it and the camel are not."""
    state = a_position("-2,0c", OUT_OF_THE_WAY, expert=True)
    counts = [
        letters(PICTURE.draw(step.after))["count"]
        for step in steps(state, "START(0,K,1)", "START(0,W,2)", "CONTINUE(0)", "LYING(0)")
    ]
    assert counts == ["count 1", "count 1", "count 1", "count 2"]


def test_a_position_looks_as_in_the_golden_file() -> None:
    tiles = {(1, 0): "B-R/2", (0, -1): "C-K/1", (-1, 1): "D-Y/0", (0, 1): "E-P/3"}
    state = a_position(
        "-3,0c -2,0P -1,0l 0,0c", "6,-4R 5,-4c", loose="-2,-1 4,0", expert=True, tiles=tiles, trigger=1
    )
    step = steps(state, "START(5,R,1)", "LYING(5)")[-1]
    [moment] = PICTURE.moments(step)
    check_picture("caravanserai", PICTURE.draw(step.after, ("greedy", "a-bot-with-a-very-long-name"), moment))
