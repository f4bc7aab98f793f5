"""What cannot go on as planned comes to an end, on a real database and a clock that the test moves."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from arena.core.debug_line import DebugLine, LineSource
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.match import MatchState
from arena.core.match_record import MatchRecord
from arena.core.seeds import match_seed
from arena.core.units import US_PER_HOUR
from arena.match_log.files import LogFiles
from arena.scheduling.debug_lines import DebugLines
from arena.scheduling.disk_space import DiskSpace
from arena.scheduling.recovery import DESERTED_NS, LOOK_EVERY_NS, Recovery
from arena.scheduling.result_recorder import MOST_VOIDS, ResultRecorder
from arena.scheduling.walkovers import GROUPS_REFUSED_A_DAY
from arena.scheduling.wall_clock import now_us
from arena.sessions.registry import MOST_NO_SHOWS
from arena.store.audit.entries import AuditEntry, AuditFilter, AuditKind
from arena.store.database import Database
from arena.store.store import Store
from engine.randomness import commitment
from tests.unit.core.causes import a_cause
from tests.unit.runner.fakes import FakeTimers, MatchFixture
from tests.unit.scheduling.no_hosted_bots import NoHostedBots
from tests.unit.store.world import World

ONE_MS = 1_000_000


class FakeSessions:
    """Who is there."""

    def __init__(self) -> None:
        self.there: set[str] = set()
        self.unwilling: set[str] = set()
        """There, but for other games."""
        self.back_at: dict[str, int] = {}
        """When a bot that is there has last come back."""

    def is_there(self, bot: str) -> bool:
        return bot in self.there

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        assert (game, rules_version) == ("caravan", 1)
        return int(bot in self.there - self.unwilling)

    def took_since(self, bot: str, game: str, rules_version: int, since: int) -> bool:
        return self.capacity_for(bot, game, rules_version) > 0 and self.back_at.get(bot, 0) <= since


class RecoveryFixture:
    """A recovery with everything that it works on."""

    def __init__(self, folder: Path) -> None:
        store = Store(f"sqlite:///{folder / 'arena.db'}")
        store.migrate()
        self.world = World(store)
        self.world.populate("ann", "bob")
        self.timers = FakeTimers()
        self.sessions = FakeSessions()
        self.database = Database(store)
        logs, lines = LogFiles(folder / "logs"), DebugLines(folder / "debug")
        self.recorder = ResultRecorder(self.database, logs, lines, (), DiskSpace(lambda: 0, 0))
        self.recovery = Recovery(self.database, self.recorder, self.sessions, self.timers, NoHostedBots())  # type: ignore[arg-type]

    def look(self, *, plays: bool = False) -> bool:
        """Deserted matches are given up; whether there were any."""
        return asyncio.run(self.recovery.settle_deserted(lambda _: plays))

    def matches(self) -> dict[int, MatchRecord]:
        """All matches by id."""
        ids = range(1, 20)
        found = self.world.store.read(lambda tx: [tx.matches.find(number) for number in ids])
        return {match.id: match for match in found if match is not None}


@pytest.fixture
def recovery_fixture(tmp_path: Path) -> Iterator[RecoveryFixture]:
    opened = RecoveryFixture(tmp_path)
    yield opened
    opened.database.close()


def test_a_match_of_a_bot_that_stays_away_is_given_up_and_names_it(recovery_fixture: RecoveryFixture) -> None:
    recovery_fixture.sessions.there = {"ann"}
    recovery_fixture.world.pair("ann", "bob")
    recovery_fixture.look()
    recovery_fixture.timers.move(DESERTED_NS / ONE_MS)
    assert not recovery_fixture.look()
    assert {match.state for match in recovery_fixture.matches().values()} == {MatchState.PENDING}
    recovery_fixture.timers.move(LOOK_EVERY_NS / ONE_MS)
    assert recovery_fixture.look()
    given_up = recovery_fixture.matches()[1]
    assert given_up.state is MatchState.NO_CONTEST
    assert "bob" in given_up.void_reason
    endings = {seat.bot: seat.ending for seat in given_up.seats}
    assert endings["bob"] is not None
    assert endings["bob"].termination is Termination.DISCONNECT
    assert endings["ann"] is not None
    assert not endings["ann"].forfeited
    assert given_up.group_complete


def test_a_match_of_a_bot_that_is_there_for_other_games_alone_is_given_up_too(
    recovery_fixture: RecoveryFixture,
) -> None:
    recovery_fixture.sessions.there, recovery_fixture.sessions.unwilling = {"ann", "bob"}, {"bob"}
    recovery_fixture.world.pair("ann", "bob")
    recovery_fixture.look()
    recovery_fixture.timers.move((DESERTED_NS + LOOK_EVERY_NS) / ONE_MS)
    assert recovery_fixture.look()
    bob = next(seat.ending for seat in recovery_fixture.matches()[1].seats if seat.bot == "bob")
    assert bob is not None
    assert dict(bob.evidence) == {"absent_min": "10", "takes": "no"}


def test_who_comes_back_in_between_is_waited_for_anew(recovery_fixture: RecoveryFixture) -> None:
    recovery_fixture.world.pair("ann", "bob")
    recovery_fixture.look()
    recovery_fixture.timers.move(DESERTED_NS / ONE_MS)
    recovery_fixture.sessions.there = {"ann", "bob"}
    recovery_fixture.look()
    recovery_fixture.sessions.there = set()
    recovery_fixture.timers.move(LOOK_EVERY_NS / ONE_MS)
    recovery_fixture.look()
    assert {match.state for match in recovery_fixture.matches().values()} == {MatchState.PENDING}


def test_a_match_in_play_is_never_given_up(recovery_fixture: RecoveryFixture) -> None:
    recovery_fixture.world.pair("ann", "bob")
    recovery_fixture.look()
    recovery_fixture.timers.move(2 * DESERTED_NS / ONE_MS)
    recovery_fixture.look(plays=True)
    assert {match.state for match in recovery_fixture.matches().values()} == {MatchState.PENDING}


def test_a_match_that_was_running_is_void_and_replayed_on_the_next_seed_of_its_secret(
    recovery_fixture: RecoveryFixture,
) -> None:
    first, _ = recovery_fixture.world.pair("ann", "bob")
    recovery_fixture.world.start(first)
    asyncio.run(recovery_fixture.recovery.recover())
    matches = recovery_fixture.matches()
    assert matches[first].state is MatchState.ABORTED
    replay = matches[3]
    assert (replay.slot, replay.seed_attempt, replay.voids) == (0, 1, 1)
    assert replay.seed_commitment == commitment(match_seed(bytes(32), replay.group, 0, 1))
    assert [seat.bot for seat in replay.seats] == [seat.bot for seat in matches[first].seats]


def test_the_third_void_in_one_place_is_left_to_the_organiser(recovery_fixture: RecoveryFixture) -> None:
    first, second = recovery_fixture.world.pair("ann", "bob")
    recovery_fixture.world.finish(second, 1, 2)
    number = first
    for _ in range(MOST_VOIDS):
        recovery_fixture.world.start(number)
        asyncio.run(recovery_fixture.recovery.recover())
        number = max(recovery_fixture.matches())
    matches = recovery_fixture.matches()
    void = [match for match in matches.values() if match.state is MatchState.ABORTED]
    assert len(void) == MOST_VOIDS
    assert all(match.ended for match in matches.values())
    assert [match.left_to_organiser for match in void] == [False, False, True]
    assert not matches[first].group_complete


def test_a_match_whose_result_cannot_be_stored_is_void(recovery_fixture: RecoveryFixture) -> None:
    first, _ = recovery_fixture.world.pair("ann", "bob")
    recovery_fixture.world.start(first)
    row = asyncio.run(recovery_fixture.recorder.give_up(first, a_cause("its result could not be stored")))
    assert row.state is MatchState.ABORTED
    assert "could not be stored" in row.void_reason
    assert 3 in recovery_fixture.matches()


def test_debug_lines_are_written_for_their_owners_alone(tmp_path: Path) -> None:
    lines = DebugLines(tmp_path / "debug")
    setup = replace(MatchFixture().setup, match=17)
    said = [DebugLine(3, "hm"), DebugLine(4, "ja", LineSource.STDERR)]
    lines.write(setup, [[], said])
    assert not lines.path(17, 0).exists()
    assert [json.loads(line) for line in lines.path(17, 1).read_text().splitlines()] == [
        {"decision": 3, "text": "hm"},
        {"decision": 4, "text": "ja", "source": "STDERR"},
    ]
    assert lines.read(17, 1) == said


class SuspendedBots(NoHostedBots):
    """Hosted bots of which some are benched."""

    def __init__(self, *benched: str) -> None:
        super().__init__()
        self._benched = benched

    def hosts(self, bot: str) -> bool:
        return True

    def is_there(self, bot: str) -> bool:
        return bot not in self._benched

    def why_suspended(self, bot: str) -> str:
        return "its version is benched: it failed." if bot in self._benched else ""


def test_a_match_of_a_benched_bot_is_given_up_at_once_and_says_why(recovery_fixture: RecoveryFixture) -> None:
    """No session is there; for a hosted bot there need not be one."""
    recovery_fixture.recovery = Recovery(
        recovery_fixture.database,
        recovery_fixture.recorder,
        recovery_fixture.sessions,  # type: ignore[arg-type]
        recovery_fixture.timers,
        SuspendedBots("bob"),
    )
    recovery_fixture.world.pair("ann", "bob")
    assert recovery_fixture.look()
    given_up = recovery_fixture.matches()[1]
    assert given_up.state is MatchState.NO_CONTEST
    endings = {seat.bot: seat.ending for seat in given_up.seats}
    assert endings["bob"] is not None
    assert "its version is benched" in endings["bob"].sentence
    assert endings["ann"] is not None
    assert not endings["ann"].forfeited


def test_a_match_of_a_bot_whose_owner_is_shut_out_is_given_up_at_once_and_says_why(
    recovery_fixture: RecoveryFixture,
) -> None:
    recovery_fixture.world.store.write(lambda tx: tx.users.ensure("mal"))
    recovery_fixture.world.populate_more("cat", owner="mal")
    recovery_fixture.sessions.there = {"ann", "bob"}
    recovery_fixture.world.pair("ann", "cat")
    recovery_fixture.world.pair("ann", "bob")
    assert not recovery_fixture.look()
    recovery_fixture.world.store.write(lambda tx: tx.users.set_disabled("mal", True))
    recovery_fixture.timers.move(LOOK_EVERY_NS / ONE_MS)
    assert recovery_fixture.look()
    given_up = [
        match for match in recovery_fixture.matches().values() if match.state is MatchState.NO_CONTEST
    ]
    assert {frozenset(seat.bot for seat in match.seats) for match in given_up} == {frozenset({"ann", "cat"})}
    for match in given_up:
        endings = {seat.bot: seat.ending for seat in match.seats}
        assert endings["cat"] is not None
        assert "shut out" in dict(endings["cat"].evidence)["owner"]
        assert endings["ann"] is not None
        assert not endings["ann"].forfeited


def entries(recovery_fixture: RecoveryFixture) -> list[AuditEntry]:
    """Return the audit trail, oldest first."""
    found = recovery_fixture.world.store.read(lambda tx: tx.audit.page(AuditFilter(), before=None, limit=100))
    return list(reversed(found))


def test_each_void_of_a_start_is_told_and_the_third_is_the_organisers(
    recovery_fixture: RecoveryFixture,
) -> None:
    first, second = recovery_fixture.world.pair("ann", "bob")
    recovery_fixture.world.finish(second, 1, 2)
    number = first
    for _ in range(MOST_VOIDS):
        recovery_fixture.world.start(number)
        start = asyncio.run(recovery_fixture.recovery.recover(in_good_order=False))
        assert dict(start.evidence) == {"stopped": "killed", "void": "1", "adopted": "0"}
        number = max(recovery_fixture.matches())
    told = entries(recovery_fixture)
    assert [entry.kind for entry in told] == [
        *(AuditKind.MATCH_VOID, AuditKind.MATCH_VOID),
        *(AuditKind.MATCH_VOID, AuditKind.LEFT_TO_ORGANISER),
    ]
    assert told[0].about == ("matches/1", "matches/3", "ladders/main", "bots/ann", "bots/bob")
    assert "again as match 3" in told[0].sentence
    left = told[-1]
    assert left.about[:3] == ("matches/1", "matches/3", "matches/4")
    assert dict(left.evidence)["voids"] == "3"
    assert "`arena match replay 4`" in left.sentence


def test_a_start_with_nothing_to_find_is_told_as_well(recovery_fixture: RecoveryFixture) -> None:
    entry = asyncio.run(recovery_fixture.recovery.recover())
    assert entry.kind is AuditKind.START
    assert entry.evidence == (("stopped", "in good order"), ("void", "0"), ("adopted", "0"))


def test_a_void_that_is_recorded_twice_is_told_once(recovery_fixture: RecoveryFixture) -> None:
    first, _ = recovery_fixture.world.pair("ann", "bob")
    recovery_fixture.world.start(first)
    for _ in range(2):
        asyncio.run(recovery_fixture.recorder.give_up(first, a_cause()))
    assert [entry.kind for entry in entries(recovery_fixture)] == [AuditKind.MATCH_VOID]
    assert recovery_fixture.world.store.read(lambda tx: tx.void_counts.of("ann")) == 1


def begin(recovery_fixture: RecoveryFixture) -> int:
    """Finish the first match of a group of ann and bob; return the second one."""
    first, second = recovery_fixture.world.pair("ann", "bob")
    recovery_fixture.world.finish(first, 2, 1)
    return second


def wait(recovery_fixture: RecoveryFixture) -> bool:
    """So long that who is away is not waited for any more; whether anything was settled."""
    recovery_fixture.look()
    recovery_fixture.timers.move(DESERTED_NS / ONE_MS)
    recovery_fixture.look()
    recovery_fixture.timers.move(LOOK_EVERY_NS / ONE_MS)
    return recovery_fixture.look()


def ending_of(recovery_fixture: RecoveryFixture, match: int, bot: str) -> SeatEnding | None:
    """How the seat of a bot has ended; None if it has not."""
    return next(seat.ending for seat in recovery_fixture.matches()[match].seats if seat.bot == bot)


@pytest.mark.parametrize(("there", "takes"), [({"bob"}, None), ({"ann", "bob"}, "no")])
def test_the_seat_of_a_bot_that_stays_away_once_its_group_has_begun_is_forfeited(
    recovery_fixture: RecoveryFixture, there: set[str], takes: str | None
) -> None:
    recovery_fixture.sessions.there, recovery_fixture.sessions.unwilling = there, {"ann"}
    second = begin(recovery_fixture)
    assert wait(recovery_fixture)
    ann = ending_of(recovery_fixture, second, "ann")
    assert ann is not None
    assert (ann.termination, ann.fault) == (Termination.NO_SHOW, Fault.BOT)
    assert dict(ann.evidence).get("takes") == takes
    assert ending_of(recovery_fixture, second, "bob") is None
    [open_match] = recovery_fixture.world.store.read(lambda tx: tx.open_matches.all())
    assert (open_match.bots, open_match.forfeited, open_match.decided) == (("bob",), 1, True)


def test_if_all_bots_of_a_match_stay_away_all_seats_are_forfeited(recovery_fixture: RecoveryFixture) -> None:
    second = begin(recovery_fixture)
    assert wait(recovery_fixture)
    assert all(ending_of(recovery_fixture, second, bot) for bot in ("ann", "bob"))
    [open_match] = recovery_fixture.world.store.read(lambda tx: tx.open_matches.all())
    assert (open_match.bots, open_match.decided) == ((), True)


LOOKS_IN_AN_HOUR: Final = 3_600_000_000_000 // LOOK_EVERY_NS


def looks_until_forfeited(
    recovery_fixture: RecoveryFixture, match: int, come_and_go: Callable[[int], None]
) -> int:
    """At so many looks ann's seat is still waited for, an hour of them at most; before each she does something."""
    for number in range(LOOKS_IN_AN_HOUR):
        come_and_go(number)
        recovery_fixture.look()
        if ending_of(recovery_fixture, match, "ann") is not None:
            return number
        recovery_fixture.timers.move(LOOK_EVERY_NS / ONE_MS)
    return LOOKS_IN_AN_HOUR


