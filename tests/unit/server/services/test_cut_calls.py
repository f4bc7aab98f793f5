"""Whatever a token had open ends with it, told why: watching, downloading, uploading."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
import pytest

from arena.server.auth.authentication import Authenticator
from arena.server.auth.revocation import REVOKED
from arena.store.accounts.tokens import Role, TokenRow
from arena.v1 import match_pb2, submission_pb2, token_pb2, user_pb2
from tests.unit.runner.fakes import MatchFixture
from tests.unit.server.services.harness import Arena, RefusedError
from tests.unit.server.services.test_submission_service import LARGE, create
from tests.unit.store.store_fixture import StoreFixture

MINUTE_US = 60_000_000
ENDED = (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")
Cut = Callable[[], Awaitable[None]]


async def ending(call: Any) -> tuple[grpc.StatusCode, str]:
    """How a call ends, by itself: nothing that it still says is waited for."""
    try:
        if isinstance(call, grpc.aio.StreamUnaryCall):
            await call
        else:
            while await call.read() is not grpc.aio.EOF:
                pass
            return await call.code(), ""
    except grpc.aio.AioRpcError as error:
        refused = RefusedError(error)
        return refused.code, refused.reason
    return grpc.StatusCode.OK, ""


def ways_to_end(arena: Arena) -> dict[str, Cut]:
    """By its name, what ends the token "mallory" of the owner mal."""

    def as_organiser(method: Any, request: Any) -> Cut:
        async def call() -> None:
            await method(request, metadata=arena.metadata("organiser"), timeout=60)

        return call

    async def time_passes() -> None:
        arena.now_us += MINUTE_US
        arena.timers.move(MINUTE_US // 1_000)

    token = f"tokens/{arena.tokens['mallory'].id}"
    role = user_pb2.SetUserRoleRequest(name="users/mal", role=token_pb2.ROLE_SPECTATOR)
    out = user_pb2.SetUserDisabledRequest(name="users/mal", disabled=True)
    return {
        "revoked": as_organiser(arena.method("RevokeToken"), token_pb2.RevokeTokenRequest(name=token)),
        "lowered": as_organiser(arena.method("SetUserRole"), role),
        "shut out": as_organiser(arena.method("SetUserDisabled"), out),
        "expired": time_passes,
    }


@pytest.fixture
def mallory(arena: Arena) -> Arena:
    """mal has a token for another minute, and a submission on its way."""
    arena.add_token("mallory", Role.OWNER, "mal", expires_us=arena.now_us + MINUTE_US)
    arena.add_token("maw", Role.BOT, "mal", "maw")
    return arena


@pytest.mark.parametrize("how", ["revoked", "lowered", "shut out", "expired"])
def test_a_spectator_a_watcher_and_an_upload_end_with_their_token(mallory: Arena, how: str) -> None:
    db = StoreFixture(mallory.store)
    db.populate("bee", "cat")
    match = db.pair("bee", "cat")[0]
    db.start(match)
    mallory.runtime.spectator_views[match] = MatchFixture(2).begin().runner.spectator_view
    submission = create(mallory, LARGE, "mallory", "bots/maw").name
    mine, of_ada = mallory.metadata("mallory"), mallory.metadata("ada")

    async def pieces() -> AsyncIterator[submission_pb2.UploadArchiveRequest]:
        yield submission_pb2.UploadArchiveRequest(name=submission, data=LARGE[:1000])
        await asyncio.Event().wait()

    async def cut() -> None:
        watching = match_pb2.WatchMatchRequest(name=f"matches/{match}")
        calls: list[Any] = [
            mallory.method("WatchMatch")(watching, metadata=mine, timeout=60),
            mallory.method("WatchSubmission")(
                submission_pb2.WatchSubmissionRequest(name=submission), metadata=mine, timeout=60
            ),
        ]
        for call in calls:
            await call.read()
        upload = mallory.method("UploadArchive")(pieces(), metadata=mine, timeout=60)
        while not mallory.admission.uploads.is_coming(1):  # noqa: ASYNC110 - an upload has no signal
            await asyncio.sleep(0)
        others = mallory.method("WatchMatch")(watching, metadata=of_ada, timeout=60)
        await others.read()
        await ways_to_end(mallory)[how]()
        assert [await ending(call) for call in (*calls, upload)] == [ENDED] * 3
        assert not others.done()
        others.cancel()

    mallory.await_(cut())
    assert not mallory.admission.uploads.is_coming(1)


def test_a_token_revoked_during_its_check_opens_nothing(
    mallory: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look into the database and the first response."""
    submission = create(mallory, LARGE, "mallory", "bots/maw").name

    async def revoke_meanwhile(_self: Authenticator, row: TokenRow, now_us: int) -> None:
        mallory.runtime.end_calls([row.id], REVOKED)

    monkeypatch.setattr(Authenticator, "_note_use", revoke_meanwhile)

    async def watch() -> None:
        request = submission_pb2.WatchSubmissionRequest(name=submission)
        call = mallory.method("WatchSubmission")(request, metadata=mallory.metadata("mallory"), timeout=60)
        assert await ending(call) == ENDED

    mallory.await_(watch())
