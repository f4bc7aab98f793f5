"""One in fifty matches of deterministic bots is played on another machine, too, and compared."""

import asyncio
from collections.abc import Collection
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from arena.core.match import MatchSetup
from arena.scheduling.dispatch import MatchLostError, MatchNeeds, MatchTicket, PlayedMatch, TicketSeat
from arena.scheduling.repeated_matches import EVERY, RepeatedMatch, RepeatedMatches, first_difference
from arena.store.json_columns import VersionProgram
from tests.unit.core.causes import a_cause
from tests.unit.match_log.matches import caravan_setup
from tests.unit.scheduling.test_dispatched_matches import RunOfTest, played
from tests.unit.store.store_fixture import a_program


class OtherMachine:
    """A dispatcher with one more machine. `plays`: what it reports; None: it is lost."""

    plays_hosted = True

    def __init__(self, plays: PlayedMatch | None) -> None:
        self._plays = plays
        self.has_room = True
        self.avoided: list[str | None] = []
        self.runs: list[RunOfTest] = []

    def ready_for(self, matches: int) -> int:
        raise AssertionError

    def can_play(self, programs: Collection[VersionProgram]) -> bool:
        raise AssertionError

    def programs(self, bot: str) -> int:
        raise AssertionError

    def room_for(self, needs: MatchNeeds, *, other_than: str | None = None) -> bool:
        return self.has_room

    def start(self, ticket: MatchTicket, *, other_than: str | None = None) -> RunOfTest:
        self.avoided.append(other_than)
        run = RunOfTest(ticket, machine="there")
        plays = self._plays

        async def report() -> PlayedMatch:
            if plays is None:
                raise MatchLostError(a_cause())
            return plays

        run.played = report  # type: ignore[method-assign]
        self.runs.append(run)
        return run


class Repeating:
    """Matches that a node has played, and what their comparison says."""

    def __init__(self, plays: PlayedMatch | None) -> None:
        self.machine = OtherMachine(plays)
        self.compared: list[RepeatedMatch] = []
        self.open = 0
        host: Any = SimpleNamespace(note_dispatched=self._count(1), note_returned=self._count(-1))
        self.matches = RepeatedMatches(self.machine, host, self.compared.append)

    def _count(self, step: int) -> Any:
        def note(_bots: object) -> None:
            self.open += step

        return note

    async def repeat(self, match: MatchTicket, report: PlayedMatch, machine: str = "here") -> None:
        for _ in range(EVERY):
            self.matches.note(match, report, machine)
        self.matches.begin()
        for _ in range(10):
            await asyncio.sleep(0)
        await self.matches.close()


def ticket(*, deterministic: bool = True) -> MatchTicket:
    setup: MatchSetup = caravan_setup(2)
    seat = TicketSeat("ada", replace(a_program(), deterministic=deterministic))
    return MatchTicket(setup, (seat,) * len(setup.seats), isolated=False)


@pytest.mark.parametrize("alter", [False, True])
async def test_a_repetition_on_another_machine_is_compared_ply_by_ply(alter: bool) -> None:
    match = ticket()
    repeating = Repeating(played(match, alter=alter))
    await repeating.repeat(match, played(match))
    (found,) = repeating.compared
    assert (found.match, found.machines, bool(found.difference)) == (
        match.setup.match,
        ("here", "there"),
        alter,
    )
    assert repeating.machine.avoided == ["here"]
    assert repeating.machine.runs[0].closed == [None]
    assert repeating.open == 0


async def test_a_lost_repetition_says_nothing() -> None:
    repeating = Repeating(None)
    await repeating.repeat(ticket(), played(ticket()))
    assert (repeating.compared, repeating.open) == ([], 0)


async def test_one_in_fifty_is_repeated_and_waits_for_room() -> None:
    match = ticket()
    repeating = Repeating(played(match))
    repeating.machine.has_room = False
    await repeating.repeat(match, played(match))
    assert repeating.machine.runs == []
    repeating.machine.has_room = True
    for _ in range(EVERY - 1):
        repeating.matches.note(match, played(match), "here")
    for _ in range(2):
        repeating.matches.begin()
    assert len(repeating.machine.runs) == 1
    await repeating.matches.close()


@pytest.mark.parametrize(("deterministic", "machine"), [(False, "here"), (True, "")])
async def test_bots_that_may_answer_otherwise_and_the_arenas_own_machine_are_not_checked(
    deterministic: bool, machine: str
) -> None:
    match = ticket(deterministic=deterministic)
    repeating = Repeating(played(match))
    await repeating.repeat(match, played(match), machine)
    assert repeating.machine.runs == []


def test_a_match_that_ends_sooner_differs() -> None:
    match = ticket()
    report = played(match)
    assert first_difference(match.setup, report.records, report.records) == ""
    assert first_difference(match.setup, report.records, report.records[:-1])
