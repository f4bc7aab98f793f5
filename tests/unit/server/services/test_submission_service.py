"""Submissions over gRPC: announced, uploaded in pieces, watched, and by whom."""

import asyncio
import shutil
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.hosting.admission.uploads import CHUNK_BYTES
from arena.server.limits import QUOTAS, VERSIONS_OF_A_BOT
from arena.store.bots.bots import BotRow
from arena.store.bots.submissions import Rejection
from arena.v1 import errors_pb2, submission_pb2
from tests.unit.hosting.admissions import FAILED, an_archive
from tests.unit.server.services.harness import (
    DAY_US,
    FIELD_INVALID,
    Arena,
    RefusedError,
    refusal_of,
)
from tests.unit.store.store_fixture import StoreFixture

Submission = submission_pb2.Submission
ARCHIVE = an_archive()
LARGE = an_archive(noise="".join(sha256(str(n).encode()).hexdigest() for n in range(8_000)))
"""Some pieces long."""


def create(
    arena: Arena, archive: bytes = ARCHIVE, token: str = "ada", bot: str = "bots/ant", **more: Any
) -> Any:
    """Announce an archive."""
    fields = {"archive_sha256": sha256(archive).hexdigest(), "archive_bytes": len(archive), **more}
    return arena.call("CreateSubmission", token, bot=bot, **fields).submission


def pieces(
    name: str, archive: bytes, offset: int = 0, end: int | None = None
) -> Iterator[submission_pb2.UploadArchiveRequest]:
    """Yield what a client sends of an archive from an offset on."""
    stop = len(archive) if end is None else end
    for start in range(offset, stop, CHUNK_BYTES):
        data = archive[start : min(start + CHUNK_BYTES, stop)]
        yield submission_pb2.UploadArchiveRequest(
            name=name if start == offset else "", offset=start, data=data
        )


def upload(arena: Arena, name: str, archive: bytes = ARCHIVE, token: str = "ada", **which: Any) -> Any:
    """Send the archive, or a part of it."""
    return arena.ask(arena.method("UploadArchive"), pieces(name, archive, **which), token).submission


def get(arena: Arena, name: str, token: str = "ada") -> Any:
    """Return the submission."""
    return arena.call("GetSubmission", token, name=name).submission


def watch(arena: Arena, name: str, token: str = "ada") -> list[Any]:
    """All that a watcher is shown while the admission works."""

    async def call() -> list[Any]:
        working = asyncio.create_task(arena.admission.run())
        try:
            return [each.submission async for each in arena.open("WatchSubmission", token, name=name)]
        finally:
            working.cancel()
            await asyncio.wait({working})

    return arena.await_(call())


def submit(arena: Arena, archive: bytes = ARCHIVE, token: str = "ada", bot: str = "bots/ant") -> Any:
    """Return the submission, ended."""
    made = create(arena, archive, token, bot)
    if made.state == Submission.STATE_UPLOADING:
        upload(arena, made.name, archive, token)
    return watch(arena, made.name, token)[-1]


def test_an_archive_becomes_a_version_and_its_owner_sees_how(arena: Arena) -> None:
    made = create(arena, LARGE)
    assert (made.name, made.state) == ("bots/ant/submissions/1", Submission.STATE_UPLOADING)
    sent = upload(arena, made.name, LARGE)
    assert (sent.state, sent.received_bytes) == (Submission.STATE_WAITING, len(LARGE))
    shown = watch(arena, made.name)
    states = [each.state for each in shown]
    assert states == sorted(states)
    assert states[0] <= Submission.STATE_TRYING
    last = shown[-1]
    assert (last.state, last.plays, last.known, last.scenarios) == (Submission.STATE_ADMITTED, True, False, 2)
    assert last.version.startswith("bots/ant/versions/")
    assert last.HasField("end_time")
    assert get(arena, made.name) == last
    assert watch(arena, made.name) == [last]  # once, since it has ended
    assert arena.runtime.hosting_changes == 1


def test_an_interrupted_upload_is_resumed(arena: Arena) -> None:
    made = create(arena, LARGE)
    assert refusal_of(upload, arena, made.name, LARGE, end=CHUNK_BYTES + 100).status == FIELD_INVALID
    assert get(arena, made.name).received_bytes == CHUNK_BYTES + 100
    again = create(arena, LARGE)
    assert (again.name, again.received_bytes) == (made.name, CHUNK_BYTES + 100)
    sent = upload(arena, made.name, LARGE, offset=again.received_bytes)
    assert sent.state == Submission.STATE_WAITING


