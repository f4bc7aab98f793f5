"""An organiser takes a version out of service that is held to end match groups, on a real database."""

from pathlib import Path

import pytest

from arena.core.endings.terminations import Termination
from arena.core.match import MatchState, SeedPolicy
from arena.core.tournaments import TournamentState
from arena.scheduling.walkovers import withdraw
from arena.store.bots.hosting import HostingMode
from tests.unit.scheduling.test_tournaments import RunningTournament
from tests.unit.store.store_fixture import StoreFixture, open_store

OLD, NEW = "ab" * 32, "cd" * 32
NOW_US = 9_000


@pytest.fixture
def db(tmp_path: Path) -> StoreFixture:
    """Ant has played and won the first match of a group in its old version, which is the one that plays."""
    made = StoreFixture(open_store(tmp_path))
    made.populate("ant", "bee")
    made.submit("ant", OLD)
    made.submit("bee", OLD)
    return made


def begun(db: StoreFixture, policy: SeedPolicy = SeedPolicy.SHARED) -> int:
    """Return the second match of a group, of which the first one was played by the old versions."""
    first, second = db.pair("ant", "bee", policy=policy)
    db.start(first, ant=OLD, bee=OLD)
    db.finish(first, 1, 2)
    return second


def given_up(db: StoreFixture) -> int:
    return db.store.write(lambda tx: withdraw(tx, "ant", NOW_US))


@pytest.mark.parametrize("off", [True, False])
def test_open_matches_of_a_withdrawn_version_are_given_up(db: StoreFixture, off: bool) -> None:
    second = begun(db)
    if off:
        db.store.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.OFF))
    else:
        db.submit("ant", NEW)
    assert given_up(db) == 1
    match = db.match(second)
    assert (match.state, match.group_complete) == (MatchState.NO_CONTEST, True)
    assert "ant does not play" in match.void_reason
    endings = {seat.bot: seat.ending for seat in match.seats if seat.ending is not None}
    assert endings["ant"].termination is Termination.DISCONNECT
    assert "out of service" in dict(endings["ant"].evidence)["organiser"]
    assert not endings["bee"].forfeited
    assert db.store.read(lambda tx: tx.open_matches.all()) == ()


def test_matches_that_the_chosen_version_may_play_are_kept(db: StoreFixture) -> None:
    """Its own groups, those that nothing was played of, and those with seeds of their own."""
    begun(db)
    assert given_up(db) == 0
    db.submit("ant", NEW)
    own = begun(db, SeedPolicy.DERIVED)
    new = db.pair("ant", "bee", policy=SeedPolicy.SHARED)
    assert given_up(db) == 1
    assert [match.id for match in db.store.read(lambda tx: tx.open_matches.all())] == [own, *new]


def test_without_a_chosen_version_all_isolated_matches_are_given_up(db: StoreFixture) -> None:
    """A group that nothing was played of is not waited for either; one that bots may dial in for is."""
    new = db.pair("ant", "bee", policy=SeedPolicy.SHARED)
    own = db.pair("ant", "bee", policy=SeedPolicy.DERIVED)
    db.store.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.OFF))
    assert given_up(db) == len(new)
    assert [match.id for match in db.store.read(lambda tx: tx.open_matches.all())] == list(own)


def test_a_match_in_play_continues_and_the_next_one_of_its_group_is_given_up(db: StoreFixture) -> None:
    first, second = db.pair("ant", "bee", policy=SeedPolicy.SHARED)
    db.start(first, ant=OLD, bee=OLD)
    db.submit("ant", NEW)
    assert given_up(db) == 1
    states = [match.state for match in db.store.read(lambda tx: tx.matches.several((first, second)))]
    assert states == [MatchState.RUNNING, MatchState.NO_CONTEST]


def test_matches_of_a_paused_tournament_are_withdrawn_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = RunningTournament(tmp_path)
    tournament.make()
    first, second = tournament.matches()
    monkeypatch.setattr("arena.scheduling.walkovers.is_isolated", lambda *_: True)
    tournament.db.submit("bob", OLD, NEW)
    tournament.db.start(first.id, bob=OLD)
    tournament.db.finish(first.id, 1, 2)
    tournament.db.store.write(lambda tx: tx.tournaments.set_state("cup", TournamentState.PAUSED))
    assert tournament.db.store.write(lambda tx: withdraw(tx, "bob", NOW_US)) == 1
    ended = tournament.db.match(second.id)
    assert (ended.state, ended.group_complete) == (MatchState.NO_CONTEST, True)
    assert tournament.row().state is TournamentState.PAUSED
    tournament.database.close()
