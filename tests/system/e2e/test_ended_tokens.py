"""A token that ends, ends what was begun with it: every call that goes on for a while, at a real arena, from outside.

It ends by being revoked, with its user, or by itself. Whoever plays against its bot plays on by the rules of the match.
"""

from __future__ import annotations

import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

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
import arena.server.services.matches as matches, arena.server.services.tokens as new_token
recorded = matches.recorded_log
matches.recorded_log = lambda *given: recorded(*given) * 50_000
new_token.US_PER_MINUTE = 1_000_000
"""
"""Logs so long that nobody has them before he reads them, and tokens whose minutes are seconds."""

AT_ONCE = time_control_pb2.TimeControl(
    per_decision_ms=60_000, bank_ms=0, strikes=2, absence_ms=0, hold_ms=5_000, seat_limit_ms=86_400_000
)
"""Who loses his connection with a decision open has lost; nobody loses on time."""

WITHIN_S = 30.0
"""What is to take two seconds at most takes longer on a machine that is busy with other tests."""
EXPIRES_AFTER = 8
"""So many of the minutes above: long enough to open all calls on a busy machine."""
MOST_ANSWERS = 200
"""More of a log than this, in pieces of 64 KiB, is not on its way to somebody who does not read it."""
ENDS = ("revoked", "shut out", "expired")


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
    """A user with a bot in a match, and all his calls open at once."""

    def __init__(self, arena: ArenaProcess, how: str) -> None:
        self.arena, self.user = arena, how.replace(" ", "-")
        self.users = arena.users
        self.users.CreateUser(user_id=self.user)
        expires = EXPIRES_AFTER if how == "expired" else 0
        self.token = str(
            arena.tokens.CreateToken(
                role=token_pb2.ROLE_OWNER, owner=f"owners/{self.user}", expire_minutes=expires
            ).secret
        )
        self.metadata = (("authorization", f"Bearer {self.token}"),)
        bots = arena.bots
        bots.CreateBot(bot_pb2.CreateBotRequest(bot_id=f"{self.user}-bot"), metadata=self.metadata)
        self.bot_token = str(
            arena.tokens.CreateToken(
                role=token_pb2.ROLE_BOT, bot=f"bots/{self.user}-bot", expire_minutes=expires
            ).secret
        )

    def begin(self) -> Holder:
        """His bot is in a match, and everything is open."""
        self.begin_match()
        self._open_calls()
        return self

    def begin_match(self) -> None:
        """His bot has seen a match begin, and so has an honest one."""
        tokens = self.bot_token, self.arena.bot(f"honest-{self.user}")
        self.bot, self.honest = connect(self.arena.unix, tokens)
        names = (f"{self.user}-bot", f"honest-{self.user}")
        self.arena.ladder(
            f"ladder-{self.user}", *names, time_control=AT_ONCE, options={"turn_limit": "4"}, matches=1
        )
        begin_match([self.bot, self.honest])
        matches = self.arena.matches.ListMatches(ladder=f"ladders/ladder-{self.user}").matches
        [self.match] = [each.name for each in matches if each.state == match_pb2.MATCH_STATE_RUNNING]

    def _open_calls(self) -> None:
        submissions = self.arena.submissions
        name = submissions.CreateSubmission(
            bot=f"bots/{self.user}-bot",
            archive_sha256=sha256(b"half of it").hexdigest(),
            archive_bytes=10,
            metadata=self.metadata,
        ).submission.name
        self.streams = {
            "WatchMatch": Stream(self.arena.matches.WatchMatch(name=self.match, metadata=self.metadata)),
            "WatchSubmission": Stream(submissions.WatchSubmission(name=name, metadata=self.metadata)),
            "DownloadMatchLog": Stream(
                self.arena.matches.DownloadMatchLog(name="matches/1", metadata=self.metadata)
            ),
        }
        self.upload = Upload(
            submission_pb2_grpc.SubmissionServiceStub(self.arena.channel), name, self.metadata
        )

    def end(self, how: str) -> str:
        """His tokens end in this way; the words that his calls end with."""
        if how == "revoked":
            for token in (self.token, self.bot_token):
                self.arena.tokens.RevokeToken(name=f"tokens/{token.split('_')[1]}")
            return "The token was revoked."
        if how == "shut out":
            self.users.SetUserDisabled(name=f"users/{self.user}", disabled=True)
            return "The token's user is shut out of this arena."
        return "The token has expired."

    def close(self) -> None:
        """Nothing of it is left."""
        for bot in (self.bot, self.honest):
            bot.cut()


class TokensFixture:
    """An arena with a holder for each way of ending; the one whose tokens expire was made last."""

    def __init__(self, data: Path) -> None:
        self.arena = ArenaProcess(data, before=BEFORE)
        self.holders: dict[str, Holder] = {}
        self.watchers: dict[str, subprocess.Popen[str]] = {}
        """Commands that would go on for ever."""

    def open(self) -> None:
        self.arena.wait_open()
        self._finish_a_match()
        for how in ENDS:
            self.holders[how] = Holder(self.arena, how).begin()
        holder, place = self.holders["revoked"], ("--server", self.arena.tcp)
        self.watchers["match"] = start(*place, "match", "watch", holder.match, ARENA_TOKEN=holder.token)
        assert self.watchers["match"].stdout is not None
        self._watch_a_ladder(place)
        self.watchers["match"].stdout.readline()

    def _watch_a_ladder(self, place: tuple[str, str]) -> None:
        """Wait as a second organiser for matches that nobody comes to."""
        self.arena.ladders.CreateLadder(ladder_id="waiting", game="caravan", seat_counts=[2])
        for bot in ("bots/one", "bots/two"):
            self.arena.ladders.JoinLadder(name="ladders/waiting", bot=bot)
        made = self.arena.tokens.CreateToken(role=token_pb2.ROLE_ORGANISER, owner="owners/organiser")
        self.second_organiser = made.token.name
        words = ("ladder", "run", "waiting", "--matches", "5", "--wait")
        self.watchers["ladder"] = start(*place, *words, ARENA_TOKEN=made.secret)
        asked = ladder_pb2.GetLadderRequest(name="ladders/waiting")
        give_up = time.monotonic() + 6 * WITHIN_S
        while not self.arena.ladders.GetLadder(asked).ladder.remaining_matches:
            assert time.monotonic() < give_up
            assert self.watchers["ladder"].poll() is None
            time.sleep(0.05)  # nobody is told when a ladder is run

    def _finish_a_match(self) -> None:
        """Match 1 has a log; one of its bots resigns, so that it is over at once."""
        bots = connect(self.arena.unix, [self.arena.bot(name) for name in ("one", "two")])
        self.arena.ladder("first", "one", "two", time_control=AT_ONCE, matches=1)
        for bot in bots:
            bot.take_seat()
        resigns = bots[0].hear("match_started").assignment
        bots[0].say(resign=play_pb2.Resign(assignment=resigns))
        self.arena.wait_for("match over")
        for bot in bots:
            bot.cut()

    def close(self) -> None:
        for watcher in self.watchers.values():
            watcher.kill()
            watcher.communicate()
        for holder in self.holders.values():
            holder.close()
        self.arena.close()


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TokensFixture]:
    with closing(TokensFixture(tmp_path_factory.mktemp("ended") / "data")) as made:
        made.open()
        yield made


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
def test_the_command_line_says_why_its_watching_has_ended(ended: TokensFixture, what: str) -> None:
    """The token of the match's watcher was revoked in the first test."""
    if what == "ladder":
        ended.arena.tokens.RevokeToken(name=ended.second_organiser)
    code, _, err = finish(ended.watchers.pop(what), within=WITHIN_S)
    assert code == 1
    assert "The token" in err
    assert "(TOKEN_INVALID)" in err
    assert ended.holders["revoked"].token.split("_")[2] not in err


def test_nothing_opens_with_an_ended_token_any_more_and_all_are_told_the_same(ended: TokensFixture) -> None:
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
    holder = Holder(ended.arena, "together 1")
    holder.begin_match()
    others = [Holder(ended.arena, f"together {number}") for number in range(2, 8)]
    bots = connect(ended.arena.unix, [other.bot_token for other in others])
    for each in (*others, holder):
        each.end("revoked")
    for bot in (*bots, holder.bot):
        assert bot.hear_end().reason == "TOKEN_INVALID"
    assert play_on(holder.honest, matches=1)
    assert ended.arena.match(holder.match).state == match_pb2.MATCH_STATE_FINISHED
    holder.close()
