"""A Swiss and a double elimination of an arena that is killed while it plans: every round is proven at the end."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from arena.core.tournaments import TournamentState
from arena.store.store import Store, Transaction
from arena.store.tournaments.pairings import PairingRow
from arena.store.tournaments.rounds import RoundRow
from arena.store.tournaments.tournaments import TournamentRow
from arena.v1 import tournament_pb2
from tests.system.crash.campaign import Campaign
from tests.system.crash.killed_arena import BOTS, SHORT, KilledArena, KillPoint
from tests.system.crash.killed_arena import set_up as prepare_ladder
from tests.system.play.arena_process import SLOW
from tests.unit.cli.programs import finish, start

FORMATS: Final = {
    "swiss": tournament_pb2.Tournament.FORMAT_SWISS,
    "double": tournament_pb2.Tournament.FORMAT_DOUBLE_ELIMINATION,
}

POINTS: Final = (
    "commit RoundPlanning.plan_next, before",
    "commit RoundPlanning.plan_next, after",
    "commit PlanningRound._store, before",
    "commit ResultRecorder._record, after",
)

MOST_ARENAS: Final = 20


def set_up(arena: KilledArena) -> dict[str, str]:
    """Make the bots, two tournaments of them, and a ladder that always has something to play; return their tokens."""
    tokens = prepare_ladder(arena)
    for name, kind in FORMATS.items():
        arena.tournaments.CreateTournament(
            tournament_id=name,
            format=kind,
            game="caravan",
            bots=[f"bots/{bot}" for bot in BOTS],
            rounds=2 if name == "swiss" else 0,
            options=SHORT,
            time_control=SLOW,
            parameters={"seeding": tournament_pb2.FormatParameters.SEEDING_DRAWN},
        )
        arena.tournaments.RunTournament(name=f"tournaments/{name}")
    return tokens


def _read(tx: Transaction, name: str) -> tuple[TournamentRow, Sequence[PairingRow], Sequence[RoundRow]]:
    row = tx.tournaments.get(name)
    return row, tx.pairings.page(name, after=0, limit=99), tx.rounds.page(name, after=0, limit=99)


def stored(data: Path) -> tuple[dict[str, set[Any]], bool]:
    """Return the pairings and byes of both tournaments that a killed arena has left, and whether both are over."""
    store = Store(f"sqlite:///{data / 'arena.db'}")
    plans: dict[str, set[Any]] = {}
    over = True
    for name in FORMATS:
        row, pairings, rounds = store.read(partial(_read, name=name))
        over &= row.state is TournamentState.FINISHED
        plans[name] = {(each.round, each.number, each.group, each.bots) for each in pairings}
        plans[name] |= {(each.number, each.byes) for each in rounds}
    store.close()
    return plans, over


def test_rounds_that_were_planned_stay_as_they_are_and_are_proven_at_the_end(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, set_up)
    before, over = stored(campaign.data)
    for number in range(MOST_ARENAS):
        if over:
            break
        campaign.run(KillPoint(POINTS[number % len(POINTS)], 1 + number // len(POINTS)))
        now, over = stored(campaign.data)
        assert all(before[name] <= now[name] for name in FORMATS)
        before = now
    assert over
    arena = campaign.begin(None)
    try:
        for name in FORMATS:
            tournament = arena.tournaments.GetTournament(name=f"tournaments/{name}").tournament
            assert (len(tournament.secret), tournament.ended_matches) == (32, tournament.matches)
            code, proof, err = finish(
                start(
                    "log", "verify", "--tournament", name, "--format", "json", ARENA_DATA=str(campaign.data)
                ),
                within=120,
            )
            assert code == 0, err
            assert '"verdict": "ok"' in proof
    finally:
        arena.kill()
