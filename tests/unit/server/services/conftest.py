"""Fixtures of the services' tests: one event loop for all, since gRPC wants no second one."""

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from arena.core.match import DebugLine, MatchState
from arena.core.pairing.formats.plan import NextRound, RoundPairing
from arena.store.accounts.invites import InviteRow
from arena.store.accounts.tokens import Role
from arena.store.accounts.users import UserRow
from arena.store.bots.bots import BotVersionRow, VersionOrigin
from arena.store.ladders.seasons import SeasonRow
from arena.store.matches.results import MatchReport
from arena.store.store import Transaction
from arena.v1 import tournament_pb2
from tests.unit.runner.fakes import MatchFixture
from tests.unit.server.services.harness import Arena, running_arena
from tests.unit.store.store_fixture import LADDER, VERSION, StoreFixture, a_result

ROBIN = tournament_pb2.Tournament.FORMAT_ROUND_ROBIN
OLDER = "aa" * 32


def add_round(tx: Transaction, planned: NextRound) -> None:
    """Add a round to the tournament of rounds; an empty one finishes it."""
    tx.rounds.add(tx.tournaments.get("rounds"), planned, 1_000)


@pytest.fixture(scope="session")
def runner() -> Iterator[asyncio.Runner]:
    """Return the event loop."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def arena(runner: asyncio.Runner, tmp_path: Path, tables: Path) -> Iterator[Arena]:
    """Return a running server."""
    yield from running_arena(runner, tmp_path, tables)


@pytest.fixture
def db(arena: Arena) -> StoreFixture:
    """Return its database, with two bots of ada's on a ladder."""
    db = StoreFixture(arena.store)
    db.populate("bee", "cat")
    return db


@pytest.fixture(scope="module")
def shared_arena(
    runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory, tables: Path
) -> Iterator[Arena]:
    """Return a running server for all tests of a file; they must not change anything."""
    yield from running_arena(runner, tmp_path_factory.mktemp("arena"), tables)


@pytest.fixture(scope="module")
def populated(shared_arena: Arena) -> Arena:
    """Return an arena with something of everything; its tests must not change anything."""
    arena, db = shared_arena, StoreFixture(shared_arena.store)
    arena.change(
        lambda tx: tx.bots.ensure_version(BotVersionRow("ant", "1.0", VersionOrigin.DECLARED, "rust", 5))
    )
    db.submit("ant", OLDER, VERSION)
    db.populate("bee", "cat")
    db.populate_more("dog")
    first, second = db.pair("bee", "cat")
    db.finish(first, 1, 2)
    db.report(MatchReport(second, a_result(0, 0, state=MatchState.ABORTED), None, ""))
    arena.debug_lines.write(
        MatchFixture(match=first).setup, [[DebugLine(number, f"line {number}") for number in range(3)], []]
    )
    arena.call("CreateLadder", "organiser", ladder_id="solo", game="caravanserai", seat_counts=[1])
    arena.change(lambda tx: tx.entries.join("solo", "cat", 1_000))
    arena.change(lambda tx: tx.seasons.add(SeasonRow(LADDER, 1, 5, 9, 75, 0, "{}", "key", bytes(64))))
    for digit in "10":
        invite = InviteRow(digit * 12, bytes(31) + digit.encode(), Role.OWNER, 5)
        arena.change(partial(lambda tx, each: tx.invites.add(each), each=invite))
    for name in ("tigers", "lions"):
        team = UserRow(name, Role.OWNER, 5, is_team=True)
        arena.change(partial(lambda tx, each: tx.users.add(each), each=team))
    arena.change(lambda tx: tx.teams.set_member("ada", "lions"))
    for text in ("The doors open at nine.", "The ladder closes at six."):
        arena.change(partial(lambda tx, each: tx.announcements.add(each, None, 5), each=text))
    for name in ("taken", "later", "rounds"):
        arena.now_us += 1
        cup = {
            "tournament_id": name,
            "format": tournament_pb2.Tournament.FORMAT_GAUNTLET if name == "rounds" else ROBIN,
            "game": "caravan",
            "bots": ["bots/bee", "bots/cat", "bots/dog"],
        }
        arena.call("CreateTournament", "organiser", **cup)
    for pairings in ((RoundPairing(("bee", "cat")),), (RoundPairing(("bee", "dog")),), ()):
        arena.change(partial(add_round, planned=NextRound(pairings)))
    arena.add_token("reader", Role.SPECTATOR, "ada")
    arena.add_token("sam", Role.SPECTATOR, "sam")
    arena.add_token("spare", Role.OWNER, "ada")
    arena.add_token("outcast", Role.BOT, "out", "outcast")
    arena.change(lambda tx: tx.users.set_disabled("out", True))
    for caller in ("organiser", "ada", "bob", "reader"):
        arena.call("GetOwnToken", caller)  # the use of each token is noted
    return arena
