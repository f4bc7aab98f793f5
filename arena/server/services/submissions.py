"""SubmissionService: archives that become versions of bots."""
# ruff: noqa: N802 - the methods are named as in the .proto

import re
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

from arena.core import errors
from arena.core.errors import ErrorReason, invalid_field
from arena.core.units import US_PER_DAY
from arena.hosting.admission.admission import REPLACED, admit
from arena.hosting.admission.uploads import Upload
from arena.hosting.host.process import HELLO_WITHIN_S
from arena.sandbox.runtime_versions import RuntimeVersion
from arena.sandbox.runtimes import BUILT_IN
from arena.server.auth.permissions import Caller, current_caller
from arena.server.auth.quotas import MIB, check_quota, quotas_for
from arena.server.context import Context
from arena.server.limits import ARCHIVE_BYTES, VERSIONS_OF_A_BOT
from arena.server.services.deadlines import check_version_open
from arena.server.services.paging import PageRequest
from arena.server.services.service_context import Service, ServiceContext, complete, record_decision
from arena.store.accounts.tokens import Scope
from arena.store.accounts.users import Quotas
from arena.store.audit.entries import AuditKind
from arena.store.bots.bots import BotRow
from arena.store.bots.submissions import Rejection, SubmissionRow, SubmissionState
from arena.store.store import Transaction
from arena.v1 import errors_pb2, submission_pb2_grpc
from arena.v1 import submission_pb2 as pb
from arena.wire.fields import same, timestamp
from arena.wire.resource_names import (
    bot_name,
    parse_bot,
    parse_submission,
    submission_name,
    user_name,
    version_name,
)

