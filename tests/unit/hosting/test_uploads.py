"""Archives that come piece by piece, from senders that break off, repeat themselves, or send something else."""

import asyncio
import os
import threading
from collections.abc import Awaitable
from contextlib import suppress
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.core.errors import ArenaError, ErrorReason
from arena.hosting.admission.uploads import CHUNK_BYTES, Upload, Uploads

T = TypeVar("T")
DATA = bytes(range(256)) * 40


@pytest.fixture
def uploads(tmp_path: Path) -> Uploads:
    return Uploads(tmp_path / "uploads")


async def reason_of(work: Awaitable[object]) -> ErrorReason:
    """Return why the work is refused."""
    with pytest.raises(ArenaError) as caught:
        await work
    return caught.value.reason


@given(cuts=st.lists(st.integers(0, len(DATA)), max_size=8), breaks=st.sets(st.integers(0, 8)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_interrupted_upload_arrives_whole(uploads: Uploads, cuts: list[int], breaks: set[int]) -> None:
    places = sorted({0, *cuts, len(DATA)})

    async def send() -> str:
        upload = await uploads.begin(1, len(DATA))
        for number, (start, end) in enumerate(pairwise(places)):
            if number in breaks:
                await uploads.end(1, upload)
                assert uploads.received(1) == start
                upload = await uploads.begin(1, len(DATA))
            await upload.write(start, DATA[start:end])
        assert upload.whole
        digest = await upload.finish()
        await uploads.end(1, upload)
        assert uploads.path(1).read_bytes() == DATA
        await uploads.remove(1)
        return digest

    assert asyncio.run(send()) == sha256(DATA).hexdigest()
    assert not uploads.path(1).exists()


@pytest.mark.parametrize(
    ("offset", "length", "reason"),
    [
        *((offset, 5, ErrorReason.FIELD_INVALID) for offset in (0, 9, 11, 2**31)),
        *((10, length, ErrorReason.FIELD_INVALID) for length in (0, CHUNK_BYTES + 1)),
        (10, 11, ErrorReason.ARCHIVE_TOO_LARGE),
    ],
)
async def test_a_piece_that_is_not_the_next_or_has_a_wrong_size_is_refused(
    uploads: Uploads, offset: int, length: int, reason: ErrorReason
) -> None:
    upload = await uploads.begin(1, 20)
    await upload.write(0, DATA[:10])
    assert await reason_of(upload.write(offset, bytes(length))) is reason
    assert uploads.received(1) == 10
    await uploads.end(1, upload)


async def test_a_later_sender_takes_over_and_a_removed_archive_is_written_no_more(uploads: Uploads) -> None:
    first = await uploads.begin(1, 100)
    await first.write(0, DATA[:10])
    second = await uploads.begin(1, 100)
    assert await reason_of(first.write(10, DATA[:10])) is ErrorReason.SUBMISSION_STATE
    await second.write(10, DATA[10:20])
    await uploads.end(1, first)
    assert uploads.is_coming(1)
    assert uploads.path(1).read_bytes() == DATA[:20]
    await uploads.remove(1)
    assert not uploads.is_coming(1)
    assert await reason_of(second.write(20, DATA[:10])) is ErrorReason.SUBMISSION_STATE
    assert not uploads.path(1).exists()
    third = await uploads.begin(1, 100)
    await uploads.end(1, third)
    assert not uploads.is_coming(1)


async def test_a_full_disk_keeps_whole_pieces_only(uploads: Uploads, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 48. The write stores a part of the piece, then the disk is full."""
    upload = await uploads.begin(1, 100)
    await upload.write(0, DATA[:10])
    write, calls = os.write, iter([3])

    def full(handle: int, data: bytes) -> int:
        if (room := next(calls, None)) is None:
            raise OSError(28, "No space left on device")
        return write(handle, data[:room])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        assert await reason_of(upload.write(10, DATA[10:20])) is ErrorReason.STORAGE
    assert uploads.received(1) == 10
    await upload.write(10, DATA[10:20])
    await uploads.end(1, upload)
    assert uploads.path(1).read_bytes() == DATA[:20]
    uploads.why_full = lambda: "only 3 MB of disk are free"
    assert await reason_of(uploads.begin(1, 100)) is ErrorReason.STORAGE


async def test_what_belongs_to_no_submission_is_removed(uploads: Uploads) -> None:
    for number in (1, 2, 3):
        upload: Upload = await uploads.begin(number, 10)
        await uploads.end(number, upload)
    assert uploads.keep_only([2]) == 2
    assert [number for number in (1, 2, 3) if uploads.path(number).exists()] == [2]
    assert uploads.silent_s(2) is not None
    assert uploads.silent_s(3) is None


def open_files(path: Path) -> int:
    """How often this process has the file open."""
    found = 0
    for link in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found += link.readlink() == path
    return found


async def test_of_all_senders_that_begin_at_the_same_moment_one_can_write(uploads: Uploads) -> None:
    """Two who write would each see their own hash, and the archive be neither's."""
    first = await uploads.begin(1, 100)
    begun = await asyncio.gather(*(uploads.begin(1, 100) for _ in range(8)), return_exceptions=True)
    able = []
    for upload in [first, *(each for each in begun if isinstance(each, Upload))]:
        with suppress(ArenaError):
            await upload.write(0, DATA[:1])
            able.append(upload)
    assert len(able) == 1
    assert open_files(uploads.path(1)) == 1
    await uploads.end(1, able[0])
    assert (open_files(uploads.path(1)), uploads.is_coming(1)) == (0, False)


@pytest.mark.parametrize("what", ["open", "write"])
async def test_a_cancelled_upload_leaves_no_open_file(
    uploads: Uploads, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """A descriptor that is closed under a thread that writes may be another file by then."""
    at_disk, go_on, written = threading.Event(), threading.Event(), []
    really = getattr(os, what)

    def slowly(*args: object) -> int:
        if at_disk.is_set() or (what == "open" and args[0] != uploads.path(1)):
            return int(really(*args))
        at_disk.set()
        go_on.wait(20)
        if what == "write":
            written.append(Path(f"/proc/self/fd/{args[0]}").readlink())
        return int(really(*args))

    async def send() -> None:
        upload = await uploads.begin(1, 100)
        try:
            await upload.write(0, DATA[:50])
        finally:
            await uploads.end(1, upload)

    with monkeypatch.context() as patch:
        patch.setattr(os, what, slowly)
        sender = asyncio.create_task(send())
        await asyncio.to_thread(at_disk.wait, 20)
        sender.cancel()
        asyncio.get_running_loop().call_soon(go_on.set)
        await asyncio.wait({sender})
        assert sender.cancelled()
    assert (open_files(uploads.path(1)), uploads.is_coming(1)) == (0, False)
    assert written == ([uploads.path(1)] if what == "write" else [])
