"""Debug lines of bots, for their owners only."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.core.errors import ErrorReason, FailedPreconditionError, NotFoundError, PermissionDeniedError
from arena.core.match import DebugLine
from arena.core.match_record import MatchRecord
from arena.scheduling.isolation import is_isolated
from arena.server.auth.permissions import Caller
from arena.server.services.service_context import ServiceContext
from arena.store.store import Transaction
from arena.v1 import match_pb2 as pb
from arena.wire.resource_names import bot_name, match_name, parse_bot, parse_match

ReadLines = Callable[[int, int], list[DebugLine]]
"""Returns the stored lines of a match and a seat; blocks."""


@dataclass(frozen=True, slots=True)
class DebugLineReader:
    """Finds the lines that a bot sent in a match, in play or ended."""

    platform: ServiceContext
    stored: ReadLines

    async def page(self, request: pb.ListDebugLinesRequest, caller: Caller) -> pb.ListDebugLinesResponse:
        """Return a page of the lines of the caller's bots in a match, or of the named one.

        Raises:
            NotFoundError: MATCH_NOT_FOUND; BOT_NOT_FOUND, there is no such bot, or it has no seat in the match.
            PermissionDeniedError: NOT_OWNER, the lines are somebody else's; organisers are no exception.
            InvalidArgumentError: FIELD_INVALID, a name; PAGE_TOKEN_INVALID.
            FailedPreconditionError: LOG_SEALED, the bot's next version could use them in the same group.
        """
        pages = self.platform.pages
        wanted = pages.read(request)
        number = parse_match("name", request.name)
        named = parse_bot("bot", request.bot) if request.bot else None

        def question(tx: Transaction) -> tuple[MatchRecord, list[str]]:
            match = tx.matches.get(number)
            own = _own_bots(tx, match, named, caller)
            _check_open(match)
            return match, own

        match, bots = await self.platform.database.read(question)
        lines = await self._lines(match, bots)
        lines = [line for line in lines if wanted.after is None or line[:2] > wanted.after]
        page = pages.cut(wanted, lines[: wanted.fetch], lambda line: line[:2])
        return pb.ListDebugLinesResponse(
            lines=[
                pb.DebugLine(
                    seat=seat,
                    decision=line.decision,
                    text=line.text,
                    source=pb.DebugLine.Source.ValueType(line.source.value),
                )
                for seat, _, line in page.rows
            ],
            next_page_token=page.next_token,
        )

    async def _lines(self, match: MatchRecord, bots: Sequence[str]) -> list[tuple[int, int, DebugLine]]:
        """Return (seat, index in the seat, line) of all seats of these bots, in this order."""
        lines: list[tuple[int, int, DebugLine]] = []
        for seat, holder in enumerate(match.seats):
            if holder.bot in bots:
                said = self.platform.runtime.debug_lines(match.id, seat)
                if said is None:
                    said = await asyncio.to_thread(self.stored, match.id, seat)
                lines += [(seat, place, line) for place, line in enumerate(said)]
        return lines


def _check_open(match: MatchRecord) -> None:
    """Raise FailedPreconditionError (LOG_SEALED) if the lines are still sealed."""
    if is_isolated(match.terms.game, match.seed_policy) and not match.group_complete:
        raise FailedPreconditionError(
            ErrorReason.LOG_SEALED,
            f"The debug lines of match {match.id} are sealed until all matches of its group have ended, because they "
            "have the same hidden draws.",
            match=str(match.id),
        )


def _own_bots(tx: Transaction, match: MatchRecord, named: str | None, caller: Caller) -> list[str]:
    """Return the caller's bots whose lines are asked for. Raises like `DebugLineReader.page`."""
    seated = list(dict.fromkeys(holder.bot for holder in match.seats))
    asked = seated if named is None else [named]
    own = [bot for bot in asked if tx.bots.get(bot).owner == caller.owner]
    if not own:
        raise PermissionDeniedError(
            ErrorReason.NOT_OWNER,
            "Debug lines are for the owner of their bot alone, and not for organisers; use its owner's token.",
            resource=match_name(match.id) if named is None else bot_name(named),
        )
    if own[0] not in seated:
        raise NotFoundError(
            ErrorReason.BOT_NOT_FOUND, f"The bot {own[0]} has no seat in match {match.id}.", bot=own[0]
        )
    return own