_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class SubmissionService(Service, submission_pb2_grpc.SubmissionServiceServicer):
    """Receives archives and shows their progress."""

    def __init__(self, platform: ServiceContext) -> None:
        super().__init__(platform)
        self._admission = platform.admission

    async def CreateSubmission(
        self, request: pb.CreateSubmissionRequest, _: Context
    ) -> pb.CreateSubmissionResponse:
        """Announce an archive; a known one needs no upload."""
        caller, bot = current_caller(), parse_bot("bot", request.bot)
        _check_archive(request)
        replaced: list[int] = []

        def create(tx: Transaction) -> pb.CreateSubmissionResponse:
            owned = tx.bots.get(bot)
            caller.check_owns(owned.owner, request.bot)
            self._admission.check_usable()
            before = tx.submissions.on_its_way(bot)
            if before is not None and before.archive_sha256 == request.archive_sha256:
                return pb.CreateSubmissionResponse(submission=self._message(before, caller))
            check_version_open(tx, bot, caller, self._platform.now_us())
            if before is not None:
                self._check_replaceable(before)
            charged = quotas_for(caller, tx.users.get(owned.owner))
            if charged is not None:
                self._check_quotas(tx, owned, request, charged)
            if before is not None:
                tx.submissions.reject(before.number, REPLACED, self._platform.now_us())
                replaced.append(before.number)
            made = self._announce(tx, owned, request, charged=charged is not None)
            if owned.owner != caller.owner:
                what = (
                    f"For {owned.owner}'s bot {owned.id} a version was submitted (submission {made.number})."
                )
                about = bot_name(owned.id), user_name(owned.owner)
                record_decision(tx, AuditKind.BOT, caller, made.created_us, what, *about)
            return pb.CreateSubmissionResponse(submission=self._message(made, caller))

        async def carry_out() -> pb.CreateSubmissionResponse:
            response = await self._platform.create_once(request, create, pb.CreateSubmissionResponse)
            for number in replaced:
                await self._admission.uploads.remove(number)
            if replaced:
                self._admission.change_signal.notify()  # for watchers of the old one
            if response.submission.plays:
                self._platform.runtime.hosting_changed()
            return response

        return await complete(carry_out())

    def _announce(
        self, tx: Transaction, bot: BotRow, request: pb.CreateSubmissionRequest, *, charged: bool
    ) -> SubmissionRow:
        """Add a submission; one of content that is already a version ends at once."""
        now_us = self._platform.now_us()
        made = tx.submissions.add(
            bot.id, bot.owner, request.archive_sha256, request.archive_bytes, now_us, charged=charged
        )
        version = tx.submissions.admitted_as(bot.id, request.archive_sha256)
        if version is None or not self._admission.has(version):
            return made
        admit(tx, made, tx.bots.version(bot.id, version), now_us)
        return tx.submissions.get(bot.id, made.number)

    def _check_replaceable(self, before: SubmissionRow) -> None:
        """Raise FailedPreconditionError (SUBMISSION_STATE) unless it is an abandoned upload."""
        if before.state is SubmissionState.UPLOADING and not self._admission.uploads.is_coming(before.number):
            return
        raise errors.FailedPreconditionError(
            ErrorReason.SUBMISSION_STATE,
            f"Submission {before.number} of {before.bot} is on its way; wait until it has ended: "
            f"`arena bot submissions {before.bot} {before.number}` shows it.",
            submission=str(before.number),
        )

    def _check_quotas(
        self, tx: Transaction, bot: BotRow, request: pb.CreateSubmissionRequest, quotas: Quotas
    ) -> None:
        """Raise ResourceExhaustedError (QUOTA_EXCEEDED, ARCHIVE_TOO_LARGE). The unpacked size is checked later."""
        if quotas.archive_mib is not None:
            _check_size(request, quotas.archive_mib * MIB)
        check_quota(
            quotas.submissions_per_day,
            tx.submissions.count_since(bot.owner, self._platform.now_us() - US_PER_DAY),
            f"Submissions for {bot.owner} within 24 hours",
            "Wait (`arena conformance` tries a bot as often as you like)",
        )
        check_quota(
            VERSIONS_OF_A_BOT,
            tx.bots.count_submitted(bot.id),
            f"Submitted versions of the bot {bot.id}",
            "Use another bot (`arena bot create`)",
        )
        check_quota(
            quotas.versions_mib,
            sum(tx.bots.submitted_sizes(bot.owner).values()) // MIB,
            f"MiB taken by the versions of {bot.owner}'s bots",
            "No version is ever removed: make do with those",
        )

    async def UploadArchive(
        self, requests: AsyncIterator[pb.UploadArchiveRequest], _: Context
    ) -> pb.UploadArchiveResponse:
        """Store the archive, and queue it for admission."""
        caller = current_caller()
        first = await anext(requests, None)
        if first is None:
            raise invalid_field("name", "The first message must name the submission.")
        row = await self._own(first.name, caller)
        _check_uploading(row)
        upload = await self._admission.uploads.begin(row.number, row.archive_bytes)
        try:
            await _write(upload, first)
            while not upload.whole:
                request = await anext(requests, None)
                if request is None:
                    raise invalid_field(
                        "data",
                        f"The archive was announced with {row.archive_bytes} bytes, and not all have come: send the "
                        "rest, from the offset received_bytes.",
                    )
                if request.name not in {"", first.name}:
                    raise invalid_field("name", "name must be the same in all messages, or empty.")
                await _write(upload, request)
            sha256 = await upload.finish()
        finally:
            await self._admission.uploads.end(row.number, upload)
        return pb.UploadArchiveResponse(submission=self._message(await self._take(row, sha256), caller))

    async def _take(self, row: SubmissionRow, sha256: str) -> SubmissionRow:
        """Queue the complete archive. Raises InvalidArgumentError (ARCHIVE_HASH_MISMATCH), and deletes it."""
        if sha256 != row.archive_sha256:
            sentence = (
                f"The archive that came has the SHA-256 {sha256}, not {row.archive_sha256} as announced; it is "
                "deleted. Submit it again."
            )
            await self._admission.reject(row, Rejection(ErrorReason.ARCHIVE_HASH_MISMATCH, sentence))
            raise errors.InvalidArgumentError(ErrorReason.ARCHIVE_HASH_MISMATCH, sentence)

        def change(tx: Transaction) -> SubmissionRow:
            _check_uploading(tx.submissions.get(row.bot, row.number))
            tx.submissions.advance(row.number, SubmissionState.WAITING)
            return tx.submissions.get(row.bot, row.number)

        taken = await self._platform.database.write(change)
        self._admission.take(taken)
        return taken

    async def GetSubmission(self, request: pb.GetSubmissionRequest, _: Context) -> pb.GetSubmissionResponse:
        """Return one submission."""
        caller = current_caller()
        row = await self._own(request.name, caller)
        return pb.GetSubmissionResponse(submission=self._message(row, caller))

    async def ListSubmissions(
        self, request: pb.ListSubmissionsRequest, _: Context
    ) -> pb.ListSubmissionsResponse:
        """Return the submissions of a bot, newest first."""
        caller = current_caller()

        def rows(tx: Transaction, wanted: PageRequest) -> tuple[SubmissionRow, ...]:
            bot = tx.bots.get(parse_bot("bot", request.bot))
            caller.check_owns(bot.owner, request.bot)
            return tx.submissions.page(bot.id, before=wanted.first, limit=wanted.fetch)

        page = await self._platform.page(request, rows, lambda row: (row.number,))
        submissions = map(self._message, page.rows)
        return pb.ListSubmissionsResponse(submissions=submissions, next_page_token=page.next_token)

    async def WatchSubmission(
        self, request: pb.WatchSubmissionRequest, _: Context
    ) -> AsyncGenerator[pb.WatchSubmissionResponse]:
        """Yield the submission whenever it changes, to its end."""
        caller, change_signal = current_caller(), self._admission.change_signal
        shown: pb.Submission | None = None
        while True:
            notified = change_signal.notified
            row = await self._own(request.name, caller)
            message = self._message(row, caller)
            if message != shown:
                shown = message
                yield pb.WatchSubmissionResponse(submission=message)
            if row.ended_us is not None:
                return
            await change_signal.after(notified)

    async def ListRuntimes(self, _request: pb.ListRuntimesRequest, _: Context) -> pb.ListRuntimesResponse:
        """Return all runtimes, by name."""
        found = await self._admission.runtimes()
        return pb.ListRuntimesResponse(runtimes=map(_runtime_message, found))

    async def _own(self, name: str, caller: Caller) -> SubmissionRow:
        """Return the submission, which the caller may see.

        Raises InvalidArgumentError (FIELD_INVALID), NotFoundError (SUBMISSION_NOT_FOUND), PermissionDeniedError
        (NOT_OWNER).
        """
        bot, number = parse_submission("name", name)
        row = await self._platform.database.read(lambda tx: tx.submissions.get(bot, number))
        caller.check_owns(row.owner, bot_name(bot))
        return row

    def _message(self, row: SubmissionRow, caller: Caller | None = None) -> pb.Submission:
        """Return the submission as a message; only its owner sees its program's output, organisers do not."""
        show_output = caller is not None and caller.owner == row.owner and caller.has(Scope.PRIVATE)
        return pb.Submission(
            name=submission_name(row.bot, row.number),
            state=pb.Submission.State.ValueType(row.state.value),
            **same(row, "archive_sha256", "archive_bytes", "known", "scenarios", "plays"),
            received_bytes=_received(row, self._admission.uploads.received(row.number)),
            version="" if row.version is None else version_name(row.bot, row.version),
            trials=[
                pb.Submission.Trial(
                    verdict=pb.Submission.Trial.Verdict.ValueType(trial.verdict.value),
                    **same(trial, "scenario", "sentence"),
                )
                for trial in row.trials
            ],
            rejection=None if row.rejection is None else _rejection(row.rejection, show_output=show_output),
            create_time=timestamp(row.created_us),
            end_time=timestamp(row.ended_us),
        )


