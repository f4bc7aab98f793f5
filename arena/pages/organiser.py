"""The pages of organisers: what waits, whether the arena is well, what failed, and the audit trail."""

from typing import Any, Final

import grpc
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.pages.account import resource_id
from arena.pages.links import Links
from arena.pages.own_reads import OwnReads
from arena.pages.reads import ArenaReads, PageError
from arena.pages.sign_in import SignIn
from arena.pages.site import Site
from arena.v1 import audit_pb2, ending_pb2, ladder_pb2, match_pb2, tournament_pb2, user_pb2
from arena.wire.wording import enum_word

ROWS: Final = 50
"""Rows of a table on one page."""
USERS: Final = 200
"""Users on one page."""
QUEUE: Final = 200
"""Places of a queue that are shown."""
EVENTS: Final = 100
"""Ladders and tournaments that are looked at."""
LOOKED_AT: Final = 200
"""Finished matches, the newest ones, that are looked through for forfeits."""
HEALTH_SECONDS: Final = 5.0

KINDS: Final = tuple(
    enum_word(audit_pb2.AuditKind, value).replace("_", "-") for value in audit_pb2.AuditKind.values() if value
)
"""The kinds of audit entries, as `arena audit list --kind` has them."""
FAULTS: Final = (
    audit_pb2.AUDIT_KIND_INTERNAL_ERROR,
    audit_pb2.AUDIT_KIND_STALL,
    audit_pb2.AUDIT_KIND_STORAGE,
    audit_pb2.AUDIT_KIND_MASS_LOSS,
    audit_pb2.AUDIT_KIND_REST,
    audit_pb2.AUDIT_KIND_BAN,
)
"""The kinds that say that something is wrong with the arena or its surroundings."""
EACH_FAULT: Final = 10
"""Entries of each of these kinds that are shown."""

_SERVING: Final = b"\x08\x01"
"""HealthCheckResponse with its only field, status, at SERVING."""


