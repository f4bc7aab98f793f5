"""What cannot go on as planned comes to an end, on a real database and a clock that the test moves."""

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from arena.core.endings.terminations import Fault, Termination
from arena.core.match import DebugLine, LineSource, MatchState
from arena.core.match_record import MatchRecord
from arena.core.seeds import match_seed
from arena.core.units import US_PER_HOUR
from arena.scheduling.debug_lines import DebugLines
from arena.scheduling.recovery import DESERTED_NS, LOOK_EVERY_NS, Start
from arena.scheduling.result_recorder import MOST_VOIDS
from arena.scheduling.walkovers import GROUPS_REFUSED_A_DAY
from arena.scheduling.wall_clock import now_us
from arena.sessions.registry import MOST_NO_SHOWS
from arena.store.audit.entries import AuditEntry, AuditFilter, AuditKind
from arena.store.matches.open_matches import OpenMatch
from arena.store.store import Store
from engine.randomness import commitment
from tests.unit.core.causes import a_cause
from tests.unit.runner.fakes import MatchFixture
from tests.unit.scheduling.fakes import FakeHost, SchedulingFixture, opened
from tests.unit.store.store_fixture import StoreFixture

ONE_MS = 1_000_000
PENDING, NO_CONTEST = MatchState.PENDING, MatchState.NO_CONTEST
BOTH: Final = {"ann": 1, "bob": 1}


class RecoveryFixture(SchedulingFixture):
    """A recovery with everything that it works on."""

    db: StoreFixture

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "ann", "bob")
        self.sessions.room = {}

    def use(self, host: FakeHost) -> None:
        """Replace the host."""
        self.host = host
        self.restart()

    def give_up(self, *, plays: bool = False) -> bool:
        """Give up deserted matches; return whether there were any."""
        return asyncio.run(self.recovery.settle_deserted(lambda _: plays))

    def give_up_later(self) -> bool:
        """Do the same at the time of the next look."""
        self.timers.move(LOOK_EVERY_NS / ONE_MS)
        return self.give_up()

    def wait(self) -> bool:
        """Let so much time pass that absent bots are given up; return whether anything was settled."""
        self.give_up()
        self.timers.move(DESERTED_NS / ONE_MS)
        self.give_up()
        return self.give_up_later()

    def recover(self, *, in_good_order: bool = True) -> Start:
        """Recover as an arena that starts again does."""
        return asyncio.run(self.recovery.recover(in_good_order=in_good_order))

    def pair(self) -> tuple[int, ...]:
        """Create a group of ann and bob."""
        return self.db.pair("ann", "bob")

    def begin(self) -> int:
        """Finish the first match of a group of ann and bob; return the second one."""
        first, second = self.pair()
        self.db.finish(first, 2, 1)
        return second

    def by_id(self) -> dict[int, MatchRecord]:
        """Return all matches by id."""
        found = self.db.store.read(lambda tx: [tx.matches.find(number) for number in range(1, 20)])
        return {match.id: match for match in found if match is not None}

    def states(self, *matches: int) -> set[MatchState]:
        """Return the states of these matches, without any of all."""
        return {match.state for number, match in self.by_id().items() if not matches or number in matches}

    def open_matches(self) -> tuple[OpenMatch, ...]:
        """Return the matches that have not ended."""
        return self.db.store.read(lambda tx: tx.open_matches.all())

    def miss(self, match: int, seat: int, times: int = MOST_NO_SHOWS) -> None:
        """Note no-shows of a seat."""
        for _ in range(times):
            asyncio.run(self.recorder.note_no_shows(match, [seat]))

    def refuse(self, match: int, seat: int, times: int = MOST_NO_SHOWS) -> bool:
        """Note no-shows of a seat; return whether the match, or its group, is settled."""
        self.miss(match, seat, times)
        return self.settle_refused()

    def settle_refused(self, offered: int = 0) -> bool:
        """Settle refused matches, but for the one that is being offered."""
        open_matches = self.open_matches()
        return asyncio.run(self.recovery.settle_refused(open_matches, lambda match: match == offered))

    def entries(self) -> list[AuditEntry]:
        """Return the audit trail, oldest first."""
        page = self.db.store.read(lambda tx: tx.audit.page(AuditFilter(), before=None, limit=100))
        return list(reversed(page))


