"""What a bot author asks an arena works with the base install, without the packages of [server]."""

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.v1 import play_pb2
from tests.system.cli.test_help import bare
from tests.system.play.conftest import BotFactory

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def match(bot_factory: BotFactory) -> str:
    """Return the number of a match that has ended."""
    bots = bot_factory.table(2)
    asked = bots[0].hear("decision")
    bots[0].say(resign=play_pb2.Resign(assignment=asked.assignment))
    return str(bots[1].hear("match_ended").match.name.removeprefix("matches/"))


@pytest.fixture
def ask(bot_factory: BotFactory, tmp_path: Path) -> Ask:
    """Return a function that runs a command against the arena; exit code, standard output and standard error."""
    arena = bot_factory.arena

    def ask_it(*words: str) -> tuple[int, str, str]:
        return bare(*words, "--server", arena.unix, "--token", str(arena.data / "organiser.token"))

    return ask_it


def test_a_match_is_shown_explained_watched_and_verified(match: str, ask: Ask, tmp_path: Path) -> None:
    file = str(tmp_path / "lost.arenalog")
    commands = {
        ("match", "show", match): "RESIGNATION",
        ("match", "explain", match): "RESIGNATION",
        ("match", "watch", match, "--pace", "0"): "resigned",
        ("log", "show", match): "RESIGNATION",
        ("log", "explain", match): "RESIGNATION",
        ("log", "verify", match): "verified",
        ("log", "debug", match): "No debug lines",
        ("log", "download", match, "-o", file): "",
        ("log", "export", match): "footer",
    }
    for words, shown in commands.items():
        code, out, err = ask(*words)
        assert (code, shown in out) == (0, True), (words, out, err)


def test_the_reason_of_an_error_is_shown(ask: Ask) -> None:
    code, _, err = ask("match", "explain", "999999")
    assert (code, "(MATCH_NOT_FOUND)" in err) == (1, True), err
