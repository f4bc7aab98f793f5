"""An admission on a real database and real folders; what builds and tries is a fake that says what it is told to."""

import asyncio
import gzip
import io
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from arena.core.errors import ErrorReason, ResourceExhaustedError
from arena.hosting.admission.admission import Admission, AdmissionTools, BuildRunner
from arena.hosting.admission.trials import Report, Trials
from arena.hosting.admission.uploads import Uploads
from arena.sandbox.process_spec import SandboxError
from arena.sandbox.runtime_registry import RuntimeRegistry
from arena.sandbox.runtime_versions import RuntimeVersion
from arena.sandbox.runtimes import BUILT_IN, Runtime, VisiblePaths
from arena.store.bots.bots import BotRow
from arena.store.bots.submissions import Rejection, SubmissionRow, SubmissionState, TrialRow, TrialVerdict
from arena.store.database import Database
from arena.store.json_columns import VersionProgram
from arena.store.store import Transaction
from arena.submissions.version_folders import VersionFolders
from tests.unit.hosting.sample_submissions import MANIFEST
from tests.unit.store.store_fixture import open_store

FAILED = Rejection(ErrorReason.CONFORMANCE_FAILED, "1 of 2 scenarios failed: reset.", "Traceback")


def an_archive(files: Mapping[str, str] | None = None, **more: str) -> bytes:
    """Return a tar.gz of these files; without any, a bot in Python."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, text in {
            **({"bot.toml": MANIFEST, "bot.py": "1\n"} if files is None else files),
            **more,
        }.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            tar.addfile(entry, io.BytesIO(text.encode()))
    return gzip.compress(packed.getvalue(), mtime=0)


def with_manifest(manifest: str) -> bytes:
    """Return a bot with this bot.toml."""
    return an_archive({"bot.toml": manifest, "bot.py": "1\n"})


ABSENT: Final = Runtime("absent", lambda _limits, _tools: VisiblePaths(), interpreter="no-such-program")
"""A runtime whose interpreter is not installed."""


@dataclass
class FakeBuilds(BuildRunner):
    """Makes a file, or says why not."""

    result: Rejection | None = None

    async def build(self, folder: Path, program: VersionProgram) -> Rejection | None:
        (folder / "made").write_text("by the build")
        return self.result


@dataclass
class FakeTries(Trials):
    """Says what it is told to, in two scenarios."""

    result: Rejection | None = None
    failures: list[Exception] = field(default_factory=list)
    tried: list[list[str]] = field(default_factory=list)
    """The files that were there, of each program."""
    order: list[str] = field(default_factory=list)
    """What stood in the file `more` of each program."""
    hold: asyncio.Event | None = None
    """What it waits for after the first scenario."""
    reached: asyncio.Event | None = None

    async def try_program(
        self, folder: Path, program: VersionProgram, report: Report | None = None
    ) -> Rejection | None:
        if self.failures:
            raise self.failures.pop(0)
        self._look_at(folder)
        rows = [TrialRow("hello", TrialVerdict.PASSED, "Says hello.")]
        assert report is not None
        await report(rows, 2)
        if self.reached is not None:
            self.reached.set()
        if self.hold is not None:
            await self.hold.wait()
        verdict = TrialVerdict.PASSED if self.result is None else TrialVerdict.FAILED
        await report([*rows, TrialRow("reset", verdict, "Comes back.")], 2)
        return self.result

    def _look_at(self, folder: Path) -> None:
        self.tried.append(sorted(path.name for path in folder.iterdir()))
        if (folder / "more").exists():
            self.order.append((folder / "more").read_text())


class AdmissionFixture:
    """A data folder with bots of ada and bob, and an admission that can be started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = open_store(folder)
        self.now_us = 1_700_000_000_000_000
        self.admitted = 0
        self.builds, self.tries = FakeBuilds(), FakeTries()
        self.why_not = ""
        self.runtimes = RuntimeRegistry({"absent": ABSENT})
        self.looks = 0
        self.places = 1
        """Submissions at once."""
        self.most_bytes = 1 << 40

        def people(tx: Transaction) -> None:
            for owner, bots in {"ada": ("ant", "ape"), "bob": ("bee",)}.items():
                tx.users.ensure(owner)
                for bot in bots:
                    tx.bots.add(BotRow(bot, owner, "", False, 1))

        self.store.write(people)

    def reopen(self) -> None:
        """Open the admission as an arena that has just been started does."""
        self.database = Database(self.store)
        self.folders = VersionFolders(self.folder / "versions")
        tools = AdmissionTools(
            self.folders,
            self.builds,
            self.tries,
            {"caravan"},
            self.runtimes,
            self.find_versions,
            self.why_not,
            lambda: self.places,
        )
        self.admission = Admission(
            self.database,
            Uploads(self.folder / "uploads"),
            tools,
            now_us=lambda: self.now_us,
            admitted=self._note,
            check_space=self.check_space,
        )

    async def find_versions(self) -> list[RuntimeVersion]:
        """Count the trials of runtimes; the first one fails."""
        self.looks += 1
        if self.looks == 1:
            raise SandboxError("All uids are in use.")
        return [RuntimeVersion(BUILT_IN["python"], f"look {self.looks}")]

    def check_space(self, _tx: Transaction, _owner: str, size: int) -> None:
        """Refuse what is more than an owner may have."""
        if size > self.most_bytes:
            raise ResourceExhaustedError(ErrorReason.QUOTA_EXCEEDED, "It is too much.", owner="ada")

    def _note(self) -> None:
        self.admitted += 1

    async def restart(self) -> None:
        """Open the admission, and recover what was not ended."""
        self.reopen()
        await self.admission.recover()

    async def process(self, bot: str, archive: bytes) -> SubmissionRow:
        """Return the submission of the archive, ended."""
        (ended,) = await self.until_ended(await self.submit(bot, archive))
        return ended

    async def submit(self, bot: str, archive: bytes) -> SubmissionRow:
        """Add a submission with its whole archive, waiting to be processed."""
        owner = self.store.read(lambda tx: tx.bots.get(bot).owner)
        digest = sha256(archive).hexdigest()
        row = self.store.write(lambda tx: tx.submissions.add(bot, owner, digest, len(archive), self.now_us))
        upload = await self.admission.uploads.begin(row.number, len(archive))
        for start in range(0, len(archive), 60_000):
            await upload.write(start, archive[start : start + 60_000])
        await self.admission.uploads.end(row.number, upload)
        self.store.write(lambda tx: tx.submissions.advance(row.number, SubmissionState.WAITING))
        self.admission.take(row)
        return row

    async def until_ended(self, *rows: SubmissionRow) -> list[SubmissionRow]:
        """Run the admission; return the submissions as they have ended."""
        working = asyncio.create_task(self.admission.run())
        found = []
        try:
            for row in rows:
                async with asyncio.timeout(60):
                    found.append(await self._ended(row))
        finally:
            working.cancel()
            await asyncio.wait({working})
        return found

    async def _ended(self, row: SubmissionRow) -> SubmissionRow:
        while True:
            notified = self.admission.change_signal.notified
            now = self.row(row)
            if now.ended_us is not None:
                return now
            await self.admission.change_signal.after(notified)

    def row(self, row: SubmissionRow) -> SubmissionRow:
        """Return the submission as it is stored now."""
        return self.store.read(lambda tx: tx.submissions.get(row.bot, row.number))

    def hosted_version(self, bot: str) -> str | None:
        """Return the version of the bot that the arena runs."""
        row = self.store.read(lambda tx: tx.hosting.get(bot))
        return None if row is None else row.version

    def left(self) -> list[str]:
        """Return the names of the files of uploads and unfinished versions."""
        places = (self.folder / "uploads", self.folder / "versions" / ".work")
        return sorted(path.name for place in places for path in place.iterdir())
