"""AuditService: what the arena did wrong, and what people decided. For organisers."""
# ruff: noqa: N802 - the methods are named as in the .proto

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp

from arena.core.errors import invalid_field
from arena.core.units import NS_PER_S, NS_PER_US, US_PER_S
from arena.server.context import Context
from arena.server.services.paging import Place
from arena.server.services.service_context import ServiceContext
from arena.store.audit.entries import AuditEntry, AuditFilter, AuditKind
from arena.store.matches.void_counts import VoidCount
from arena.v1 import audit_pb2, audit_pb2_grpc, ending_pb2
from arena.wire.resource_names import (
    audit_entry_name,
    bot_name,
    parse_audit_entry,
    parse_user,
    token_name,
    user_name,
)
from arena.wire.timestamps import timestamp

MAX_ABOUT = 128

EARLIEST_S = -62_135_596_800
LATEST_S = 253_402_300_799
"""What google.protobuf.Timestamp may hold, in seconds since 1970."""


class AuditService(audit_pb2_grpc.AuditServiceServicer):
    """Shows the audit trail."""

    def __init__(self, platform: ServiceContext) -> None:
        """`platform`: what it stands on."""
        self._platform = platform

    async def ListAuditEntries(
        self, request: audit_pb2.ListAuditEntriesRequest, context: Context
    ) -> audit_pb2.ListAuditEntriesResponse:
        """Entries, newest first."""
        wanted, pages = _filter(request), self._platform.pages
        page_wanted = pages.read(
            request.page_size,
            request.page_token,
            "ListAuditEntries",
            str(request.kind),
            request.about,
            request.user,
            "" if wanted.since_us is None else str(wanted.since_us),
        )
        before = _number(page_wanted.after)
        rows = await self._platform.database.read(
            lambda tx: tx.audit.page(wanted, before=before, limit=page_wanted.fetch)
        )
        page = pages.cut(page_wanted, rows, lambda entry: (entry.number,))
        return audit_pb2.ListAuditEntriesResponse(
            entries=map(entry_message, page.rows), next_page_token=page.next_token
        )

    async def GetAuditEntry(
        self, request: audit_pb2.GetAuditEntryRequest, context: Context
    ) -> audit_pb2.GetAuditEntryResponse:
        """One entry."""
        number = parse_audit_entry("name", request.name)
        entry = await self._platform.database.read(lambda tx: tx.audit.get(number))
        return audit_pb2.GetAuditEntryResponse(entry=entry_message(entry))

    async def ListVoidCounts(
        self, request: audit_pb2.ListVoidCountsRequest, context: Context
    ) -> audit_pb2.ListVoidCountsResponse:
        """The void matches of each bot, the most first."""
        counts = await self._platform.database.read(lambda tx: tx.void_counts.all())
        return audit_pb2.ListVoidCountsResponse(counts=map(_count_message, counts))


def entry_message(entry: AuditEntry) -> audit_pb2.AuditEntry:
    """The entry as a message."""
    actor = entry.actor
    return audit_pb2.AuditEntry(
        name=audit_entry_name(entry.number),
        time=timestamp(entry.at_us),
        kind=audit_pb2.AuditKind.ValueType(entry.kind.value),
        user="" if actor is None else user_name(actor.user),
        token="" if actor is None else token_name(actor.token),
        about=entry.about,
        sentence=entry.sentence,
        evidence=[ending_pb2.Evidence(fact=fact, value=value) for fact, value in entry.evidence],
    )


def _count_message(count: VoidCount) -> audit_pb2.VoidCount:
    return audit_pb2.VoidCount(
        bot=bot_name(count.bot),
        void_matches=count.voids,
        matches=count.matches,
        conspicuous=count.conspicuous,
    )


def _filter(request: audit_pb2.ListAuditEntriesRequest) -> AuditFilter:
    """Raises InvalidArgumentError (FIELD_INVALID)."""
    if len(request.about) > MAX_ABOUT or not request.about.isprintable():
        raise invalid_field("about", f"about must be a resource name of at most {MAX_ABOUT} characters.")
    return AuditFilter(
        kind=_kind(request.kind),
        about=request.about or None,
        user=parse_user("user", request.user) if request.user else None,
        since_us=_since_us(request.since) if request.HasField("since") else None,
    )


def _kind(number: int) -> AuditKind | None:
    if not number:
        return None
    try:
        return AuditKind(number)
    except ValueError:
        raise invalid_field("kind", f"kind is {number}, which this arena does not know.") from None


def _since_us(time: Timestamp) -> int:
    """Raises InvalidArgumentError (FIELD_INVALID)."""
    if not EARLIEST_S <= time.seconds <= LATEST_S or not 0 <= time.nanos < NS_PER_S:
        raise invalid_field("since", "since must be a time of the years 1 to 9999.")
    return time.seconds * US_PER_S + time.nanos // NS_PER_US


def _number(after: Place | None) -> int | None:
    return None if after is None else int(after[0])
