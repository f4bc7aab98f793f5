"""The end of a token ends every call that was begun with it, at a real arena.

A token is revoked, expires, or ends with its user. The opponent of its bot plays on by the rules of the match.
"""

import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Self

import grpc
import pytest

from arena.v1 import (
    bot_pb2,
    ending_pb2,
    ladder_pb2,
    match_pb2,
    play_pb2,
    submission_pb2,
    submission_pb2_grpc,
    time_control_pb2,
    token_pb2,
)
from tests.system.e2e.playing import play_on
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot, begin_match, connect
from tests.unit.cli.programs import finish, start

BEFORE = """
import arena.server.services.stored_logs as stored_logs, arena.server.services.tokens as new_token
recorded = stored_logs.recorded_log
stored_logs.recorded_log = lambda *given: recorded(*given) * 50_000
new_token.US_PER_MINUTE = 1_000_000
"""
"""Logs so long that none is sent completely before it is read, and tokens whose minutes are seconds."""

AT_ONCE = time_control_pb2.TimeControl(
    per_decision_ms=60_000, bank_ms=0, strikes=2, absence_ms=0, hold_ms=5_000, seat_limit_ms=86_400_000
)
"""A bot that loses its connection with a decision open has lost; none loses on time."""

WITHIN_S = 30.0
"""What is to take two seconds at most takes longer on a machine that is busy with other tests."""
EXPIRES_AFTER = 8
"""So many of the minutes above: long enough to open all calls on a busy machine."""
MOST_ANSWERS = 200
"""More of a log than this, in pieces of 64 KiB, is not on its way to somebody who does not read it."""
ENDS = ("revoked", "disabled", "expired")


class Stream:
    """A call of which one answer is read, and the others when the test says so."""

    def __init__(self, call: Any) -> None:
        self._call = call
        self.first = next(call)

    def rest(self) -> tuple[int, grpc.StatusCode, str]:
        """How many answers came behind the first, the status, and its words."""
        answers: queue.Queue[int] = queue.Queue()

        def read() -> None:
            count = 0
            try:
                for _ in self._call:
                    count += 1
            except grpc.RpcError:
                pass
            answers.put(count)

        threading.Thread(target=read, daemon=True).start()
        count = answers.get(timeout=WITHIN_S)
        return count, self._call.code(), self._call.details()


class Upload:
    """An archive of which the first half has been sent."""

    def __init__(self, stub: submission_pb2_grpc.SubmissionServiceStub, name: str, metadata: Any) -> None:
        self._pieces: queue.Queue[submission_pb2.UploadArchiveRequest | None] = queue.Queue()
        self._pieces.put(submission_pb2.UploadArchiveRequest(name=name, data=b"half"))
        self._call = stub.UploadArchive.future(iter(self._pieces.get, None), metadata=metadata)

    def status(self) -> tuple[grpc.StatusCode, str]:
        """How the call has ended, by itself."""
        error = self._call.exception(timeout=WITHIN_S)
        self._pieces.put(None)
        assert isinstance(error, grpc.Call)
        return error.code(), error.details()


