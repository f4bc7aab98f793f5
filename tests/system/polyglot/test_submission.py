"""The sample bots as they are submitted: what `python -m sample_bots.submission` makes can be packed, and starts."""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc
import pytest

from arena.submissions.content import content_of
from arena.submissions.packing import scan_folder
from arena.v1 import play_pb2, play_pb2_grpc
from engine.registry import GAMES
from sample_bots.languages import BOTS, LANGUAGES, Language
from sample_bots.submission import NotAssembledError, assemble
from tests.system.polyglot.languages import need

ROOT = Path(__file__).parents[3]
PYTHON = LANGUAGES[0]
ALL = pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)


class Hellos(play_pb2_grpc.PlayServiceServicer):
    """Takes one hello per connection, with the metadata that came with it, and leaves the bot waiting."""

    def __init__(self) -> None:
        self.heard: queue.Queue[tuple[play_pb2.Hello, dict[str, str | bytes]]] = queue.Queue()
        self.over = threading.Event()

    def Play(  # noqa: N802 - the name of the call
        self, request_iterator: Iterator[play_pb2.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[play_pb2.PlayResponse]:
        context.send_initial_metadata(())  # a bot waits for it before it speaks
        self.heard.put((next(request_iterator).messages[0].hello, dict(context.invocation_metadata())))
        self.over.wait()
        return iter(())


@pytest.fixture
def hellos() -> Iterator[tuple[Hellos, str]]:
    """Open an arena that only listens; return its address."""
    servicer = Hellos()
    server = grpc.server(ThreadPoolExecutor(2))
    play_pb2_grpc.add_PlayServiceServicer_to_server(servicer, server)
    with TemporaryDirectory(prefix="arena-") as folder:  # a socket's path is at most about 100 bytes long
        address = f"unix://{folder}/play.sock"
        server.add_insecure_port(address)
        server.start()
        yield servicer, address
        servicer.over.set()
        server.stop(None).wait()


@contextmanager
def running(
    folder: Path, settings: dict[str, str], packages: Path = ROOT
) -> Iterator[subprocess.Popen[bytes]]:
    """Start the bot of a submission as its manifest says, with hardly anything in its environment.

    `packages`: where Python finds those of the arena.
    """
    command = scan_folder(folder).manifest.command
    python = str(Path(sys.executable).parent)
    environment = {"PATH": f"{python}:{os.environ['PATH']}", "HOME": str(folder.parent), **settings}
    if command[0] == "python":
        environment["PYTHONPATH"] = str(packages)
    with subprocess.Popen(command, cwd=folder, env=environment) as program:
        try:
            yield program
        finally:
            program.kill()


def assembled(language: Language, bot: str, folder: Path) -> Path:
    """Make a folder with this bot as it is submitted."""
    need(language)
    assemble(language, bot, folder)
    return folder


@ALL
@pytest.mark.parametrize("token", [{}, {"ARENA_TOKEN": ""}], ids=["unset", "empty"])
def test_a_submission_starts_in_its_folder_and_says_hello_through_a_unix_socket_without_a_token(
    language: Language, token: dict[str, str], tmp_path: Path, hellos: tuple[Hellos, str]
) -> None:
    servicer, address = hellos
    folder = assembled(language, "greedy", tmp_path / "submission")
    with running(folder, {"ARENA_ADDRESS": address, **token}):
        hello, metadata = servicer.heard.get(timeout=30)
    assert scan_folder(folder).manifest.games == tuple(game.game for game in hello.games)
    assert "authorization" not in metadata


@ALL
@pytest.mark.parametrize("bot", BOTS)
def test_a_submission_can_be_packed_and_names_games_that_there_are(
    language: Language, bot: str, tmp_path: Path
) -> None:
    folder = assembled(language, bot, tmp_path / "submission")
    manifest = scan_folder(folder).manifest
    assert manifest.language == language.name
    assert set(manifest.games) <= set(GAMES)


@pytest.mark.parametrize(
    ("game", "bot"),
    [
        ("wasteland", "random"),
        *((game, bot) for game in GAMES for bot in PYTHON.bots(game) if bot != "random"),
    ],
)
def test_a_python_bot_of_any_game_brings_all_that_it_imports(
    game: str, bot: str, tmp_path: Path, hellos: tuple[Hellos, str]
) -> None:
    """What the sandbox shows of the arena: sdk and rules, but no sample bots."""
    servicer, address = hellos
    assemble(PYTHON, bot, tmp_path / "submission", game)
    packages = tmp_path / "packages"
    packages.mkdir()
    for package in ("arena", "engine"):
        (packages / package).symlink_to(ROOT / package)
    with running(tmp_path / "submission", {"ARENA_ADDRESS": address}, packages):
        hello, _ = servicer.heard.get(timeout=30)
    games = scan_folder(tmp_path / "submission").manifest.games
    assert game in games
    assert games == tuple(each.game for each in hello.games)
    assert bot == "random" or games == (game,)


def test_a_bot_that_there_is_not_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(NotAssembledError, match=r"wasteland: .*random, greedy, planner"):
        assemble(PYTHON, "mcts", tmp_path / "new", "wasteland")
    with pytest.raises(NotAssembledError, match="wasteland are in python"):
        assemble(Language("go"), "greedy", tmp_path / "new", "wasteland")
    assert not (tmp_path / "new").exists()


@ALL
def test_the_same_bot_assembled_twice_is_the_same_version(language: Language, tmp_path: Path) -> None:
    first, second = (assembled(language, "greedy", tmp_path / name) for name in ("first", "second"))
    assert content_of(first) == content_of(second)


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    with pytest.raises(NotAssembledError, match="is there already"):
        assemble(LANGUAGES[0], "greedy", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_bot_that_is_not_built_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(NotAssembledError, match="make bots"):
        assemble(Language("fortran"), "greedy", tmp_path / "new")
    assert not (tmp_path / "new").exists()
