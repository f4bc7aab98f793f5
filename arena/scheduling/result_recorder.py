"""What becomes of a match that has ended: log on disk first, then result in the database, then messages to its bots.

In this order nothing finished is lost or counted twice: a log without a result is adopted at the next start.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

import structlog

from arena.core.endings.arena_faults import DURING_BOT, Facts, VoidCause, facts_of
from arena.core.endings.results import void_result
from arena.core.endings.terminations import Fault
from arena.core.errors import UnavailableError
from arena.core.match import DebugLine, MatchResult, MatchSetup, MatchState
from arena.core.match_record import MatchRecord
from arena.core.pairing.groups import replay_attempt
from arena.core.units import NS_PER_MS
from arena.match_log.checks.check import Status
from arena.match_log.files import LogStorage
from arena.match_log.keys import PublicKey
from arena.match_log.reader import read_log
from arena.match_log.verify import VerificationExit, verify
from arena.match_log.writer import FinishedLog
from arena.scheduling.debug_lines import DebugLines
from arena.scheduling.disk_space import DiskSpace
from arena.scheduling.walkovers import Absent, forfeits, never_began
from arena.scheduling.wall_clock import now_us
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.audit.writer import AuditSink, tell_nobody
from arena.store.database import Database
from arena.store.matches.results import MatchReport, Recorded, ReplacementMatch
from arena.store.store import Transaction
from engine.randomness import commitment


def void_entries(
    match: MatchRecord,
    result: MatchResult,
    replay: int | None,
    *,
    before: Sequence[int],
    details: Facts,
    now_us: int,
) -> Iterator[AuditEntry]:
    """Return the audit entries of a match that was made void.

    `match`: as it was; `replay`: what is played instead, None if it is left to the organiser; `before`: the void
    matches in the same place of the group before it; `details`: for organisers only.
    """
    evidence = arena_evidence(result)
    name = _match(match.id)
    what = "It is left to the organiser." if replay is None else f"It is played again as match {replay}."
    sentence = f"Match {match.id}: {result.void_reason[0].lower()}{result.void_reason[1:]} {what}"
    about = (name, *([] if replay is None else [_match(replay)]), *event_and_bots(match))
    facts = (*evidence, *facts_of(void_before=match.voids), *details)
    yield AuditEntry(AuditKind.MATCH_VOID, now_us, sentence, about, facts)
    if (error_id := dict(facts).get("error_id")) is not None:
        during = dict(facts).get(DURING_BOT)
        where = f"the service log tells more under its id {error_id}"
        sentence = f"An error of the arena made match {match.id} void; {where}."
        about = (name, *([f"bots/{during}"] if during else []))
        facts = (*facts_of(error_id=error_id), *details)
        yield AuditEntry(AuditKind.INTERNAL_ERROR, now_us, sentence, about, facts)
    if replay is None:
        voids = [*before, match.id]
        numbers = ", ".join(map(str, voids))
        sentence = (
            f"Match {match.id} is left to the organiser, void {len(voids)} times now (matches {numbers}): "
            f"`arena match replay {match.id}` plays it again, `arena match void {match.id} --reason TEXT` leaves "
            "it out."
        )
        about = (*map(_match, voids), *event_and_bots(match))
        facts = (*facts_of(voids=len(voids), matches=numbers), *evidence, *details)
        yield AuditEntry(AuditKind.LEFT_TO_ORGANISER, now_us, sentence, about, facts)


def arena_evidence(result: MatchResult) -> Facts:
    """Return what shows the arena's fault: the evidence of any seat that had not forfeited before."""
    for seat in result.seats:
        if seat.ending.fault is Fault.ARENA:
            return seat.ending.evidence
    return ()


def _match(match: int) -> str:
    return f"matches/{match}"


def event_and_bots(match: MatchRecord) -> list[str]:
    """Return what an entry on a match also concerns: its ladder or tournament, and its bots."""
    ladder = [] if match.terms.ladder is None else [f"ladders/{match.terms.ladder}"]
    tournament = [] if match.terms.tournament is None else [f"tournaments/{match.terms.tournament}"]
    return [*ladder, *tournament, *(f"bots/{bot}" for bot in dict.fromkeys(match.bots))]


def replay_of(tx: Transaction, match: MatchRecord) -> ReplacementMatch:
    """Return the match again: on a new seed, unless its group shares one, or a suite gives it."""
    secret = tx.groups.secret_of(match.group)
    assert secret is not None, "the matches of an arena are of a ladder or a tournament"
    same = secret.suite is not None
    attempt = match.seed_attempt if same else replay_attempt(match.seed_attempt, match.seed_policy)
    return ReplacementMatch(attempt, commitment(secret.seed_of(match, attempt)))