def test_who_is_there_for_a_moment_now_and_then_is_not_waited_for_anew_once_its_group_has_begun(
    recovery_fixture: RecoveryFixture,
) -> None:
    def now_and_then(look: int) -> None:
        recovery_fixture.sessions.there = {"ann", "bob"} if look % 20 == 19 else {"bob"}

    assert (
        looks_until_forfeited(recovery_fixture, begin(recovery_fixture), now_and_then)
        < DESERTED_NS / LOOK_EVERY_NS + 8
    )


def test_who_is_there_at_every_second_look_is_away_all_the_time(recovery_fixture: RecoveryFixture) -> None:
    def every_second(look: int) -> None:
        recovery_fixture.sessions.there = {"ann", "bob"} if look % 2 else {"bob"}

    assert (
        looks_until_forfeited(recovery_fixture, begin(recovery_fixture), every_second)
        < DESERTED_NS / LOOK_EVERY_NS + 3
    )


def test_who_is_there_at_every_look_and_never_between_two_is_away_all_the_time(
    recovery_fixture: RecoveryFixture,
) -> None:
    def for_the_look(_: int) -> None:
        recovery_fixture.sessions.there = {"ann", "bob"}
        recovery_fixture.sessions.back_at["ann"] = recovery_fixture.timers.now()

    assert (
        looks_until_forfeited(recovery_fixture, begin(recovery_fixture), for_the_look)
        < DESERTED_NS / LOOK_EVERY_NS + 3
    )


