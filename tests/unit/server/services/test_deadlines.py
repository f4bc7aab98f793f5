"""Deadlines of ladders over a real connection: from then on bots and versions stay as they are."""

from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.core.versions import shown_version
from arena.hosting.admission.admission import REPLACED
from arena.server.services.deadlines import record_deadlines
from arena.store.audit.entries import AuditKind
from arena.store.bots.bots import BotRow
from arena.store.store import Transaction
from arena.v1 import bot_pb2, tournament_pb2
from tests.unit.server.services.harness import FIELD_INVALID, Arena
from tests.unit.store.store_fixture import LADDER, StoreFixture

PASSED = ("FAILED_PRECONDITION", "DEADLINE_PASSED")
OLD, NEW, LATER = "ab" * 32, "cd" * 32, "ef" * 32
OFF = bot_pb2.Hosting.MODE_OFF
HOUR_US = 3_600_000_000

SUBMIT = ("CreateSubmission", {"bot": "bots/bee", "archive_sha256": LATER, "archive_bytes": 10})
HOST = ("SetHosting", {"bot": "bots/bee", "mode": OFF})
ENTER = ("JoinLadder", {"name": f"ladders/{LADDER}", "bot": "bots/eel"})
GATE = (
    "CreateTournament",
    {
        "format": tournament_pb2.Tournament.FORMAT_GATE,
        "game": "caravan",
        "bots": ["bots/cat", "bots/dog"],
        "gate": {"bot": "bots/bee", "candidate": f"bots/bee/versions/{OLD}", "apply": True},
    },
)
CHANGES = [SUBMIT, HOST, ENTER, GATE]


@pytest.fixture(autouse=True)
def _bots(arena: Arena, db: StoreFixture) -> None:
    """ada has bee, cat and dog on the ladder, which are hosted, and eel, which is not on it."""
    db.populate_more("dog")
    for bot in ("bee", "cat", "dog"):
        db.submit(bot, OLD)
    db.submit("bee", NEW)
    arena.change(lambda tx: tx.bots.add(BotRow("eel", "ada", "", False, arena.now_us)))


def set_deadline(arena: Arena, us: int | None) -> Any:
    fields = {} if us is None else {"deadline": at(us)}
    return arena.call("SetLadderDeadline", "organiser", name=f"ladders/{LADDER}", **fields).ladder


def at(us: int) -> Timestamp:
    time = Timestamp()
    time.FromMicroseconds(us)
    return time


@pytest.mark.parametrize(("method", "fields"), CHANGES, ids=[method for method, _ in CHANGES])
def test_owners_change_nothing_from_the_deadline_on(
    arena: Arena, method: str, fields: dict[str, Any]
) -> None:
    set_deadline(arena, arena.now_us)
    assert arena.refusal(method, "ada", **fields).status == PASSED
    arena.call(method, "organiser", **fields)


@pytest.mark.parametrize(("method", "fields"), CHANGES, ids=[method for method, _ in CHANGES])
def test_owners_change_everything_until_then(arena: Arena, method: str, fields: dict[str, Any]) -> None:
    assert set_deadline(arena, arena.now_us + HOUR_US).deadline == at(arena.now_us + HOUR_US)
    arena.call(method, "ada", **fields)


@pytest.mark.parametrize(("method", "fields"), CHANGES, ids=[method for method, _ in CHANGES])
def test_a_removed_deadline_prevents_nothing(arena: Arena, method: str, fields: dict[str, Any]) -> None:
    set_deadline(arena, arena.now_us)
    assert not set_deadline(arena, None).HasField("deadline")
    arena.call(method, "ada", **fields)


def test_bots_that_are_not_on_the_ladder_are_free(arena: Arena) -> None:
    set_deadline(arena, arena.now_us)
    arena.call("CreateSubmission", "ada", bot="bots/eel", archive_sha256=LATER, archive_bytes=10)


def test_a_bot_that_leaves_is_free_and_cannot_come_back(arena: Arena) -> None:
    set_deadline(arena, arena.now_us)
    entry = {"name": f"ladders/{LADDER}", "bot": "bots/bee"}
    arena.call("JoinLadder", "ada", **entry)  # it is on the ladder already
    arena.call("LeaveLadder", "ada", **entry)
    arena.call(*SUBMIT[:1], "ada", **SUBMIT[1])
    assert arena.refusal("JoinLadder", "ada", **entry).status == PASSED


def test_a_submission_from_before_is_carried_on(arena: Arena) -> None:
    first = arena.call(SUBMIT[0], "ada", **SUBMIT[1]).submission
    set_deadline(arena, arena.now_us)
    assert arena.call(SUBMIT[0], "ada", **SUBMIT[1]).submission == first
    other = {**SUBMIT[1], "archive_sha256": "01" * 32}
    assert arena.refusal(SUBMIT[0], "ada", **other).status == PASSED


def test_the_versions_of_the_deadline_are_recorded_once(arena: Arena) -> None:
    def record(tx: Transaction) -> int:
        return record_deadlines(tx, arena.now_us)

    set_deadline(arena, arena.now_us + HOUR_US)
    assert arena.store.write(record) == 0
    arena.now_us += HOUR_US
    assert arena.store.write(record) == 1
    assert arena.store.write(record) == 0
    entry = arena.audited()[0]
    about = (f"ladders/{LADDER}", "bots/bee", "bots/cat", "bots/dog")
    assert (entry.kind, entry.about, entry.actor) == (AuditKind.EVENT, about, None)
    assert dict(entry.evidence) == {
        "bee": shown_version(NEW),
        "cat": shown_version(OLD),
        "dog": shown_version(OLD),
    }
    set_deadline(arena, arena.now_us)
    assert arena.store.write(record) == 1


def test_a_time_that_is_none_is_refused(arena: Arena) -> None:
    fields = {"name": f"ladders/{LADDER}", "deadline": Timestamp(seconds=10**18)}
    assert arena.refusal("SetLadderDeadline", "organiser", **fields).status == FIELD_INVALID


def test_the_record_waits_for_submissions_from_before_the_deadline(arena: Arena) -> None:
    def record(tx: Transaction) -> int:
        return record_deadlines(tx, arena.now_us)

    submission = arena.call(SUBMIT[0], "ada", **SUBMIT[1]).submission
    set_deadline(arena, arena.now_us)
    assert arena.store.write(record) == 0
    number = int(submission.name.rpartition("/")[2])
    arena.change(lambda tx: tx.submissions.reject(number, REPLACED, arena.now_us))
    assert arena.store.write(record) == 1


def test_the_record_waits_for_an_hour_at_most(arena: Arena) -> None:
    arena.call(SUBMIT[0], "ada", **SUBMIT[1])
    set_deadline(arena, arena.now_us)
    arena.now_us += HOUR_US
    assert arena.store.write(lambda tx: record_deadlines(tx, arena.now_us)) == 1
