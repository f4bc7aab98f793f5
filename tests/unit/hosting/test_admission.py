"""What becomes of a whole archive: a version, or a rejection that says why, and after a crash no less."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import arena.hosting.admission.admission as admission_module
from arena.core.errors import ErrorReason, UnavailableError
from arena.hosting.admission.admission import ABANDONED_S
from arena.sandbox.process_spec import SandboxError
from arena.store.bots.bots import VersionOrigin
from arena.store.bots.hosting import HostingMode
from arena.store.bots.submissions import Rejection, SubmissionRow, Submissions, SubmissionState
from tests.unit.hosting.admissions import FAILED, MANIFEST, AdmissionFixture, an_archive, with_manifest


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def world(tmp_path: Path, runner: asyncio.Runner) -> Iterator[AdmissionFixture]:
    async def make() -> AdmissionFixture:
        made = AdmissionFixture(tmp_path)
        made.open()
        return made

    world = runner.run(make())
    yield world
    world.close()


def submit(runner: asyncio.Runner, world: AdmissionFixture, bot: str, archive: bytes) -> SubmissionRow:
    """Return the submission, ended."""

    async def work() -> SubmissionRow:
        (ended,) = await world.until_ended(await world.submit(bot, archive))
        return ended

    return runner.run(work())


def test_a_program_that_passes_is_a_version_of_its_bot_and_plays(
    runner: asyncio.Runner, world: AdmissionFixture
) -> None:
    ended = submit(runner, world, "ant", an_archive())
    assert (ended.state, ended.known, ended.plays) == (SubmissionState.ADMITTED, False, True)
    assert [trial.scenario for trial in ended.trials] == ["hello", "reset"]
    version = ended.version
    assert version is not None
    hosted = world.hosted("ant")
    assert hosted is not None
    assert hosted.version == version
    row = world.store.read(lambda tx: tx.bots.version("ant", version))
    assert (row.origin, row.language) == (VersionOrigin.SUBMITTED, "python")
    assert row.program is not None
    assert (row.program.command, row.program.files) == (("python", "bot.py"), 2)
    assert world.folders.is_whole(version)
    assert (world.left(), world.admitted) == ([], 1)


def test_what_the_build_makes_is_what_is_tried_and_run(
    runner: asyncio.Runner, world: AdmissionFixture
) -> None:
    ended = submit(runner, world, "ant", with_manifest(f'build = ["make"]\n{MANIFEST}'))
    assert ended.state is SubmissionState.ADMITTED
    assert world.tries.tried == [["bot.py", "bot.toml", "made"]]
    assert ended.version is not None
    assert (world.folders.folder(ended.version) / "made").read_text() == "by the build"
    assert not (world.folders.source(ended.version) / "made").exists()


def test_a_build_that_fails_is_told_with_what_it_wrote(
    runner: asyncio.Runner, world: AdmissionFixture
) -> None:
    world.builds.result = Rejection(ErrorReason.BUILD_FAILED, "The build failed.", "no rule to make target\n")
    ended = submit(runner, world, "ant", with_manifest(f'build = ["make"]\n{MANIFEST}'))
    assert (ended.state, ended.rejection) == (SubmissionState.REJECTED, world.builds.result)
    assert not world.tries.tried
    assert (world.left(), world.folders.hashes(), world.hosted("ant")) == ([], [], None)


def test_a_program_that_fails_is_no_version_and_its_bytes_are_gone(
    runner: asyncio.Runner, world: AdmissionFixture
) -> None:
    """Row 34."""
    world.tries.result = FAILED
    ended = submit(runner, world, "ant", an_archive())
    assert (ended.state, ended.rejection) == (SubmissionState.REJECTED, FAILED)
    assert len(ended.trials) == 2
    assert (world.left(), world.folders.hashes(), world.hosted("ant")) == ([], [], None)
    world.tries.result = None
    assert submit(runner, world, "ant", an_archive()).state is SubmissionState.ADMITTED


@pytest.mark.parametrize(
    ("archive", "reason", "words"),
    [
        (b"no archive at all, but long enough", ErrorReason.ARCHIVE_MALFORMED, ""),
        (an_archive({"bot.py": "1\n"}), ErrorReason.MANIFEST_MISSING, "bot.toml"),
        (with_manifest("command = 3"), ErrorReason.MANIFEST_INVALID, "bot.toml"),
        (
            with_manifest(MANIFEST.replace("caravan", "chess")),
            ErrorReason.MANIFEST_INVALID,
            "there are caravan",
        ),
        (an_archive({"../bot.toml": MANIFEST}), ErrorReason.ARCHIVE_PATH, ""),
    ],
)
def test_an_archive_that_cannot_be_taken_is_rejected_and_deleted(
    runner: asyncio.Runner, world: AdmissionFixture, archive: bytes, reason: ErrorReason, words: str
) -> None:
    """Row 33."""
    ended = submit(runner, world, "ant", archive)
    assert ended.state is SubmissionState.REJECTED
    assert ended.rejection is not None
    assert ended.rejection.reason is reason
    assert words in ended.rejection.sentence
    assert (world.left(), world.folders.hashes()) == ([], [])


def test_the_same_content_twice_is_one_version_however_it_was_packed(
    runner: asyncio.Runner, world: AdmissionFixture
) -> None:
    first = submit(runner, world, "ant", an_archive())
    other = submit(runner, world, "ant", an_archive({"bot.py": "1\n", "bot.toml": MANIFEST}))
    again = submit(runner, world, "ant", an_archive({"mine/bot.py": "1\n", "mine/bot.toml": MANIFEST}))
    assert first.version == other.version == again.version
    assert [each.known for each in (first, other, again)] == [False, True, True]
    assert len(world.tries.tried) == 1
    assert len(world.folders.hashes()) == 1


def test_the_same_content_of_another_bot_is_a_version_of_that_one_too_without_a_second_try(
    runner: asyncio.Runner, world: AdmissionFixture
) -> None:
    first = submit(runner, world, "ant", an_archive())
    other = submit(runner, world, "bee", an_archive())
    assert (other.version, other.known, other.state) == (first.version, False, SubmissionState.ADMITTED)
    assert len(world.tries.tried) == 1


def test_a_version_whose_files_were_lost_comes_back_when_it_is_submitted_again(
    runner: asyncio.Runner, world: AdmissionFixture
) -> None:
    first = submit(runner, world, "ant", an_archive())
    assert first.version is not None
    world.folders.remove(first.version)
    again = submit(runner, world, "ant", an_archive())
    assert (again.version, again.known) == (first.version, True)
    assert world.folders.is_whole(first.version)
    assert len(world.tries.tried) == 2


def test_an_old_version_submitted_again_plays_again(runner: asyncio.Runner, world: AdmissionFixture) -> None:
    old = submit(runner, world, "ant", an_archive())
    submit(runner, world, "ant", an_archive(more="2\n"))
    again = submit(runner, world, "ant", an_archive())
    hosted = world.hosted("ant")
    assert hosted is not None
    assert hosted.version == again.version == old.version
    assert (again.known, again.plays) == (True, True)


def test_a_version_admitted_beside_a_pinned_one_does_not_play(
    runner: asyncio.Runner, world: AdmissionFixture
) -> None:
    old = submit(runner, world, "ant", an_archive())
    world.store.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.PINNED, old.version))
    newer = submit(runner, world, "ant", an_archive(more="2\n"))
    assert (newer.state, newer.plays) == (SubmissionState.ADMITTED, False)


def test_what_waits_of_somebody_who_is_shut_out_meanwhile_is_not_run(
    runner: asyncio.Runner, world: AdmissionFixture
) -> None:
    """Whoever keeps the arena busy with builds is stopped by shutting him out, and not hours later."""

    async def work() -> list[SubmissionRow]:
        rows = [await world.submit("ant", an_archive(more="1")), await world.submit("bee", an_archive())]
        world.store.write(lambda tx: tx.users.set_disabled("ada", True))
        return await world.until_ended(*rows)

    ants, bees = runner.run(work())
    assert (ants.state, bees.state) == (SubmissionState.REJECTED, SubmissionState.ADMITTED)
    assert ants.rejection is not None
    assert ants.rejection.reason is ErrorReason.ROLE_REQUIRED
    assert world.tries.order == []


def test_where_the_sandbox_fails_now_and_then_the_submission_is_begun_again(
    runner: asyncio.Runner, world: AdmissionFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission_module, "_RETRY_S", 0)
    world.tries.failures = [SandboxError("No cgroup."), OSError(28, "No space left on device")]
    assert submit(runner, world, "ant", an_archive()).state is SubmissionState.ADMITTED


def test_a_fault_of_the_arena_is_called_one_and_shows_nothing_of_it(
    runner: asyncio.Runner, world: AdmissionFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 46. Three in a row of the kind that passes, or one of any other kind."""
    monkeypatch.setattr(admission_module, "_RETRY_S", 0)
    world.tries.failures = [SandboxError("secret")] * 3
    first = submit(runner, world, "ant", an_archive())
    world.tries.failures = [RuntimeError("secret")]
    second = submit(runner, world, "ant", an_archive())
    for ended in (first, second):
        assert ended.rejection is not None
        assert ended.rejection.reason is ErrorReason.INTERNAL
        assert "secret" not in ended.rejection.sentence
    assert (world.left(), world.folders.hashes()) == ([], [])


