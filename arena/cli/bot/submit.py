"""`arena bot submit`, `submissions`, `versions` and `host`: bots that the arena runs itself."""

import difflib
import hashlib
import re
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO, Final

import grpc
import typer

from arena.cli.bot.submission_report import (
    SUBMISSIONS,
    print_outcome,
    submission_details,
    versions_table,
)
from arena.cli.data import size_of
from arena.cli.framework.commands import CommandContext
from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.errors import CliError, CommandExit, call_of
from arena.cli.framework.names import BotArgument, resource
from arena.cli.framework.output import (
    Format,
    err,
    listing_table,
    plain,
    print_line,
    print_message,
    progress_bar,
)
from arena.cli.framework.signals import Interrupted, interruptible
from arena.drawings.wording import counted
from arena.sandbox.runtime_files import read_runtimes
from arena.sandbox.runtimes import BUILT_IN
from arena.submissions.archive import is_archive
from arena.submissions.content import FolderScan, hash_of_scan
from arena.submissions.errors import too_large
from arena.submissions.executables import check_executable
from arena.submissions.limits import DEFAULT_BOUNDS
from arena.submissions.manifest import NAME, check_runtime
from arena.submissions.packing import SUFFIX, scan_folder, write_archive
from arena.v1 import bot_pb2, submission_pb2
from arena.wire.owner_wording import DOING, format_hosting
from arena.wire.wording import short

PATIENCE_SECONDS: Final = 60.0
"""How long to retry a broken connection, in seconds."""

_KIB: Final = 1024
_Submission = submission_pb2.Submission

CHUNK_BYTES: Final = 64 * 1024

UPLOAD_SECONDS: Final = 1800.0
"""How long one attempt may take: 64 MiB at 40 KB in a second."""

_BLOCK: Final = 512
"""Bytes at the beginning of a file that identify an archive."""
_ATTEMPTS: Final = 6
_PAUSE_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Archive:
    """What is sent."""

    path: Path
    sha256: str
    """64 hex digits."""
    size: int
    """In bytes."""


def archive_of(path: Path, folder: Path) -> Archive:
    """Return the archive of a bot: `path` if it is a file, else the folder packed into `folder`.

    Raises:
        ArenaError: the bot's folder cannot be submitted (ARCHIVE_*, MANIFEST_*).
        CliError: there is no such path, or the file is not an archive.
        OSError: a file cannot be read or written.
    """
    if path.is_dir():
        packed = folder / f"bot{SUFFIX}"
        with packed.open("wb") as file:
            sha256 = write_archive(scan_bot(path), file)
        return Archive(packed, sha256, packed.stat().st_size)
    if not path.is_file():
        raise CliError(f"{path} does not exist. Name the bot's folder, with bot.toml in it, or its archive.")
    with path.open("rb") as file:
        start = file.read(_BLOCK)
        file.seek(0)
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    size = path.stat().st_size
    if not size:
        raise CliError(f"{path} is empty. Name the bot's folder, with bot.toml in it, or its archive.")
    if not is_archive(start):
        raise CliError(
            f"{path} is not an archive. Name the folder with bot.toml, or an archive of it (tar, tar.gz or zip)."
        )
    return Archive(path, sha256, size)


