"""Gates on a real database (docs/bots/gates.md): their bots, their end, and what becomes of the candidate."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from arena.core.match import SeedPolicy
from arena.core.match_record import MatchRecord
from arena.core.pairing.formats.formats import format_of
from arena.core.pairing.formats.gate import Gate
from arena.core.pairing.formats.parameters import FormatParameters, GateParameters
from arena.core.pairing.formats.plan import NextRound
from arena.core.pairing.formats.verify import verify_rounds
from arena.core.sequential.sprt import Verdict
from arena.core.suites import Suite
from arena.core.tournaments import TournamentFormat
from arena.core.units import NS_PER_S
from arena.scheduling.gates import add_gate_bots
from arena.scheduling.planning_round import PlanningRound
from arena.scheduling.scheduler import MADE, Turn
from arena.scheduling.snapshot import read_snapshot
from arena.scheduling.tournaments import TournamentMatchmaking
from arena.store.audit.entries import AuditFilter
from arena.store.bots.hosting import HostingMode
from arena.store.store import Transaction
from arena.store.tournaments.pairings import PairingRow
from arena.store.tournaments.tournaments import GateRow
from tests.unit.scheduling.fakes import FakeHost, TournamentFixture, opened
from tests.unit.store.store_fixture import LADDER, a_tournament

OLD: Final = "ab" * 32
NEW: Final = "cd" * 32
NAME: Final = "gate-1"
COMPARED: Final = ("gate-1-candidate", "gate-1-incumbent")
FIELD: Final = ("ann", "bob", "cid")
PARAMETERS: Final = FormatParameters(gate=GateParameters(0, 400_000, 200, 200, set_ups=12))


class GateFixture(TournamentFixture):
    """A running gate of two versions of the bot "mine" against a field of three, all hosted."""

    name = NAME

    def __init__(
        self,
        folder: Path,
        *,
        better: bool = True,
        apply: bool = True,
        yields: bool = False,
        suite: Suite | None = None,
    ) -> None:
        """`better`: whether the candidate is better than the incumbent, otherwise it is worse."""
        super().__init__(folder, "mine", *FIELD, host=FakeHost("mine", *FIELD, *COMPARED))
        self.better = better
        for bot in ("mine", *FIELD):
            self.db.submit(bot, OLD)
        self.db.submit("mine", NEW)
        row = replace(
            a_tournament(NAME, *COMPARED, *FIELD),
            format=TournamentFormat.GATE,
            seed_policy=SeedPolicy.SHARED,
            parameters=PARAMETERS,
            rounds=0,
            gate=GateRow("mine", NEW, OLD, apply),
            yields=yields,
            suite=suite,
        )

        def create(tx: Transaction) -> None:
            tx.hosting.set_mode("mine", HostingMode.PINNED, OLD)
            tx.tournaments.add(row)
            add_gate_bots(tx, row)

        self.db.store.write(create)

    def pairings(self) -> tuple[PairingRow, ...]:
        return self.db.store.read(lambda tx: tx.pairings.page(NAME, after=0, limit=99))

    def verdict(self) -> Verdict:
        form = format_of(TournamentFormat.GATE, 2, PARAMETERS)
        assert isinstance(form, Gate)
        return form.test(self.history()).verdict

    def plays(self, bot: str) -> str | None:
        """Return the version of the bot that plays by what is stored."""
        hosted = self.db.store.read(lambda tx: tx.hosting.get(bot))
        assert hosted is not None
        return hosted.version

    def finish(self, match: MatchRecord) -> None:
        """End a match: one version beats the whole field, the other loses to it."""
        strong, weak = COMPARED if self.better else reversed(COMPARED)
        merit = [{strong: 2, weak: 0}.get(bot, 1) for bot in match.bots]
        self.db.finish(match.id, *(1 + sum(other > mine for other in merit) for mine in merit))


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[GateFixture]:
    yield from opened(GateFixture(tmp_path))


def test_the_better_version_is_pinned_and_the_bots_of_the_gate_play_no_more(gate: GateFixture) -> None:
    assert [gate.plays(bot) for bot in COMPARED] == [NEW, OLD]
    gate.play_to_the_end()
    assert gate.verdict() is Verdict.BETTER
    assert gate.plays("mine") == NEW
    assert [gate.plays(bot) for bot in COMPARED] == [None, None]
    stored = gate.row().gate
    assert stored is not None
    assert stored.applied
    assert gate.host.reloads == 1
    about = gate.db.store.read(lambda tx: tx.audit.page(AuditFilter(), before=None, limit=1))[0].about
    assert set(about) == {"bots/mine", f"tournaments/{NAME}"}


def test_a_worse_version_is_not_pinned(tmp_path: Path) -> None:
    for gate in opened(GateFixture(tmp_path, better=False)):
        gate.play_to_the_end()
        assert gate.verdict() is Verdict.NOT_BETTER
        assert gate.plays("mine") == OLD
        assert [gate.plays(bot) for bot in COMPARED] == [None, None]


def test_nothing_is_pinned_unless_it_was_asked_for(tmp_path: Path) -> None:
    for gate in opened(GateFixture(tmp_path, apply=False)):
        gate.play_to_the_end()
        assert (gate.verdict(), gate.plays("mine")) == (Verdict.BETTER, OLD)


def test_nothing_is_pinned_after_the_deadline_of_a_ladder_that_the_bot_is_on(gate: GateFixture) -> None:
    gate.db.store.write(lambda tx: tx.entries.join(LADDER, "mine", 5))
    gate.db.store.write(lambda tx: tx.ladders.set_deadline(LADDER, 0))
    gate.play_to_the_end()
    assert (gate.verdict(), gate.plays("mine")) == (Verdict.BETTER, OLD)


def test_nothing_is_pinned_if_the_owner_has_chosen_another_version_meanwhile(gate: GateFixture) -> None:
    gate.db.submit("mine", "ef" * 32)
    gate.db.store.write(lambda tx: tx.hosting.set_mode("mine", HostingMode.NEWEST))
    gate.play_to_the_end()
    assert (gate.verdict(), gate.plays("mine")) == (Verdict.BETTER, "ef" * 32)


def test_a_restart_at_every_step_changes_no_set_up_and_no_seed(tmp_path: Path) -> None:
    played = []
    for place, restarts in enumerate((False, True)):
        folder = tmp_path / str(place)
        folder.mkdir()
        for gate in opened(GateFixture(folder)):
            gate.play_to_the_end(restarts=restarts)
            commitments = [
                gate.db.match(match).seed_commitment for each in gate.pairings() for match in each.matches
            ]
            played.append((gate.pairings(), commitments, gate.history()))
    assert played[0] == played[1]
    history = played[0][2]
    made = [NextRound(tuple(each.pairing for each in of_round.pairings)) for of_round in history.rounds]
    form = format_of(TournamentFormat.GATE, 2, PARAMETERS)
    assert verify_rounds(form, history, [*made, NextRound(())]) == []


def test_all_matches_of_a_set_up_are_made_together_on_one_seed(gate: GateFixture) -> None:
    assert gate.make() is MADE
    [made] = [each for each in gate.pairings() if each.matches]
    matches = [gate.db.match(match) for match in made.matches]
    assert len(matches) == 4
    assert len({match.seed_commitment for match in matches}) == 1
    assert {match.bots.count("mine") for match in matches} == {0}
    assert sorted(match.bots[0] for match in matches if match.bots[0] in COMPARED) == sorted(COMPARED)
    assert gate.row().matches == 4 * 4


def test_a_withdrawal_of_the_candidate_ends_the_gate_without_a_verdict(gate: GateFixture) -> None:
    gate.make()
    given_up = gate.db.store.write(
        lambda tx: tx.tournaments.withdraw(tx.tournaments.get(NAME), COMPARED[0], 9)
    )
    assert given_up == 3
    assert gate.row().unplayed_matches == 3 * 4
    gate.play_to_the_end()
    assert gate.row().ended_matches == gate.row().matches
    assert (gate.verdict(), gate.plays("mine")) == (Verdict.UNDECIDED, OLD)
    assert [gate.plays(bot) for bot in COMPARED] == [None, None]


class GateBesideALadder(GateFixture):
    """A gate that yields to rated play, which could use all bots of its field."""

    now = 0

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, yields=True)

    def restart(self) -> None:
        super().restart()
        self.tournaments = TournamentMatchmaking(self.database, self.room, now=lambda: self.now)

    def look_after(self, seconds: int = 0) -> Turn:
        """Look for another set-up to make, so long after the last look."""

        async def turn() -> Turn:
            self.now += seconds * NS_PER_S
            self.tournaments.refresh(await self.database.read(read_snapshot))
            matches = self.db.store.read(lambda tx: tx.open_matches.all())
            now = await PlanningRound.of(self.room, matches, frozenset(FIELD))
            turn = await self.tournaments.make(NAME, now, first=True, held=frozenset())
            await now.store(self.database)
            return turn

        return asyncio.run(turn())


def test_after_a_set_up_each_bot_of_the_field_belongs_to_rated_play_for_four_times_as_long(
    tmp_path: Path,
) -> None:
    for gate in opened(GateBesideALadder(tmp_path)):
        for bot in FIELD:  # each holds one of them for ten seconds, as long as the looks are apart
            assert gate.look_after(seconds=10) is MADE
            assert {name for match in gate.matches() for name in match.bots} == {*COMPARED, bot}
            for match in gate.matches():
                gate.finish(match)
        assert (
            gate.look_after(seconds=10) is not MADE
        )  # the fourth set-up of the round is one of the first bot again
        assert gate.tournaments.waiting_for(NAME).endswith("for now: ann, bob, cid")
        assert gate.look_after(seconds=19) is not MADE
        assert gate.look_after(seconds=1) is MADE


def test_the_matches_of_a_set_up_that_is_made_yield_to_nothing(tmp_path: Path) -> None:
    for gate in opened(GateBesideALadder(tmp_path)):
        assert gate.look_after() is MADE
        matches = gate.db.store.read(lambda tx: tx.open_matches.all())
        assert [match.yields for match in matches] == [False] * 4