class Organiser:
    """The handlers of these pages. Everything in them is read with the organiser's own token."""

    def __init__(self, sign_in: SignIn) -> None:
        self._sign_in = sign_in

    def open(self, site: Site, reads: ArenaReads) -> None:
        """Begin to answer."""
        self._site = site
        self._health: Any = reads.channel.unary_unary("/grpc.health.v1.Health/Check")

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/organiser", self._overview),
            Route("/organiser/users", self._users),
            Route("/organiser/queue/{id}", self._queue),
            Route("/organiser/faults", self._faults),
            Route("/organiser/audit", self._audit),
            Route("/organiser/audit/{number}", self._entry),
        ]

    async def _answer(self, request: Request, template: str, read: Any) -> Response:
        """Return a page with what `read` returns of it."""
        with self._sign_in.signed_in(request) as (session, reads):
            if not session.organises:
                raise PageError(403, "These pages are for organisers.")
            html = await self._site.render(
                template, Links(request.scope["path"].strip("/")), session=session, **await read(reads)
            )
            return await self._sign_in.answer(request, html, session)

    async def _overview(self, request: Request) -> Response:
        async def read(reads: OwnReads) -> dict[str, Any]:
            ladders = await reads.rows(reads.ladders.ListLadders, ladder_pb2.ListLaddersRequest(), EVENTS)
            wanted = tournament_pb2.ListTournamentsRequest()
            tournaments = await reads.rows(reads.tournaments.ListTournaments, wanted, EVENTS)
            finished = tournament_pb2.Tournament.STATE_FINISHED
            entries = await reads.rows(
                reads.audit.ListAuditEntries, audit_pb2.ListAuditEntriesRequest(), EACH_FAULT
            )
            return {
                "serving": await self._is_serving(),
                "ladders": ladders.ladders,
                "tournaments": [each for each in tournaments.tournaments if each.state != finished],
                "running": sum(each.running_matches for each in (*ladders.ladders, *tournaments.tournaments)),
                "left": [each for each in await _void(reads) if each.left_to_organiser],
                "entries": entries.entries,
            }

        return await self._answer(request, "organiser", read)

    async def _users(self, request: Request) -> Response:
        token = request.query_params.get("page", "")

        async def read(reads: OwnReads) -> dict[str, Any]:
            wanted = user_pb2.ListUserProgressRequest(page_token=token)
            listing = await reads.rows(reads.users.ListUserProgress, wanted, USERS)
            return {"progress": listing.progress, "next_page": listing.next_page_token}

        return await self._answer(request, "organiser_users", read)

    async def _is_serving(self) -> bool:
        try:
            return bool(await self._health(b"", timeout=HEALTH_SECONDS) == _SERVING)
        except grpc.aio.AioRpcError:
            return False

    async def _queue(self, request: Request) -> Response:
        name = f"ladders/{resource_id(request)}"

        async def read(reads: OwnReads) -> dict[str, Any]:
            ladder = await reads.get(reads.ladders.GetLadder, ladder_pb2.GetLadderRequest(name=name))
            queue = await reads.get(reads.ladders.ListQueue, ladder_pb2.ListQueueRequest(name=name))
            return {"ladder": ladder.ladder, "places": queue.places[:QUEUE], "all_places": len(queue.places)}

        return await self._answer(request, "organiser_queue", read)

    async def _faults(self, request: Request) -> Response:
        token = request.query_params.get("page", "")

        async def read(reads: OwnReads) -> dict[str, Any]:
            aborted = match_pb2.ListMatchesRequest(state=match_pb2.MATCH_STATE_ABORTED, page_token=token)
            void = await reads.rows(reads.matches.ListMatches, aborted, ROWS)
            counts = await reads.get(reads.audit.ListVoidCounts, audit_pb2.ListVoidCountsRequest())
            return {
                "void": void.matches,
                "next_page": void.next_page_token,
                "counts": counts.counts,
                "forfeits": await _forfeits(reads),
                "looked_at": LOOKED_AT,
                "entries": [entry for kind in FAULTS for entry in await _entries(reads, kind)],
            }

        return await self._answer(request, "organiser_faults", read)

    async def _audit(self, request: Request) -> Response:
        given = request.query_params
        filters = {name: given.get(name, "").strip()[:80] for name in ("kind", "user", "about")}
        if filters["kind"] and filters["kind"] not in KINDS:
            raise PageError(400, f"Unknown kind: use {', '.join(KINDS)}.")

        async def read(reads: OwnReads) -> dict[str, Any]:
            wanted = audit_pb2.ListAuditEntriesRequest(
                page_token=given.get("page", ""),
                about=filters["about"],
                user=f"users/{filters['user']}" if filters["user"] else "",
            )
            if filters["kind"]:
                wanted.kind = audit_pb2.AuditKind.Value(
                    f"AUDIT_KIND_{filters['kind'].upper().replace('-', '_')}"
                )
            listing = await reads.rows(reads.audit.ListAuditEntries, wanted, ROWS)
            return {
                "entries": listing.entries,
                "next_page": listing.next_page_token,
                "filters": filters,
                "kinds": KINDS,
            }

        return await self._answer(request, "organiser_audit", read)

    async def _entry(self, request: Request) -> Response:
        number = str(request.path_params["number"])
        if not number.isdecimal() or len(number) > 12:
            raise PageError(404, "Entries have numbers.")

        async def read(reads: OwnReads) -> dict[str, Any]:
            wanted = audit_pb2.GetAuditEntryRequest(name=f"auditEntries/{int(number)}")
            return {"entry": (await reads.get(reads.audit.GetAuditEntry, wanted)).entry}

        return await self._answer(request, "organiser_entry", read)


async def _void(reads: OwnReads) -> Any:
    """Return the newest matches that were void by a fault of the arena."""
    wanted = match_pb2.ListMatchesRequest(state=match_pb2.MATCH_STATE_ABORTED)
    return (await reads.rows(reads.matches.ListMatches, wanted, ROWS)).matches


async def _forfeits(reads: OwnReads) -> list[tuple[match_pb2.Match, int, match_pb2.MatchSeat]]:
    """Return the seats that forfeited in the newest matches: match, number of the seat, seat."""
    wanted = match_pb2.ListMatchesRequest(state=match_pb2.MATCH_STATE_FINISHED)
    newest = (await reads.rows(reads.matches.ListMatches, wanted, LOOKED_AT)).matches
    found = [
        (match, number, seat)
        for match in newest
        for number, seat in enumerate(match.seats)
        if seat.ending.termination > ending_pb2.TERMINATION_NORMAL
    ]
    return found[:ROWS]


async def _entries(reads: OwnReads, kind: Any) -> Any:
    wanted = audit_pb2.ListAuditEntriesRequest(kind=kind)
    return (await reads.rows(reads.audit.ListAuditEntries, wanted, EACH_FAULT)).entries
