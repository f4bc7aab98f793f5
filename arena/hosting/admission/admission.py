"""From an archive to a version: unpacked, built, tried, admitted; several submissions at once, owners in turn.

What is known of a submission is in the database, its archive in the uploads. So after a crash it is begun again
from its archive, and nothing that was half done counts.
"""

import asyncio
import platform
import shlex
import shutil
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

import structlog

from arena.core.endings.arena_faults import facts_of
from arena.core.errors import (
    ArenaError,
    ErrorReason,
    FailedPreconditionError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnavailableError,
)
from arena.core.units import US_PER_S
from arena.hosting.admission.trials import Trials
from arena.hosting.admission.uploads import Uploads
from arena.hosting.process_specs import LARGEST_BUILT, build_run
from arena.runner.change_signal import ChangeSignal
from arena.sandbox.exit_status import ExitReason, ExitStatus
from arena.sandbox.process_spec import SandboxError
from arena.sandbox.runtime_registry import RuntimeRegistry
from arena.sandbox.runtime_versions import RuntimeVersion
from arena.sandbox.sandbox import Sandbox
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.bots.bots import BotVersionRow, VersionOrigin
from arena.store.bots.submissions import Rejection, SubmissionRow, SubmissionState, TrialRow
from arena.store.database import Database
from arena.store.json_columns import VersionProgram
from arena.store.repository import from_row
from arena.store.store import Transaction
from arena.store.webhooks.notifications import admitted_data, rejected_data
from arena.store.webhooks.outbox import NotificationType
from arena.submissions.content import Content
from arena.submissions.executables import TargetMachine, check_executable
from arena.submissions.limits import DEFAULT_BOUNDS
from arena.submissions.manifest import STANDARD, Grant, Manifest, check_games, check_limits, check_runtime
from arena.submissions.unpacking import unpack
from arena.submissions.version_folders import VersionFolders

ABANDONED_S: Final = 3600.0
"""An upload of which nothing has come for so long is given up."""

_LOOK_S: Final = 60.0
"""Between two looks for abandoned uploads."""

_LOOK_FOR_PLACES_S: Final = 1.0

_RETRY_S: Final = 30.0
_MOST_NAMED: Final = 10
"""Bots with the same content that an audit entry names."""
_TRIES: Final = 3
"""So often a submission is begun that the arena itself fails to get through."""

ROOM_BYTES: Final = LARGEST_BUILT + 2 * DEFAULT_BOUNDS.unpacked_bytes
"""What work on a submission takes of the disk at most: what was submitted, what a build makes of it, what is kept."""


_log = structlog.get_logger(__name__)


CheckSpace = Callable[[Transaction, str, int], None]
"""Raises ArenaError (QUOTA_EXCEEDED) if the versions of an owner may not take so many bytes."""


FindVersions = Callable[[], Awaitable[Sequence[RuntimeVersion]]]
"""Tries all runtimes."""