def upload(
    arena: ArenaClient, submission: submission_pb2.Submission, archive: Archive
) -> submission_pb2.Submission:
    """Upload the archive unless the arena has it, and return the submission.

    Raises RpcError: the arena refuses it, or was unreachable at every attempt.
    """
    attempt = 0
    with progress_bar(unit="KiB") as bar:
        task = bar.add_task("uploading", total=-(-archive.size // _KIB))
        while submission.state == _Submission.STATE_UPLOADING:
            attempt += 1
            try:
                with archive.path.open("rb") as file:
                    pieces = _pieces(
                        submission, file, lambda done: bar.update(task, completed=-(-done // _KIB))
                    )
                    return arena.submissions.UploadArchive(pieces, timeout=UPLOAD_SECONDS).submission
            except grpc.RpcError as error:
                if call_of(error).code() is not grpc.StatusCode.UNAVAILABLE or attempt == _ATTEMPTS:
                    raise
            time.sleep(_PAUSE_SECONDS * attempt)
            with suppress(grpc.RpcError):  # the next attempt raises it again
                request = submission_pb2.GetSubmissionRequest(name=submission.name)
                submission = arena.submissions.GetSubmission(request).submission
    return submission  # all of it had arrived before, or the answer was lost


def _pieces(
    submission: submission_pb2.Submission, file: BinaryIO, progress: Callable[[int], None]
) -> Iterator[submission_pb2.UploadArchiveRequest]:
    offset = file.seek(submission.received_bytes)
    data = file.read(CHUNK_BYTES)
    yield submission_pb2.UploadArchiveRequest(name=submission.name, offset=offset, data=data)
    while data:
        offset += len(data)
        progress(offset)
        if data := file.read(CHUNK_BYTES):
            yield submission_pb2.UploadArchiveRequest(offset=offset, data=data)


def wait_until_ended(arena: ArenaClient, name: str) -> submission_pb2.Submission:
    """Wait until the submission has ended, also across a restart of the arena.

    Raises RpcError: the arena refuses the call, or was unreachable for a minute.
    """
    printed = ""
    unreachable_since: float | None = None
    with progress_bar(unit="scenarios") as bar:
        task = bar.add_task("waiting", total=None)
        while True:
            try:
                request = submission_pb2.WatchSubmissionRequest(name=name)
                for response in arena.submissions.WatchSubmission(request):
                    unreachable_since = None
                    now = response.submission
                    if now.HasField("end_time"):
                        return now
                    word = DOING.get(now.state, "going on")
                    bar.update(task, completed=len(now.trials), total=now.scenarios or None, description=word)
                    if bar.disable and word != printed:
                        err().print(plain(f"{word.capitalize()}."), highlight=False)
                    printed = word
            except grpc.RpcError as error:
                seen = time.monotonic()
                unreachable_since = seen if unreachable_since is None else unreachable_since
                lost = call_of(error).code() is grpc.StatusCode.UNAVAILABLE
                if not lost or seen - unreachable_since > PATIENCE_SECONDS:
                    raise
            time.sleep(1.0)


def submit_bot(
    context: CommandContext,
    name: BotArgument,
    path: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="The bot's folder, with bot.toml in it, or an archive of it."),
    ],
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Return once the archive is uploaded.")] = False,
) -> None:
    """Submit a bot: the arena builds and tests it, then runs it."""
    bot = resource("bots", name)
    with tempfile.TemporaryDirectory(prefix="arena-submit-") as folder:
        archive = archive_of(path, Path(folder))
        with context.connect() as arena:
            request = submission_pb2.CreateSubmissionRequest(
                bot=bot,
                archive_sha256=archive.sha256,
                archive_bytes=archive.size,
                request_id=str(uuid.uuid4()),
            )
            submission = arena.submissions.CreateSubmission(request).submission
            number = short(submission.name)
            see = f"To see its state: `arena bot submissions {short(bot)} {number}`."
            with interruptible():
                try:
                    submission = upload(arena, submission, archive)
                    if not (no_wait or submission.HasField("end_time")):
                        submission = wait_until_ended(arena, submission.name)
                except Interrupted:
                    if submission.state == _Submission.STATE_UPLOADING:
                        again = "submit the same archive again"
                        print_line(f"Stopped. To resume the upload of submission {number}, {again}.")
                    else:
                        print_line(f"Submission {number} continues. {see}")
                    raise
    if context.format is Format.JSON:
        print_message(submission)
    elif submission.HasField("end_time"):
        print_outcome(submission)
    else:
        print_line(f"Submission {number} was uploaded. {see}")
    if submission.state == _Submission.STATE_REJECTED:
        raise typer.Exit(int(CommandExit.FAILED))


def show_submissions(
    context: CommandContext,
    name: BotArgument,
    number: Annotated[
        int | None, typer.Argument(metavar="NUMBER", min=1, help="Show this submission in full.")
    ] = None,
) -> None:
    """List the submissions of a bot, newest first, or show one."""
    bot = resource("bots", name)
    with context.connect() as arena:
        if number is not None:
            request = submission_pb2.GetSubmissionRequest(name=f"{bot}/submissions/{number}")
            submission = arena.submissions.GetSubmission(request).submission
            context.show(submission, lambda: submission_details(submission))
            return
        every = fetch_all(arena.submissions.ListSubmissions, submission_pb2.ListSubmissionsRequest(bot=bot))
    none = f"No submissions of {short(bot)} yet: `arena bot submit {short(bot)} PATH` makes one."
    context.show(every, lambda: listing_table(SUBMISSIONS, every.submissions, none))


def list_versions(context: CommandContext, name: BotArgument) -> None:
    """List the versions of a bot, newest first, and mark the one that plays."""
    bot = resource("bots", name)
    with context.connect() as arena:
        every = fetch_all(arena.bots.ListVersions, bot_pb2.ListVersionsRequest(bot=bot))
        about = arena.bots.GetBot(bot_pb2.GetBotRequest(name=bot)).bot
    context.show(every, lambda: versions_table(about, every.versions))


def host_bot(
    context: CommandContext,
    name: BotArgument,
    pin: Annotated[
        str | None, typer.Option(metavar="HASH", help="Run this version: at least 6 digits of its hash.")
    ] = None,
    newest: Annotated[bool, typer.Option("--newest", help="Run the version admitted last.")] = False,
    rollback: Annotated[
        bool, typer.Option("--rollback", help="Pin the version admitted before the one that plays.")
    ] = False,
    off: Annotated[bool, typer.Option("--off", help="Run none: the bot connects by itself.")] = False,
    lock: Annotated[
        bool,
        typer.Option("--lock", help="With --off: only organisers can turn it on again (for organisers)."),
    ] = False,
) -> None:
    """Set which submitted version of a bot the arena runs. Without an option: show it."""
    if sum((pin is not None, newest, rollback, off)) > 1:
        raise typer.BadParameter("use only one of --pin, --newest, --rollback and --off.")
    if lock and not off:
        raise typer.BadParameter("--lock goes with --off.")
    bot = resource("bots", name)
    if pin is not None and not re.fullmatch(r"[0-9a-f]{6,64}", short(pin)):
        raise CliError(
            f"Invalid version {pin}: expected at least 6 hex digits of its hash. "
            f"See `arena bot versions {short(bot)}`."
        )
    with context.connect() as arena:
        about = arena.bots.GetBot(bot_pb2.GetBotRequest(name=bot)).bot
        if rollback:
            listing = fetch_all(arena.bots.ListVersions, bot_pb2.ListVersionsRequest(bot=bot))
            pin = _previous_version(about, listing.versions)
        if pin is not None or newest or off:
            mode = bot_pb2.Hosting.MODE_NEWEST if newest else bot_pb2.Hosting.MODE_OFF
            request = bot_pb2.SetHostingRequest(bot=bot, mode=mode, lock=lock)
            if pin is not None:
                request.mode = bot_pb2.Hosting.MODE_PINNED
                request.version = f"{bot}/versions/{short(pin)}"
            about = arena.bots.SetHosting(request).bot
    context.show(about, lambda: plain(f"{short(bot)} is {format_hosting(about.hosting)}."))


def _previous_version(bot: bot_pb2.Bot, every: Sequence[bot_pb2.BotVersion]) -> str:
    """Return the hash of the version admitted before the one that plays. Raises CliError."""
    submitted = [each.name for each in every if each.origin == bot_pb2.BotVersion.ORIGIN_SUBMITTED]
    if bot.hosting.version not in submitted:
        raise CliError(f"The arena runs no version of {short(bot.name)}, so there is none to return to.")
    older = submitted[submitted.index(bot.hosting.version) + 1 :]
    if not older:
        raise CliError(f"{short(bot.name)} plays its first version; there is none before it.")
    return short(older[0])


_HASH_SHOWN: Final = 12
"""Hex digits of a version in messages."""


def pack_bot(
    path: Annotated[Path, typer.Argument(metavar="PATH", help=f"The bot's folder, with {NAME} in it.")],
    to: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help=f"The archive. Default: PATH{SUFFIX}.")
    ] = None,
    runtimes: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            exists=True,
            file_okay=False,
            help="Check the runtime with this arena's folder of runtimes.",
        ),
    ] = None,
) -> None:
    """Pack a bot's folder as `arena bot submit` does, and print its version."""
    if path.is_file():
        raise CliError(f"{path} is a file. Name the folder with {NAME} in it.")
    if not path.is_dir():
        raise CliError(f"{path} does not exist. Name the folder with {NAME} in it.")
    folder = path.resolve()
    target = (folder.with_name(folder.name + SUFFIX) if to is None else to).absolute()
    if target.is_dir():
        raise CliError(f"--out {target} is a folder. Name a file.")
    if target.resolve().is_relative_to(folder):
        raise CliError(f"{target} is in the packed folder and would be part of the bot. Use another --out.")
    found = scan_bot(path)
    if runtimes is not None:
        check_runtime(found.manifest, read_runtimes(runtimes).all)
    elif found.manifest.runtime not in BUILT_IN:
        err().print(plain(_ask_arena(found.manifest.runtime)), highlight=False)
    _write(found, target)
    print_line(
        f"{target}: {counted(len(found.files), 'file')}, {size_of(found.bytes)} packed to "
        f"{size_of(target.stat().st_size)}: version {hash_of_scan(found)[:_HASH_SHOWN]}. "
        f"Submit it with `arena bot submit BOT {target}`."
    )


def _ask_arena(runtime: str) -> str:
    near = difflib.get_close_matches(runtime, BUILT_IN, 1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"Note: not every arena has the runtime {runtime}; `arena bot runtimes` lists its own.{meant}"


def scan_bot(path: Path) -> FolderScan:
    """Find the files of a bot's folder, and check what can be checked without the machine of the arena.

    Raises ArenaError: it cannot be submitted (ARCHIVE_*, MANIFEST_*, EXECUTABLE_INVALID).
    """
    found = scan_folder(path)
    manifest = found.manifest
    if not manifest.build:
        check_executable(path, manifest.command, manifest.runtime)
    return found


def _write(found: FolderScan, target: Path) -> None:
    """Write the archive completely or not at all."""
    unfinished = target.with_name(target.name + ".unfinished")
    try:
        with unfinished.open("wb") as file, progress_bar(unit="KiB") as bar:
            task = bar.add_task("packing", total=found.bytes // 1024)
            write_archive(found, file, lambda size: bar.advance(task, size / 1024))
        if unfinished.stat().st_size > DEFAULT_BOUNDS.archive_bytes:
            raise too_large("The archive has", DEFAULT_BOUNDS.archive_bytes)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
