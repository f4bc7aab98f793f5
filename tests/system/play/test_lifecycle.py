"""The arena process itself: started, stopped, killed, started again."""

import json
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import grpc
import pytest

from arena.v1 import ending_pb2, ladder_pb2, match_pb2, play_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.oracle import reason_and_wait
from tests.system.play.raw_bot import RawBot, begin_match, connect, hello
from tests.system.play.test_match import SHORT, answer_everything


class Ladder:
    """Two bots on a ladder of an arena that may die."""

    def __init__(self, data: Path, *options: str) -> None:
        """`options`: of the first start of the arena."""
        self.data = data
        self.arena = ArenaProcess(data, *options).wait_open()
        self.tokens = [self.arena.bot(bot) for bot in ("left", "right")]
        self.bots: list[RawBot] = []

    def dial(self) -> list[RawBot]:
        """Both bots are there, welcomed."""
        self.bots = connect(self.arena.unix, self.tokens)
        return self.bots

    def begin(self) -> list[RawBot]:
        """Both take their seats and their match begins; by seat."""
        return begin_match(self.bots)

    def restart(self) -> None:
        """Start the arena again on the same folder."""
        self.arena.close()
        self.arena = ArenaProcess(self.data).wait_open()

    def matches(self) -> list[match_pb2.Match]:
        """All matches, oldest first."""
        listed = self.arena.matches.ListMatches()
        return list(reversed(listed.matches))

    def waiting_for(self) -> str:
        """Why no match begins, once matchmaking has looked."""
        request = ladder_pb2.GetLadderRequest(name="ladders/main")
        for _ in range(1_000):
            ladder = self.arena.ladders.GetLadder(request).ladder
            if ladder.waiting_for:
                return str(ladder.waiting_for)
        raise AssertionError("the ladder waits for nothing")

    def close(self) -> None:
        for bot in self.bots:
            bot.cut()
        self.arena.close()


@pytest.fixture
def ladder(tmp_path: Path) -> Iterator[Ladder]:
    with closing(Ladder(tmp_path / "data")) as two:
        yield two


def test_sigterm_drains_what_runs_and_says_goodbye(ladder: Ladder) -> None:
    ladder.dial()
    ladder.arena.ladder("main", "left", "right", options=SHORT)
    bots = ladder.begin()
    ladder.arena.process.terminate()
    for bot in bots:
        assert bot.hear("draining").within_ms == 10_000
    turn = 0
    heard = [message.decision for message in bots[0].heard if message.HasField("decision")]
    if heard:
        bots[0].answer(heard[0])
        turn = 1
    ended = answer_everything(bots, turn=turn)
    assert ended[0].match.state == match_pb2.MATCH_STATE_FINISHED
    for bot in bots:
        goodbye = bot.hear_end()
        assert (goodbye.code, goodbye.reason) == (play_pb2.Goodbye.CODE_SHUTTING_DOWN, "DRAINING")
        assert goodbye.come_back
    assert ladder.arena.ended() == 0
    assert not (ladder.data / "server.json").exists()


HANGUP = "import signal; signal.signal(signal.SIGHUP, signal.{})"
"""How the arena begins: tests may themselves be run under nohup."""


@pytest.mark.parametrize("handler", ["SIG_DFL", "SIG_IGN"])
def test_sighup_drains_as_sigterm_does_unless_it_is_ignored(tmp_path: Path, handler: str) -> None:
    """Under nohup the arena outlives its terminal."""
    with ArenaProcess(tmp_path / "data", before=HANGUP.format(handler)) as arena:
        bot = RawBot(arena.unix, arena.bot("left"))
        bot.hello()
        arena.process.send_signal(signal.SIGHUP)
        if handler == "SIG_IGN":
            assert RawBot(arena.unix, arena.bot("right")).hello().assignments == 0
            assert not any(message.HasField("draining") for message in bot.heard)
            arena.process.terminate()
        assert bot.hear("draining").within_ms == 10_000
        assert bot.hear_end().code == play_pb2.Goodbye.CODE_SHUTTING_DOWN
        assert arena.ended() == 0
        assert not (arena.data / "server.json").exists()


def test_a_draining_arena_admits_only_bots_that_have_a_match(ladder: Ladder) -> None:
    """Row 47."""
    ladder.dial()
    ladder.arena.ladder("main", "left", "right", options=SHORT)
    bots = ladder.begin()
    bots[0].hear("decision")
    ladder.arena.process.terminate()
    bots[1].hear("draining")
    token = ladder.tokens[ladder.bots.index(bots[0])]
    bots[0].cut()
    again = RawBot(ladder.arena.unix, token)
    assert again.hello(resume_token=bots[0].resume_token).resumed
    assert 0 < again.hear("draining").within_ms < 10_000
    stranger = RawBot(ladder.arena.unix, token)
    stranger.say(hello=hello())
    goodbye = stranger.hear_end()
    assert (goodbye.code, goodbye.reason) == (play_pb2.Goodbye.CODE_SHUTTING_DOWN, "DRAINING")
    assert stranger.status is grpc.StatusCode.UNAVAILABLE
    assert reason_and_wait(stranger.trailing) == ("DRAINING", 5)
    [asked] = [message.decision for message in again.heard if message.HasField("decision")]
    again.answer(asked)
    ended = answer_everything([again, bots[1]], turn=1)
    assert ended[0].match.state == match_pb2.MATCH_STATE_FINISHED
    assert again.hear_end().code == play_pb2.Goodbye.CODE_SHUTTING_DOWN
    again.cut()


