"""ExportService over a real connection."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from arena.core.match import MatchState, SeedPolicy
from arena.match_log.framing import chain_end, pack, signature_record
from arena.match_log.pruned import Pruning, note_pruning
from arena.store.accounts.tokens import Role
from arena.store.matches.results import MatchReport
from arena.v1 import export_pb2, match_log_pb2, match_pb2
from tests.unit.server.services.harness import Arena, refusal_of
from tests.unit.store.store_fixture import LADDER, StoreFixture, a_result

LogState = export_pb2.ExportedMatch


def a_log(number: int, size: int = 200) -> tuple[bytes, str]:
    """Return a log file and its name; what is in it differs by number."""
    header = match_log_pb2.LogHeader(seed_commitment=Random(number).randbytes(size))
    records = [
        match_log_pb2.LogRecord(header=header).SerializeToString(),
        match_log_pb2.LogRecord(footer=match_log_pb2.LogFooter()).SerializeToString(),
    ]
    return pack([*records, signature_record(bytes(64))]), chain_end(records).hex()


@dataclass
class Exported:
    """What came in the calls of an export."""

    matches: list[export_pb2.ExportedMatch] = field(default_factory=list)
    logs: dict[str, bytes] = field(default_factory=dict)
    entries: list[export_pb2.ExportedLedgerEntry] = field(default_factory=list)
    cursors: list[int] = field(default_factory=list)
    end: int = 0

    @property
    def names(self) -> list[str]:
        """The names of the matches."""
        return [each.match.name for each in self.matches]

    def add(self, responses: Iterable[export_pb2.ExportMatchesResponse]) -> "Exported":
        """Add the responses of a call."""
        for response in responses:
            match response.WhichOneof("content"):
                case "match":
                    self.matches.append(response.match)
                case "log_chunk":
                    assert len(response.log_chunk) <= 65536
                    name = self.matches[-1].match.name
                    self.logs[name] = self.logs.get(name, b"") + response.log_chunk
                case "ledger_entry":
                    self.entries.append(response.ledger_entry)
            if response.cursor:
                self.cursors.append(response.cursor)
            self.end = response.end
        return self


def export(arena: Arena, who: str = "bob", **request: Any) -> Exported:
    """Return what a call exports."""
    return Exported().add(arena.call("ExportMatches", who, **request))


def finish(arena: Arena, db: StoreFixture, match: int, *placings: int, size: int = 200) -> bytes:
    """Finish a match with a log; return the log."""
    log, name = a_log(match, size)
    arena.logs.write(match, log)
    db.finish(match, *(placings or (1, 2)), log=name)
    return log


def test_a_complete_group_is_exported_with_logs_and_its_rating(arena: Arena, db: StoreFixture) -> None:
    first, second = db.pair("bee", "cat")
    long = finish(arena, db, first, size=150_000)
    assert export(arena).matches == []
    finish(arena, db, second)
    exported = export(arena)
    assert exported.names == ["matches/1", "matches/2"]
    assert exported.logs["matches/1"] == long
    (entry,) = exported.entries
    assert (entry.ladder, entry.seq, entry.kind, entry.group) == (
        "ladders/main",
        1,
        entry.KIND_MATCH_GROUP,
        "g1",
    )
    assert entry.matches == ["matches/1", "matches/2"]
    assert (exported.cursors, exported.end) == ([1, 2, 3, 3], 3)


def test_the_entry_says_what_the_rating_history_says(arena: Arena, db: StoreFixture) -> None:
    for match in db.pair("bee", "cat"):
        finish(arena, db, match)
    (entry,) = export(arena).entries
    for change in entry.changes:
        points = arena.call("GetRatingHistory", "bob", name=f"ladders/{LADDER}", bot=change.bot).points
        assert (change.rating_milli_after, change.uncertainty_milli_after, change.bot_version) == (
            points[-1].rating_milli,
            points[-1].uncertainty_milli,
            points[-1].bot_version,
        )
        assert change.rating_milli_before == 1_500_000
        assert entry.time == points[-1].time


def play_in_all_ways(arena: Arena, db: StoreFixture) -> None:
    """Leave matches in every state, their groups open and complete."""
    for match in db.pair("bee", "cat"):
        finish(arena, db, match)
    sealed, running = db.pair("cat", "bee", policy=SeedPolicy.SHARED)
    finish(arena, db, sealed)
    db.start(running)
    early, _ = db.pair("bee", "cat")
    finish(arena, db, early)
    left, other = db.pair("bee", "cat")
    db.report(MatchReport(left, a_result(0, 0, state=MatchState.ABORTED), None, ""))
    finish(arena, db, other)
    dropped, played = db.pair("bee", "cat")
    db.report(MatchReport(dropped, a_result(0, 0, state=MatchState.ABORTED), None, ""))
    finish(arena, db, played)
    db.void(dropped)


@pytest.mark.parametrize("who", ["ada", "bob", "sam", "organiser"])
def test_an_export_shows_what_a_match_and_its_log_show_and_nothing_more(
    arena: Arena, db: StoreFixture, who: str
) -> None:
    play_in_all_ways(arena, db)
    arena.add_token("sam", Role.SPECTATOR, "sam")
    exported = export(arena, who)
    assert exported.names == ["matches/1", "matches/2", "matches/9", "matches/10"]
    for each in exported.matches:
        assert each.match == arena.call("GetMatch", who, name=each.match.name).match
        if each.log_state == LogState.LOG_STATE_PRESENT:
            pieces = arena.call("DownloadMatchLog", who, name=each.match.name)
            assert exported.logs[each.match.name] == b"".join(piece.chunk for piece in pieces)
        else:
            assert refusal_of(download, arena, who, each.match.name).reason == "LOG_MISSING"


def download(arena: Arena, who: str, name: str) -> list[Any]:
    """Return the pieces of a log."""
    return list(arena.call("DownloadMatchLog", who, name=name))


def test_what_there_is_of_a_log_is_said(arena: Arena, db: StoreFixture) -> None:
    for match in (*db.pair("bee", "cat"), *db.pair("cat", "bee")):
        finish(arena, db, match)
    arena.logs.path(1).unlink()
    note_pruning(arena.folder / "logs", Pruning(1, ((1, 1),), ""))
    arena.logs.path(2).write_bytes(a_log(7)[0])
    arena.logs.path(3).unlink()
    states = [each.log_state for each in export(arena).matches]
    assert states == [
        LogState.LOG_STATE_REMOVED,
        LogState.LOG_STATE_DAMAGED,
        LogState.LOG_STATE_DAMAGED,
        LogState.LOG_STATE_PRESENT,
    ]


def test_pages_continue_where_the_last_one_ended(arena: Arena, db: StoreFixture) -> None:
    for _ in range(3):
        for match in db.pair("bee", "cat"):
            finish(arena, db, match)
    whole, steps = export(arena), Exported()
    for expected in (4, 8, 9):
        cursor = steps.cursors[-1] if steps.cursors else 0
        steps.add(arena.call("ExportMatches", "bob", cursor=cursor, max_positions=4))
        assert (steps.cursors[-1], steps.end) == (expected, 9)
    assert steps == Exported(whole.matches, whole.logs, whole.entries, steps.cursors, 9)
    assert export(arena, cursor=9).cursors == [9]


def test_an_export_that_has_an_end_has_no_match_twice_though_it_is_voided_meanwhile(
    arena: Arena, db: StoreFixture
) -> None:
    for _ in range(2):
        for match in db.pair("bee", "cat"):
            finish(arena, db, match)
    first = export(arena, max_positions=2)
    for match in (1, 4):
        db.void(match)
    rest = export(arena, cursor=2, until=first.end)
    assert (first.names, rest.names) == (["matches/1", "matches/2"], ["matches/3"])
    assert rest.cursors[-1] == rest.end == first.end
    assert export(arena, cursor=first.end).names == ["matches/1", "matches/4"]


def test_filters_leave_out_matches_but_pass_their_positions(arena: Arena, db: StoreFixture) -> None:
    db.populate_more("dog")
    for bots in (("bee", "cat"), ("bee", "dog")):
        for match in db.pair(*bots):
            finish(arena, db, match)
    of_dog = export(arena, bot="bots/dog")
    assert of_dog.names == ["matches/3", "matches/4"]
    assert [entry.seq for entry in of_dog.entries] == [2]
    assert of_dog.cursors[-1] == 6
    none = export(arena, game="wasteland")
    assert (none.names, none.entries, none.cursors) == ([], [], [6])
    assert export(arena, game="caravan", ladder="ladders/main").names == export(arena).names


def test_a_match_that_is_voided_later_comes_again_as_void(arena: Arena, db: StoreFixture) -> None:
    for match in db.pair("bee", "cat"):
        finish(arena, db, match)
    before = export(arena)
    arena.call("VoidMatch", "organiser", name="matches/1", reason="the board was wrong")
    again = export(arena, cursor=before.cursors[-1])
    (void,) = again.matches
    assert (void.match.name, void.match.state) == ("matches/1", match_pb2.MATCH_STATE_ABORTED)
    assert "the board was wrong" in void.match.void_reason
    assert again.logs["matches/1"] == before.logs["matches/1"]
    (entry,) = again.entries
    assert entry.kind == entry.KIND_VOID
    assert export(arena).names == ["matches/2", "matches/1"]


def test_the_cursor_of_another_arena_is_refused(arena: Arena, db: StoreFixture) -> None:
    for match in db.pair("bee", "cat"):
        finish(arena, db, match)
    refused = refusal_of(export, arena, cursor=4)
    assert refused.status == ("INVALID_ARGUMENT", "FIELD_INVALID")
    assert refused.metadata["field"] == "cursor"
