"""`arena pages` and its export against an arena that is away, another address, a wrong token, a taken port."""

import socket
import subprocess
from pathlib import Path

import pytest

from arena.cli.framework.processes import without_arena
from tests.system.pages.conftest import World
from tests.system.pages.pages_process import ARENA, PagesProcess, export
from tests.system.play.arena_process import SLOW, WAIT_S, ArenaProcess

FAILED = 1
AWAY = 4


def refused(*options: str, **variables: str) -> tuple[int, str]:
    """Return exit code and error of `arena pages`, which does not start."""
    done = subprocess.run(
        [*ARENA, "pages", *options],
        check=False,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        env=without_arena({}) | variables,
    )
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


def test_an_arena_that_is_away_is_named(world: World, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    code, said = refused("--server", address, "--port", "0", ARENA_TOKEN=world.spectator)
    assert code == AWAY
    assert address in said
    code, said = refused("--data", str(tmp_path), "--port", "0")
    assert code == AWAY
    assert str(tmp_path) in said
    folder = tmp_path / "public"
    exported = export(folder, "--server", address, ARENA_TOKEN=world.spectator)
    assert exported.returncode == AWAY
    assert address in exported.stderr
    assert not folder.exists(), "nothing is removed or written before the arena has answered"


@pytest.mark.parametrize(("token", "reason"), [("arn_wrong", "TOKEN_INVALID"), ("", "ARENA_TOKEN")])
def test_a_wrong_token_is_refused_before_the_pages_are_announced(
    world: World, token: str, reason: str
) -> None:
    code, said = refused("--server", world.arena.unix, "--port", "0", ARENA_TOKEN=token)
    assert code == FAILED
    assert reason in said


def test_a_taken_port_is_named(world: World) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, said = refused("--data", str(world.arena.data), "--port", port)
    assert code == FAILED
    assert port in said


def test_pages_outlive_their_arena_and_say_that_it_is_away(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path / "data") as arena:
        arena.ladders.CreateLadder(ladder_id="main", game="caravan", seat_counts=[2], time_control=SLOW)
        pages = PagesProcess("--data", str(arena.data))
        assert pages.get("bots").status == 200
    with pages:
        answer = pages.get("ladders/main")
        assert answer.status == 503
        assert answer.headers["retry-after"]
        assert "<h1>" in answer.text
        assert "Traceback" not in answer.text
