"""Large tournaments on a real arena, over gRPC to the end: how long they take, and that every round is proven."""

import asyncio
import multiprocessing
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.framework.connection import fetch_all
from arena.cli.log.tournament_proof import TournamentRecords, prove
from arena.cli.rules import FIRST_GAME
from arena.match_log.checks.check import Status
from arena.sdk.program import play_as
from arena.sdk.settings import Endpoint
from arena.v1 import tournament_pb2
from benchmarks.processes.arena import PATIENT, RunningArena, arena_on
from sample_bots.python.random_bot import RandomBot

_LOOK_S: Final = 1.0
_PROGRAMS: Final = 2

_SHORT: Final = {"turn_limit": "2", "no_progress_turns": "100"}
"""A match of a few plies: it is the planning and the pairing that are looked at."""


def play(
    arena: RunningArena, name: str, request: tournament_pb2.CreateTournamentRequest, within_s: float
) -> None:
    """Play a tournament to its end, and print what it came to.

    Raises AssertionError: it does not end in time, or is refuted.
    """
    service, full = arena.calls.tournaments, f"tournaments/{name}"
    request.tournament_id, request.game = name, FIRST_GAME
    request.options.update(_SHORT)
    request.time_control.CopyFrom(PATIENT)
    service.CreateTournament(request)
    began = time.monotonic()
    service.RunTournament(tournament_pb2.RunTournamentRequest(name=full))
    wanted = tournament_pb2.GetTournamentRequest(name=full)
    while (now := service.GetTournament(wanted).tournament).state != now.STATE_FINISHED:
        if time.monotonic() - began > within_s:
            raise AssertionError(
                f"{name} has not ended: {now.ended_matches} of {now.matches}, {now.waiting_for}"
            )
        time.sleep(_LOOK_S)
    took_s = time.monotonic() - began
    records = TournamentRecords.of(arena.calls, full)
    checks = prove(records, {})
    rounds = fetch_all(service.ListRounds, tournament_pb2.ListRoundsRequest(name=full)).rounds
    print(
        f"{name}: {len(now.bots)} bots, {len(rounds)} rounds, {now.pairings} pairings, {now.matches} matches, "
        f"{now.unplayed_matches} of them without a result, {took_s:.0f} s, {now.matches / took_s:.1f} matches a second"
    )
    for check in checks:
        print(f"    {check.name}: {check.status.value}. {check.sentence}")
    if any(check.status is not Status.OK for check in checks):
        raise AssertionError(f"{name} is refuted")


def measure(
    swiss: Annotated[int, typer.Option(help="Bots of the Swiss.")] = 64,
    rounds: Annotated[int, typer.Option(help="Rounds of the Swiss.")] = 7,
    double: Annotated[int, typer.Option(help="Bots of the double elimination.")] = 32,
    within: Annotated[float, typer.Option(help="Seconds that each may take.")] = 1_800,
) -> None:
    """Play a Swiss and a double elimination of bots that connect by themselves, and prove both."""
    most = max(swiss, double)
    with tempfile.TemporaryDirectory() as folder, arena_on(Path(folder) / "data") as arena:
        tokens = arena.bots("bot", most)
        names = [f"bots/bot-{number}" for number in range(most)]
        programs = [
            multiprocessing.get_context("spawn").Process(
                target=_run_bots, args=(arena.unix, tokens[number::_PROGRAMS]), daemon=True
            )
            for number in range(_PROGRAMS)
        ]
        for program in programs:
            program.start()
        try:
            kind = tournament_pb2.Tournament
            request = tournament_pb2.CreateTournamentRequest
            play(arena, "swiss", request(format=kind.FORMAT_SWISS, bots=names[:swiss], rounds=rounds), within)
            play(arena, "double", request(format=kind.FORMAT_DOUBLE_ELIMINATION, bots=names[:double]), within)
        finally:
            for program in programs:
                program.kill()


def _run_bots(address: str, tokens: Sequence[str]) -> None:
    """Play as many bots until the process is ended."""

    async def play_all() -> None:
        await asyncio.gather(
            *(play_as(RandomBot, Endpoint(address, token), asyncio.Event()) for token in tokens)
        )

    asyncio.run(play_all())


if __name__ == "__main__":
    typer.run(measure)