class Holder:
    """A user with a bot, all of whose calls can be open at once."""

    def __init__(self, arena: ArenaProcess, how: str) -> None:
        self.arena, self.user = arena, how.replace(" ", "-")
        self.names = (f"{self.user}-bot", f"honest-{self.user}")
        expires = EXPIRES_AFTER if how == "expired" else 0

        def token(role: token_pb2.Role.ValueType, **whose: str) -> str:
            return str(arena.tokens.CreateToken(role=role, expire_minutes=expires, **whose).secret)

        arena.users.CreateUser(user_id=self.user)
        self.token = token(token_pb2.ROLE_OWNER, owner=f"owners/{self.user}")
        self.metadata = (("authorization", f"Bearer {self.token}"),)
        arena.bots.CreateBot(bot_pb2.CreateBotRequest(bot_id=self.names[0]), metadata=self.metadata)
        self.bot_token = token(token_pb2.ROLE_BOT, bot=f"bots/{self.names[0]}")

    def begin_match(self) -> Self:
        """Let a match of the bot and an honest one begin."""
        self.bot, self.honest = connect(self.arena.unix, [self.bot_token, self.arena.bot(self.names[1])])
        ladder = f"ladder-{self.user}"
        self.arena.ladder(ladder, *self.names, time_control=AT_ONCE, options={"turn_limit": "4"}, matches=1)
        begin_match([self.bot, self.honest])
        matches = self.arena.matches.ListMatches(ladder=f"ladders/{ladder}").matches
        [self.match] = [each.name for each in matches if each.state == match_pb2.MATCH_STATE_RUNNING]
        return self

    def open_calls(self) -> Self:
        """Open every call that lasts."""
        matches, submissions = self.arena.matches, self.arena.submissions
        name = submissions.CreateSubmission(
            bot=f"bots/{self.names[0]}",
            archive_sha256=sha256(b"half of it").hexdigest(),
            archive_bytes=10,
            metadata=self.metadata,
        ).submission.name
        self.streams = {
            "WatchMatch": Stream(matches.WatchMatch(name=self.match, metadata=self.metadata)),
            "WatchSubmission": Stream(submissions.WatchSubmission(name=name, metadata=self.metadata)),
            "DownloadMatchLog": Stream(matches.DownloadMatchLog(name="matches/1", metadata=self.metadata)),
        }
        self.upload = Upload(
            submission_pb2_grpc.SubmissionServiceStub(self.arena.channel), name, self.metadata
        )
        return self

    def end(self, how: str) -> str:
        """End the tokens in this way; return the words that the calls end with."""
        if how == "revoked":
            for token in (self.token, self.bot_token):
                self.arena.tokens.RevokeToken(name=f"tokens/{token.split('_')[1]}")
            return "The token was revoked."
        if how == "disabled":
            self.arena.users.SetUserDisabled(name=f"users/{self.user}", disabled=True)
            return "The token's user is disabled."
        return "The token has expired."

    def close(self) -> None:
        """Cut both connections."""
        for bot in (self.bot, self.honest):
            bot.cut()


@dataclass
class TokensFixture:
    """An arena with a holder for each way of ending, and commands that would run for ever."""

    arena: ArenaProcess
    holders: dict[str, Holder]
    watchers: dict[str, subprocess.Popen[str]]
    second_organiser: str
    """The token of the command that watches a ladder."""


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TokensFixture]:
    with ExitStack() as stack:
        data = tmp_path_factory.mktemp("ended") / "data"
        arena = stack.enter_context(ArenaProcess(data, before=BEFORE))
        finish_a_match(arena)
        # The one whose tokens expire is made last.
        holders = {how: Holder(arena, how).begin_match().open_calls() for how in ENDS}
        for holder in holders.values():
            stack.callback(holder.close)
        holder = holders["revoked"]
        watch = ("--server", arena.tcp, "match", "watch", holder.match)
        watchers = {"match": start(*watch, ARENA_TOKEN=holder.token)}
        assert watchers["match"].stdout is not None
        watchers["match"].stdout.readline()
        second_organiser, watchers["ladder"] = watch_a_ladder(arena)
        try:
            yield TokensFixture(arena, holders, watchers, second_organiser)
        finally:
            for watcher in watchers.values():
                watcher.kill()
                watcher.communicate()


def watch_a_ladder(arena: ArenaProcess) -> tuple[str, subprocess.Popen[str]]:
    """Wait as a second organiser for matches that nobody comes to; return the name of the token and the command."""
    arena.ladders.CreateLadder(ladder_id="waiting", game="caravan", seat_counts=[2])
    for bot in ("bots/one", "bots/two"):
        arena.ladders.JoinLadder(name="ladders/waiting", bot=bot)
    made = arena.tokens.CreateToken(role=token_pb2.ROLE_ORGANISER, owner="owners/organiser")
    words = ("--server", arena.tcp, "ladder", "run", "waiting", "--matches", "5", "--wait")
    watcher = start(*words, ARENA_TOKEN=made.secret)
    asked = ladder_pb2.GetLadderRequest(name="ladders/waiting")
    give_up = time.monotonic() + 6 * WITHIN_S
    while not arena.ladders.GetLadder(asked).ladder.remaining_matches:
        assert time.monotonic() < give_up
        assert watcher.poll() is None
        time.sleep(0.05)  # no call reports that a ladder is run
    return made.token.name, watcher


