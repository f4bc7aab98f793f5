"""UserService over a real connection: users, their roles and quotas."""

from dataclasses import asdict
from typing import Any

from arena.server.limits import QUOTAS
from arena.store.accounts.tokens import Role, Scope
from arena.store.audit.entries import AuditKind
from arena.v1 import token_pb2, user_pb2
from tests.unit.server.services.harness import Arena
from tests.unit.store.store_fixture import StoreFixture

SPECTATOR, OWNER, ORGANISER = token_pb2.ROLE_SPECTATOR, token_pb2.ROLE_OWNER, token_pb2.ROLE_ORGANISER


def test_a_user_is_an_owner_with_the_usual_quotas_unless_the_request_says_otherwise(arena: Arena) -> None:
    quotas = user_pb2.UserQuotas(bots=3)
    user = arena.call("CreateUser", "organiser", user_id="zoe", role=SPECTATOR, quotas=quotas).user
    assert (user.name, user.role, user.quotas, user.disabled) == ("users/zoe", SPECTATOR, quotas, False)
    assert user.quotas_in_force == user_pb2.UserQuotas(**{**asdict(QUOTAS), "bots": 3})
    assert arena.call("CreateUser", "organiser", user_id="yan").user.role == OWNER


def test_users_see_themselves_and_organisers_see_everybody(arena: Arena) -> None:
    StoreFixture(arena.store, arena.now_us - 10).submit("ant", "ab" * 32)
    arena.runtime.connections["ada"] = 2
    own = arena.call("GetUser", "ada").user
    assert own.name == "users/ada"
    usage = user_pb2.UserUsage(bots=1, submissions_per_day=1, versions_mib=0, connections=2, tokens=2)
    assert own.usage == usage
    assert arena.call("GetUser", "organiser", name="users/ada").user == own
    assert not arena.call("GetUser", "organiser").user.HasField("quotas_in_force")
    arena.add_token("narrow", Role.ORGANISER, "root", scopes=frozenset({Scope.READ}))
    assert arena.call("GetUser", "narrow").user.name == "users/root"
    assert arena.refusal("GetUser", "narrow", name="users/ada").reason == "SCOPE_REQUIRED"


def test_a_lower_role_revokes_tokens_above_it_for_good(arena: Arena) -> None:
    arena.add_token("reader", Role.SPECTATOR, "ada")
    changed = arena.call("SetUserRole", "organiser", name="users/ada", role=SPECTATOR)
    assert (changed.user.role, changed.revoked_tokens) == (SPECTATOR, 2)
    assert sorted(arena.runtime.closed) == sorted(arena.tokens[name].id for name in ("ada", "ant"))
    assert arena.runtime.hosting_changes == 1
    arena.call("SetUserRole", "organiser", name="users/ada", role=ORGANISER)
    assert [arena.opens(name) for name in ("reader", "ada", "ant")] == [True, False, False]


def test_an_enabled_user_has_all_tokens_again(arena: Arena) -> None:
    assert arena.call("SetUserDisabled", "organiser", name="users/ada", disabled=True).user.disabled
    assert sorted(arena.runtime.closed) == sorted(arena.tokens[name].id for name in ("ada", "ant"))
    assert [arena.opens(name) for name in ("ada", "ant", "bob")] == [False, False, True]
    arena.call("SetUserDisabled", "organiser", name="users/ada", disabled=False)
    assert arena.opens("ada")
    assert arena.runtime.hosting_changes == 2


def test_the_last_organiser_cannot_be_locked(arena: Arena) -> None:
    last = "FAILED_PRECONDITION", "LAST_ORGANISER"
    lower: dict[str, Any] = {"name": "users/root", "role": OWNER}
    out: dict[str, Any] = {"name": "users/root", "disabled": True}
    attempts = ((("SetUserRole", "organiser"), lower), (("SetUserDisabled", "organiser"), out))
    arena.call("SetUserRole", "organiser", name="users/bob", role=ORGANISER)
    arena.call("SetUserDisabled", "organiser", name="users/bob", disabled=True)
    assert [arena.refusal(*each, **fields).status for each, fields in attempts] == [last, last]
    arena.call("SetUserDisabled", "organiser", name="users/bob", disabled=False)
    none_that_helps: tuple[dict[str, Any], ...] = (
        {"role": Role.OWNER},
        {"role": Role.ORGANISER, "scopes": frozenset({Scope.OVERSEE, Scope.READ})},
        {"role": Role.ORGANISER, "expires_us": arena.now_us},
        {"role": Role.ORGANISER, "revoked_us": arena.now_us},
    )
    for number, fields in enumerate(none_that_helps):
        arena.add_token(f"bob{number}", owner="bob", **fields)
    assert [arena.refusal(*each, **fields).status for each, fields in attempts] == [last, last]
    arena.add_token("chief", Role.ORGANISER, "bob", scopes=frozenset({Scope.OVERSEE, Scope.TOKENS}))
    assert arena.call("SetUserRole", "organiser", **lower).user.role == OWNER
    assert not arena.opens("organiser")


def test_quotas_that_are_not_set_have_their_defaults(arena: Arena) -> None:
    arena.call("SetUserQuotas", "organiser", name="users/ada", quotas=user_pb2.UserQuotas(bots=0, tokens=5))
    user = arena.call(
        "SetUserQuotas", "organiser", name="users/ada", quotas=user_pb2.UserQuotas(tokens=6)
    ).user
    assert user.quotas == user_pb2.UserQuotas(tokens=6)
    assert user.quotas_in_force.bots == QUOTAS.bots


def test_only_effective_changes_are_audited(arena: Arena) -> None:
    for _ in range(2):
        arena.call("SetUserRole", "organiser", name="users/ada", role=SPECTATOR)
        arena.call("SetUserDisabled", "organiser", name="users/bob", disabled=True)
        arena.call(
            "SetUserQuotas", "organiser", name="users/bob", quotas=user_pb2.UserQuotas(bots=3, tokens=9)
        )
    arena.call("SetUserQuotas", "organiser", name="users/bob")
    entries = arena.audited()
    assert {entry.kind for entry in entries} == {AuditKind.USER}
    key_words = ("bob was given the quotas of", "bots 3, tokens 9", "1 of their tokens", "2 of their tokens")
    assert all(words in entry.sentence for words, entry in zip(key_words, entries, strict=True))
