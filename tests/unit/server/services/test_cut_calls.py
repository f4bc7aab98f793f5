"""Whatever a token had open ends with it, told why: watching, downloading, uploading."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from arena.server.auth.authentication import Authenticator
from arena.server.auth.revocation import REVOKED
from arena.store.accounts.tokens import Role, TokenRow
from arena.v1 import submission_pb2, token_pb2
from tests.unit.runner.fakes import MatchFixture
from tests.unit.server.services.harness import Arena, RefusedError
from tests.unit.server.services.test_submission_service import LARGE, create
from tests.unit.store.store_fixture import StoreFixture

MINUTE_US = 60_000_000
ENDED = (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")


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


async def end_token(arena: Arena, how: str) -> None:
    """End the token "mallory" of the owner mal: by a method with these fields, or because time passes."""
    methods: dict[str, dict[str, Any]] = {
        "RevokeToken": {"name": f"tokens/{arena.tokens['mallory'].id}"},
        "SetUserRole": {"name": "users/mal", "role": token_pb2.ROLE_SPECTATOR},
        "SetUserDisabled": {"name": "users/mal", "disabled": True},
    }
    if how in methods:
        await arena.open(how, "organiser", **methods[how])
    else:
        arena.now_us += MINUTE_US
        arena.timers.move(MINUTE_US // 1_000)


@pytest.fixture
def mallory(arena: Arena) -> Arena:
    """mal has a token for another minute, and a submission on its way."""
    arena.add_token("mallory", Role.OWNER, "mal", expires_us=arena.now_us + MINUTE_US)
    arena.add_token("maw", Role.BOT, "mal", "maw")
    return arena


@pytest.mark.parametrize("how", ["RevokeToken", "SetUserRole", "SetUserDisabled", "it expires"])
def test_a_spectator_a_watcher_and_an_upload_end_with_their_token(mallory: Arena, how: str) -> None:
    db = StoreFixture(mallory.store)
    db.populate("bee", "cat")
    match = db.pair("bee", "cat")[0]
    db.start(match)
    mallory.runtime.spectator_views[match] = MatchFixture(2).begin().runner.spectator_view
    submission = create(mallory, LARGE, "mallory", "bots/maw").name

    async def pieces() -> AsyncIterator[submission_pb2.UploadArchiveRequest]:
        yield submission_pb2.UploadArchiveRequest(name=submission, data=LARGE[:1000])
        await asyncio.Event().wait()

    async def cut() -> None:
        watching = {"name": f"matches/{match}"}
        calls = [
            mallory.open("WatchMatch", "mallory", **watching),
            mallory.open("WatchSubmission", "mallory", name=submission),
        ]
        for call in calls:
            await call.read()
        upload = mallory.method("UploadArchive")(pieces(), metadata=mallory.metadata("mallory"), timeout=60)
        while not mallory.admission.uploads.is_coming(1):  # noqa: ASYNC110 - an upload has no signal
            await asyncio.sleep(0)
        others = mallory.open("WatchMatch", "ada", **watching)
        await others.read()
        await end_token(mallory, how)
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
        call = mallory.open("WatchSubmission", "mallory", name=submission)
        assert await ending(call) == ENDED

    mallory.await_(watch())
