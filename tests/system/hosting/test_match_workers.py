"""Matches of hosted bots in worker processes: a real arena, real workers, a real sandbox."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from arena.sandbox.proc_fs import descendants
from arena.v1 import match_pb2
from tests.system.hosting.leftovers import wait_until_gone
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot
from tests.unit.hosting.sample_submissions import RANDOM_BOT, plant

pytestmark = needs_sandbox

WORKERS = ("--match-workers", "2", "--hosted-programs", "12")
ENDLESS = RANDOM_BOT.replace("import random\n", "import random\nimport time\n").replace(
    "        return", "        print('thinking', flush=True)\n        time.sleep(0.05)\n        return"
)
"""Takes its time, and says so."""


@contextmanager
def arena_with(
    folder: Path, programs: dict[str, str], *options: str, before: str = ""
) -> Iterator[ArenaProcess]:
    """Run an arena with these hosted bots."""
    data = folder / "data"
    data.mkdir(mode=0o700, exist_ok=True)
    for bot, program in programs.items():
        plant(data, bot, f"# {bot}\n{program}")
    with ArenaProcess(data, *WORKERS, *options, before=before) as arena:
        yield arena


def workers_of(arena: ArenaProcess) -> list[int]:
    """Return the processes of its workers."""
    found = []
    for process in descendants(arena.process.pid):
        try:
            words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"arena.server.match_workers.worker" in words:
            found.append(process)
    return found


def wait_until_running(arena: ArenaProcess) -> None:
    """Return when a worker plays the first match."""
    arena.wait_for("match group made")
    while (state := arena.match("matches/1").state) == match_pb2.MATCH_STATE_PENDING:
        pass
    assert state == match_pb2.MATCH_STATE_RUNNING


def test_matches_of_hosted_bots_are_played_by_workers_and_all_others_by_the_arena(tmp_path: Path) -> None:
    with arena_with(tmp_path, dict.fromkeys(["ant", "bee", "cat"], RANDOM_BOT)) as arena:
        eve = RawBot(arena.unix, arena.bot("eve"))
        eve.hello()
        arena.ladder("main", "ant", "bee", "cat", options={"turn_limit": "20"}, matches=3)
        arena.wait_for("match over", 3)
        workers = workers_of(arena)
        programs = {process for worker in workers for process in descendants(worker)}
        assert (len(workers), set(descendants(arena.process.pid))) == (2, {*workers, *programs})
        for match in ("matches/1", "matches/2", "matches/3"):
            assert arena.match(match).state == match_pb2.MATCH_STATE_FINISHED
        arena.ladder("mixed", "ant", "eve", options={"turn_limit": "4"}, matches=1)
        eve.play_matches(2)
        assert set(descendants(arena.process.pid)) > {*workers, *programs}


def test_a_match_at_a_worker_can_be_watched_and_its_lines_read_while_it_is_played(tmp_path: Path) -> None:
    with arena_with(tmp_path, {"ant": ENDLESS, "bee": ENDLESS}) as arena:
        arena.ladder("main", "ant", "bee", matches=1, options={"turn_limit": "60"})
        wait_until_running(arena)
        shown = list(islice(arena.matches.WatchMatch(name="matches/1"), 12))
        lines = arena.matches.ListDebugLines(name="matches/1", bot="bots/ant").lines
        assert arena.match("matches/1").state == match_pb2.MATCH_STATE_RUNNING
        assert [response.cursor for response in shown] == sorted({response.cursor for response in shown})
        assert "thinking" in {line.text for line in lines}
        late = list(arena.matches.WatchMatch(name="matches/1", from_start=True))
        again = list(arena.matches.WatchMatch(name="matches/1", from_start=True))
        assert late[-1].match.state == match_pb2.MATCH_STATE_FINISHED
        assert frames_of(late) == frames_of(again)
        assert len(frames_of(late)) > len(shown)


def frames_of(responses: list[match_pb2.WatchMatchResponse]) -> dict[int, tuple[bytes, list[bytes]]]:
    """Return what was shown, by cursor: the view, and what has happened."""
    return {
        each.cursor: (
            each.view.SerializeToString(deterministic=True),
            [happening.SerializeToString(deterministic=True) for happening in each.happened],
        )
        for each in responses
        if each.HasField("view")
    }


def test_a_killed_worker_costs_no_bot_anything_and_another_one_takes_its_place(tmp_path: Path) -> None:
    with arena_with(tmp_path, {"ant": ENDLESS, "bee": ENDLESS}) as arena:
        arena.ladder("main", "ant", "bee", matches=1, options={"turn_limit": "16"})
        wait_until_running(arena)
        worker = next(each for each in workers_of(arena) if descendants(each))
        programs = descendants(worker)
        os.kill(worker, signal.SIGKILL)
        wait_until_gone(programs)
        arena.wait_for_line("match over", "match=3")
        first = arena.match("matches/1")
        assert first.state == match_pb2.MATCH_STATE_ABORTED
        assert {(fact.fact, fact.value) for fact in first.seats[0].ending.evidence} >= {("fault", "worker")}
        assert arena.match(first.replayed_as).state == match_pb2.MATCH_STATE_FINISHED
        arena.wait_for("is started again")
        assert len(workers_of(arena)) == 2


def test_a_frozen_worker_is_ended(tmp_path: Path) -> None:
    sooner = "import arena.server.match_workers.match_workers as w; w.SILENT_S = 8"
    with arena_with(tmp_path, {"ant": ENDLESS, "bee": ENDLESS}, before=sooner) as arena:
        arena.ladder("main", "ant", "bee", matches=1, options={"turn_limit": "40"})
        wait_until_running(arena)
        os.kill(next(each for each in workers_of(arena) if descendants(each)), signal.SIGSTOP)
        arena.wait_for("is started again")
        while arena.match("matches/1").state == match_pb2.MATCH_STATE_RUNNING:
            pass
        assert arena.match("matches/1").state == match_pb2.MATCH_STATE_ABORTED


def test_workers_end_with_their_arena_however_that_ends(tmp_path: Path) -> None:
    with arena_with(tmp_path, {"ant": ENDLESS, "bee": ENDLESS}) as arena:
        arena.ladder("main", "ant", "bee", matches=1)
        wait_until_running(arena)
        processes = descendants(arena.process.pid)
        arena.kill()
        wait_until_gone(processes)
