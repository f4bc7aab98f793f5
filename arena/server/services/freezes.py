"""Freezes of standings: everybody but organisers sees the standings of that moment, until ranks are revealed.

What is closed is what counts later: the matches of match groups that were not complete at the freeze, and of those that
were made since, and all that follows from them (docs/class.md).
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final
from weakref import WeakSet

from arena.core.errors import ErrorReason, FailedPreconditionError, UnavailableError
from arena.core.match import MatchState
from arena.core.match_record import MatchRecord
from arena.core.rating.rating import INITIAL
from arena.core.tournaments import NO_RANK
from arena.core.units import US_PER_S
from arena.runner.change_signal import ChangeSignal
from arena.server.auth.permissions import Caller
from arena.server.services.paging import ListRequest, Pages
from arena.server.services.standings import standing_message, whole_standings
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.database import Database
from arena.store.ladders.entries import EntryRow
from arena.store.ladders.frozen_standings import FrozenLine
from arena.store.ladders.ladders import LadderRow, LadderState
from arena.store.store import Transaction
from arena.v1 import ladder_pb2 as pb
from arena.wire.game_catalogue import GameCatalogue
from arena.wire.resource_names import bot_name, ladder_name

_LOOK_S: Final = 20.0
"""The longest time between two looks for freezes that are due; the next known one is looked for when it is due."""


def check_not_frozen(ladder: LadderRow, caller: Caller) -> None:
    """Raise FailedPreconditionError (STANDINGS_FROZEN) if its standings are, and the caller is no organiser."""
    if ladder.frozen and not caller.is_organiser:
        raise frozen(ladder.id)


def check_all_revealed(ladder: LadderRow) -> None:
    """Raise FailedPreconditionError (STANDINGS_FROZEN) if its standings are frozen: what follows would show them."""
    if ladder.frozen:
        raise FailedPreconditionError(
            ErrorReason.STANDINGS_FROZEN,
            f"The standings of the ladder {ladder.id} are frozen, and this would show them. It is possible when all "
            f"ranks are revealed (`arena ladder reveal {ladder.id}`).",
            ladder=ladder_name(ladder.id),
        )


def check_not_frozen_yet(ladder: LadderRow) -> None:
    """Raise FailedPreconditionError (LADDER_STATE) if its standings are frozen."""
    if ladder.frozen:
        raise _refused(
            ladder,
            f"The standings of the ladder {ladder.id} are frozen already. `arena ladder reveal {ladder.id} --all` ends "
            "that.",
        )


def check_is_frozen(ladder: LadderRow) -> None:
    """Raise FailedPreconditionError (LADDER_STATE) unless its standings are frozen."""
    if not ladder.frozen:
        raise _refused(
            ladder,
            f"The standings of the ladder {ladder.id} are not frozen, so there is nothing to reveal. "
            f"`arena ladder freeze {ladder.id} now` freezes them.",
        )


def check_not_revealing(ladder: LadderRow) -> None:
    """Raise FailedPreconditionError (LADDER_STATE) while some ranks are revealed, and others not."""
    if ladder.revealing:
        raise _refused(
            ladder,
            f"The ranks of the ladder {ladder.id} are being revealed, and matches would change them. Reveal the others "
            f"first (`arena ladder reveal {ladder.id}`).",
        )


def _refused(ladder: LadderRow, sentence: str) -> FailedPreconditionError:
    return FailedPreconditionError(ErrorReason.LADDER_STATE, sentence, ladder=ladder_name(ladder.id))


def check_match_shown(match: MatchRecord, caller: Caller) -> None:
    """Raise FailedPreconditionError (STANDINGS_FROZEN) if the match is for organisers, and the caller is none."""
    if match.frozen and not caller.is_organiser:
        raise frozen(match.terms.ladder or "")


def frozen(ladder: str) -> FailedPreconditionError:
    """Return the error of what would show, or change, what was counted since the freeze (STANDINGS_FROZEN)."""
    return FailedPreconditionError(
        ErrorReason.STANDINGS_FROZEN,
        f"The standings of the ladder {ladder} are frozen: only organisers see what was played since then, until they "
        "reveal the ranks.",
        ladder=ladder_name(ladder),
    )


def freeze(tx: Transaction, ladder: LadderRow, catalogue: GameCatalogue, now_us: int) -> None:
    """Freeze the standings of a ladder as they are in this transaction."""
    lines = whole_standings(tx, ladder, catalogue)
    for line in lines:
        line.frozen = True
    stored = (_stored(line, place) for place, line in enumerate(lines))
    tx.frozen_standings.freeze(ladder.id, stored, now_us)


def freeze_when_due(tx: Transaction, catalogue: GameCatalogue, now_us: int) -> int | None:
    """Freeze the standings whose time has come, and record it; return when the next ones will, None: none."""
    for ladder in tx.ladders.to_freeze():
        assert ladder.freeze_us is not None
        if ladder.freeze_us > now_us:
            return ladder.freeze_us
        freeze(tx, ladder, catalogue, ladder.freeze_us)
        sentence = f"The standings of the ladder {ladder.id} froze at the time that was set."
        tx.audit.add(AuditEntry(AuditKind.EVENT, now_us, sentence, (ladder_name(ladder.id),)))
    return None


def reveal(
    tx: Transaction, ladder: LadderRow, catalogue: GameCatalogue, ranks: int
) -> tuple[list[pb.Standing], int]:
    """Reveal so many ranks, the last ones first; return the lines that were, best first, and the ranks left.

    The final lines are fixed with the first ranks. Lines without a rank are revealed with these. When no rank is left,
    the freeze ends.

    Raises FailedPreconditionError (LADDER_STATE): the ladder is in play.
    """
    _check_at_rest(tx, ladder)
    if not ladder.revealing:
        final = (_stored(line, at) for at, line in enumerate(whole_standings(tx, ladder, catalogue)))
        tx.frozen_standings.fix(ladder.id, final, lambda bot: _new_line(bot, ladder).SerializeToString())
    hidden = tx.frozen_standings.hidden(ladder.id)
    left = sorted({line.rank for line in hidden if line.rank != NO_RANK})
    now = {NO_RANK, *left[-ranks:]}
    fresh = [line for line in hidden if line.rank in now]
    if len(left) <= ranks:
        tx.frozen_standings.end(ladder)
    else:
        tx.frozen_standings.reveal(ladder.id, [line.bot for line in fresh])
    return [pb.Standing.FromString(line.line) for line in fresh], max(0, len(left) - ranks)


def frozen_page(
    tx: Transaction, ladder: LadderRow, pages: Pages, request: ListRequest
) -> pb.ListStandingsResponse:
    """Return a page of frozen standings: the lines of the freeze, then those that were revealed since."""
    wanted = pages.read(request, "frozen")
    after = None if wanted.after is None else (bool(wanted.after[0]), int(wanted.after[1]))
    rows = tx.frozen_standings.page(ladder.id, after=after, limit=wanted.fetch)
    page = pages.cut(wanted, rows, lambda row: (row.revealed, row.place))
    lines = [pb.Standing.FromString(row.line) for row in page.rows]
    return pb.ListStandingsResponse(standings=lines, next_page_token=page.next_token)


def frozen_bot_standing(tx: Transaction, ladder: LadderRow, entry: EntryRow) -> pb.BotStanding:
    """Return the standing of a bot on a ladder whose standings are frozen; a hidden bot has no rank."""
    row = tx.frozen_standings.find(ladder.id, entry.bot)
    line = _new_line(entry.bot, ladder) if row is None else pb.Standing.FromString(row.line)
    if tx.bots.get(entry.bot).hidden:
        line.rank = NO_RANK
    return standing_message(tx, ladder, entry, line, tx.frozen_standings.count_ranked(ladder.id))


def _new_line(bot: str, ladder: LadderRow) -> pb.Standing:
    """Return the line of a bot that joined after the freeze: it has not played."""
    line = pb.Standing(bot=bot_name(bot), frozen=True)
    if ladder.solo:
        line.solo.SetInParent()
    else:
        line.rating_milli, line.uncertainty_milli = INITIAL.rating_milli, INITIAL.uncertainty_milli
    return line


def _check_at_rest(tx: Transaction, ladder: LadderRow) -> None:
    """Raise FailedPreconditionError (LADDER_STATE) if a match is played, or may begin."""
    running, waiting = (
        tx.ladders.count_matches(ladder.id, each) for each in (MatchState.RUNNING, MatchState.PENDING)
    )
    is_running = ladder.state is LadderState.RUNNING
    pause = f"Pause it (`arena ladder pause {ladder.id}`) and wait" if is_running else "It is paused: wait"
    if is_running or running or waiting:
        raise _refused(
            ladder,
            f"The ladder {ladder.id} is in play ({running} matches running, {waiting} waiting), so its ranks may still "
            f"change. {pause} until its matches have ended, or reveal all at once (`arena ladder reveal {ladder.id} "
            "--all`).",
        )


def _stored(line: pb.Standing, place: int) -> FrozenLine:
    return FrozenLine(line.bot.removeprefix("bots/"), place, line.rank, line.SerializeToString())


class Freezes:
    """Freezes standings when their time has come, and knows which ones are frozen."""

    def __init__(self, database: Database, catalogue: GameCatalogue, now_us: Callable[[], int]) -> None:
        """`now_us`: microseconds since 1970 UTC."""
        self._database = database
        self._catalogue = catalogue
        self._now_us = now_us
        self._ladders: frozenset[str] = frozenset()
        self._changed = ChangeSignal()
        self._woken: WeakSet[ChangeSignal] = WeakSet()

    def includes(self, ladder: str | None) -> bool:
        """Return whether the standings of a ladder are frozen; None is no ladder."""
        return ladder in self._ladders

    def wake(self, waiting: ChangeSignal) -> None:
        """Notify the signal, as long as it is in use, whenever standings are frozen or revealed."""
        self._woken.add(waiting)

    async def look(self) -> int | None:
        """Freeze what is due; return when the next standings freeze, in microseconds since 1970 UTC; None: never.

        Raises UnavailableError (STORAGE).
        """
        next_us = await self._database.read(_next_us)
        if next_us is not None and next_us <= self._now_us():
            next_us = await self._database.write(
                lambda tx: freeze_when_due(tx, self._catalogue, self._now_us())
            )
        await self._load()
        return next_us

    async def changed(self) -> None:
        """Take note that standings were frozen or revealed, or that a time was set.

        Raises UnavailableError (STORAGE).
        """
        await self._load()
        self._changed.notify()

    async def _load(self) -> None:
        before, self._ladders = self._ladders, await self._database.read(lambda tx: tx.ladders.frozen())
        if self._ladders != before:
            for waiting in tuple(self._woken):
                waiting.notify()

    async def run(self) -> None:
        """Look whenever standings freeze, until cancelled."""
        while True:
            notified, next_us = self._changed.notified, None
            with contextlib.suppress(UnavailableError):  # the storage refuses: the next look finds them
                next_us = await self.look()
            wait_s = _LOOK_S if next_us is None else min(_LOOK_S, (next_us - self._now_us()) / US_PER_S)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.after(notified), max(0.0, wait_s))


def _next_us(tx: Transaction) -> int | None:
    """Return when the next standings freeze; None: never."""
    return next((ladder.freeze_us for ladder in tx.ladders.to_freeze()), None)
