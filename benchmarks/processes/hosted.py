"""Bots that an arena hosts: submitted as their authors do it, and played on a ladder to its end."""

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from arena.cli.framework.connection import fetch_all
from arena.cli.framework.processes import without_arena
from arena.cli.rules import FIRST_GAME
from arena.v1 import bot_pb2, ladder_pb2, match_pb2
from benchmarks.processes.arena import PATIENT, RunningArena
from benchmarks.processes.usage import run_program
from benchmarks.processes.worker import WorkerFailedError

_PROGRAM: Final = """
import random
import time

import arena.sdk


class Waiting(arena.sdk.Bot):
    name = "waiting"
    games = arena.sdk.GAMES
    matches = {matches}

    def choose(self, observation, legal_actions, clock):
        time.sleep({seconds})
        return random.randrange(len(legal_actions))


arena.sdk.run(Waiting)
"""

_MANIFEST: Final = f'command = ["python", "bot.py"]\nruntime = "python"\ngames = ["{FIRST_GAME}"]\n'

_WITHIN_S: Final = 300.0
_LOOK_S: Final = 0.5
"""Each look costs the arena half a millisecond."""


def submitted(  # noqa: PLR0913 - what a submission needs
    arena: RunningArena,
    scratch: Path,
    python: Path,
    name: str,
    think_s: float,
    count: int,
    *,
    matches: int = 8,
) -> Sequence[str]:
    """Have bots admitted that wait at each decision and play at random: so many, of the same content. Return them.

    `python`: of the environment whose `arena` submits them; `matches`: that a program of them plays at once. Raises
    WorkerFailedError: one is not admitted.
    """
    folder = scratch / f"{name}-bot"
    folder.mkdir()
    (folder / "bot.py").write_text(_PROGRAM.format(seconds=think_s, matches=matches))
    (folder / "bot.toml").write_text(_MANIFEST)
    bots = [f"{name}-{number}" for number in range(count)]
    for bot in bots:
        arena.calls.bots.CreateBot(bot_pb2.CreateBotRequest(bot_id=bot))
        _submit(python, arena.data, bot, folder)
    return bots


def _submit(python: Path, data: Path, bot: str, folder: Path) -> None:
    words = ("bot", "submit", bot, str(folder), "--data", str(data))
    ended = run_program([str(python), "-P", "-m", "arena.cli.app", *words], without_arena(os.environ))
    if ended.code:
        raise WorkerFailedError(f"arena bot submit ended with {ended.code} ({ended.last_line})")


def play_ladder(
    arena: RunningArena,
    bots: Sequence[str],
    matches: int,
    *,
    name: str = "main",
    options: Mapping[str, str] | None = None,
    within_s: float = _WITHIN_S,
) -> Sequence[match_pb2.Match]:
    """Play so many matches of two on a new ladder of the first game. Return them.

    Raises WorkerFailedError: it takes too long, or one is void.
    """
    calls, ladder = arena.calls.ladders, f"ladders/{name}"
    calls.CreateLadder(
        ladder_pb2.CreateLadderRequest(
            ladder_id=name, game=FIRST_GAME, seat_counts=[2], time_control=PATIENT, options=options or {}
        )
    )
    for bot in bots:
        calls.JoinLadder(ladder_pb2.JoinLadderRequest(name=ladder, bot=f"bots/{bot}"))
    calls.RunLadder(ladder_pb2.RunLadderRequest(name=ladder, matches=matches))
    deadline = time.monotonic() + within_s
    running = ladder_pb2.GetLadderRequest(name=ladder)
    while time.monotonic() < deadline:
        shown = calls.GetLadder(running).ladder
        if not (shown.remaining_matches or shown.running_matches):
            request = match_pb2.ListMatchesRequest(ladder=ladder)
            rows = fetch_all(arena.calls.matches.ListMatches, request).matches
            if any(row.state != match_pb2.MATCH_STATE_FINISHED for row in rows):
                raise WorkerFailedError("a match of hosted bots was void")
            if len(rows) != matches:
                raise WorkerFailedError(
                    f"{len(rows)} matches instead of {matches}: groups of two need an even number"
                )
            return list(rows)
        time.sleep(_LOOK_S)
    raise WorkerFailedError(f"{matches} matches of hosted bots were not over after {within_s:g} s")


def span_s(matches: Sequence[match_pb2.Match]) -> float:
    """Return the seconds from the first beginning to the last end of these matches."""
    return max(_seconds(each.end_time) for each in matches) - min(
        _seconds(each.start_time) for each in matches
    )


def _seconds(moment: object) -> float:
    """Return a timestamp as seconds."""
    return float(moment.seconds) + float(moment.nanos) / 1e9  # type: ignore[attr-defined]