def finish_a_match(arena: ArenaProcess) -> None:
    """Finish match 1, which then has a log; one of its bots resigns, so that it ends at once."""
    bots = connect(arena.unix, [arena.bot(name) for name in ("one", "two")])
    arena.ladder("first", "one", "two", time_control=AT_ONCE, matches=1)
    for bot in bots:
        bot.take_seat()
    resigns = bots[0].hear("match_started").assignment
    bots[0].say(resign=play_pb2.Resign(assignment=resigns))
    arena.wait_for("match over")
    for bot in bots:
        bot.cut()


@pytest.mark.parametrize("how", ENDS)
def test_every_call_of_a_token_ends_with_it_and_the_opponent_plays_on(ended: TokensFixture, how: str) -> None:
    """Row 2 of docs/bad_inputs.md for calls that are open already, and row 22 for the match."""
    holder = ended.holders[how]
    bots = [holder.bot]
    if how != "expired":  # who says no hello is not waited for that long
        bots.append(RawBot(ended.arena.unix, holder.bot_token).taken())
    words = holder.end(how)
    for bot in bots:
        goodbye = bot.hear_end()
        assert (goodbye.code, goodbye.reason) == (play_pb2.Goodbye.CODE_UNAUTHENTICATED, "TOKEN_INVALID")
        assert goodbye.sentence.startswith(words)
        assert not goodbye.come_back
        assert bot.status is grpc.StatusCode.UNAUTHENTICATED
    code, said = holder.upload.status()
    assert (code, said.startswith(words)) == (grpc.StatusCode.UNAUTHENTICATED, True)
    for name, stream in holder.streams.items():
        count, code, said = stream.rest()
        assert (name, code, said.startswith(words)) == (name, grpc.StatusCode.UNAUTHENTICATED, True)
        assert count < MOST_ANSWERS

    assert play_on(holder.honest, matches=1)
    match = ended.arena.match(holder.match)
    assert match.state == match_pb2.MATCH_STATE_FINISHED
    endings = {seat.bot.removeprefix("bots/"): seat.ending for seat in match.seats}
    lost, won = endings[f"{holder.user}-bot"], endings[f"honest-{holder.user}"]
    assert (lost.termination, lost.fault) == (ending_pb2.TERMINATION_DISCONNECT, ending_pb2.FAULT_BOT)
    assert won.termination == ending_pb2.TERMINATION_NORMAL


@pytest.mark.parametrize("what", ["match", "ladder"])
def test_the_command_line_reports_why_watching_has_ended(ended: TokensFixture, what: str) -> None:
    """The token of the match's watcher was revoked in the first test."""
    if what == "ladder":
        ended.arena.tokens.RevokeToken(name=ended.second_organiser)
    code, _, err = finish(ended.watchers.pop(what), within=WITHIN_S)
    assert code == 1
    assert "The token" in err
    assert "(TOKEN_INVALID)" in err
    assert ended.holders["revoked"].token.split("_")[2] not in err


def test_every_ended_token_is_refused_with_the_same_sentence(ended: TokensFixture) -> None:
    """Row 2: one text for whatever is wrong."""
    told: set[tuple[grpc.StatusCode, str]] = set()
    for how in ENDS:
        with pytest.raises(grpc.RpcError) as refused:
            ended.arena.bots.ListBots(metadata=ended.holders[how].metadata)
        assert isinstance(refused.value, grpc.Call)
        told.add((refused.value.code(), refused.value.details()))
    [(code, _)] = told
    assert code is grpc.StatusCode.UNAUTHENTICATED


def test_bots_whose_tokens_end_together_void_no_match(ended: TokensFixture) -> None:
    """Half of all sessions, of three owners or more, that vanish within 5 s are the arena's fault; these are not."""
    holder = Holder(ended.arena, "together 1").begin_match()
    others = [Holder(ended.arena, f"together {number}") for number in range(2, 8)]
    bots = connect(ended.arena.unix, [other.bot_token for other in others])
    for each in (*others, holder):
        each.end("revoked")
    for bot in (*bots, holder.bot):
        assert bot.hear_end().reason == "TOKEN_INVALID"
    assert play_on(holder.honest, matches=1)
    assert ended.arena.match(holder.match).state == match_pb2.MATCH_STATE_FINISHED
    holder.close()