def test_where_no_submitted_bots_are_run_for_a_while_what_waits_goes_on_at_the_next_start_that_runs_them(
    runner: asyncio.Runner, tmp_path: Path
) -> None:
    async def work() -> tuple[SubmissionState, SubmissionRow, AdmissionFixture]:
        world = AdmissionFixture(tmp_path)
        world.open()
        row = await world.submit("ant", an_archive())
        world.why_not = "This arena runs no submitted bots: seccomp missing."
        world.open()
        await world.admission.recover()
        with suppress(TimeoutError):  # it works for ever, or would have begun by now
            async with asyncio.timeout(0.1):
                await world.admission.run()
        between = world.store.read(lambda tx: tx.submissions.get("ant", row.number)).state
        world.why_not = ""
        world.open()
        await world.admission.recover()
        (ended,) = await world.until_ended(row)
        return between, ended, world

    between, ended, world = runner.run(work())
    world.close()
    assert (between, ended.state) == (SubmissionState.WAITING, SubmissionState.ADMITTED)


@pytest.mark.parametrize("state", [SubmissionState.WAITING, SubmissionState.BUILDING, SubmissionState.TRYING])
def test_an_arena_that_starts_again_goes_on_with_what_was_not_ended(
    runner: asyncio.Runner, world: AdmissionFixture, state: SubmissionState
) -> None:
    async def work() -> SubmissionRow:
        row = await world.submit("ant", an_archive())
        world.store.write(lambda tx: tx.submissions.advance(row.number, state, version="ab" * 32))
        world.open()
        await world.admission.recover()
        (ended,) = await world.until_ended(row)
        return ended

    assert runner.run(work()).state is SubmissionState.ADMITTED
    assert len(world.tries.tried) == 1


