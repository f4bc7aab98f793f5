"""A row of lives of one arena, each ended by kill -9 where a seed says, with an audit after each."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from arena.v1 import ladder_pb2
from tests.system.crash.audit import Audit
from tests.system.crash.mortal import LADDER, CrashBot, Death, ForkServer, Life, ToldToBots

_ONCE: Final = ("commit migration", "commit AuditWriter._store", "rename server.json")
"""Passed once in a life."""

_AGAIN: Final = (
    "commit Arena._register",
    "commit PlanningRound.store",
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
"""What a life passes that finds its folder set up and plays matches; a test compares it with what is really passed."""

ENOUGH: Final = 4
"""A life in which so many matches were told to bots, without reaching its point, is ended all the same."""

_MOST_PASSAGES: Final = 3
_MOST_MESSAGES: Final = 60


def deaths(seed: int) -> Iterator[Death]:
    """Where each life ends: every point in a drawn order, then two moments that are no points, and so on for ever."""
    draw = random.Random(seed)
    while True:
        points = list(POINTS)
        draw.shuffle(points)
        for point in points:
            yield Death(point, 1 if point.startswith(_ONCE) else draw.randint(1, _MOST_PASSAGES))
        for _ in range(2):
            yield Death("", draw.randint(1, _MOST_MESSAGES))


class Campaign:
    """One data folder through many lives."""

    def __init__(self, folder: Path, found: Callable[[Life], dict[str, str]] = Life.found) -> None:
        """`found`: what an organiser sets up in the first life; the tokens of the bots."""
        self.data = folder / "data"
        self.told = ToldToBots()
        self.audit = Audit(self.data)
        self._zygote = ForkServer()
        try:
            life = self.begin(None)
            self._tokens = found(life)
            life.kill()
        except BaseException:
            self.close()
            raise

    def begin(self, death: Death | None, *, trace: Path | None = None) -> Life:
        """Return an arena that is open; one that dies before that is followed by one that is meant to stay."""
        life = Life(self._zygote, self.data, death, trace=trace)
        if life.open():
            return life
        life.kill()
        assert life.exit_code == -9, life.log()
        return self.begin(None, trace=trace)

    def live(self, death: Death | None, *, trace: Path | None = None) -> None:
        """One life: the folder is found in order, bots play, and it ends."""
        life = self.begin(death, trace=trace)
        bots: list[CrashBot] = []
        try:
            self.audit.check(self.told.ended)
            self.told.messages = 0
            self._play(life, death, bots)
        finally:
            life.kill()
            for bot in bots:
                bot.close()
        assert life.exit_code == -9, life.log()
        assert "Traceback" not in life.log(), life.log()

    def _play(self, life: Life, death: Death | None, bots: list[CrashBot]) -> None:
        """Until it dies of itself, or has lived long enough. A call that its death cuts off is no error."""
        try:
            life.replay_what_is_left()
        except Exception:
            if life.news.get(timeout=60) != "ended":
                raise
            return
        bots += [CrashBot(life, token, self.told, death) for token in self._tokens.values()]
        heard = 0
        while heard < 2 * ENOUGH:
            word = life.news.get(timeout=60)
            if word in ("ended", "enough"):
                return
            heard += word == "told"

    def recomputed(self) -> ladder_pb2.RecomputeLadderResponse:
        """Run the arena's own recomputation of its ledger, in a process that is audited too."""
        life = self.begin(None)
        self.audit.check(self.told.ended)
        answer: ladder_pb2.RecomputeLadderResponse = life.ladder("RecomputeLadder", name=LADDER)
        life.kill()
        return answer

    def close(self) -> None:
        """Nothing is left running."""
        self._zygote.close()


def run(folder: Path, seed: int, kills: int) -> Campaign:
    """Run a campaign of so many kills, at the end of which the arena's own recomputation agrees too.

    It prints the seed and each death.
    """
    campaign = Campaign(folder)
    try:
        for number, death in zip(range(1, kills + 1), deaths(seed), strict=False):
            sys.stdout.write(f"seed {seed}, kill {number} of {kills}: {death}\n")
            campaign.live(death)
        answer = campaign.recomputed()
        assert answer.identical
        told = len(campaign.told.ended)
        sys.stdout.write(f"seed {seed}: {answer.entries} groups rated, {told} matches told to bots\n")
    finally:
        campaign.close()
    return campaign