@pytest.fixture
def fixture(tmp_path: Path) -> Iterator[RecoveryFixture]:
    yield from opened(RecoveryFixture(tmp_path))


def test_a_match_of_a_bot_that_stays_away_is_given_up_and_names_it(fixture: RecoveryFixture) -> None:
    fixture.sessions.room = {"ann": 1}
    fixture.pair()
    fixture.give_up()
    fixture.timers.move(DESERTED_NS / ONE_MS)
    assert not fixture.give_up()
    assert fixture.states() == {PENDING}
    assert fixture.give_up_later()
    given_up = fixture.by_id()[1]
    assert (given_up.state, given_up.group_complete, "bob" in given_up.void_reason) == (
        NO_CONTEST,
        True,
        True,
    )
    assert fixture.ending(1, "bob").termination is Termination.DISCONNECT
    assert not fixture.ending(1, "ann").forfeited


def test_a_match_of_a_bot_that_plays_only_other_games_is_given_up_too(fixture: RecoveryFixture) -> None:
    fixture.sessions.room = {"ann": 1, "bob": 0}
    fixture.pair()
    assert fixture.wait()
    assert dict(fixture.ending(1, "bob").evidence) == {"absent_min": "10", "takes": "no"}


def test_absence_is_counted_anew_after_a_return(fixture: RecoveryFixture) -> None:
    fixture.pair()
    fixture.give_up()
    fixture.timers.move(DESERTED_NS / ONE_MS)
    fixture.sessions.room = dict(BOTH)
    fixture.give_up()
    fixture.sessions.room = {}
    fixture.give_up_later()
    assert fixture.states() == {PENDING}


def test_a_match_in_play_is_never_given_up(fixture: RecoveryFixture) -> None:
    fixture.pair()
    fixture.give_up()
    fixture.timers.move(2 * DESERTED_NS / ONE_MS)
    fixture.give_up(plays=True)
    assert fixture.states() == {PENDING}


def test_a_running_match_is_void_and_replayed_on_the_next_seed(fixture: RecoveryFixture) -> None:
    first, _ = fixture.pair()
    fixture.miss(first, 0, 1)
    fixture.db.start(first)
    fixture.recover()
    matches = fixture.by_id()
    assert matches[first].state is MatchState.ABORTED
    replay = matches[3]
    assert (replay.slot, replay.seed_attempt, replay.voids) == (0, 1, 1)
    assert replay.seed_commitment == commitment(match_seed(bytes(32), replay.group, 0, 1))
    assert replay.bots == matches[first].bots
    assert [seat.no_shows for seat in matches[first].seats] == [1, 0]
    assert [seat.no_shows for seat in replay.seats] == [0, 0]


def test_the_third_void_in_one_slot_is_left_to_the_organiser(fixture: RecoveryFixture) -> None:
    number, second = fixture.pair()
    fixture.db.finish(second, 1, 2)
    for _ in range(MOST_VOIDS):
        fixture.db.start(number)
        start = fixture.recover(in_good_order=False)
        assert dict(start.entry.evidence) == {"stopped": "killed", "void": "1", "adopted": "0"}
        assert start.void == 1
        number = max(fixture.by_id())
    matches = fixture.by_id()
    void = [match for match in matches.values() if match.state is MatchState.ABORTED]
    assert all(match.ended for match in matches.values())
    assert [match.left_to_organiser for match in void] == [False, False, True]
    assert not matches[1].group_complete
    told = fixture.entries()
    assert [entry.kind for entry in told] == [AuditKind.MATCH_VOID] * 3 + [AuditKind.LEFT_TO_ORGANISER]
    assert told[0].about == ("matches/1", "matches/3", "ladders/main", "bots/ann", "bots/bob")
    assert "again as match 3" in told[0].sentence
    left = told[-1]
    assert left.about[:3] == ("matches/1", "matches/3", "matches/4")
    assert dict(left.evidence)["voids"] == "3"
    assert "`arena match replay 4`" in left.sentence