def test_one_whose_archive_is_gone_is_told_to_come_again(
    runner: asyncio.Runner, world: AdmissionFixture
) -> None:
    """As in a folder that was restored from a backup."""

    async def work() -> SubmissionRow:
        row = await world.submit("ant", an_archive())
        world.admission.uploads.path(row.number).unlink()
        world.open()
        await world.admission.recover()
        return world.row(row)

    ended = runner.run(work())
    assert ended.rejection is not None
    assert ended.rejection.reason is ErrorReason.ARCHIVE_MALFORMED
    assert "Submit it again" in ended.rejection.sentence


def test_what_a_crash_has_left_half_done_is_removed_and_done_again(
    runner: asyncio.Runner, world: AdmissionFixture
) -> None:
    """It dies while the second of two programs is tried: a version without its row, and no version of the third."""

    async def work() -> SubmissionRow:
        await world.until_ended(await world.submit("bee", an_archive(more="3\n")))
        world.tries.hold, world.tries.reached = asyncio.Event(), asyncio.Event()
        row = await world.submit("ant", an_archive())
        working = asyncio.create_task(world.admission.run())
        await world.tries.reached.wait()
        left = world.folders.hashes()
        (world.folder / "versions" / ".work" / "leftover").mkdir()
        (world.folder / "versions" / ("f" * 64) / "source").mkdir(parents=True)
        (world.folder / "uploads" / "99").write_bytes(b"of nobody")
        whole = {path: path.read_bytes() for path in (world.folder / "uploads").iterdir()}
        working.cancel()
        await asyncio.wait({working})
        for path, data in whole.items():
            path.write_bytes(data)  # as if it had been killed and not cancelled
        assert len(left) == 2
        world.tries.hold = None
        world.open()
        await world.admission.recover()
        assert len(world.folders.hashes()) == 1
        assert world.left() == [str(row.number)]
        (ended,) = await world.until_ended(row)
        return ended

    assert runner.run(work()).state is SubmissionState.ADMITTED
    assert (world.left(), len(world.folders.hashes())) == ([], 2)


