"""Which pairings of a tournament are made when (docs/tournaments.md), on a real database with bots that are told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.core.match import MatchState, SeedPolicy
from arena.core.pairing.round_robin import round_robin
from arena.core.seeds import seat_order
from arena.core.suites import parse_suite
from arena.core.tournaments import TournamentState
from arena.scheduling.result_recorder import replay_of
from arena.scheduling.scheduler import MADE, NOTHING
from arena.store.matches.results import MatchReport, ReplacementMatch
from engine.randomness import commitment
from tests.unit.scheduling.fakes import FakeHost, TournamentFixture, add_tournament, opened
from tests.unit.store.store_fixture import StoreFixture, a_commitment, a_result

BOTS = ("ann", "bob", "cid")


class RunningTournament(TournamentFixture):
    """A running tournament of three bots, its pairings 1: bob cid, 2 and 3 with ann."""

    name = "cup"
    db: StoreFixture

    def __init__(self, folder: Path, host: FakeHost | None = None, **changed: Any) -> None:
        super().__init__(folder, *BOTS, host=host)
        add_tournament(self.db.store, self.name, *BOTS, **changed)

    def made(self) -> list[frozenset[str]]:
        """Return the pairings whose matches were made, in that order."""
        return list(dict.fromkeys(frozenset(match.bots) for match in self.matches()))


@pytest.fixture
def tournament(tmp_path: Path) -> Iterator[RunningTournament]:
    yield from opened(RunningTournament(tmp_path))


def test_pairings_are_made_in_the_order_of_the_plan_while_bots_have_room(
    tournament: RunningTournament,
) -> None:
    tournament.sessions.room = dict.fromkeys(BOTS, 3)
    assert tournament.make() is MADE
    plan = [frozenset(each.bots) for each in round_robin(BOTS, seats=2, rounds=1)]
    assert tournament.made() == plan[:1]
    assert tournament.make() is MADE
    tournament.restart()
    assert tournament.make() is MADE
    assert tournament.made() == plan
    assert tournament.make() is NOTHING
    assert len(tournament.matches()) == 6


SUITE = parse_suite("mine", f"game caravan\nseats 2\nopen {'5e' * 32}\nshut {'0f' * 32}\nlast {'ab' * 32}\n")


@pytest.mark.parametrize("shared", [True, False])
def test_a_tournament_on_a_suite_plays_its_entries_and_replays_the_same(tmp_path: Path, shared: bool) -> None:
    """The order of seats comes from the secret all the same."""
    policy = SeedPolicy.SHARED if shared else SeedPolicy.DERIVED
    for fixture in opened(RunningTournament(tmp_path, FakeHost(*BOTS), seed_policy=policy, suite=SUITE)):
        fixture.sessions.room = dict.fromkeys(BOTS, 9)
        while fixture.make() is MADE:
            pass
        store, seeds = fixture.db.store, [entry.seed for entry in SUITE.entries]
        pairings = store.read(lambda tx: tx.pairings.page("cup", after=0, limit=9))
        for pairing in pairings:
            secret = store.read(lambda tx: tx.groups.secret_of(pairing.group))  # noqa: B023
            assert secret is not None
            assert pairing.bots == seat_order(bytes(32), pairing.group, pairing.bots)
            for match in (each for each in fixture.matches() if each.group == pairing.group):
                index = pairing.number - 1 if shared else 2 * (pairing.number - 1) + match.slot
                seed = seeds[index % len(seeds)]
                assert match.seed_commitment == commitment(seed)
                assert secret.seed_of(match, 7) == seed
                again = store.read(lambda tx: replay_of(tx, match))  # noqa: B023
                assert (again.seed_attempt, again.seed_commitment) == (
                    match.seed_attempt,
                    match.seed_commitment,
                )


def test_a_pairing_with_a_full_bot_is_reserved_once(tournament: RunningTournament) -> None:
    tournament.sessions.in_play[0] = BOTS
    assert tournament.make(first=False) is NOTHING
    assert tournament.make() is MADE
    assert tournament.make() is NOTHING
    assert len(tournament.made()) == 1


def test_bots_that_are_held_for_another_are_left_alone(tournament: RunningTournament) -> None:
    assert tournament.make(first=False, held=frozenset({"bob", "cid"})) is NOTHING
    assert tournament.make(first=False, held=frozenset({"cid"})) is MADE
    assert tournament.made() == [frozenset({"ann", "bob"})]


def test_a_bot_that_is_away_is_passed_over_until_nothing_else_is_left(tournament: RunningTournament) -> None:
    del tournament.sessions.room["cid"]
    assert tournament.make() is MADE
    assert tournament.made() == [frozenset({"ann", "bob"})]
    assert tournament.make() is NOTHING
    for match in tournament.matches():
        tournament.db.finish(match.id, 1, 2)
    assert tournament.make() is MADE
    assert {"cid" in pair for pair in tournament.made()} == {True}
    assert len(tournament.made()) == 2
    tournament.make()
    assert "cid to come back" in tournament.tournaments.waiting_for("cup")


def test_while_none_of_its_bots_is_there_it_waits(tournament: RunningTournament) -> None:
    tournament.sessions.room = {}
    assert tournament.make() is NOTHING
    assert "none of its bots" in tournament.tournaments.waiting_for("cup")


def test_matches_of_a_paused_tournament_do_not_begin(tournament: RunningTournament) -> None:
    tournament.make()
    tournament.db.start(tournament.matches()[0].id)
    tournament.db.store.write(lambda tx: tx.tournaments.set_state("cup", TournamentState.PAUSED))
    assert [match.state for match in tournament.matches()] == [MatchState.RUNNING]
    tournament.db.store.write(lambda tx: tx.tournaments.set_state("cup", TournamentState.RUNNING))
    assert [match.state for match in tournament.matches()] == [MatchState.RUNNING, MatchState.PENDING]


def test_it_is_over_when_the_organiser_has_ruled_on_what_was_void_too_often(
    tournament: RunningTournament,
) -> None:
    tournament.sessions.room = dict.fromkeys(BOTS, 3)
    for _ in range(3):
        tournament.make()
    *others, last = tournament.matches()
    for match in others:
        tournament.db.finish(match.id, 1, 2)
    replay = tournament.db.abort(last.id, ReplacementMatch(1, a_commitment("again"))).replay
    assert replay is not None
    tournament.db.abort(replay, None)
    assert (tournament.row().state, tournament.row().ended_matches) == (TournamentState.RUNNING, 5)
    tournament.make()
    assert "left to the organiser" in tournament.tournaments.waiting_for("cup")
    store = tournament.db.store
    store.write(lambda tx: tx.rulings.void(tx.matches.get(replay), "the host failed", 99))
    over = tournament.row()
    assert (over.state, over.ended_matches, over.unplayed_matches) == (TournamentState.FINISHED, 6, 1)
    history = store.read(lambda tx: tx.pairings.history("cup"))
    assert (len(history.played), len(history.not_played)) == (5, 1)


def test_a_match_given_up_counts_as_ended_without_a_result(tournament: RunningTournament) -> None:
    tournament.make()
    match = tournament.matches()[0]
    tournament.db.report(MatchReport(match.id, a_result(0, 0, state=MatchState.NO_CONTEST), None, ""))
    assert (tournament.row().ended_matches, tournament.row().unplayed_matches) == (1, 1)