MOST_VOIDS: Final = 3
"""After so many void matches in one place of a group it is left to the organiser."""

T = TypeVar("T")

_log = structlog.get_logger(__name__)


TRY_AGAIN_S: Final = 1.0


class StorageRefusals:
    """The matches that wait for the storage, and since when. An outage is logged once, when it is over."""

    def __init__(self, audit: AuditSink = tell_nobody, now: Callable[[], int] = time.monotonic_ns) -> None:
        """`now`: monotonic nanoseconds."""
        self._audit = audit
        self._now = now
        self._waiting: set[int] = set()
        self._matches: dict[int, None] = {}
        self._since = 0
        self._why = ""

    async def until_stored(self, match: int, step: Callable[[], Awaitable[T]]) -> T:
        """Return what the step returns once the storage accepts it; log why a match has to wait."""
        said = ""
        stored = False
        try:
            while True:
                try:
                    done = await step()
                except UnavailableError as error:
                    if error.sentence != said:
                        _log.error("a match cannot be stored yet", match=match, why=error.sentence)
                    said = error.sentence
                    self._refused(match, said)
                    await asyncio.sleep(TRY_AGAIN_S)
                    continue
                stored = True
                return done
        finally:
            if said:
                _log.info("stored after all" if stored else "not stored", match=match)
                self._over(match, stored=stored)

    def _refused(self, match: int, why: str) -> None:
        """Note that the storage has refused something of this match. `why`: a sentence."""
        if not self._waiting:
            self._since, self._why, self._matches = self._now(), why, {}
        self._waiting.add(match)
        self._matches[match] = None

    def _over(self, match: int, *, stored: bool) -> None:
        """Note that the storage has accepted it, or is no longer asked."""
        self._waiting.discard(match)
        if self._waiting:
            return
        length_ns = self._now() - self._since
        then = "took it after" if stored else "had not taken it after"
        self._audit(
            AuditKind.STORAGE,
            f"the storage refused what {len(self._matches)} matches had to store, and {then} "
            f"{length_ns // NS_PER_MS} ms: {self._why.rstrip('.')}",
            about=tuple(f"matches/{each}" for each in self._matches),
            facts=(("matches", str(len(self._matches))),),
            length_ns=length_ns,
        )


