"""A data folder whose arenas are killed at points that a seed draws, with an audit after each."""

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import grpc

from arena.cli.framework.errors import call_of
from arena.core.errors import ErrorReason
from arena.v1 import ladder_pb2
from arena.wire.error_info import error_info
from tests.system.crash.audit import Audit
from tests.system.crash.killed_arena import (
    LADDER,
    CrashBot,
    KilledArena,
    KillPoint,
    ToldToBots,
    replay_what_is_left,
    set_up,
)

CLOSE: Final = "commit ServiceContext.create_once"
"""Where a season is closed; nothing else in a campaign calls it after the set-up."""

_ONCE: Final = ("commit migration", "commit AuditWriter._store", "rename server.json", CLOSE)
"""Passed once by an arena."""

_AGAIN: Final = (
    "commit Arena._register",
    "commit PlanningRound._store",
    "commit ResultRecorder.started",
    "fsync debug/#/#.seat#.jsonl.unfinished",
    "rename debug/#/#.seat#.jsonl",
    "fsync debug/#",
    "fsync logs/#/#.arenalog.unfinished",
    "rename logs/#/#.arenalog",
    "fsync logs/#",
    "commit ResultRecorder._record",
)
"""Passed for every match, group or caller."""

SOMETIMES: Final = ("commit Authenticator._note_use, before", "commit Authenticator._note_use, after")
"""Passed when a token was not used for a while, which is for the clock to say."""

POINTS: Final = tuple(f"{point}, {side}" for point in (*_ONCE, *_AGAIN) for side in ("before", "after"))
"""What an arena passes on a folder that is set up; a test compares it with what is really passed."""

ENOUGH: Final = 4
"""An arena in which so many matches were told to bots, without reaching its point, is ended all the same."""

_MOST_PASSAGES: Final = 3
_MOST_MESSAGES: Final = 60


def kill_points(seed: int) -> Iterator[KillPoint]:
    """Yield every point in a drawn order, then two moments that are no points, and so on without end."""
    draw = random.Random(seed)
    while True:
        points = list(POINTS)
        draw.shuffle(points)
        for point in points:
            yield KillPoint(point, 1 if point.startswith(_ONCE) else draw.randint(1, _MOST_PASSAGES))
        for _ in range(2):
            yield KillPoint("", draw.randint(1, _MOST_MESSAGES))


class Campaign:
    """One data folder of many arenas."""

    def __init__(
        self,
        folder: Path,
        prepare: Callable[[KilledArena], dict[str, str]] = set_up,
        *,
        closes_seasons: bool = False,
        database: str | None = None,
    ) -> None:
        """`prepare`: sets the first arena up, and returns the tokens of the bots.

        `closes_seasons`: every arena closes a season of the ladder while matches are played; `database`: the URL of one
        on a server.
        """
        self._database = database
        self._closes_seasons = closes_seasons
        self.data = folder / "data"
        self.told = ToldToBots()
        self.audit = Audit(self.data)
        arena = self.begin(None)
        try:
            self._tokens = prepare(arena)
        finally:
            arena.kill()

    def begin(self, kill_point: KillPoint | None, *, trace: Path | None = None) -> KilledArena:
        """Return an arena that is open; one that dies before that is followed by one that is meant to stay."""
        arena = KilledArena(self.data, kill_point, trace=trace, database=self._database)
        if arena.open():
            return arena
        arena.kill()
        assert arena.exit_code == -9, "".join(arena.log)
        return self.begin(None, trace=trace)

    def run(self, kill_point: KillPoint | None, *, trace: Path | None = None) -> None:
        """Run an arena: the folder is in order, bots play, and it is killed."""
        arena = self.begin(kill_point, trace=trace)
        bots: list[CrashBot] = []
        try:
            self.audit.check(self.told.ended, self.told.seasons)
            self.told.messages = 0
            self._play(arena, kill_point, bots)
        finally:
            arena.kill()
            for bot in bots:
                bot.close()
        assert arena.exit_code == -9, "".join(arena.log)
        assert "Traceback" not in "".join(arena.log), "".join(arena.log)

    def _play(self, arena: KilledArena, kill_point: KillPoint | None, bots: list[CrashBot]) -> None:
        """Play until it is killed, or for long enough. A call that is cut off by that is no error."""
        try:
            replay_what_is_left(arena)
        except Exception:
            if arena.news.get(timeout=60) != "ended":
                raise
            return
        bots += [CrashBot(arena, token, self.told, kill_point) for token in self._tokens.values()]
        heard, closes = 0, self._closes_seasons
        while heard < 2 * ENOUGH:
            word = arena.news.get(timeout=60)
            if word in ("ended", "enough"):
                return
            heard += word == "told"
            try:
                closes = closes and not self._close_season(arena)
            except grpc.RpcError as error:
                if call_of(error).code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                closes = False  # it was killed meanwhile

    def _close_season(self, arena: KilledArena) -> bool:
        """Close the season, or hear again that it was closed; return False if no match has counted in it.

        A close that was cut off by a kill is repeated as the same request, so it must not close two seasons.
        """
        number = len(self.told.seasons) + 1
        request = {"keep_percent": 37 * number % 101, "request_id": f"00000000-0000-4000-8000-{number:012}"}
        try:
            season = arena.seasons.CloseSeason(ladder=LADDER, **request).season
        except grpc.RpcError as error:
            if error_info(call_of(error).trailing_metadata())[0] != ErrorReason.TOO_FEW_MATCHES.value:
                raise
            return False
        assert season.number == number
        self.told.seasons[number] = season
        return True

    def recomputed(self) -> ladder_pb2.RecomputeLadderResponse:
        """Run the arena's own recomputation of its ledger, in a process that is audited too."""
        arena = self.begin(None)
        self.audit.check(self.told.ended, self.told.seasons)
        answer: ladder_pb2.RecomputeLadderResponse = arena.ladders.RecomputeLadder(name=LADDER)
        arena.kill()
        return answer


def run(folder: Path, seed: int, kills: int, database: str | None = None) -> Campaign:
    """Run a campaign of so many kills, at the end of which the arena's own recomputation agrees too.

    It prints the seed and each kill.
    """
    campaign = Campaign(folder, closes_seasons=True, database=database)
    for number, kill_point in zip(range(1, kills + 1), kill_points(seed), strict=False):
        sys.stdout.write(f"seed {seed}, kill {number} of {kills}: {kill_point}\n")
        campaign.run(kill_point)
    answer = campaign.recomputed()
    assert answer.identical
    told, closed = len(campaign.told.ended), len(campaign.told.seasons)
    sys.stdout.write(
        f"seed {seed}: {answer.entries} entries of the ledger, {told} matches told to bots, {closed} seasons closed\n"
    )
    return campaign