def test_who_loses_the_connection_for_a_moment_every_three_minutes_keeps_the_seat_for_an_hour(
    recovery_fixture: RecoveryFixture,
) -> None:
    def blip(look: int) -> None:
        recovery_fixture.sessions.there = {"bob"} if look % 36 == 18 else {"ann", "bob"}

    assert looks_until_forfeited(recovery_fixture, begin(recovery_fixture), blip) == LOOKS_IN_AN_HOUR


def test_an_arena_that_stood_still_between_two_looks_holds_that_against_nobody(
    recovery_fixture: RecoveryFixture,
) -> None:
    second = begin(recovery_fixture)
    recovery_fixture.sessions.there = {"ann", "bob"}
    recovery_fixture.look()
    recovery_fixture.timers.move(10 * DESERTED_NS / ONE_MS)
    recovery_fixture.sessions.there = {"bob"}
    assert not recovery_fixture.look()
    assert ending_of(recovery_fixture, second, "ann") is None


def test_an_offer_does_not_forget_what_was_counted(recovery_fixture: RecoveryFixture) -> None:
    second = begin(recovery_fixture)
    recovery_fixture.sessions.there = {"bob"}
    for _ in range(int(DESERTED_NS / LOOK_EVERY_NS)):
        recovery_fixture.look()
        recovery_fixture.timers.move(LOOK_EVERY_NS / ONE_MS)
    recovery_fixture.sessions.there = {"ann", "bob"}
    recovery_fixture.look(plays=True)
    recovery_fixture.sessions.there = {"bob"}
    for _ in range(3):
        recovery_fixture.timers.move(LOOK_EVERY_NS / ONE_MS)
        recovery_fixture.look()
    assert ending_of(recovery_fixture, second, "ann") is not None