def test_submissions_are_worked_on_in_the_order_in_which_they_came_whole(
    runner: asyncio.Runner, world: AdmissionFixture
) -> None:
    async def work() -> list[SubmissionRow]:
        rows = [await world.submit(bot, an_archive(more=bot)) for bot in ("ape", "bee", "ant")]
        return await world.until_ended(*rows)

    ended = runner.run(work())
    assert {each.state for each in ended} == {SubmissionState.ADMITTED}
    assert world.tries.order == ["ape", "bee", "ant"]


def test_an_upload_that_nobody_goes_on_with_is_given_up_after_an_hour(
    runner: asyncio.Runner, world: AdmissionFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> SubmissionRow:
        row = world.store.write(lambda tx: tx.submissions.add("ant", "ada", "cd" * 32, 400, world.now_us))
        await world.admission.give_up_abandoned()
        assert world.row(row).ended_us is None
        world.now_us += int(ABANDONED_S * 1_000_000)
        await world.admission.give_up_abandoned()
        return world.row(row)

    ended = runner.run(work())
    assert ended.rejection is not None
    assert ended.rejection.reason is ErrorReason.ARCHIVE_MALFORMED


def test_an_upload_that_goes_on_slowly_is_not_given_up(
    runner: asyncio.Runner, world: AdmissionFixture
) -> None:
    async def work() -> SubmissionRow:
        row = world.store.write(lambda tx: tx.submissions.add("ant", "ada", "cd" * 32, 400, world.now_us))
        upload = await world.admission.uploads.begin(row.number, 400)
        await upload.write(0, b"a piece of it")
        await world.admission.uploads.end(row.number, upload)
        world.now_us += int(ABANDONED_S * 1_000_000)
        await world.admission.give_up_abandoned()
        return world.row(row)

    assert runner.run(work()).ended_us is None


def test_a_rejection_that_cannot_be_stored_at_first_keeps_its_reason(
    runner: asyncio.Runner, world: AdmissionFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 48. The archive is kept until it is stored, so that all of it can be done again."""
    monkeypatch.setattr(admission_module, "_RETRY_S", 0.0)
    world.tries.result = FAILED
    reject, locked = Submissions.reject, [UnavailableError(ErrorReason.STORAGE, "The database is locked.")]

    def reject_later(self: Submissions, number: int, rejection: Rejection, now_us: int) -> None:
        if locked:
            raise locked.pop()
        reject(self, number, rejection, now_us)

    monkeypatch.setattr(Submissions, "reject", reject_later)
    assert submit(runner, world, "ant", an_archive()).rejection == FAILED
    assert len(world.tries.tried) == 2


def test_nothing_is_built_while_there_is_no_room_for_it(
    runner: asyncio.Runner, world: AdmissionFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 48. What is left of the disk is for the results of matches."""
    looks = []

    def why_full() -> str:
        looks.append(len(world.tries.tried))
        return "only 3 MB of disk are free" if len(looks) < 9 else ""

    async def work() -> SubmissionRow:
        row = await world.submit("ant", an_archive())
        monkeypatch.setattr(admission_module, "_RETRY_S", 0.0)
        monkeypatch.setattr(world.admission.uploads, "why_full", why_full)
        (ended,) = await world.until_ended(row)
        return ended

    assert runner.run(work()).state is SubmissionState.ADMITTED
    assert looks == [0] * 9