class BuildRunner:
    """Runs build commands."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    async def build(self, folder: Path, program: VersionProgram) -> Rejection | None:
        """Run the build command in the folder, a copy for it alone. Return why it failed, if it did.

        Raises SandboxError: it could not be started, or what it left cannot be looked at.
        """
        running = await self._sandbox.start(*build_run(program, folder))
        try:
            ending = await running.wait()
        finally:
            await running.stop(0)  # without effect unless this is called off
        if ending.reason is ExitReason.LOST:
            raise SandboxError(ending.sentence)  # no fault of what was submitted: it is built again
        return _rejection(program, ending)


def _rejection(program: VersionProgram, ending: ExitStatus) -> Rejection | None:
    why = ending.sentence.removeprefix("The bot's program ").removesuffix(".")
    if ending.reason is ExitReason.EXITED:
        if ending.code == 0:
            return None
        why = f"ended with exit code {ending.code}"
    elif ending.reason is ExitReason.WALL:
        why = f"took longer than the {program.build_seconds} s of limits.build_seconds"
    sentence = f"The build command `{shlex.join(program.build)}` {why}."
    advice = "It runs without network in a fresh folder: try it so."
    return Rejection(ErrorReason.BUILD_FAILED, f"{sentence} {advice}", ending.tail)


@dataclass(frozen=True, slots=True)
class AdmissionTools:
    """What submissions are worked on with."""

    folders: VersionFolders
    builds: BuildRunner
    tries: Trials
    games: Collection[str]
    """The ids of those that there are here."""
    runtimes: RuntimeRegistry
    find_versions: FindVersions
    why_not: str = ""
    """Why submitted bots are not run here, and what to do; empty if they are."""
    places: Callable[[], int] = lambda: 1
    """How many submissions may be worked on at once now; one is worked on in any case."""
    granted: Grant = STANDARD
    """The most that a program gets here."""

    def check_runnable(self, manifest: Manifest) -> None:
        """Check that such programs can run here.

        Raises:
            InvalidArgumentError: there is no such runtime here, or it asks for more than a program gets
                (MANIFEST_INVALID).
            FailedPreconditionError: it does not work on this machine (RUNTIME_UNAVAILABLE).
        """
        check_runtime(manifest, self.runtimes.all)
        check_limits(manifest, self.granted)
        if why := self.runtimes.why_unavailable(manifest.runtime):
            sentence = (
                f"{why[:1].upper()}{why[1:]}. Ask its organiser, or submit the bot for another runtime."
            )
            raise FailedPreconditionError(ErrorReason.RUNTIME_UNAVAILABLE, sentence, runtime=manifest.runtime)

    def check_program(self, folder: Path, program: VersionProgram) -> None:
        """Check that this machine can run the file that the command starts. Blocks.

        Raises InvalidArgumentError: it cannot (EXECUTABLE_INVALID).
        """
        target = TargetMachine(platform.machine(), partial(self.runtimes.shows, program.runtime))
        check_executable(folder, program.command, program.runtime, target)


class FairQueue:
    """Waiting submissions, the oldest of each owner first; owners take turns, so that none waits for all of another."""

    def __init__(self) -> None:
        self._of: dict[str, deque[SubmissionRow]] = {}
        """By owner, the next one first."""
        self._anybody = asyncio.Event()

    def put(self, submission: SubmissionRow) -> None:
        """Add an item behind those of its owner; an owner without items goes behind all others."""
        self._of.setdefault(submission.owner, deque()).append(submission)
        self._anybody.set()

    async def wait(self) -> None:
        """Return as soon as there is an item."""
        await self._anybody.wait()

    async def take(self) -> SubmissionRow:
        """Wait for the next item and return it. Its owner goes behind the others."""
        await self.wait()
        owner, waiting = next(iter(self._of.items()))
        del self._of[owner]
        submission = waiting.popleft()
        if waiting:
            self._of[owner] = waiting
        if not self._of:
            self._anybody.clear()
        return submission


class Admission:
    """Works on submissions whose archives are complete; they are begun in the order of `FairQueue`.

    A bot has one submission on its way at most, so those of one bot end in the order in which they came.
    """

    def __init__(
        self,
        database: Database,
        uploads: Uploads,
        tools: AdmissionTools,
        *,
        now_us: Callable[[], int],
        admitted: Callable[[], None],
        check_space: CheckSpace = lambda _tx, _owner, _size: None,
    ) -> None:
        """`admitted`: called when there is a new version. `recover` comes first, then `run`."""
        self._places = tools.places
        self.at_work = 0
        """Submissions that are worked on."""
        self._one_ended = asyncio.Event()
        self._content: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By hash: held while a submission with this content is proved or stored."""
        self._check_space = check_space
        self.uploads = uploads
        self.change_signal = ChangeSignal()
        """Notified when any submission has changed."""
        self._database = database
        self._tools = tools
        self._folders = tools.folders
        self._now_us = now_us
        self._admitted = admitted
        self._waiting = FairQueue()
        self._runtimes: asyncio.Future[Sequence[RuntimeVersion]] | None = None

    async def runtimes(self) -> Sequence[RuntimeVersion]:
        """Return all runtimes, tried once while the arena runs."""
        if self._runtimes is None or (self._runtimes.done() and self._runtimes.exception() is not None):
            self._runtimes = asyncio.ensure_future(self._tools.find_versions())
        return await asyncio.shield(self._runtimes)

    def check_usable(self) -> None:
        """Raise FailedPreconditionError (SANDBOX_WEAK) where no submitted bots are run."""
        if self._tools.why_not:
            raise FailedPreconditionError(ErrorReason.SANDBOX_WEAK, self._tools.why_not)

    def has(self, version: str) -> bool:
        """Return whether the files of a version are there; the operator may have lost them."""
        return self._folders.source(version).is_dir()

    def take(self, submission: SubmissionRow) -> None:
        """Queue a submission whose archive is complete."""
        self._waiting.put(submission)
        self.change_signal.notify()

    async def recover(self) -> None:
        """Queue unfinished submissions of an earlier arena again, and remove waste. Call before anything else."""
        unfinished, hashes = await self._database.read(
            lambda tx: (tx.submissions.unfinished(), tx.bots.submitted_hashes())
        )
        await asyncio.to_thread(self.uploads.keep_only, [row.number for row in unfinished])
        await asyncio.to_thread(self._folders.sweep)
        await asyncio.to_thread(self._folders.collect, hashes)
        for row in unfinished:
            if row.state is SubmissionState.UPLOADING:
                continue
            if self.uploads.received(row.number) < row.archive_bytes:
                await self.reject(
                    row, ABANDONED
                )  # the folder was restored from a backup, which holds no uploads
                continue
            await self._advance(row, SubmissionState.WAITING)
            self.take(row)

    async def run(self) -> None:
        """Work for ever. Where no submitted bots are run, submissions wait: the next start may run them."""
        async with asyncio.TaskGroup() as group:
            if not self._tools.why_not:
                group.create_task(self._work(group))
            group.create_task(self._give_up_abandoned())

    async def _work(self, group: asyncio.TaskGroup) -> None:
        """Begin submissions as long as there are places for them."""
        while True:
            await self._waiting.wait()
            while self.at_work and self.at_work >= self._places():
                self._one_ended.clear()
                with suppress(TimeoutError):
                    # Matches that end make places, too, and do not tell.
                    await asyncio.wait_for(self._one_ended.wait(), _LOOK_FOR_PLACES_S)
            self.at_work += 1
            group.create_task(self._process(await self._waiting.take()))

    async def _process(self, submission: SubmissionRow) -> None:
        try:
            if why := self.uploads.why_full():
                _log.warning("a submission waits", submission=submission.number, why=why)
            # A build must not fill the room that is kept for the results of matches.
            while self.uploads.why_full():  # noqa: ASYNC110 - a disk does not tell when it has room
                await asyncio.sleep(_RETRY_S)
            for attempt in count(1):
                try:
                    await self._finish(submission, is_last=attempt >= _TRIES)
                    break
                except (SandboxError, OSError, UnavailableError) as error:
                    _log.warning("a submission waits", submission=submission.number, why=str(error))
                    await asyncio.sleep(_RETRY_S)
        finally:
            self.at_work -= 1
            self._one_ended.set()

    async def _finish(self, submission: SubmissionRow, *, is_last: bool) -> None:
        """Bring the submission to its end. `is_last`: it is not begun again if the arena fails.

        Raises:
            SandboxError: the arena fails, and it is to be begun again.
            OSError: likewise.
            UnavailableError: likewise; or what became of it cannot be stored.
        """
        try:
            if (rejection := await self._admit(submission)) is not None:
                await self.reject(submission, rejection)
        except (SandboxError, OSError, UnavailableError) as error:
            if not is_last:
                raise
            await self._fail(submission, error)
        except ArenaError as error:
            await self.reject(submission, Rejection(error.reason, error.sentence))
        # The root of the work: whatever it is, the submissions behind this one continue.
        except Exception as error:  # noqa: BLE001
            await self._fail(submission, error)

    async def _fail(self, submission: SubmissionRow, error: Exception) -> None:
        _log.error("a submission failed", submission=submission.number, bot=submission.bot, exc_info=error)
        sentence = (
            "The arena failed while it worked on this; its operator finds out why in the service log, under "
            f"submission {submission.number}. Submit it again later."
        )
        await self.reject(submission, Rejection(ErrorReason.INTERNAL, sentence))

    async def reject(self, submission: SubmissionRow, rejection: Rejection) -> None:
        """End the submission without a version, and delete its bytes. Raises UnavailableError (STORAGE)."""
        number, bot, reason, now_us = submission.number, submission.bot, rejection.reason, self._now_us()
        kind, why = AuditKind.VERSION, f"`arena bot submissions {bot} {number}` says why"
        if reason is ErrorReason.INTERNAL:
            kind = AuditKind.INTERNAL_ERROR
            why = f"the arena failed, and its service log tells more under submission {number}"
        sentence = f"Submission {number} of {bot} is rejected ({reason.value}): {why}."
        facts = facts_of(
            reason=reason.value, submission=number
        )  # nothing that a bot has written is among them

        # First, so that after a crash, or if it cannot be stored, the reason is found again and is not a lost archive.
        def change(tx: Transaction) -> None:
            tx.submissions.reject(number, rejection, now_us)
            tx.audit.add(AuditEntry(kind, now_us, sentence, (f"bots/{bot}", _name(submission)), facts))
            data = rejected_data(bot, number, reason.value)
            tx.outbox.put(NotificationType.VERSION_REJECTED, data, now_us)

        await self._database.write(change)
        await self.uploads.remove(number)
        _log.info("submission rejected", submission=number, bot=bot, reason=reason.value)
        self.change_signal.notify()

    async def _admit(self, submission: SubmissionRow) -> Rejection | None:
        """Return why it is rejected; raise ArenaError for that too, and anything else if the arena fails."""
        if submission.owner in await self._database.read(lambda tx: tx.users.without_bots()):
            sentence = (
                f"{submission.owner} may not play here, or may only look on: nothing of theirs is built or tried. "
                "Ask its organiser, then submit it again."
            )
            raise PermissionDeniedError(ErrorReason.ROLE_REQUIRED, sentence)
        await self._advance(submission, SubmissionState.UNPACKING)
        async with AsyncExitStack() as until_stored:
            async with self._workspace() as workspace:
                source = workspace / "source"
                content = await asyncio.to_thread(unpack, self.uploads.path(submission.number), source)
                await self._advance(submission, SubmissionState.UNPACKING, content.hash)
                lock = self._content.setdefault(content.hash, asyncio.Lock())
                await until_stored.enter_async_context(lock)
                if rejection := await self._find_flaw(submission, content, source, workspace):
                    return rejection
            try:
                await self._store(submission, content)
            except ResourceExhaustedError:  # another submission of the owner was admitted meanwhile
                if content.hash not in await self._database.read(lambda tx: tx.bots.submitted_hashes()):
                    await asyncio.to_thread(self._folders.remove, content.hash)
                raise
        return None

    async def _find_flaw(
        self, submission: SubmissionRow, content: Content, source: Path, workspace: Path
    ) -> Rejection | None:
        """Prove the content unless it is a version already. Return why it is rejected; raise as `_admit`."""
        version = content.hash
        known, hashes = await self._database.read(
            lambda tx: (tx.bots.find_version(submission.bot, version), tx.bots.submitted_hashes())
        )
        self._tools.check_runnable(content.manifest)
        if known is None or known.origin is not VersionOrigin.SUBMITTED:
            check_games(content.manifest, self._tools.games)
        if version in hashes and await asyncio.to_thread(self._folders.is_whole, version):
            await self._check_quota(submission, version)
            return None
        try:
            rejection = await self._prove(submission, content, source, workspace)
        except BaseException:
            await asyncio.to_thread(self._folders.remove, version)
            raise
        if rejection is not None:
            await asyncio.to_thread(self._folders.remove, version)
        return rejection

    async def _check_quota(self, submission: SubmissionRow, version: str) -> None:
        """Raise ArenaError (QUOTA_EXCEEDED) if the version, whose files are there, is too much for its owner."""
        if not submission.charged:
            return
        size = await asyncio.to_thread(self._folders.size, version)
        await self._database.read(lambda tx: self._check_quota_in(tx, submission, version, size))

    def _check_quota_in(self, tx: Transaction, submission: SubmissionRow, version: str, size: int) -> None:
        """Raise ResourceExhaustedError (QUOTA_EXCEEDED) if a version of `size` bytes is too much for its owner."""
        if submission.charged:
            sizes = tx.bots.submitted_sizes(submission.owner)
            self._check_space(tx, submission.owner, sum((sizes | {version: size}).values()))

    async def _prove(
        self, submission: SubmissionRow, content: Content, source: Path, workspace: Path
    ) -> Rejection | None:
        """Keep the content as a version, build and try it. Return why it is rejected; raise as `_admit`."""
        version, program = content.hash, program_of(content)
        copy = workspace / "built"
        if program.build:
            await asyncio.to_thread(shutil.copytree, source, copy)
        await asyncio.to_thread(self._folders.remove, version)  # what a crash or a broken disk has left of it
        await asyncio.to_thread(self._folders.add, source, content)
        if program.build:
            await self._advance(submission, SubmissionState.BUILDING)
            if (rejection := await self._tools.builds.build(copy, program)) is not None:
                return rejection
            await asyncio.to_thread(self._folders.add_built, version, copy)
        await self._check_quota(submission, version)
        await asyncio.to_thread(self._tools.check_program, self._folders.folder(version), program)
        await self._advance(submission, SubmissionState.TRYING)

        async def report(trials: Sequence[TrialRow], scenarios: int) -> None:
            await self._database.write(
                lambda tx: tx.submissions.tell_trials(submission.number, trials, scenarios)
            )
            self.change_signal.notify()

        return await self._tools.tries.try_program(self._folders.folder(version), program, report)

    async def _store(self, submission: SubmissionRow, content: Content) -> None:
        """Store the content as the newest version of the bot."""
        now_us = self._now_us()
        row = BotVersionRow(
            bot=submission.bot,
            label=content.hash,
            origin=VersionOrigin.SUBMITTED,
            language=content.manifest.language,
            created_us=now_us,
            program=program_of(content),
            bytes=await asyncio.to_thread(self._folders.size, content.hash),
        )

        def change(tx: Transaction) -> bool:
            # Others of the owner may have been admitted since the first check.
            self._check_quota_in(tx, submission, row.label, row.bytes)
            return admit(tx, submission, row, now_us)

        plays = await self._database.write(change)
        await self.uploads.remove(submission.number)
        _log.info(
            "submission admitted",
            submission=submission.number,
            bot=submission.bot,
            version=content.hash,
            plays=plays,
        )
        self.change_signal.notify()
        self._admitted()

    async def _advance(
        self, submission: SubmissionRow, state: SubmissionState, version: str | None = None
    ) -> None:
        await self._database.write(
            lambda tx: tx.submissions.advance(submission.number, state, version=version)
        )
        self.change_signal.notify()

    @asynccontextmanager
    async def _workspace(self) -> AsyncIterator[Path]:
        """Make a folder beside the versions. Its content, which may be much, is removed by a thread."""
        workspace = self._folders.workspace()
        folder = await asyncio.to_thread(workspace.__enter__)
        try:
            yield folder
        finally:
            await asyncio.to_thread(workspace.__exit__, None, None, None)

    async def _give_up_abandoned(self) -> None:
        while True:
            try:
                await self.give_up_abandoned()
            except UnavailableError as error:
                _log.error("abandoned uploads cannot be looked for; it is tried again", why=error.sentence)
            await asyncio.sleep(_LOOK_S)

    async def give_up_abandoned(self) -> None:
        """End uploads of which nothing has come for an hour."""
        before_us = self._now_us() - int(ABANDONED_S * US_PER_S)
        for row in await self._database.read(lambda tx: tx.submissions.unfinished()):
            if row.state is not SubmissionState.UPLOADING or row.created_us > before_us:
                continue
            silent_s = self.uploads.silent_s(row.number)
            if silent_s is None or silent_s >= ABANDONED_S:
                await self.reject(row, ABANDONED)


