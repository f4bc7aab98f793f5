"""Decisions are carried out although the caller cancels the call, and refused once the caller's token is revoked."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from arena.core.errors import ErrorReason, UnauthenticatedError
from arena.core.match import SeedPolicy
from arena.server.auth.permissions import Caller, act_as
from arena.server.services.bots import BotService
from arena.server.services.cluster import ClusterService
from arena.server.services.service_context import Service
from arena.server.services.tokens import TokenService
from arena.server.services.users import UserService
from arena.store.accounts.tokens import Role, Scope
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.v1 import bot_pb2, token_pb2
from tests.unit.server.services.harness import Arena
from tests.unit.server.services.test_submission_service import create
from tests.unit.store.store_fixture import LADDER, VERSION, StoreFixture

Change = Callable[[Transaction], None]
CALLS: dict[str, tuple[type[Service], dict[str, Any]]] = {
    "RevokeToken": (TokenService, {}),
    "SetUserDisabled": (UserService, {"name": "users/ada", "disabled": True}),
    "SetUserRole": (UserService, {"name": "users/ada", "role": token_pb2.ROLE_SPECTATOR}),
    "CreateToken": (TokenService, {"role": token_pb2.ROLE_OWNER, "owner": "users/eve"}),
    "CreateUser": (UserService, {"user_id": "eve", "role": token_pb2.ROLE_ORGANISER}),
    "SetHosting": (BotService, {"bot": "bots/ant", "mode": bot_pb2.Hosting.MODE_OFF}),
    "SetNodeDrained": (ClusterService, {"name": "nodes/lab2", "drained": True}),
}
"""Methods that decide something, with their services; RevokeToken names ada's token."""


async def call_behind(arena: Arena, method: str, before: Change, *, gone: bool) -> Any:
    """Return the result of a call whose change waits for another one; `gone`: the caller cancels it meanwhile."""
    service, fields = CALLS[method]
    request = arena.request(method, **(fields or {"name": f"tokens/{arena.tokens['ada'].id}"}))
    act_as(Caller(arena.tokens["organiser"].id, Role.ORGANISER, "root", None))
    free = threading.Event()
    waits = asyncio.ensure_future(arena.database.write(lambda _: free.wait(20)))
    first = asyncio.ensure_future(arena.database.write(before))
    task = asyncio.ensure_future(getattr(service(arena.platform), method)(request, None))
    for _ in range(3):  # all have sent what they have to store
        await asyncio.sleep(0)
    if gone:
        task.cancel()
    free.set()
    await asyncio.gather(waits, first)
    await asyncio.wait({task})
    await arena.database.write(nothing)  # whatever was sent before has happened
    return "gone" if task.cancelled() else task.exception()


def nothing(_tx: Transaction) -> None:
    """No change."""


@pytest.mark.parametrize(
    ("method", "ended"),
    [("RevokeToken", ["ada"]), ("SetUserDisabled", ["ada", "ant"]), ("SetUserRole", ["ada", "ant"])],
)
def test_calls_of_revoked_tokens_end_even_if_the_revoking_call_is_cancelled(
    arena: Arena, method: str, ended: list[str]
) -> None:
    """The change is stored all the same: otherwise a stream would continue with a revoked token."""
    outcome = arena.await_(call_behind(arena, method, nothing, gone=True))
    assert outcome == "gone"
    assert sorted(arena.runtime.closed) == sorted(arena.tokens[name].id for name in ended)


def test_another_version_is_hosted_though_the_caller_has_cancelled(arena: Arena) -> None:
    StoreFixture(arena.store).submit("ant", VERSION)
    arena.await_(call_behind(arena, "SetHosting", nothing, gone=True))
    assert arena.runtime.hosting_changes == 1


