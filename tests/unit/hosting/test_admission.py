"""What becomes of a whole archive: a version, or a rejection that says why, and after a crash no less."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena.hosting.admission.admission as admission_module
from arena.core.errors import ErrorReason, UnavailableError
from arena.hosting.admission.admission import ABANDONED_S, FairQueue
from arena.sandbox.process_spec import SandboxError
from arena.store.audit.entries import AuditEntry, AuditFilter
from arena.store.bots.bots import VersionOrigin
from arena.store.bots.hosting import HostingMode
from arena.store.bots.submissions import Rejection, SubmissionRow, Submissions, SubmissionState
from arena.store.webhooks.outbox import NotificationType
from tests.unit.hosting.admissions import FAILED, AdmissionFixture, FakeTries, an_archive, with_manifest
from tests.unit.hosting.sample_submissions import MANIFEST
from tests.unit.store.webhook_rows import a_webhook, notifications


@pytest.fixture
def fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AdmissionFixture]:
    monkeypatch.setattr(admission_module, "_RETRY_S", 0.0)
    made = AdmissionFixture(tmp_path)
    made.reopen()
    yield made
    made.database.close()


def rejection_of(ended: SubmissionRow) -> Rejection:
    """Return why the submission was rejected."""
    assert ended.rejection is not None
    return ended.rejection


async def test_a_program_that_passes_becomes_a_version_that_plays(fixture: AdmissionFixture) -> None:
    ended = await fixture.process("ant", an_archive())
    assert (ended.state, ended.known, ended.plays) == (SubmissionState.ADMITTED, False, True)
    assert [trial.scenario for trial in ended.trials] == ["hello", "reset"]
    version = ended.version
    assert version is not None
    assert fixture.hosted_version("ant") == version
    row = fixture.store.read(lambda tx: tx.bots.version("ant", version))
    assert (row.origin, row.language) == (VersionOrigin.SUBMITTED, "python")
    assert row.program is not None
    assert (row.program.command, row.program.files) == (("python", "bot.py"), 2)
    assert fixture.folders.is_whole(version)
    assert (fixture.left(), fixture.admitted) == ([], 1)


async def test_webhooks_are_told_what_became_of_a_submission(fixture: AdmissionFixture) -> None:
    kinds = NotificationType.VERSION_ADMITTED, NotificationType.VERSION_REJECTED
    fixture.store.write(lambda tx: tx.webhooks.add(a_webhook(*kinds)))
    admitted = await fixture.process("ant", an_archive())
    rejected = await fixture.process("ant", b"no archive")
    first, second = fixture.store.read(notifications)
    assert (first.type, second.type) == kinds
    assert first.data == {
        "bot": "bots/ant",
        "path": "/bots/ant",
        "submission": admitted.number,
        "version": admitted.version,
        "plays": True,
    }
    assert second.data == {
        "bot": "bots/ant",
        "path": "/bots/ant",
        "submission": rejected.number,
        "reason": rejection_of(rejected).reason.value,
    }


async def test_what_the_build_makes_is_what_is_tried_and_run(fixture: AdmissionFixture) -> None:
    ended = await fixture.process("ant", with_manifest(f'build = ["make"]\n{MANIFEST}'))
    assert ended.state is SubmissionState.ADMITTED
    assert fixture.tries.tried == [["bot.py", "bot.toml", "made"]]
    assert ended.version is not None
    assert (fixture.folders.folder(ended.version) / "made").read_text() == "by the build"
    assert not (fixture.folders.source(ended.version) / "made").exists()


BUILD_FAILED = Rejection(ErrorReason.BUILD_FAILED, "The build failed.", "no rule to make target\n")


@pytest.mark.parametrize(("rejection", "tried"), [(BUILD_FAILED, 0), (FAILED, 1)], ids=["build", "trial"])
async def test_a_program_that_fails_leaves_nothing(
    fixture: AdmissionFixture, rejection: Rejection, tried: int
) -> None:
    """Row 34."""
    failing = fixture.tries if tried else fixture.builds
    failing.result = rejection
    archive = with_manifest(f'build = ["make"]\n{MANIFEST}')
    ended = await fixture.process("ant", archive)
    assert (ended.state, ended.rejection) == (SubmissionState.REJECTED, rejection)
    assert (len(fixture.tries.tried), len(ended.trials)) == (tried, 2 * tried)
    assert (fixture.left(), fixture.folders.hashes(), fixture.hosted_version("ant")) == ([], [], None)
    failing.result = None
    assert (await fixture.process("ant", archive)).state is SubmissionState.ADMITTED


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
        (
            with_manifest(MANIFEST.replace('"python"\n', '"ruby"\n')),
            ErrorReason.MANIFEST_INVALID,
            "there are absent, binary, cpp",
        ),
        (
            with_manifest(MANIFEST.replace('"python"\n', '"absent"\n')),
            ErrorReason.RUNTIME_UNAVAILABLE,
            "no-such-program is not installed",
        ),
    ],
)
async def test_an_unusable_archive_is_rejected_and_deleted(
    fixture: AdmissionFixture, archive: bytes, reason: ErrorReason, words: str
) -> None:
    """Row 33."""
    ended = await fixture.process("ant", archive)
    assert ended.state is SubmissionState.REJECTED
    assert rejection_of(ended).reason is reason
    assert words in rejection_of(ended).sentence
    assert (fixture.left(), fixture.folders.hashes()) == ([], [])


async def test_what_the_build_makes_must_be_an_executable_for_this_machine(fixture: AdmissionFixture) -> None:
    manifest = 'command = ["./made"]\nbuild = ["sh"]\nruntime = "binary"\ngames = ["caravan"]\n'
    rejection = rejection_of(await fixture.process("ant", with_manifest(manifest)))
    assert rejection.reason is ErrorReason.EXECUTABLE_INVALID
    assert (fixture.tries.tried, fixture.folders.hashes()) == ([], [])


async def test_runtimes_are_tried_once_unless_that_fails(fixture: AdmissionFixture) -> None:
    with pytest.raises(SandboxError):
        await fixture.admission.runtimes()
    both = await asyncio.gather(fixture.admission.runtimes(), fixture.admission.runtimes())
    assert [found[0].version for found in both] == ["look 2", "look 2"]


async def test_the_same_content_is_one_version_and_is_tried_once(fixture: AdmissionFixture) -> None:
    """However it is packed, and of whatever bot."""
    archives = [an_archive(), an_archive({"bot.py": "1\n", "bot.toml": MANIFEST}),
                an_archive({"mine/bot.py": "1\n", "mine/bot.toml": MANIFEST})]  # fmt: skip
    ended = [await fixture.process("ant", archive) for archive in archives]
    ended.append(await fixture.process("bee", an_archive()))
    assert len({each.version for each in ended}) == 1
    assert [each.known for each in ended] == [False, True, True, False]
    assert {each.state for each in ended} == {SubmissionState.ADMITTED}
    assert len(fixture.tries.tried) == 1
    assert len(fixture.folders.hashes()) == 1


async def test_organisers_see_which_bots_of_other_owners_have_the_same_content(
    fixture: AdmissionFixture,
) -> None:
    def named() -> list[AuditEntry]:
        entries = fixture.store.read(lambda tx: tx.audit.page(AuditFilter(), before=None, limit=100))
        return [entry for entry in entries if "same_content" in dict(entry.evidence)]

    first = await fixture.process("ant", an_archive())
    await fixture.process("ape", an_archive())  # of the same owner
    assert named() == []
    for _ in range(2):  # the second one is no news
        ended = await fixture.process("bee", an_archive())
        assert (ended.state, ended.plays) == (SubmissionState.ADMITTED, True)
    (entry,) = named()
    assert set(entry.about) == {"bots/bee", "users/bob", "bots/ant", "bots/ape", "users/ada"}
    assert dict(entry.evidence) == {"digest": first.version, "submission": "3", "same_content": "2"}


async def test_lost_files_come_back_with_a_second_submission(fixture: AdmissionFixture) -> None:
    first = await fixture.process("ant", an_archive())
    assert first.version is not None
    fixture.folders.remove(first.version)
    again = await fixture.process("ant", an_archive())
    assert (again.version, again.known) == (first.version, True)
    assert fixture.folders.is_whole(first.version)
    assert len(fixture.tries.tried) == 2


async def test_the_newest_submission_plays_unless_another_version_is_pinned(
    fixture: AdmissionFixture,
) -> None:
    old = await fixture.process("ant", an_archive())
    await fixture.process("ant", an_archive(more="2\n"))
    again = await fixture.process("ant", an_archive())
    assert fixture.hosted_version("ant") == again.version == old.version
    assert (again.known, again.plays) == (True, True)
    fixture.store.write(lambda tx: tx.hosting.set_mode("ant", HostingMode.PINNED, old.version))
    newer = await fixture.process("ant", an_archive(more="3\n"))
    assert (newer.state, newer.plays) == (SubmissionState.ADMITTED, False)


async def test_submissions_of_a_disabled_owner_are_not_run(fixture: AdmissionFixture) -> None:
    """Whoever keeps the arena busy with builds is stopped by shutting him out, and not hours later."""
    rows = [await fixture.submit("ant", an_archive(more="1")), await fixture.submit("bee", an_archive())]
    fixture.store.write(lambda tx: tx.users.set_disabled("ada", True))
    ants, bees = await fixture.until_ended(*rows)
    assert (ants.state, bees.state) == (SubmissionState.REJECTED, SubmissionState.ADMITTED)
    assert rejection_of(ants).reason is ErrorReason.ROLE_REQUIRED
    assert fixture.tries.order == []


@pytest.mark.parametrize(
    ("failures", "admitted"),
    [
        ([SandboxError("secret"), OSError(28, "secret")], True),
        ([SandboxError("secret")] * 3, False),
        ([RuntimeError("secret")], False),
    ],
    ids=["twice", "three times", "of another kind"],
)
async def test_a_failure_of_the_arena_is_tried_again_and_shows_no_details(
    fixture: AdmissionFixture, failures: list[Exception], admitted: bool
) -> None:
    """Row 46."""
    fixture.tries.failures = list(failures)
    ended = await fixture.process("ant", an_archive())
    assert (ended.state is SubmissionState.ADMITTED) is admitted
    if not admitted:
        assert rejection_of(ended).reason is ErrorReason.INTERNAL
        assert "secret" not in rejection_of(ended).sentence
        assert (fixture.left(), fixture.folders.hashes()) == ([], [])


async def test_waiting_submissions_continue_when_bots_are_run_again(fixture: AdmissionFixture) -> None:
    row = await fixture.submit("ant", an_archive())
    fixture.why_not = "This arena runs no submitted bots: seccomp missing."
    await fixture.restart()
    with suppress(TimeoutError):  # it works for ever, or would have begun by now
        async with asyncio.timeout(0.1):
            await fixture.admission.run()
    between = fixture.row(row).state
    fixture.why_not = ""
    await fixture.restart()
    (ended,) = await fixture.until_ended(row)
    assert (between, ended.state) == (SubmissionState.WAITING, SubmissionState.ADMITTED)


@pytest.mark.parametrize("state", [SubmissionState.WAITING, SubmissionState.BUILDING, SubmissionState.TRYING])
async def test_a_restart_continues_unfinished_submissions(
    fixture: AdmissionFixture, state: SubmissionState
) -> None:
    row = await fixture.submit("ant", an_archive())
    fixture.store.write(lambda tx: tx.submissions.advance(row.number, state, version="ab" * 32))
    await fixture.restart()
    (ended,) = await fixture.until_ended(row)
    assert ended.state is SubmissionState.ADMITTED
    assert len(fixture.tries.tried) == 1


async def test_a_lost_archive_has_to_be_submitted_again(fixture: AdmissionFixture) -> None:
    """As in a folder that was restored from a backup."""
    row = await fixture.submit("ant", an_archive())
    fixture.admission.uploads.path(row.number).unlink()
    await fixture.restart()
    ended = fixture.row(row)
    assert rejection_of(ended).reason is ErrorReason.ARCHIVE_MALFORMED
    assert "Submit it again" in rejection_of(ended).sentence


async def test_half_done_work_of_a_crash_is_removed_and_redone(fixture: AdmissionFixture) -> None:
    """It dies while the second of two programs is tried: a version without its row, and no version of the third."""
    await fixture.until_ended(await fixture.submit("bee", an_archive(more="3\n")))
    fixture.tries.hold, fixture.tries.reached = asyncio.Event(), asyncio.Event()
    row = await fixture.submit("ant", an_archive())
    working = asyncio.create_task(fixture.admission.run())
    await fixture.tries.reached.wait()
    left = fixture.folders.hashes()
    (fixture.folder / "versions" / ".work" / "leftover").mkdir()
    (fixture.folder / "versions" / ("f" * 64) / "source").mkdir(parents=True)
    (fixture.folder / "uploads" / "99").write_bytes(b"of nobody")
    whole = {path: path.read_bytes() for path in (fixture.folder / "uploads").iterdir()}
    working.cancel()
    await asyncio.wait({working})
    for path, data in whole.items():
        path.write_bytes(data)  # as if it had been killed and not cancelled
    assert len(left) == 2
    fixture.tries.hold = None
    await fixture.restart()
    assert len(fixture.folders.hashes()) == 1
    assert fixture.left() == [str(row.number)]
    (ended,) = await fixture.until_ended(row)
    assert ended.state is SubmissionState.ADMITTED
    assert (fixture.left(), len(fixture.folders.hashes())) == ([], 2)


async def test_submissions_are_processed_in_the_order_of_arrival(fixture: AdmissionFixture) -> None:
    rows = [await fixture.submit(bot, an_archive(more=bot)) for bot in ("ape", "bee", "ant")]
    ended = await fixture.until_ended(*rows)
    assert {each.state for each in ended} == {SubmissionState.ADMITTED}
    assert fixture.tries.order == ["ape", "bee", "ant"]


async def held_together(fixture: AdmissionFixture, *rows: SubmissionRow) -> list[SubmissionRow]:
    """Return these submissions ended; none ends before as many are tried as there are places."""
    everybody = asyncio.Event()

    class Together(FakeTries):
        async def try_program(self, *given: Any, **more: Any) -> Rejection | None:
            self.waiting = getattr(self, "waiting", 0) + 1
            if self.waiting == min(fixture.places, len(rows)):
                everybody.set()
            await everybody.wait()
            return await super().try_program(*given, **more)

    fixture.tries = Together()
    fixture.reopen()
    for row in rows:
        fixture.admission.take(row)
    return await fixture.until_ended(*rows)


async def test_as_many_submissions_are_tried_at_once_as_there_are_places(fixture: AdmissionFixture) -> None:
    fixture.places = 2
    rows = [await fixture.submit(bot, an_archive(more=bot)) for bot in ("ape", "bee", "ant")]
    ended = await held_together(fixture, *rows)
    assert {each.state for each in ended} == {SubmissionState.ADMITTED}
    assert set(fixture.tries.order[:2]) == {"ape", "bee"}
    assert fixture.left() == []


async def test_one_submission_is_tried_though_no_place_is_free(fixture: AdmissionFixture) -> None:
    fixture.places = 0
    rows = [await fixture.submit(bot, an_archive(more=bot)) for bot in ("ape", "bee")]
    assert {each.state for each in await fixture.until_ended(*rows)} == {SubmissionState.ADMITTED}
    assert fixture.tries.order == ["ape", "bee"]


async def test_the_same_content_is_tried_once_though_it_comes_twice_at_once(
    fixture: AdmissionFixture,
) -> None:
    fixture.places = 2
    rows = [await fixture.submit(bot, an_archive()) for bot in ("ant", "bee")]
    ended = await fixture.until_ended(*rows)
    assert {each.state for each in ended} == {SubmissionState.ADMITTED}
    assert len(fixture.tries.tried) == len(fixture.folders.hashes()) == 1


async def test_submissions_that_are_tried_at_once_do_not_exceed_their_owners_space(
    fixture: AdmissionFixture,
) -> None:
    fixture.places = 2
    rows = [await fixture.submit(bot, an_archive(more=bot * 100)) for bot in ("ape", "ant")]
    fixture.most_bytes = 600
    ended = await held_together(fixture, *rows)
    assert sorted(each.state.name for each in ended) == ["ADMITTED", "REJECTED"]
    assert len(fixture.folders.hashes()) == 1
    [rejected] = [each for each in ended if each.state is SubmissionState.REJECTED]
    assert rejection_of(rejected).reason is ErrorReason.QUOTA_EXCEEDED


async def test_a_crash_among_several_submissions_loses_none_of_them(fixture: AdmissionFixture) -> None:
    fixture.places = 2
    rows = [await fixture.submit(bot, an_archive(more=bot)) for bot in ("ape", "bee")]
    fixture.tries.hold, fixture.tries.reached = asyncio.Event(), asyncio.Event()
    working = asyncio.create_task(fixture.admission.run())
    while len(fixture.tries.tried) < 2:
        await asyncio.wait_for(fixture.tries.reached.wait(), 60)
        await asyncio.sleep(0)
    working.cancel()
    await asyncio.wait({working})
    fixture.tries = FakeTries()

    await fixture.restart()
    fixture.places = 1
    ended = await fixture.until_ended(*rows)
    assert {each.state for each in ended} == {SubmissionState.ADMITTED}
    assert fixture.tries.order == ["ape", "bee"]
    assert fixture.left() == []


@pytest.mark.parametrize("sent", [b"", b"a piece of it"], ids=["abandoned", "slow"])
async def test_an_upload_of_which_nothing_comes_is_given_up_after_an_hour(
    fixture: AdmissionFixture, sent: bytes
) -> None:
    row = fixture.store.write(lambda tx: tx.submissions.add("ant", "ada", "cd" * 32, 400, fixture.now_us))
    if sent:
        upload = await fixture.admission.uploads.begin(row.number, 400)
        await upload.write(0, sent)
        await fixture.admission.uploads.end(row.number, upload)
    await fixture.admission.give_up_abandoned()
    assert fixture.row(row).ended_us is None
    fixture.now_us += int(ABANDONED_S * 1_000_000)
    await fixture.admission.give_up_abandoned()
    rejection = fixture.row(row).rejection
    assert (rejection and rejection.reason) == (None if sent else ErrorReason.ARCHIVE_MALFORMED)


async def test_a_rejection_is_stored_later_with_its_reason(
    fixture: AdmissionFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 48. The archive is kept until it is stored, so that all of it can be done again."""
    fixture.tries.result = FAILED
    reject, locked = Submissions.reject, [UnavailableError(ErrorReason.STORAGE, "The database is locked.")]

    def reject_later(self: Submissions, number: int, rejection: Rejection, now_us: int) -> None:
        if locked:
            raise locked.pop()
        reject(self, number, rejection, now_us)

    monkeypatch.setattr(Submissions, "reject", reject_later)
    assert (await fixture.process("ant", an_archive())).rejection == FAILED
    assert len(fixture.tries.tried) == 2