def test_debug_lines_are_written_for_their_owners_alone(tmp_path: Path) -> None:
    lines = DebugLines(tmp_path / "debug")
    said = [DebugLine(3, "hm"), DebugLine(4, "ja", LineSource.STDERR)]
    lines.write(replace(MatchFixture().setup, match=17), [[], said])
    assert not lines.path(17, 0).exists()
    assert [json.loads(line) for line in lines.path(17, 1).read_text().splitlines()] == [
        {"decision": 3, "text": "hm"},
        {"decision": 4, "text": "ja", "source": "STDERR"},
    ]
    assert lines.read(17, 1) == said


def a_host(*, suspended: Iterable[str] = (), down: Iterable[str] = ()) -> FakeHost:
    """Return a host of both bots, of which some are suspended, or cannot be run for now."""
    host = FakeHost(*BOTH)
    host.suspended, host.down = dict.fromkeys(suspended, "its version is suspended: it failed."), set(down)
    return host


def test_a_match_of_a_suspended_bot_is_given_up_at_once_and_says_why(fixture: RecoveryFixture) -> None:
    """There is no session; a hosted bot need not have one."""
    fixture.use(a_host(suspended=["bob"]))
    fixture.pair()
    assert fixture.give_up()
    assert fixture.by_id()[1].state is NO_CONTEST
    assert "its version is suspended" in fixture.ending(1, "bob").sentence
    assert not fixture.ending(1, "ann").forfeited


def test_a_match_of_a_disabled_owners_bot_is_given_up_at_once_and_says_why(fixture: RecoveryFixture) -> None:
    fixture.db.store.write(lambda tx: tx.users.ensure("mal"))
    fixture.db.populate_more("cat", owner="mal")
    fixture.sessions.room = dict(BOTH)
    theirs = fixture.db.pair("ann", "cat")
    fixture.pair()
    assert not fixture.give_up()
    fixture.db.store.write(lambda tx: tx.users.set_disabled("mal", True))
    assert fixture.give_up_later()
    given_up = [match.id for match in fixture.by_id().values() if match.state is NO_CONTEST]
    assert tuple(given_up) == theirs
    for match in theirs:
        assert "disabled" in dict(fixture.ending(match, "cat").evidence)["owner"]
        assert not fixture.ending(match, "ann").forfeited


def test_a_start_that_finds_nothing_has_an_audit_entry(fixture: RecoveryFixture) -> None:
    entry = fixture.recover().entry
    assert entry.kind is AuditKind.START
    assert entry.evidence == (("stopped", "in good order"), ("void", "0"), ("adopted", "0"))


def test_a_match_whose_result_cannot_be_stored_is_void_with_one_audit_entry(
    fixture: RecoveryFixture,
) -> None:
    first, _ = fixture.pair()
    fixture.db.start(first)
    for _ in range(2):
        row = asyncio.run(fixture.recorder.give_up(first, a_cause("its result could not be stored")))
        assert (row.state, "could not be stored" in row.void_reason) == (MatchState.ABORTED, True)
    assert 3 in fixture.by_id()
    assert [entry.kind for entry in fixture.entries()] == [AuditKind.MATCH_VOID]
    assert fixture.db.store.read(lambda tx: tx.void_counts.of("ann")) == 1


@pytest.mark.parametrize(("room", "takes"), [({"bob": 1}, None), ({"ann": 0, "bob": 1}, "no")])
def test_absence_in_a_begun_group_is_a_forfeit(
    fixture: RecoveryFixture, room: dict[str, int], takes: str | None
) -> None:
    fixture.sessions.room = room
    second = fixture.begin()
    assert fixture.wait()
    ann = fixture.ending(second, "ann")
    assert (ann.termination, ann.fault) == (Termination.NO_SHOW, Fault.BOT)
    assert dict(ann.evidence).get("takes") == takes
    assert fixture.find_ending(second, "bob") is None
    [open_match] = fixture.open_matches()
    assert (open_match.bots, open_match.forfeited, open_match.decided) == (("bob",), 1, True)