async def _write(upload: Upload, request: pb.UploadArchiveRequest) -> None:
    """Store a piece; one without data continues with a complete archive. Raises like `Upload.write`."""
    if request.data or not upload.whole:
        await upload.write(request.offset, request.data)


def _check_archive(request: pb.CreateSubmissionRequest) -> None:
    """Raise InvalidArgumentError (FIELD_INVALID) or ResourceExhaustedError (ARCHIVE_TOO_LARGE)."""
    if not _SHA256.fullmatch(request.archive_sha256):
        raise invalid_field(
            "archive_sha256", "archive_sha256 must be the archive's SHA-256, 64 digits of 0-9a-f."
        )
    if request.archive_bytes < 1:
        raise invalid_field("archive_bytes", "archive_bytes must be the archive's size, at least 1.")
    _check_size(request, ARCHIVE_BYTES)


def _check_size(request: pb.CreateSubmissionRequest, bound: int) -> None:
    """Raise ResourceExhaustedError (ARCHIVE_TOO_LARGE) if the archive is too large."""
    if request.archive_bytes > bound:
        raise errors.ResourceExhaustedError(
            ErrorReason.ARCHIVE_TOO_LARGE,
            f"The archive has {request.archive_bytes:,} bytes, and may have {bound:,}: leave out what the bot "
            "does not need.",
            bound=str(bound),
        )


def _check_uploading(row: SubmissionRow) -> None:
    """Raise FailedPreconditionError (SUBMISSION_STATE) if the upload has ended."""
    if row.state is not SubmissionState.UPLOADING:
        raise errors.FailedPreconditionError(
            ErrorReason.SUBMISSION_STATE,
            f"Submission {row.number} is {row.state.name.lower()}: nothing more can be uploaded to it.",
            submission=str(row.number),
        )


def _received(row: SubmissionRow, received: int) -> int:
    match row.state:
        case SubmissionState.UPLOADING:
            return min(received, row.archive_bytes)
        case SubmissionState.REJECTED:
            return 0
        case _:
            return row.archive_bytes


def _rejection(rejection: Rejection, *, show_output: bool) -> pb.Submission.Rejection:
    return pb.Submission.Rejection(
        reason=errors_pb2.ErrorReason.Value(f"ERROR_REASON_{rejection.reason.value}"),
        sentence=rejection.sentence,
        output=rejection.output if show_output else "",
    )


def _runtime_message(found: RuntimeVersion) -> pb.Runtime:
    """Return a runtime as a message."""
    return pb.Runtime(
        name=found.runtime.name,
        version=found.version,
        added=found.runtime.name not in BUILT_IN,
        unavailable=found.why_not,
        no_builds=found.why_no_builds,
        start_seconds=found.runtime.start_s or HELLO_WITHIN_S,
    )
