"""What a person who is signed in sees on pages that everybody may see: of their bots, and the debug lines of these."""

from collections.abc import Iterator
from typing import Final

from arena.pages.account import owner_of
from arena.pages.links import Links
from arena.pages.own_reads import OwnReads, SignedOutError
from arena.pages.reads import PageError
from arena.pages.sessions import Session
from arena.pages.templates import render
from arena.v1 import bot_pb2, match_pb2, tournament_pb2
from arena.viewer.debug_lines import MOST_LINES, SeatLine
from arena.wire.wording import enum_word

TOURNAMENTS: Final = 100
"""The newest so many are searched for the gates of a bot."""

LINES: Final = 100
"""Debug lines on the page of a match; the replay shows all."""


async def own_part_of_bot(reads: OwnReads, session: Session, bot_id: str) -> str:
    """Return what the person can do with a bot: manage it if it is theirs, else challenge it."""
    if not session.owns_bots:
        return ""
    try:
        bot = (await reads.get(reads.bots.GetBot, bot_pb2.GetBotRequest(name=f"bots/{bot_id}"))).bot
        own = bot.owner == await owner_of(reads)
        gates = await _gates_of(reads, bot.name) if own else []
    except SignedOutError:
        raise
    except PageError as error:
        return render("own_trouble", Links(""), error=error)
    return render("own_bot", Links(""), bot=bot, own=own, gates=gates)


async def _gates_of(reads: OwnReads, bot: str) -> list[str]:
    """Return the names of the gates of a bot among the newest tournaments, newest first."""
    listing = await reads.rows(
        reads.tournaments.ListTournaments, tournament_pb2.ListTournamentsRequest(), TOURNAMENTS
    )
    return [each.name for each in listing.tournaments if each.gate.bot == bot]


async def own_part_of_match(
    reads: OwnReads, session: Session, number: str, token: str, *, has_replay: bool
) -> str:
    """Return the debug lines of the person's bots in a match, from the page token on; empty if they have none in it."""
    if not session.owns_bots:
        return ""
    request = match_pb2.ListDebugLinesRequest(name=f"matches/{number}", page_token=token)
    try:
        found = await reads.rows(reads.matches.ListDebugLines, request, LINES)
    except SignedOutError:
        raise
    except PageError as error:
        return "" if error.status == 403 else render("own_trouble", Links(""), error=error)
    return render(
        "own_match",
        Links(""),
        number=number,
        lines=list(_lines(found)),
        next_page=found.next_page_token,
        this_page=token,
        has_replay=has_replay,
    )


async def own_debug_lines(reads: OwnReads, session: Session, number: str) -> list[SeatLine]:
    """Return the debug lines of the person's bots in a match; none if they have no bot in it, or may not read them."""
    if not session.owns_bots:
        return []
    request = match_pb2.ListDebugLinesRequest(name=f"matches/{number}")
    try:
        return list(_lines(await reads.rows(reads.matches.ListDebugLines, request, MOST_LINES)))
    except SignedOutError:
        raise
    except PageError:
        return []


def _lines(found: match_pb2.ListDebugLinesResponse) -> Iterator[SeatLine]:
    for line in found.lines:
        source = enum_word(match_pb2.DebugLine.Source, line.source) if line.source else "message"
        yield SeatLine(line.seat, line.decision, source, line.text)