def test_what_an_organiser_does_forfeits_nothing(recovery_fixture: RecoveryFixture) -> None:
    recovery_fixture.sessions.there = {"ann", "bob"}
    second = begin(recovery_fixture)
    recovery_fixture.world.store.write(lambda tx: tx.users.set_disabled("ada", True))
    recovery_fixture.sessions.there = set()
    assert recovery_fixture.look()
    assert recovery_fixture.matches()[second].state is MatchState.NO_CONTEST
    assert recovery_fixture.matches()[second].group_complete


class UnavailableBots(SuspendedBots):
    """Hosted bots that the arena cannot run for now, through no fault of theirs."""

    def is_there(self, bot: str) -> bool:
        return False


@pytest.mark.parametrize(
    ("hosting", "forfeited"),
    [(SuspendedBots("bob"), True), (UnavailableBots(), False)],
    ids=["benched", "the arena's fault"],
)
def test_a_benched_bot_forfeits_and_one_that_the_arena_cannot_run_does_not(
    recovery_fixture: RecoveryFixture, hosting: SuspendedBots, forfeited: bool
) -> None:
    recovery_fixture.recovery = Recovery(
        recovery_fixture.database,
        recovery_fixture.recorder,
        recovery_fixture.sessions,  # type: ignore[arg-type]
        recovery_fixture.timers,
        hosting,
    )
    second = begin(recovery_fixture)
    assert recovery_fixture.look() or wait(recovery_fixture)
    bob = ending_of(recovery_fixture, second, "bob")
    assert bob is not None
    assert (bob.termination is Termination.NO_SHOW) is forfeited
    assert (recovery_fixture.matches()[second].state is MatchState.PENDING) is forfeited