async def test_nothing_is_built_on_a_full_disk(fixture: AdmissionFixture) -> None:
    """Row 48. What is left of the disk is for the results of matches."""
    looks = []

    def why_full() -> str:
        looks.append(len(fixture.tries.tried))
        return "only 3 MB of disk are free" if len(looks) < 9 else ""

    row = await fixture.submit("ant", an_archive())
    fixture.admission.uploads.why_full = why_full
    (ended,) = await fixture.until_ended(row)
    assert ended.state is SubmissionState.ADMITTED
    assert looks == [0] * 9


def a_row(number: int, owner: str) -> SubmissionRow:
    return SubmissionRow(number, "ant", owner, "ab" * 32, 1, SubmissionState.WAITING, 1)


def taken(*owners: str) -> list[tuple[str, int]]:
    """Who is next, if these have handed in one after the other: owner and number."""

    async def take() -> list[tuple[str, int]]:
        line = FairQueue()
        for number, owner in enumerate(owners):
            line.put(a_row(number, owner))
        rows = [await line.take() for _ in owners]
        return [(row.owner, row.number) for row in rows]

    return asyncio.run(take())


def test_owners_take_turns_and_of_one_the_oldest_comes_first() -> None:
    assert taken("ada", "ada", "ada") == [("ada", 0), ("ada", 1), ("ada", 2)]
    order = taken(*["ada"] * 50, "bob", *["cid"] * 50)
    assert order[:4] == [("ada", 0), ("bob", 50), ("cid", 51), ("ada", 1)]


async def test_a_submission_to_an_empty_queue_is_next() -> None:
    line = FairQueue()
    line.put(a_row(1, "ada"))
    await line.take()
    taking = asyncio.create_task(line.take())
    await asyncio.sleep(0)
    assert not taking.done()
    line.put(a_row(2, "ada"))
    assert (await taking).number == 2


@given(st.lists(st.sampled_from("abc"), max_size=30))
def test_each_is_taken_once_and_no_owner_twice_while_another_waits(owners: list[str]) -> None:
    order = taken(*owners)
    assert sorted(number for _, number in order) == list(range(len(owners)))
    for place, (owner, _) in enumerate(order[1:], start=1):
        if owner == order[place - 1][0]:
            assert {each for each, _ in order[place:]} == {owner}
