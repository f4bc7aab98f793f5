"""What anybody was told while a disk filled up is there after a kill and a new start on that disk (row 48).

A small disk of the test's own becomes full at one moment or another. Whoever asks meanwhile is told something, or is
refused. Then the arena is killed, the disk gets room, and what was told is compared with what the next arena knows.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.v1 import ladder_pb2, match_pb2, submission_pb2, token_pb2
from tests.checkout import ROOT
from tests.system.crash.test_full_disks import DiskLadder, fill, small_disk
from tests.system.crash.test_storage_faults import YET, hear_the_end, play_to_the_last_answer
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import WAIT_S, ArenaProcess
from tests.system.play.raw_bot import RawBot
from tests.system.play.test_match import SHORT
from tests.unit.submissions.archives import tar, tar_file

Submission = submission_pb2.Submission
PAGE = 4_096

ENDED = {Submission.STATE_ADMITTED, Submission.STATE_REJECTED}


@dataclass
class Told:
    """What was told to anybody."""

    matches: dict[str, match_pb2.Match] = field(default_factory=dict)
    """Those that have ended."""
    bots: set[str] = field(default_factory=set)
    tokens: list[str] = field(default_factory=list)
    standings: list[ladder_pb2.Standing] = field(default_factory=list)
    submissions: dict[str, submission_pb2.Submission] = field(default_factory=dict)


Moment = Callable[[DiskLadder, Told], None]
"""Plays until the disk is full at this moment."""


def ask(arena: ArenaProcess, told: Told, number: int, *, has_room: bool = False) -> None:
    """Record what an organiser was told of stored things, and of changes that were not refused for want of room."""
    bot = f"new{number}"
    for change in (_make_bot, _make_token):
        try:
            change(arena, told, bot)
        except grpc.RpcError as error:
            if has_room or error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
    for match in listed(arena):
        if match.state not in {match_pb2.MATCH_STATE_PENDING, match_pb2.MATCH_STATE_RUNNING}:
            told.matches[match.name] = match
    told.standings = standings(arena) or told.standings


def _make_bot(arena: ArenaProcess, told: Told, bot: str) -> None:
    arena.bots.CreateBot(bot_id=bot)
    told.bots.add(f"bots/{bot}")


def _make_token(arena: ArenaProcess, told: Told, _bot: str) -> None:
    told.tokens.append(arena.tokens.CreateToken(role=token_pb2.ROLE_BOT, bot="bots/left").token.name)


def listed(arena: ArenaProcess) -> list[match_pb2.Match]:
    """All matches."""
    return list(arena.matches.ListMatches().matches)


def standings(arena: ArenaProcess) -> list[ladder_pb2.Standing]:
    """Those of the ladder."""
    return list(arena.ladders.ListStandings(name="ladders/main").standings)


def check(arena: ArenaProcess, told: Told) -> None:
    """Check that the arena knows all that was told."""
    now = {match.name: match for match in listed(arena)}
    for name, match in told.matches.items():
        after = now[name]
        assert (after.state, after.ending, after.plies, list(after.seats)) == (
            *(match.state, match.ending, match.plies),
            list(match.seats),
        )
        assert arena.match(name).state == match.state
    bots = arena.bots.ListBots(page_size=1000).bots
    assert told.bots <= {bot.name for bot in bots}
    tokens = arena.tokens.ListTokens(page_size=1000).tokens
    assert set(told.tokens) <= {token.name for token in tokens}
    if told.standings:
        counted = {line.bot: line.matches for line in standings(arena)}
        assert all(counted[line.bot] >= line.matches for line in told.standings)
    for name, submission in told.submissions.items():
        found = arena.submissions.GetSubmission(name=name).submission
        assert (found.state, found.version) == (submission.state, submission.version)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    data = tmp_path / "data"
    with small_disk(data):
        yield data


def _play(ladder: DiskLadder, told: Told, number: int) -> None:
    """Play a match to its end, which both bots are told."""
    bots = ladder.begin()
    play_to_the_last_answer(bots)
    for match in hear_the_end(bots):
        told.matches[match.name] = match
    ask(ladder.arena, told, number, has_room=True)


def _fill_and_play(ladder: DiskLadder) -> tuple[list[RawBot], Path]:
    """Play a match whose end cannot be stored; return its bots, and the file that fills the disk."""
    bots = ladder.begin()
    ballast = fill(ladder.data)
    play_to_the_last_answer(bots)
    ladder.arena.wait_for(YET)
    return bots, ballast


def _before_the_first(ladder: DiskLadder, _told: Told) -> None:
    _fill_and_play(ladder)


def _in_the_second(ladder: DiskLadder, told: Told) -> None:
    _play(ladder, told, 0)
    _fill_and_play(ladder)


def _in_the_second_and_room_again(ladder: DiskLadder, told: Told) -> None:
    """Free the disk so that the second result is stored and told, and fill it once more."""
    _play(ladder, told, 0)
    bots, ballast = _fill_and_play(ladder)
    ask(ladder.arena, told, 1)
    ballast.unlink()
    for match in hear_the_end(bots):
        told.matches[match.name] = match
    fill(ladder.data)


def _room_for(pages: int) -> Moment:
    """There is room for so many pages when the second match ends: for its log, perhaps, and not for its row."""

    def play(ladder: DiskLadder, told: Told) -> None:
        _play(ladder, told, 0)
        bots = ladder.begin()
        ballast = fill(ladder.data)
        with ballast.open("r+b") as file:
            file.truncate(ballast.stat().st_size - pages * PAGE)
        play_to_the_last_answer(bots)
        ladder.arena.wait_until(
            lambda log: any(YET in line for line in log) or sum("match over" in line for line in log) == 2
        )

    play.__name__ = f"room_for_{pages}_pages"
    return play


@pytest.mark.parametrize(
    "moment",
    [
        _before_the_first,
        _in_the_second,
        _in_the_second_and_room_again,
        *(_room_for(pages) for pages in (1, 2, 3, 4, 6, 8, 12, 16, 32)),
    ],
    ids=lambda moment: moment.__name__.strip("_"),
)
def test_row_48_no_match_that_was_reported_is_lost_with_a_full_disk(disk: Path, moment: Moment) -> None:
    told = Told()
    with closing(DiskLadder(disk)) as ladder:
        ladder.dial()
        ladder.arena.ladder("main", "left", "right", options=SHORT)
        moment(ladder, told)
        ask(ladder.arena, told, 7)
        for bot in ladder.bots:
            while bot.waits("match_ended"):
                match = bot.hear("match_ended").match
                told.matches[match.name] = match
        ladder.arena.kill()
        (disk / "ballast").unlink(missing_ok=True)
        ladder.restart()
        check(ladder.arena, told)


RANDOM = (ROOT / "sample_bots" / "python" / "random_bot.py").read_bytes()
SMALL = """
import arena.hosting.admission.trials as trials
import arena.server.app as assembly
trials.SCENARIOS = [each for each in trials.SCENARIOS if each.name in ("hello", "seats")]
assembly.ROOM_BYTES = 0
"""
"""An arena that takes archives where there is little room, and whose suite is short."""


def archive(remark: str) -> bytes:
    """Return the archive of a bot with a remark of its own."""
    return tar(tar_file(b"bot.py", RANDOM + f"# {remark}\n".encode()))


def submit(arena: ArenaProcess, bot: str, data: bytes) -> str:
    """Upload the submission; return its name."""
    name = arena.submissions.CreateSubmission(
        bot=f"bots/{bot}", archive_sha256=sha256(data).hexdigest(), archive_bytes=len(data)
    ).submission.name
    upload = submission_pb2.UploadArchiveRequest(name=name, offset=0, data=data)
    arena.submissions.UploadArchive(iter([upload]))
    return str(name)


def watch(arena: ArenaProcess, name: str, wanted: set[submission_pb2.Submission.State.ValueType]) -> Any:
    """Return the submission, as its watcher receives it when it comes to one of these states."""
    for response in arena.submissions.WatchSubmission(name=name, timeout=2 * WAIT_S):
        if response.submission.state in wanted:
            return response.submission
    raise AssertionError(name)


@needs_sandbox
@pytest.mark.parametrize(
    "state", [Submission.STATE_WAITING, Submission.STATE_TRYING], ids=["waiting", "trying"]
)
def test_row_48_no_submission_that_was_reported_is_lost_with_a_full_disk(
    disk: Path, state: submission_pb2.Submission.State.ValueType
) -> None:
    """The disk is full while the second one waits, or is tried."""
    told = Told()
    arena = ArenaProcess(disk, "--keep-free", "0", before=SMALL).wait_open()
    try:
        for bot in ("one", "two"):
            arena.bot(bot)
        first = submit(arena, "one", archive("one"))
        told.submissions[first] = watch(arena, first, ENDED)
        assert told.submissions[first].state == Submission.STATE_ADMITTED
        second = submit(arena, "two", archive("two"))
        watch(arena, second, {state, Submission.STATE_TRYING})
        fill(disk)
        arena.wait_for("a submission waits")
        assert watch(arena, second, set(Submission.State.values())).state not in ENDED
        arena.kill()
        arena.close()
        (disk / "ballast").unlink()
        arena = ArenaProcess(disk, "--keep-free", "0", before=SMALL).wait_open()
        check(arena, told)
        admitted = watch(arena, second, ENDED)
        assert admitted.state == Submission.STATE_ADMITTED, admitted
        assert not list((disk / "uploads").iterdir()), "nothing of the upload is left"
    finally:
        arena.close()