def test_if_all_bots_of_a_match_stay_away_all_seats_are_forfeited(fixture: RecoveryFixture) -> None:
    second = fixture.begin()
    assert fixture.wait()
    assert all(fixture.find_ending(second, bot) for bot in ("ann", "bob"))
    [open_match] = fixture.open_matches()
    assert (open_match.bots, open_match.decided) == ((), True)


LOOKS_IN_AN_HOUR: Final = 3_600_000_000_000 // LOOK_EVERY_NS
LOOKS_ALLOWED: Final = DESERTED_NS // LOOK_EVERY_NS


def looks_until_forfeited(fixture: RecoveryFixture, before_look: Callable[[int], None]) -> int:
    """Return at how many looks ann's seat is still waited for, at most those of an hour."""
    match = fixture.begin()
    for number in range(LOOKS_IN_AN_HOUR):
        before_look(number)
        fixture.give_up()
        if fixture.find_ending(match, "ann") is not None:
            return number
        fixture.timers.move(LOOK_EVERY_NS / ONE_MS)
    return LOOKS_IN_AN_HOUR


@pytest.mark.parametrize(
    ("present", "least", "most"),
    [
        (lambda look: look % 20 == 19, 0, LOOKS_ALLOWED + 7),
        (lambda look: look % 2, 0, LOOKS_ALLOWED + 2),
        (lambda look: look % 36 != 18, LOOKS_IN_AN_HOUR, LOOKS_IN_AN_HOUR),
    ],
    ids=["now and then", "every second look", "away for a moment every three minutes"],
)
def test_short_presence_keeps_no_seat_and_short_absence_loses_none(
    fixture: RecoveryFixture, present: Callable[[int], bool], least: int, most: int
) -> None:
    def come_and_go(look: int) -> None:
        fixture.sessions.room = dict(BOTH) if present(look) else {"bob": 1}

    assert least <= looks_until_forfeited(fixture, come_and_go) <= most


def test_presence_at_every_look_and_never_between_two_is_absence(fixture: RecoveryFixture) -> None:
    def come_for_the_look(_: int) -> None:
        fixture.sessions.room = dict(BOTH)
        fixture.sessions.back_at["ann"] = fixture.timers.now()

    assert looks_until_forfeited(fixture, come_for_the_look) <= LOOKS_ALLOWED + 2


def test_a_stall_of_the_arena_between_two_looks_is_no_absence(fixture: RecoveryFixture) -> None:
    second = fixture.begin()
    fixture.sessions.room = dict(BOTH)
    fixture.give_up()
    fixture.timers.move(10 * DESERTED_NS / ONE_MS)
    fixture.sessions.room = {"bob": 1}
    assert not fixture.give_up()
    assert fixture.find_ending(second, "ann") is None


def test_an_offer_does_not_reset_the_counted_absence(fixture: RecoveryFixture) -> None:
    second = fixture.begin()
    fixture.sessions.room = {"bob": 1}
    for _ in range(LOOKS_ALLOWED):
        fixture.give_up()
        fixture.timers.move(LOOK_EVERY_NS / ONE_MS)
    fixture.sessions.room = dict(BOTH)
    fixture.give_up(plays=True)
    fixture.sessions.room = {"bob": 1}
    for _ in range(3):
        fixture.give_up_later()
    assert fixture.find_ending(second, "ann") is not None


def test_what_an_organiser_does_forfeits_nothing(fixture: RecoveryFixture) -> None:
    fixture.sessions.room = dict(BOTH)
    second = fixture.begin()
    fixture.db.store.write(lambda tx: tx.users.set_disabled("ada", True))
    fixture.sessions.room = {}
    assert fixture.give_up()
    assert fixture.by_id()[second].state is NO_CONTEST
    assert fixture.by_id()[second].group_complete