def refuse(recovery_fixture: RecoveryFixture, match: int, seat: int, times: int) -> bool:
    """Note no-shows of a seat; return whether the match, or its group, is settled."""
    for _ in range(times):
        asyncio.run(recovery_fixture.recorder.note_no_shows(match, [seat]))
    matches = recovery_fixture.world.store.read(lambda tx: tx.open_matches.all())
    return asyncio.run(recovery_fixture.recovery.settle_refused(matches, lambda _: False))


def test_no_shows_are_stored_and_the_third_one_forfeits_the_seat_if_the_group_has_begun(
    recovery_fixture: RecoveryFixture,
) -> None:
    """Stored, so that neither a new hello nor a restart of the arena forgets them."""
    second = begin(recovery_fixture)
    assert not refuse(recovery_fixture, second, 0, 2)
    store = Store(str(recovery_fixture.world.store._writer.url))
    assert [seat.no_shows for seat in store.read(lambda tx: tx.matches.get(second)).seats] == [2, 0]
    store.close()
    assert refuse(recovery_fixture, second, 0, 1)
    bob = ending_of(recovery_fixture, second, "bob")
    assert bob is not None
    assert (bob.termination, bob.evidence) == (Termination.NO_SHOW, (("no_shows", "3"),))
    assert ending_of(recovery_fixture, second, "ann") is None


