"""Deadlines of ladders: from then on the bots of a ladder, and the versions that play, stay as they are."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from arena.core.errors import ErrorReason, FailedPreconditionError, UnavailableError
from arena.core.units import US_PER_S
from arena.core.versions import shown_version
from arena.server.auth.permissions import Caller
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.database import Database
from arena.store.ladders.ladders import LadderRow
from arena.store.store import Transaction
from arena.wire.resource_names import bot_name, ladder_name

_WAIT_US: Final = 3_600 * US_PER_S
"""How long the record waits for submissions from before the deadline."""

_LOOK_S: Final = 20.0
"""Seconds between two looks for deadlines that have passed; what is refused does not wait for them."""


def check_version_open(tx: Transaction, bot: str, caller: Caller, now_us: int) -> None:
    """Raise FailedPreconditionError (DEADLINE_PASSED) if the version of a bot must stay as it is.

    Organisers may change it; the audit trail has what they do.
    """
    ladder = None if caller.is_organiser else tx.ladders.closed_for(bot, now_us)
    if ladder is not None:
        raise deadline_passed(ladder, bot)


def check_entry_open(tx: Transaction, ladder: LadderRow, bot: str, caller: Caller, now_us: int) -> None:
    """Raise FailedPreconditionError (DEADLINE_PASSED) if a bot must not enter the ladder any more."""
    if caller.is_organiser or ladder.deadline_us is None or now_us < ladder.deadline_us:
        return
    entry = tx.entries.find(ladder.id, bot)
    if entry is None or not entry.active:
        raise FailedPreconditionError(
            ErrorReason.DEADLINE_PASSED,
            f"The deadline of the ladder {ladder.id} has passed, so its bots stay as they are. Ask an organiser to "
            f"enter {bot}.",
            ladder=ladder_name(ladder.id),
            bot=bot_name(bot),
        )


def deadline_passed(ladder: str, bot: str) -> FailedPreconditionError:
    """Return the error of a change of the version that plays (DEADLINE_PASSED)."""
    return FailedPreconditionError(
        ErrorReason.DEADLINE_PASSED,
        f"{bot} is on the ladder {ladder}, whose deadline has passed: the version of that moment plays on. Ask an "
        f"organiser, or take the bot off the ladder for good (`arena ladder leave {ladder} {bot}`).",
        ladder=ladder_name(ladder),
        bot=bot_name(bot),
    )


def record_deadlines(tx: Transaction, now_us: int) -> int:
    """Record the versions that deadlines have left, once for each deadline; return how many were recorded.

    While submissions from before a deadline are tried, it is left for later, for an hour at most.
    """
    recorded = 0
    for ladder in tx.ladders.deadlines_to_record(now_us):
        bots = sorted(contender.bot for contender in tx.entries.active(ladder.id))
        assert ladder.deadline_us is not None
        waits = now_us < ladder.deadline_us + _WAIT_US
        if waits and any(tx.submissions.on_its_way(bot) for bot in bots):
            continue
        hosted = tx.hosting.of(bots)
        versions = {bot: row.version for bot, row in hosted.items() if row.version is not None}
        remote = len(bots) - len(versions)
        sentence = (
            f"The deadline of the ladder {ladder.id} has passed. Bots that play on with the version of that moment, "
            f"which the arena runs: {len(versions)}; bots that their owners run: {remote}."
        )
        evidence = tuple((bot, shown_version(version)) for bot, version in versions.items())
        about = (ladder_name(ladder.id), *map(bot_name, bots))
        tx.audit.add(AuditEntry(AuditKind.EVENT, now_us, sentence, about, evidence))
        tx.ladders.note_deadline_recorded(ladder.id)
        recorded += 1
    return recorded


class DeadlineRecorder:
    """Records the versions that deadlines leave, soon after these have passed."""

    def __init__(self, database: Database, now_us: Callable[[], int]) -> None:
        """`now_us`: microseconds since 1970 UTC."""
        self._database = database
        self._now_us = now_us

    async def run(self) -> None:
        """Look for deadlines until cancelled; those that passed while the arena was closed are found at once."""
        while True:
            with contextlib.suppress(UnavailableError):  # the storage refuses: the next look finds them
                if await self._database.read(lambda tx: tx.ladders.deadlines_to_record(self._now_us())):
                    await self._database.write(lambda tx: record_deadlines(tx, self._now_us()))
            await asyncio.sleep(_LOOK_S)