ABANDONED: Final = Rejection(
    ErrorReason.ARCHIVE_MALFORMED,
    "The archive did not come whole, and nothing comes any more. Submit it again.",
)

REPLACED: Final = Rejection(
    ErrorReason.ARCHIVE_MALFORMED,
    "The archive did not come whole, and another one of the same bot was announced after it.",
)


def admit(tx: Transaction, submission: SubmissionRow, version: BotVersionRow, now_us: int) -> bool:
    """End the submission as this version of its bot. Return whether that plays from now on."""
    kept = tx.bots.find_version(version.bot, version.label)
    known = kept is not None and kept.origin is VersionOrigin.SUBMITTED
    tx.bots.ensure_version(version)
    plays = tx.hosting.admitted(version.bot, version.label)
    tx.submissions.admit(submission.number, version.label, known=known, plays=plays, now_us=now_us)
    sentence = f"Submission {submission.number} of {version.bot} is admitted as version {version.label[:12]}."
    about = (f"bots/{version.bot}", f"bots/{version.bot}/versions/{version.label}", _name(submission))
    tx.audit.add(AuditEntry(AuditKind.VERSION, now_us, sentence, about))
    data = admitted_data(version.bot, submission.number, version.label, plays=plays)
    tx.outbox.put(NotificationType.VERSION_ADMITTED, data, now_us)
    if not known:
        _name_others(tx, submission, version.label, now_us)
    return plays


