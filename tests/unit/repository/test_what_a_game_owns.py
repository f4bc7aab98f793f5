"""A game is its own files and one line in a few others: docs/adding_a_game.md lists both, and nothing else names it."""

import re
from fnmatch import fnmatchcase
from functools import cache
from itertools import pairwise

import pytest

from engine.registry import GAMES
from tests.checkout import files, imports, python_files, text

OWN = (
    "engine/<game>/*",
    "proto/arena/games/<game>/v1/*.proto",
    "arena/games/<game>/*",
    "arena/codecs/<game>/codec.py",
    "arena/drawings/<game>/drawing.py",
    "arena/sdk/<game>.py",
    "sample_bots/python/<game>/*",
    "docs/rules/<game>.md",
    "tests/unit/engine/<game>/*",
    "tests/unit/codecs/test_<game>.py",
    "tests/unit/drawings/test_<game>.py",
    "tests/data/playthroughs/<game>/*.txt",
)
"""What every game has; `*` stands for folders, too."""

OWN_IF_NEEDED = (
    "arena/codecs/<game>/*.py",
    "arena/drawings/<game>/*.py",
    "arena/pictures/<game>/*.py",
    "arena/research/<game>/*.py",
    "sample_bots/*/<game>/*",
    "docs/bots/<game>*.md",
    "docs/rules/pictures/<game>.svg",
    "tests/unit/codecs/test_<game>_*.py",
    "tests/unit/drawings/test_<game>_*.py",
    "tests/unit/pictures/test_<game>.py",
    "tests/unit/sample_bots/<game>/*",
    "tests/data/*/<game>/*",
    "tests/data/pictures/<game>.svg",
)
"""What a game has when its own files grow long, or when there is more to it."""

SHARED = {
    "engine/registry.py": r'"\w+",',
    "proto/arena/v1/games.proto": (
        r'import "arena/games/(\w+)/v1/\1\.proto";'
        r"|// .*\."
        r"|arena\.games\.(\w+)\.v1\.(Options|Observation|Action|Event) \2 = \d+;"
    ),
    "arena/v1/games_pb2.py": ".*",
    "arena/v1/games_pb2.pyi": ".*",
}
"""Files of all games that say something of each: what their lines are like."""

GENERAL = ("arena/", "engine/", "proto/", "benchmarks/", ".ci/", "Makefile", "pyproject.toml")
"""Where a game is named by its own files alone."""

PRODUCT = re.compile(r"caravan[ _.-]?arena", re.IGNORECASE)
"""This project is not named after the game alone."""

FOLDERS = sorted(found[1] for path in files() if (found := re.fullmatch(r"engine/(\w+)/__init__\.py", path)))
"""The games that have rules, whether they are offered or not."""


@cache
def owner(path: str) -> str | None:
    """Return the game that a file belongs to."""
    patterns = OWN + OWN_IF_NEEDED
    owners = [game for game in FOLDERS if any(fnmatchcase(path, of(game, each)) for each in patterns)]
    assert len(owners) < 2, f"{path} belongs to {owners}"
    return owners[0] if owners else None


def of(game: str, pattern: str) -> str:
    """Return the pattern for one game."""
    return pattern.replace("<game>", game)


def naming(game: str) -> re.Pattern[str]:
    """Return a pattern for a game's id in identifiers, paths and sentences, in any case, and its title."""
    forms = [
        rf"(?<![A-Za-z]){game}(?![a-z])",
        rf"{game.capitalize()}(?![a-z])",
        rf"(?<![A-Z]){game.upper()}(?![A-Z])",
    ]
    if game in GAMES:
        forms.append(rf"\b{re.escape(GAMES[game].spec.title)}\b")
    return re.compile("|".join(forms))


def lines_that_name(game: str, path: str) -> list[str]:
    """Those of a file, comments and docstrings included."""
    named = naming(game)
    return [line.strip() for line in text(path).splitlines() if named.search(PRODUCT.sub("", line))]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("pattern", OWN)
def test_a_game_has_every_file_that_a_game_needs(game: str, pattern: str) -> None:
    assert any(fnmatchcase(path, of(game, pattern)) for path in files())


@pytest.mark.parametrize("game", FOLDERS)
def test_nothing_but_its_own_files_and_its_lines_in_shared_ones_names_a_game(game: str) -> None:
    found = [
        f"{path}: {line}"
        for path in files()
        if path.startswith(GENERAL) and owner(path) is None
        for line in lines_that_name(game, path)
        if not re.fullmatch(SHARED.get(path, "nothing"), line)
    ]
    assert not found


def test_games_do_not_import_each_other() -> None:
    for path in python_files():
        if (game := owner(path)) is not None:
            others = "|".join(other for other in FOLDERS if other != game)
            foreign = re.compile(rf"(engine|arena\.(codecs|drawings|pictures|games))\.({others})\b.*")
            assert not [name for name in imports(path) if foreign.fullmatch(name)], path


@pytest.mark.parametrize("shared", SHARED)
def test_a_game_of_the_registry_is_named_in_every_shared_file(shared: str) -> None:
    assert all(lines_that_name(game, shared) for game in GAMES)


@pytest.mark.parametrize(
    ("game", "line", "is_named"),
    [
        ("nim", 'if game == "nim":', True),
        ("nim", "class NimState:", True),
        ("nim", "    codec = NIM_CODEC", True),
        ("nim", "from engine.nim.state import State", True),
        ("nim", "the minimum of an animal, MINIMUM, nimble, Nimble", False),
        ("caravan", "pip install caravan-arena[server]", False),
        ("caravan", "Caravan Arena", False),
        ("caravan", "Caravanserai", False),
    ],
)
def test_a_name_is_found_as_a_word_of_its_own(game: str, line: str, is_named: bool) -> None:
    assert bool(naming(game).search(PRODUCT.sub("", line))) is is_named


def test_the_guide_lists_what_a_game_owns_and_shares() -> None:
    guide = text("docs/adding_a_game.md")
    told = [f"`{path}`" for path in (*OWN, *OWN_IF_NEEDED, *SHARED)]
    assert not [path for path in told if path not in guide]
    places = [guide.index(path) for path in told[: len(OWN)]]
    assert all(a < b for a, b in pairwise(places)), "the guide lists them in another order"