def test_a_complete_archive_is_taken_without_another_byte(arena: Arena) -> None:
    made = create(arena)
    arena.admission.uploads.path(1).write_bytes(ARCHIVE)
    nothing = iter([submission_pb2.UploadArchiveRequest(name=made.name, offset=len(ARCHIVE))])
    sent = arena.ask(arena.method("UploadArchive"), nothing, "ada").submission
    assert sent.state == Submission.STATE_WAITING


@pytest.mark.parametrize("offset", [1, len(LARGE)])
def test_a_piece_from_another_place_is_refused(arena: Arena, offset: int) -> None:
    made = create(arena, LARGE)
    data = submission_pb2.UploadArchiveRequest(name=made.name, offset=offset, data=b"x")
    assert refusal_of(arena.ask, arena.method("UploadArchive"), iter([data]), "ada").reason == "FIELD_INVALID"
    assert get(arena, made.name).received_bytes == 0


def test_row_33_a_wrong_hash_rejects_the_submission(arena: Arena) -> None:
    made = create(arena)
    other = ARCHIVE[:-1] + bytes([ARCHIVE[-1] ^ 1])
    assert refusal_of(upload, arena, made.name, other).status == ("INVALID_ARGUMENT", "ARCHIVE_HASH_MISMATCH")
    ended = get(arena, made.name)
    assert (ended.state, ended.received_bytes) == (Submission.STATE_REJECTED, 0)
    assert not arena.admission.uploads.path(1).exists()
    assert create(arena).name == "bots/ant/submissions/2"


def test_row_33_more_bytes_than_announced_are_refused_before_they_are_stored(arena: Arena) -> None:
    made = create(arena, archive_bytes=10)
    assert refusal_of(upload, arena, made.name).status == ("RESOURCE_EXHAUSTED", "ARCHIVE_TOO_LARGE")
    assert get(arena, made.name).received_bytes == 0


@pytest.mark.parametrize(
    "name", ["", "bots/ant/submissions/0", "bots/ant/submissions/x", "submissions/1", "bots/ant"]
)
def test_an_invalid_name_of_a_submission_is_refused(arena: Arena, name: str) -> None:
    assert refusal_of(get, arena, name).status == FIELD_INVALID
    assert refusal_of(upload, arena, name).status == FIELD_INVALID


def test_an_upload_without_a_message_or_with_two_names_is_refused(arena: Arena) -> None:
    made = create(arena, LARGE)
    first, second, *_ = pieces(made.name, LARGE)
    second.name = "bots/ant/submissions/2"
    for requests in ([], [first, second]):
        caught = refusal_of(arena.ask, arena.method("UploadArchive"), iter(requests), "ada")
        assert (caught.reason, caught.metadata["field"]) == ("FIELD_INVALID", "name")


def test_the_output_of_a_rejected_program_is_shown_to_its_owner_only(arena: Arena) -> None:
    arena.tries.result = FAILED
    name = submit(arena).name
    rejection = get(arena, name).rejection
    assert errors_pb2.ErrorReason.Name(rejection.reason) == "ERROR_REASON_CONFORMANCE_FAILED"
    assert rejection.output == "Traceback"
    assert get(arena, name, "organiser").rejection.output == ""
    assert get(arena, name, "organiser").rejection.sentence == FAILED.sentence
    assert watch(arena, name, "organiser")[-1].rejection.output == ""
    [listed] = arena.call("ListSubmissions", "ada", bot="bots/ant").submissions
    assert listed.rejection.output == ""


def test_the_runtimes_are_listed_with_their_versions(arena: Arena) -> None:
    go, python = arena.call("ListRuntimes", "ada").runtimes
    assert (go.name, go.version, go.no_builds, go.added) == ("go", "", "go is not installed", False)
    assert (python.name, python.version, python.start_seconds) == ("python", "Python 3.11.7", 10)


def test_a_bot_has_one_submission_on_its_way(arena: Arena) -> None:
    first = create(arena)
    upload(arena, first.name)
    assert refusal_of(create, arena, LARGE).status == ("FAILED_PRECONDITION", "SUBMISSION_STATE")
    assert create(arena).name == first.name
    assert refusal_of(upload, arena, first.name).status == ("FAILED_PRECONDITION", "SUBMISSION_STATE")