@pytest.mark.parametrize(
    ("host", "forfeited"),
    [(a_host(suspended=["bob"]), True), (a_host(down=BOTH), False)],
    ids=["suspended", "the arena's fault"],
)
def test_only_a_suspended_bot_forfeits(fixture: RecoveryFixture, host: FakeHost, forfeited: bool) -> None:
    fixture.use(host)
    second = fixture.begin()
    assert fixture.give_up() or fixture.wait()
    assert (fixture.ending(second, "bob").termination is Termination.NO_SHOW) is forfeited
    assert (fixture.by_id()[second].state is PENDING) is forfeited


def test_the_third_stored_no_show_forfeits_the_seat_if_the_group_has_begun(fixture: RecoveryFixture) -> None:
    """Stored, so that neither a new hello nor a restart of the arena forgets them."""
    second = fixture.begin()
    assert not fixture.refuse(second, 0, 2)
    store = Store(str(fixture.db.store._writer.url))
    assert [seat.no_shows for seat in store.read(lambda tx: tx.matches.get(second)).seats] == [2, 0]
    store.close()
    assert fixture.refuse(second, 0, 1)
    bob = fixture.ending(second, "bob")
    assert (bob.termination, bob.evidence) == (Termination.NO_SHOW, (("no_shows", "3"),))
    assert fixture.find_ending(second, "ann") is None


def test_the_third_no_show_in_a_group_that_has_not_begun_gives_up_the_group(fixture: RecoveryFixture) -> None:
    """All its matches count for nobody: given up one by one they would leave a choice of seats."""
    first, second = fixture.pair()
    assert fixture.refuse(second, 0)
    assert fixture.states(first, second) == {NO_CONTEST}
    given_up = fixture.by_id()[first]
    assert "bob was offered the match 3 times" in given_up.void_reason
    assert given_up.group_complete


def refuse_groups(fixture: RecoveryFixture, times: int) -> None:
    """Refuse, as ann, all matches of so many groups that have not begun; they end without a result."""
    for _ in range(times):
        first, second = fixture.pair()
        assert fixture.refuse(second, fixture.by_id()[second].bots.index("ann"))
        assert fixture.states(first, second) == {NO_CONTEST}


def test_the_third_group_within_a_day_that_a_bot_refuses_costs_it_the_seat(fixture: RecoveryFixture) -> None:
    """Else it could refuse group after group until it likes its opponents."""
    refuse_groups(fixture, GROUPS_REFUSED_A_DAY)
    third, fourth = fixture.pair()
    assert fixture.refuse(third, fixture.by_id()[third].bots.index("ann"))
    assert fixture.ending(third, "ann").termination is Termination.NO_SHOW
    assert fixture.find_ending(third, "bob") is None
    assert fixture.states(third, fourth) == {PENDING}
    assert not any(seat.ending for seat in fixture.by_id()[fourth].seats), "it may still play the others"
    assert [match.decided for match in fixture.open_matches()] == [True, False]


def test_refusals_are_forgotten_after_a_day(
    fixture: RecoveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_groups(fixture, GROUPS_REFUSED_A_DAY)
    tomorrow = now_us() + 25 * US_PER_HOUR
    monkeypatch.setattr("arena.scheduling.recovery.now_us", lambda: tomorrow)
    refuse_groups(fixture, 1)


def test_a_first_refusal_gives_up_the_group_for_all(fixture: RecoveryFixture) -> None:
    refuse_groups(fixture, GROUPS_REFUSED_A_DAY)
    first, second = fixture.pair()
    fixture.miss(first, 0)
    assert fixture.refuse(first, 1)
    assert fixture.states(first, second) == {NO_CONTEST}


def test_a_group_with_a_match_being_offered_is_left_for_the_next_look(fixture: RecoveryFixture) -> None:
    first, second = fixture.pair()
    fixture.miss(second, 0)
    assert not fixture.settle_refused(offered=first)
    assert fixture.by_id()[second].state is PENDING