@pytest.mark.parametrize(
    "method", ["RevokeToken", "SetUserDisabled", "SetUserRole", "CreateToken", "CreateUser"]
)
def test_a_caller_whose_token_is_revoked_while_the_call_waits_decides_nothing(
    arena: Arena, method: str
) -> None:
    def revoked(tx: Transaction) -> None:
        tx.tokens.revoke(arena.tokens["organiser"].id, arena.now_us)

    outcome = arena.await_(call_behind(arena, method, revoked, gone=False))
    assert isinstance(outcome, UnauthenticatedError)
    assert outcome.reason is ErrorReason.TOKEN_INVALID
    assert arena.runtime.closed == []
    assert arena.change(lambda tx: tx.users.find("eve")) is None


def test_an_organisers_changes_to_bots_of_others_are_audited(arena: Arena) -> None:
    StoreFixture(arena.store).submit("ant", VERSION)
    for mode in (bot_pb2.Hosting.MODE_OFF, bot_pb2.Hosting.MODE_NEWEST, bot_pb2.Hosting.MODE_PINNED):
        pinned = f"bots/ant/versions/{VERSION}" if mode == bot_pb2.Hosting.MODE_PINNED else ""
        for caller in ("ada", "organiser"):
            arena.call("SetHosting", caller, bot="bots/ant", mode=mode, version=pinned)
    create(arena, token="organiser")
    create(arena, b"another archive", token="ada")
    entries = arena.audited()
    assert {(entry.kind, entry.about) for entry in entries} == {(AuditKind.BOT, ("bots/ant", "users/ada"))}
    key_words = ("runs no version", "the newest version", f"the version {VERSION[:12]}", "(submission 2)")
    assert all(words in entry.sentence for words, entry in zip(key_words, reversed(entries), strict=True))


@pytest.mark.parametrize(("caller", "state"), [("ada", "PENDING"), ("organiser", "NO_CONTEST")])
def test_only_an_organiser_ends_the_groups_of_a_version(arena: Arena, caller: str, state: str) -> None:
    """An owner who has won the first half of such a group must not call off the other one."""
    db = StoreFixture(arena.store)
    db.populate("bee")
    arena.change(lambda tx: tx.entries.join(LADDER, "ant", 1))
    db.submit("ant", VERSION)
    first, second = db.pair("ant", "bee", policy=SeedPolicy.SHARED)
    db.start(first, ant=VERSION)
    db.finish(first, 1, 2)
    arena.call("SetHosting", caller, bot="bots/ant", mode=bot_pb2.Hosting.MODE_OFF)
    assert arena.change(lambda tx: tx.matches.get(second)).state.name == state
    entries = arena.audited()
    told = "Matches that waited for it, and are given up: 1."
    assert [entry.sentence.endswith(told) for entry in entries] == ([True] if caller == "organiser" else [])


def test_a_lock_on_an_organisers_own_bot_ends_no_group(arena: Arena) -> None:
    db = StoreFixture(arena.store)
    db.populate("bee")
    db.populate_more("own", owner="root")
    db.submit("own", VERSION)
    first, second = db.pair("own", "bee", policy=SeedPolicy.SHARED)
    db.start(first, own=VERSION)
    db.finish(first, 1, 2)
    off = bot_pb2.Hosting.MODE_OFF
    assert arena.call("SetHosting", "organiser", bot="bots/own", mode=off, lock=True).bot.hosting.locked
    assert arena.change(lambda tx: tx.matches.get(second)).state.name == "PENDING"


def test_a_new_owner_of_a_new_bot_is_a_new_user(arena: Arena) -> None:
    """An organiser's token that may make no users makes none so either."""
    arena.add_token("narrow", Role.ORGANISER, "root", scopes=frozenset({Scope.BOTS}))
    new = {"bot_id": "gnu", "owner": "owners/gus"}
    assert arena.refusal("CreateBot", "narrow", **new).reason == "SCOPE_REQUIRED"
    arena.call("CreateBot", "organiser", **new)
    entries = arena.audited()
    assert [entry.about[-1] for entry in reversed(entries)] == ["users/gus", "users/gus"]
    assert "the role owner" in entries[1].sentence