def test_an_abandoned_upload_is_replaced_by_another_archive(arena: Arena) -> None:
    first = create(arena, LARGE)
    refusal_of(upload, arena, first.name, LARGE, end=100)
    second = create(arena)
    assert second.name != first.name
    assert get(arena, first.name).state == Submission.STATE_REJECTED
    assert not arena.admission.uploads.path(1).exists()
    assert upload(arena, second.name).state == Submission.STATE_WAITING


def test_the_same_archive_again_is_known_at_once(arena: Arena) -> None:
    first = submit(arena)
    again = create(arena)
    assert (again.state, again.known, again.plays) == (Submission.STATE_ADMITTED, True, True)
    assert (again.version, again.name) == (first.version, "bots/ant/submissions/2")
    assert arena.runtime.hosting_changes == 2


def test_an_archive_whose_version_was_lost_is_uploaded_again(arena: Arena) -> None:
    version = submit(arena).version.rpartition("/")[2]
    shutil.rmtree(arena.folder / "versions" / version)
    again = create(arena)
    assert again.state == Submission.STATE_UPLOADING
    upload(arena, again.name)
    assert watch(arena, again.name)[-1].version.endswith(version)
    assert (arena.folder / "versions" / version / "source").is_dir()


def test_an_archive_that_was_rejected_is_tried_again(arena: Arena) -> None:
    arena.tries.result = FAILED
    assert submit(arena).state == Submission.STATE_REJECTED
    arena.tries.result = None
    assert submit(arena).state == Submission.STATE_ADMITTED


def test_an_owner_may_submit_so_often_a_day_and_an_organiser_more(arena: Arena) -> None:
    since_us = arena.now_us

    def spend(tx: Any) -> None:
        rejection = Rejection(FAILED.reason, FAILED.sentence)
        for number in range(QUOTAS.submissions_per_day or 0):
            row = tx.submissions.add("ant", "ada", f"{number:064x}", 10, since_us)
            tx.submissions.reject(row.number, rejection, since_us)

    arena.change(spend)
    assert refusal_of(create, arena).status == ("RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED")
    assert create(arena, token="organiser").state == Submission.STATE_UPLOADING
    arena.change(lambda tx: tx.bots.add(BotRow("another", "ada", "", False, 1)))
    assert refusal_of(create, arena, bot="bots/another").status == ("RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED")
    arena.now_us += DAY_US + 1
    assert create(arena, LARGE, bot="bots/another").state == Submission.STATE_UPLOADING


def test_the_number_of_versions_of_a_bot_is_limited(arena: Arena) -> None:
    db = StoreFixture(arena.store, arena.now_us - 10 * DAY_US)
    db.submit("ant", *(f"{number:064x}" for number in range(VERSIONS_OF_A_BOT)))
    assert refusal_of(create, arena).status == ("RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED")


def test_submissions_are_refused_where_no_submitted_bots_are_run(arena: Arena) -> None:
    why = "This arena runs no submitted bots: seccomp missing. `arena doctor` says more."
    arena.admission._tools = replace(arena.admission._tools, why_not=why)
    caught = refusal_of(create, arena)
    assert caught.status == ("FAILED_PRECONDITION", "SANDBOX_WEAK")
    assert "seccomp" in caught.sentence
    assert refusal_of(create, arena, token="bob").reason == "NOT_OWNER"


@given(
    sent=st.lists(
        st.tuples(
            st.integers(0, 40), st.binary(max_size=30), st.sampled_from(["", "bots/ant/submissions/1", "x"])
        ),
        max_size=5,
    )
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_more_bytes_are_kept_than_announced(arena: Arena, sent: list[tuple[int, bytes, str]]) -> None:
    """What comes of one example is what the next begins with, until some archive is whole."""
    if not arena.store.read(lambda tx: tx.submissions.unfinished()):
        create(arena, archive_bytes=20)
    requests = [
        submission_pb2.UploadArchiveRequest(offset=offset, data=data, name=name)
        for offset, data, name in sent
    ]
    refusals: list[RefusedError] = []
    try:
        arena.ask(arena.method("UploadArchive"), iter(requests), "ada")
    except RefusedError as error:
        refusals.append(error)
    assert [each.sentence for each in refusals if each.code.name == "INTERNAL"] == []
    assert arena.admission.uploads.received(1) <= 20
