"""The board as a data file ("Board" of docs/rules/caravan.md)."""

from pathlib import Path

import pytest

from engine.caravan import CARAVAN
from engine.caravan.board import BOARDS_VARIABLE, load_board, parse_board
from engine.caravan.goods import GOODS, POINTS
from engine.game import InvalidOptionsError
from tests.unit.engine.caravan.positions import a_match, view
from tests.unit.engine.pages import rows
from tests.unit.engine.playing import legal, play

NARROW = """
1 2 3 4 5 6 7 8
meat swords salt hides ivory cloth gems paper
"""


def a_file(board_map: str) -> bytes:
    return f'map = """{board_map}"""'.encode()


def test_the_classic_board_is_the_one_of_the_rules() -> None:
    board = load_board("classic")
    assert (board.rows, board.columns) == (7, 7)
    spaces = [(0, 0), (0, 6), (1, 1), (1, 5), (5, 1), (5, 5), (6, 0), (6, 6)]
    assert board.goods_spaces == tuple(7 * row + column for row, column in spaces)
    cities = [(2, 2), (2, 4), (4, 2), (4, 4), (0, 3), (3, 0), (3, 6), (6, 3)]
    assert board.cities == tuple(7 * row + column for row, column in cities)
    assert [[name, points, square] for name, points, _, square in rows("caravan", "| good | worth")] == [
        [good.name.lower(), str(POINTS[good]), str(board.cities[good])] for good in GOODS
    ]


def test_a_board_of_a_folder_is_played_by_its_name(folder: Path) -> None:
    (folder / "narrow-1.toml").write_bytes(a_file(NARROW))
    match = a_match(options={"board": "narrow-1"})
    assert view(match).board.columns == 8
    assert legal(match) == ["PASS", *(f"PLACE({to})" for to in range(16))]
    play(match, "PLACE(15)", "PLACE(0)", "PICK_UP(0)")
    assert match.observe(1).seats[1].laden_camels[0].square == 0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(BOARDS_VARIABLE, str(tmp_path))
    load_board.cache_clear()
    return tmp_path


def test_a_packaged_board_cannot_be_covered_by_a_folder(folder: Path) -> None:
    (folder / "classic.toml").write_bytes(a_file(NARROW))
    assert load_board("classic").rows == 7


@pytest.mark.parametrize("name", ["../classic", "", "Classic", "a" * 33, "classic\n", "/etc/passwd"])
def test_a_name_that_could_be_a_path_is_no_board(name: str) -> None:
    with pytest.raises(InvalidOptionsError, match="cannot name a board"):
        load_board(name)


def test_an_unknown_board_is_refused_with_the_way_to_add_one() -> None:
    with pytest.raises(InvalidOptionsError, match=f'no board "atlantis".*{BOARDS_VARIABLE}'):
        CARAVAN.options(2, {"board": "atlantis"})


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"\xff", "is not TOML"),
        (b"map = [", "is not TOML"),
        (b"rows = 7", 'has no text called "map"'),
        (b"map = 7", 'has no text called "map"'),
        (a_file(""), "not a rectangle"),
        (a_file("1 2 3\n4 5"), "not a rectangle"),
        (a_file(NARROW.replace("8", ".")), 'has 0 squares "8"'),
        (a_file(NARROW + "1 . . . . . . ."), 'has 2 squares "1"'),
        (a_file(NARROW.replace("gems", ".")), 'has 0 squares "gems"'),
        (a_file(NARROW + "9 . . . . . . ."), 'has a square "9"'),
        (a_file(NARROW + ". . . . . . . .\n" * 31), "has 264 squares: at most 256"),
    ],
)
def test_a_file_that_is_no_board_is_refused_by_name(content: bytes, complaint: str) -> None:
    with pytest.raises(InvalidOptionsError, match=complaint) as caught:
        parse_board("odd", content)
    assert '"odd"' in str(caught.value)


def test_the_largest_board_has_256_squares_and_can_be_played(folder: Path) -> None:
    (folder / "large.toml").write_bytes(a_file(NARROW + ". . . . . . . .\n" * 30))
    match = play(a_match(options={"board": "large"}), "PLACE(255)", "PLACE(0)")
    assert len(legal(match, "PLACE")) == 254
    play(match, "PASS", "MOVE(255,254)")
    assert len(legal(match, "MOVE")) == 255
