"""`arena ladder pause --wait`: it returns when nothing of the ladder is played or waits any more."""

import json
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from arena.v1 import ladder_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.conftest import BotFactory
from tests.system.play.test_match import SHORT
from tests.unit.cli.programs import finish, start

PAUSED = ladder_pb2.Ladder.STATE_PAUSED


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    with ArenaProcess(Path(tmp_path_factory.mktemp("pause")) / "data") as process:
        yield process


@pytest.fixture
def bot_factory(arena: ArenaProcess) -> Iterator[BotFactory]:
    with closing(BotFactory(arena)) as factory:
        yield factory


def until(arena: ArenaProcess, ladder: str, state: int) -> None:
    while arena.ladders.GetLadder(name=ladder).ladder.state != state:
        pass


def test_it_returns_when_the_last_match_has_ended(arena: ArenaProcess, bot_factory: BotFactory) -> None:
    bots = bot_factory.table(2, options=SHORT, matches=0)
    [ladder] = [each.name for each in arena.ladders.ListLadders().ladders]
    waiting = start("ladder", "pause", ladder, "--wait", "--format", "json", "--data", str(arena.data))
    until(arena, ladder, PAUSED)
    # Both matches of the group; the second one waits for its bots.
    with ThreadPoolExecutor(2) as threads:
        for bot in bots:
            threads.submit(bot.play_matches, 2)
    code, out, err = finish(waiting)
    assert code == 0, err
    shown = json.loads(out)
    assert (shown["state"], shown["finished_matches"], shown.get("running_matches", 0)) == (
        "STATE_PAUSED",
        2,
        0,
    )


def test_it_says_so_if_somebody_starts_the_ladder_again(arena: ArenaProcess, bot_factory: BotFactory) -> None:
    bot_factory.table(2, options=SHORT, matches=0, letters="xy")
    [ladder] = [each.name for each in arena.ladders.ListLadders().ladders if each.running_matches]
    waiting = start("ladder", "pause", ladder, "--wait", "--data", str(arena.data))
    until(arena, ladder, PAUSED)
    arena.ladders.RunLadder(name=ladder)
    code, _, err = finish(waiting)
    assert (code, "started" in err, "Traceback" in err) == (1, True, False), err
    left = start("ladder", "pause", ladder, "--wait", "--data", str(arena.data))
    until(arena, ladder, PAUSED)
    left.send_signal(signal.SIGINT)
    code, _, err = finish(left)
    assert (code, "Traceback" in err) == (130, False), err