def test_the_third_no_show_in_a_group_that_has_not_begun_gives_up_all_its_matches_and_counts_for_nobody(
    recovery_fixture: RecoveryFixture,
) -> None:
    """Given up one by one they would leave a choice of seats."""
    first, second = recovery_fixture.world.pair("ann", "bob")
    assert refuse(recovery_fixture, second, 0, MOST_NO_SHOWS)
    matches = recovery_fixture.matches()
    assert {matches[number].state for number in (first, second)} == {MatchState.NO_CONTEST}
    assert "bob was not ready" in matches[first].void_reason
    assert matches[first].group_complete


def seat_of(recovery_fixture: RecoveryFixture, match: int, bot: str) -> int:
    """Return the number of a bot's seat."""
    return recovery_fixture.matches()[match].bots.index(bot)


def refuse_groups(recovery_fixture: RecoveryFixture, times: int) -> None:
    """Ann takes no match of so many groups of which nothing has begun; they end without a result."""
    for _ in range(times):
        first, second = recovery_fixture.world.pair("ann", "bob")
        assert refuse(recovery_fixture, second, seat_of(recovery_fixture, second, "ann"), MOST_NO_SHOWS)
        matches = recovery_fixture.matches()
        assert {matches[number].state for number in (first, second)} == {MatchState.NO_CONTEST}