def _name_others(tx: Transaction, submission: SubmissionRow, digest: str, now_us: int) -> None:
    """Record for organisers whose bots have the same content, if they are of other owners."""
    owner = tx.bots.get(submission.bot).owner
    others = tx.bots.others_with(digest, owner)
    if not others:
        return
    named = ", ".join(f"{bot} of {its_owner}" for bot, its_owner in list(others.items())[:_MOST_NAMED])
    more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
    sentence = f"Submission {submission.number} of {submission.bot} of {owner} has the same content as {named}{more}."
    about = [f"bots/{submission.bot}", f"users/{owner}"]
    for bot, its_owner in list(others.items())[:_MOST_NAMED]:
        about += [f"bots/{bot}", f"users/{its_owner}"]
    facts = facts_of(digest=digest, submission=submission.number, same_content=len(others))
    entry = AuditEntry(AuditKind.VERSION, now_us, sentence, tuple(dict.fromkeys(about)), facts)
    tx.audit.add(entry)


def _name(submission: SubmissionRow) -> str:
    return f"bots/{submission.bot}/submissions/{submission.number}"


def program_of(content: Content) -> VersionProgram:
    """Return what is stored of the content of a submission."""
    return from_row(VersionProgram, content.manifest, files=content.files, bytes=content.bytes)
