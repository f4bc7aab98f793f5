"""AuditService: the audit trail in pages, by filter, and one by one; for organisers alone."""

from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.store.audit.entries import Actor, AuditEntry, AuditKind
from arena.v1 import audit_pb2
from tests.unit.server.services.harness import Arena

ENTRIES = (
    AuditEntry(AuditKind.START, 1_000_000, "The arena began to run."),
    AuditEntry(
        AuditKind.MATCH_VOID, 2_500_000, "Match 7 is void.", ("matches/7", "bots/ant"), (("fault", "killed"),)
    ),
    AuditEntry(
        AuditKind.RULING, 3_000_000, "Match 7 does not count.", ("matches/7",), actor=Actor("root", "0a" * 6)
    ),
    AuditEntry(AuditKind.BAN, 2_400_000, "Somebody is banned."),
)
"""In the order in which they are stored; the clock was set back before the last."""


@pytest.fixture
def audited(arena: Arena) -> Arena:
    """Yield an arena with entries in its audit trail."""
    for entry in ENTRIES:
        arena.change(lambda tx, entry=entry: tx.audit.add(entry))  # type: ignore[misc]
    return arena


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"kind": audit_pb2.AUDIT_KIND_MATCH_VOID}, [2]),
        ({"about": "matches/7"}, [3, 2]),
        ({"user": "users/root"}, [3]),
        ({"since": Timestamp(seconds=2, nanos=500_000_000)}, [3, 2]),
        ({"since": Timestamp(seconds=2, nanos=500_001_000)}, [3]),
        ({"about": "bots/an"}, []),
        ({"about": "bots/ant", "kind": audit_pb2.AUDIT_KIND_MATCH_VOID}, [2]),
        ({"about": "bots/ant", "since": Timestamp(seconds=3)}, []),
    ],
)
def test_a_page_token_is_bound_to_the_filter(
    audited: Arena, fields: dict[str, Any], found: list[int]
) -> None:
    listed = audited.call("ListAuditEntries", "organiser", **fields).entries
    assert [entry.name for entry in listed] == [f"auditEntries/{number}" for number in found]
    token = audited.call("ListAuditEntries", "organiser", page_size=1).next_page_token
    refused = audited.refusal("ListAuditEntries", "organiser", page_token=token, **fields)
    assert refused.reason == "PAGE_TOKEN_INVALID"


def test_an_entry_is_shown_with_all_its_fields(audited: Arena) -> None:
    entry = audited.call("GetAuditEntry", "organiser", name="auditEntries/2").entry
    assert (entry.sentence, list(entry.about)) == ("Match 7 is void.", ["matches/7", "bots/ant"])
    assert [(each.fact, each.value) for each in entry.evidence] == [("fault", "killed")]
    assert (entry.user, entry.token, entry.time.seconds) == ("", "", 2)
    ruled = audited.call("ListAuditEntries", "organiser").entries[1]
    assert (ruled.user, ruled.token) == ("users/root", f"tokens/{'0a' * 6}")
