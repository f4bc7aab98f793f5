"""An organiser takes a version out of service that is held to end match groups, on a real database."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.core.endings.terminations import Termination
from arena.core.match import MatchState, SeedPolicy
from arena.core.tournaments import TournamentState
from arena.scheduling.walkovers import withdraw
from arena.store.bots.hosting import HostingMode
from arena.store.store import Store
from tests.unit.scheduling.test_tournaments import RunningTournament
from tests.unit.store.world import World

OLD, NEW = "ab" * 32, "cd" * 32
NOW_US = 9_000


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Ant has played and won the first match of a group in its old version, which is the one that plays."""
    store = Store(f"sqlite:///{tmp_path / 'arena.db'}")
    store.migrate()
    made = World(store)
    made.populate("ant", "bee")
    made.submit("ant", OLD)
    made.submit("bee", OLD)
    return made


def begun(world: World, policy: SeedPolicy = SeedPolicy.SHARED) -> int:
    """Return the second match of a group, of which the first one was played by the old versions."""
    first, second = world.pair("ant", "bee", policy=policy)
    world.start(first, ant=OLD, bee=OLD)
    world.finish(first, 1, 2)
    return second


def given_up(world: World) -> int:
    return world.store.write(lambda tx: withdraw(tx, "ant", NOW_US))


@pytest.mark.parametrize("off", [True, False])
def test_what_the_version_that_is_out_of_service_was_still_to_play_is_given_up(
    world: World, off: bool
) -> None:
    second = begun(world)
    if off:
        world.store.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.OFF))
    else:
        world.submit("ant", NEW)
    assert given_up(world) == 1
    match = world.store.read(lambda tx: tx.matches.get(second))
    assert (match.state, match.group_complete) == (MatchState.NO_CONTEST, True)
    assert "ant does not play" in match.void_reason
    ant, bee = (next(seat.ending for seat in match.seats if seat.bot == bot) for bot in ("ant", "bee"))
    assert ant is not None
    assert bee is not None
    assert ant.termination is Termination.DISCONNECT
    assert "out of service" in dict(ant.evidence)["organiser"]
    assert not bee.forfeited
    assert world.store.read(lambda tx: tx.open_matches.all()) == ()


def test_what_the_chosen_version_may_play_goes_on(world: World) -> None:
    """Its own groups, those that nothing was played of, and those with seeds of their own."""
    begun(world)
    assert given_up(world) == 0
    world.submit("ant", NEW)
    own = begun(world, SeedPolicy.DERIVED)
    new = world.pair("ant", "bee", policy=SeedPolicy.SHARED)
    assert given_up(world) == 1
    assert [match.id for match in world.store.read(lambda tx: tx.open_matches.all())] == [own, *new]


def test_who_is_taken_off_plays_nothing_more_that_only_programs_may_play(world: World) -> None:
    """A group that nothing was played of is not waited for either; one that bots may dial in for is."""
    new = world.pair("ant", "bee", policy=SeedPolicy.SHARED)
    own = world.pair("ant", "bee", policy=SeedPolicy.DERIVED)
    world.store.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.OFF))
    assert given_up(world) == len(new)
    assert [match.id for match in world.store.read(lambda tx: tx.open_matches.all())] == list(own)


def test_a_match_in_play_goes_on_and_what_comes_after_it_does_not(world: World) -> None:
    first, second = world.pair("ant", "bee", policy=SeedPolicy.SHARED)
    world.start(first, ant=OLD, bee=OLD)
    world.submit("ant", NEW)
    assert given_up(world) == 1
    states = [match.state for match in world.store.read(lambda tx: tx.matches.several((first, second)))]
    assert states == [MatchState.RUNNING, MatchState.NO_CONTEST]


def test_matches_of_a_paused_tournament_do_not_wait_for_it_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = RunningTournament(tmp_path)
    event.make()
    first, second = event.matches()
    monkeypatch.setattr("arena.scheduling.walkovers.is_isolated", lambda *_: True)
    event.world.submit("bob", OLD, NEW)
    event.world.start(first.id, bob=OLD)
    event.world.finish(first.id, 1, 2)
    event.world.store.write(lambda tx: tx.tournaments.set_state("cup", TournamentState.PAUSED))
    assert event.world.store.write(lambda tx: withdraw(tx, "bob", NOW_US)) == 1
    ended = event.world.store.read(lambda tx: tx.matches.get(second.id))
    assert (ended.state, ended.group_complete) == (MatchState.NO_CONTEST, True)
    assert event.row().state is TournamentState.PAUSED
    event.database.close()