class ResultRecorder:
    """Stores the results of matches."""

    def __init__(
        self,
        database: Database,
        logs: LogStorage,
        debug_lines: DebugLines,
        keys: Sequence[PublicKey],
        space: DiskSpace,
        refusals: StorageRefusals | None = None,
    ) -> None:
        """Keep logs in `logs`; `keys`: those that this arena signs with."""
        self._database = database
        self._logs = logs
        self._debug_lines = debug_lines
        self._keys = keys
        self._space = space
        self._until_stored = (refusals or StorageRefusals()).until_stored

    def why_full(self) -> str:
        """Return why no new match may begin for want of room for its result; empty if one may."""
        return self._space.why_full()

    async def settle(
        self,
        setup: MatchSetup,
        result: MatchResult,
        finish: Callable[[], FinishedLog],
        debug_lines: Sequence[Sequence[DebugLine]],
        *,
        details: Facts = (),
    ) -> MatchRecord:
        """Store a match and return it as stored. Retries while the disk or the database refuse.

        `finish`: makes the log, the same one on every call; `details`: of the arena's fault, for organisers only.
        """

        def put_away() -> FinishedLog:
            if any(debug_lines):
                self._debug_lines.write(setup, debug_lines)
            finished = finish()
            self._logs.write(setup.match, finished.data)
            return finished

        finished = await self._until_stored(setup.match, lambda: asyncio.to_thread(put_away))
        report = MatchReport(setup.match, result, setup.seed, finished.name)
        recorded, shown = await self._until_stored(setup.match, lambda: self._record(report, details))
        _log.info(
            "match over",
            match=setup.match,
            state=result.state.name,
            ending=result.ending,
            placings=[seat.placing for seat in result.seats],
            replay=recorded.replay,
        )
        return shown

    def why_untrue(self, log: FinishedLog) -> str:
        """Return why a log that this arena has signed cannot be true: a sentence; empty if it can. Blocks.

        Its match is played again by the rules, and its clocks and result are checked.
        """
        verdict = verify(log.data, keys=self._keys, name=log.name)
        failed = (check.sentence for check in verdict.checks if check.status is Status.FAILED)
        return next(failed, "")

    async def adopt(self, match: MatchRecord) -> bool:
        """Store the result of a complete log that a crash has left. Return False if no log verifies."""
        if not await asyncio.to_thread(self._logs.has, match.id):
            return False
        data = await asyncio.to_thread(self._logs.read, match.id)
        verdict = await asyncio.to_thread(lambda: verify(data, keys=self._keys))
        if verdict.exit_code is VerificationExit.FAILED:
            _log.error("a log without a result does not verify; the match is played again", match=match.id)
            return False
        log = await asyncio.to_thread(read_log, data)
        # The crash may have come before its folder was synced: only what survives a power cut becomes a result.
        await asyncio.to_thread(self._logs.write, match.id, data)
        await self._record(MatchReport(match.id, log.result, log.setup.seed, log.name))
        _log.info("log adopted", match=match.id)
        return True

    async def abandon(self, match: MatchRecord, cause: VoidCause) -> None:
        """Make a match void of which nothing was kept, and have it replayed."""
        result = void_result(len(match.seats), cause)
        await self._record(MatchReport(match.id, result, None, ""), cause.details)

    async def give_up(self, match: int, cause: VoidCause) -> MatchRecord:
        """Make a match void that does not begin, or whose result cannot be stored.

        Retries while the disk or the database refuse.
        """
        row = await self._shown(match)
        await self._until_stored(match, lambda: self.abandon(row, cause))
        return await self._shown(match)

    async def started(self, match: int, versions: Sequence[str]) -> bool:
        """Store that a match is running, with retries. Return False if it had ended before."""
        return await self._until_stored(
            match, lambda: self._database.write(lambda tx: tx.matches.start(match, versions, now_us()))
        )

    async def cancel(self, match: int, absent: Absent) -> None:
        """End a match that cannot be played without a result."""

        def change(tx: Transaction) -> None:
            result = never_began(tx.matches.get(match), absent)
            tx.record_result(MatchReport(match, result, None, ""), now_us=now_us())

        await self._database.write(change)

    async def forfeit_seats(self, match: int, absent: Absent) -> None:
        """Forfeit seats of a match that has not begun: it is decided, or begins without them."""
        await self._database.write(
            lambda tx: tx.matches.forfeit_seats(match, forfeits(tx.matches.get(match), absent))
        )

    async def note_no_shows(self, match: int, seats: Collection[int]) -> None:
        """Store, with retries, that the bots on these seats of an offered match were not ready in time."""
        before = (await self._shown(match)).seats
        counts = {seat: before[seat].no_shows + 1 for seat in seats}
        await self._until_stored(
            match, lambda: self._database.write(lambda tx: tx.matches.set_no_shows(match, counts))
        )

    async def _shown(self, match: int) -> MatchRecord:
        """Return the match as stored."""
        return await self._until_stored(match, lambda: self._database.read(lambda tx: tx.matches.get(match)))

    async def _record(self, report: MatchReport, details: Facts = ()) -> tuple[Recorded, MatchRecord]:
        """Store the report; replay a void match, unless it was void too often. Return the match as stored."""

        def change(tx: Transaction) -> tuple[Recorded, MatchRecord]:
            if report.result.state is MatchState.ABORTED:
                recorded = _record_void(tx, report, details)
            else:
                recorded = tx.record_result(report, now_us=now_us())
            return recorded, tx.matches.get(report.match)

        recorded, shown = await self._database.write(change)
        if recorded.applied and recorded.replay is None and report.result.state is MatchState.ABORTED:
            _log.error("void once too often; left to the organiser", match=report.match)
        return recorded, shown


def _record_void(tx: Transaction, report: MatchReport, details: Facts) -> Recorded:
    """Store a void match, what is played instead and the audit entries: all of it, or nothing."""
    match, at_us = tx.matches.get(report.match), now_us()
    replay = None if match.voids + 1 >= MOST_VOIDS else replay_of(tx, match)
    recorded = tx.record_result(replace(report, replay=replay), now_us=at_us)
    if recorded.applied:
        before = [each.id for each in tx.matches.of_group(match.group) if each.slot == match.slot]
        before = [number for number in before if number < match.id]
        for entry in void_entries(
            match, report.result, recorded.replay, before=before, details=details, now_us=at_us
        ):
            tx.audit.add(entry)
    return recorded
