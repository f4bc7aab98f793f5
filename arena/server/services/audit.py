"""AuditService: faults of the arena and decisions of people, for organisers."""
# ruff: noqa: N802 - the methods are named as in the .proto

from arena.server.context import Context
from arena.server.services.service_context import Service
from arena.store.audit.entries import AuditEntry, AuditFilter, AuditKind
from arena.v1 import audit_pb2 as pb
from arena.v1 import audit_pb2_grpc, ending_pb2
from arena.wire import resource_names as names
from arena.wire.fields import enum_of, one_line, same, time_us, timestamp

MAX_ABOUT = 128


class AuditService(Service, audit_pb2_grpc.AuditServiceServicer):
    """Shows the audit trail."""

    async def ListAuditEntries(
        self, request: pb.ListAuditEntriesRequest, _: Context
    ) -> pb.ListAuditEntriesResponse:
        """Return entries, newest first."""
        which = _filter(request)
        page = await self._platform.page(
            request,
            lambda tx, wanted: tx.audit.page(which, before=wanted.first, limit=wanted.fetch),
            lambda entry: (entry.number,),
        )
        return pb.ListAuditEntriesResponse(
            entries=map(entry_message, page.rows), next_page_token=page.next_token
        )

    async def GetAuditEntry(self, request: pb.GetAuditEntryRequest, _: Context) -> pb.GetAuditEntryResponse:
        """Return one entry."""
        number = names.parse_audit_entry("name", request.name)
        entry = await self._platform.database.read(lambda tx: tx.audit.get(number))
        return pb.GetAuditEntryResponse(entry=entry_message(entry))

    async def ListVoidCounts(
        self, request: pb.ListVoidCountsRequest, _: Context
    ) -> pb.ListVoidCountsResponse:
        """Return the void matches of each bot, the most first."""
        counts = await self._platform.database.read(lambda tx: tx.void_counts.all())
        return pb.ListVoidCountsResponse(
            counts=[
                pb.VoidCount(
                    bot=names.bot_name(count.bot),
                    void_matches=count.voids,
                    **same(count, "matches", "conspicuous"),
                )
                for count in counts
            ]
        )


def entry_message(entry: AuditEntry) -> pb.AuditEntry:
    """Return the entry as a message."""
    actor = entry.actor
    return pb.AuditEntry(
        name=names.audit_entry_name(entry.number),
        time=timestamp(entry.at_us),
        kind=pb.AuditKind.ValueType(entry.kind.value),
        user="" if actor is None else names.user_name(actor.user),
        token="" if actor is None else names.token_name(actor.token),
        **same(entry, "about", "sentence"),
        evidence=[ending_pb2.Evidence(fact=fact, value=value) for fact, value in entry.evidence],
    )


def _filter(request: pb.ListAuditEntriesRequest) -> AuditFilter:
    """Return the filter. Raises InvalidArgumentError (FIELD_INVALID)."""
    return AuditFilter(
        kind=enum_of(AuditKind, "kind", request.kind, "an AuditKind of this arena") if request.kind else None,
        about=one_line("about", request.about, MAX_ABOUT) or None,
        user=names.parse_user("user", request.user) if request.user else None,
        since_us=time_us("since", request.since) if request.HasField("since") else None,
    )