def test_the_third_group_within_a_day_that_a_bot_refuses_costs_it_the_seat(
    recovery_fixture: RecoveryFixture,
) -> None:
    """Else it could refuse group after group until it likes its opponents."""
    refuse_groups(recovery_fixture, GROUPS_REFUSED_A_DAY)
    third, fourth = recovery_fixture.world.pair("ann", "bob")
    assert refuse(recovery_fixture, third, seat_of(recovery_fixture, third, "ann"), MOST_NO_SHOWS)
    ann = ending_of(recovery_fixture, third, "ann")
    assert ann is not None
    assert ann.termination is Termination.NO_SHOW
    assert ending_of(recovery_fixture, third, "bob") is None
    matches = recovery_fixture.matches()
    assert {matches[number].state for number in (third, fourth)} == {MatchState.PENDING}
    assert not any(seat.ending for seat in matches[fourth].seats), "it may still play the others"
    assert [
        match.decided for match in recovery_fixture.world.store.read(lambda tx: tx.open_matches.all())
    ] == [
        True,
        False,
    ]


def test_groups_that_a_bot_refused_more_than_a_day_ago_are_forgotten(
    recovery_fixture: RecoveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_groups(recovery_fixture, GROUPS_REFUSED_A_DAY)
    tomorrow = now_us() + 25 * US_PER_HOUR
    monkeypatch.setattr("arena.scheduling.recovery.now_us", lambda: tomorrow)
    refuse_groups(recovery_fixture, 1)


def test_who_refuses_a_group_for_the_first_time_gives_it_up_though_another_refuses_it_too(
    recovery_fixture: RecoveryFixture,
) -> None:
    refuse_groups(recovery_fixture, GROUPS_REFUSED_A_DAY)
    first, second = recovery_fixture.world.pair("ann", "bob")
    for _ in range(MOST_NO_SHOWS):
        asyncio.run(recovery_fixture.recorder.note_no_shows(first, [0]))
    assert refuse(recovery_fixture, first, 1, MOST_NO_SHOWS)
    matches = recovery_fixture.matches()
    assert {matches[number].state for number in (first, second)} == {MatchState.NO_CONTEST}


def test_a_group_of_which_a_match_is_being_offered_is_left_for_the_next_look(
    recovery_fixture: RecoveryFixture,
) -> None:
    first, second = recovery_fixture.world.pair("ann", "bob")
    for _ in range(MOST_NO_SHOWS):
        asyncio.run(recovery_fixture.recorder.note_no_shows(second, [0]))
    matches = recovery_fixture.world.store.read(lambda tx: tx.open_matches.all())
    assert not asyncio.run(recovery_fixture.recovery.settle_refused(matches, lambda match: match == first))
    assert recovery_fixture.matches()[second].state is MatchState.PENDING


def test_the_replay_of_a_void_match_counts_no_shows_anew(recovery_fixture: RecoveryFixture) -> None:
    first, _ = recovery_fixture.world.pair("ann", "bob")
    asyncio.run(recovery_fixture.recorder.note_no_shows(first, [0]))
    recovery_fixture.world.start(first)
    asyncio.run(recovery_fixture.recovery.recover())
    assert [seat.no_shows for seat in recovery_fixture.matches()[first].seats] == [1, 0]
    assert [seat.no_shows for seat in recovery_fixture.matches()[3].seats] == [0, 0]