def test_after_kill_9_a_running_match_is_void_and_replayed_on_a_new_seed(ladder: Ladder) -> None:
    ladder.dial()
    ladder.arena.ladder("main", "left", "right", options=SHORT)
    bots = ladder.begin()
    bots[0].hear("decision")
    before = ladder.matches()
    ladder.arena.kill()
    ladder.restart()
    after = ladder.matches()
    assert [match.state for match in after] == [
        match_pb2.MATCH_STATE_ABORTED,
        match_pb2.MATCH_STATE_PENDING,
        match_pb2.MATCH_STATE_PENDING,
    ]
    void, waiting, replay = after
    assert "the arena's fault" in void.void_reason
    assert {seat.ending.fault for seat in void.seats} == {ending_pb2.FAULT_ARENA}
    assert waiting == before[1]
    assert (replay.group, replay.group_index, replay.attempt) == (void.group, void.group_index, 1)
    assert replay.seed_commitment != void.seed_commitment
    assert [seat.bot for seat in replay.seats] == [seat.bot for seat in void.seats]
    assert "wait for left, right" in ladder.waiting_for()
    ladder.dial()
    for _ in range(2):
        answer_everything(ladder.begin())
    assert [match.state for match in ladder.matches()][1:] == [match_pb2.MATCH_STATE_FINISHED] * 2
    standings = ladder.arena.ladders.ListStandings(name="ladders/main").standings
    assert [(line.matches, line.forfeits) for line in standings] == [(2, 0)] * 2


@pytest.mark.parametrize("tampered", [False, True])
def test_a_log_without_a_result_is_adopted_at_the_next_start_if_it_is_whole(
    ladder: Ladder, tampered: bool
) -> None:
    """As if the arena had died between the log's rename and the transaction of the result."""
    ladder.dial()
    ladder.arena.ladder("main", "left", "right", options=SHORT)
    answer_everything(ladder.begin())
    told = ladder.matches()[0]
    ladder.arena.kill()
    forget_result(ladder.data / "arena.db", match=1)
    [file] = (ladder.data / "logs").glob("*/000001.arenalog")
    if tampered:
        file.write_bytes(file.read_bytes()[:-1] + b"x")
    ladder.restart()
    found = ladder.matches()[0]
    if tampered:
        assert found.state == match_pb2.MATCH_STATE_ABORTED
        return
    told.end_time.Clear()
    found.end_time.Clear()
    assert found == told


def forget_result(database: Path, *, match: int) -> None:
    """Undo the transaction of the match's result."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(
            "UPDATE matches SET state = 2, ending = '', plies = 0, seed = NULL, log = '', ended_us = NULL "
            "WHERE id = ?",
            (match,),
        )
        connection.execute(
            "UPDATE match_seats SET placing = 0, score = 0, termination = NULL, fault = NULL, sentence = '', "
            "evidence = '[]', decisions = 0, used_us = 0, longest_us = 0 WHERE match_id = ?",
            (match,),
        )
        connection.execute("UPDATE ladders SET finished_matches = finished_matches - 1")


def test_two_arenas_do_not_share_a_data_folder(ladder: Ladder) -> None:
    with closing(ArenaProcess(ladder.data)) as second:
        assert second.ended() == 1
        assert "Another arena runs" in " ".join("".join(second.log).split())
        assert "Traceback" not in "".join(second.log)


def test_a_taken_port_is_said_in_a_sentence(ladder: Ladder, tmp_path: Path) -> None:
    """And that the arena before was killed is not forgotten over it: the one that begins to run will tell."""
    port = int(ladder.arena.tcp.rpartition(":")[2])
    (tmp_path / "other").mkdir(mode=0o700)
    announced = tmp_path / "other" / "server.json"
    announced.write_text("{}")
    with closing(ArenaProcess(tmp_path / "other", port=port)) as second:
        assert second.ended() == 1
        assert "the port is taken" in " ".join("".join(second.log).split())
        assert announced.exists()


def test_the_ready_file_is_there_while_the_arena_takes_calls(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    with ArenaProcess(tmp_path / "data", "--ready-file", str(ready)) as arena:
        arena.wait_until(lambda _log: ready.exists())
        assert json.loads(ready.read_text())["tcp"] == arena.tcp
        assert arena.terminate() == 0
        assert not ready.exists()


def test_a_start_logs_what_others_may_read(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path / "data") as arena:
        assert arena.terminate() == 0
    (tmp_path / "data" / "organiser.token").chmod(0o644)
    with ArenaProcess(tmp_path / "data") as again:
        again.wait_for_line("warning", "check=rights", "organiser.token", "chmod")
