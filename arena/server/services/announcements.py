"""AnnouncementService: what organisers say to everybody."""
# ruff: noqa: N802 - the methods are named as in the .proto

from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from arena.core.errors import ErrorReason, ResourceExhaustedError, invalid_field
from arena.core.units import US_PER_DAY
from arena.server.announcements_in_force import MOST_IN_FORCE
from arena.server.auth.authentication import check_still_valid
from arena.server.auth.permissions import current_caller
from arena.server.context import Context
from arena.server.services.service_context import Service, complete, record_decision
from arena.server.services.tokens import MAX_EXPIRE_DAYS, format_end
from arena.store.announcements import AnnouncementRow
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.v1 import announcement_pb2 as pb
from arena.v1 import announcement_pb2_grpc
from arena.wire.fields import one_line, time_us, timestamp
from arena.wire.resource_names import announcement_name, parse_announcement

MAX_TEXT: Final = 500
"""Characters of an announcement."""


class AnnouncementService(Service, announcement_pb2_grpc.AnnouncementServiceServicer):
    """Manages announcements."""

    async def CreateAnnouncement(
        self, request: pb.CreateAnnouncementRequest, _: Context
    ) -> pb.CreateAnnouncementResponse:
        """Store an announcement, which is in force at once."""
        caller, now_us = current_caller(), self._platform.now_us()
        text = one_line("text", request.text.strip(), MAX_TEXT, least=1)
        expires_us = _end(request.expire_time, now_us) if request.HasField("expire_time") else None

        def create(tx: Transaction) -> AnnouncementRow:
            check_still_valid(tx, caller, now_us)
            if len(tx.announcements.page(now_us, after=None, limit=MOST_IN_FORCE)) == MOST_IN_FORCE:
                raise ResourceExhaustedError(
                    ErrorReason.QUOTA_EXCEEDED,
                    f"{MOST_IN_FORCE} announcements are in force, and every page shows all of them. Delete one first "
                    "(`arena announcement delete`).",
                )
            row = tx.announcements.add(text, expires_us, now_us)
            what = f'Announcement {row.number} was created, {format_end(expires_us)}: "{text}"'
            record_decision(tx, AuditKind.EVENT, caller, now_us, what, announcement_name(row.number))
            return row

        async def carry_out() -> AnnouncementRow:
            row = await self._platform.database.write(create)
            self._platform.announcements.add(row)
            return row

        return pb.CreateAnnouncementResponse(announcement=_message(await complete(carry_out())))

    async def ListAnnouncements(
        self, request: pb.ListAnnouncementsRequest, _: Context
    ) -> pb.ListAnnouncementsResponse:
        """Return announcements in force, oldest first."""
        now_us = self._platform.now_us()
        page = await self._platform.page(
            request,
            lambda tx, wanted: tx.announcements.page(now_us, after=wanted.first, limit=wanted.fetch),
            lambda row: (row.number,),
        )
        return pb.ListAnnouncementsResponse(
            announcements=map(_message, page.rows), next_page_token=page.next_token
        )

    async def DeleteAnnouncement(
        self, request: pb.DeleteAnnouncementRequest, _: Context
    ) -> pb.DeleteAnnouncementResponse:
        """Remove an announcement in force."""
        caller, number = current_caller(), parse_announcement("name", request.name)
        now_us = self._platform.now_us()

        def remove(tx: Transaction) -> AnnouncementRow:
            check_still_valid(tx, caller, now_us)
            row = tx.announcements.remove(number, now_us)
            what = f'Announcement {number} was deleted: "{row.text}"'
            record_decision(tx, AuditKind.EVENT, caller, now_us, what, request.name)
            return row

        async def carry_out() -> AnnouncementRow:
            row = await self._platform.database.write(remove)
            self._platform.announcements.discard(row)
            return row

        return pb.DeleteAnnouncementResponse(announcement=_message(await complete(carry_out())))


def _end(time: Timestamp, now_us: int) -> int:
    """Return when an announcement ends. Raises InvalidArgumentError (FIELD_INVALID)."""
    end_us = time_us("expire_time", time)
    if not now_us < end_us <= now_us + MAX_EXPIRE_DAYS * US_PER_DAY:
        raise invalid_field(
            "expire_time", f"expire_time must be after now, and at most {MAX_EXPIRE_DAYS} days ahead."
        )
    return end_us


def _message(row: AnnouncementRow) -> pb.Announcement:
    return pb.Announcement(
        name=announcement_name(row.number),
        text=row.text,
        create_time=timestamp(row.created_us),
        expire_time=timestamp(row.expires_us),
    )
