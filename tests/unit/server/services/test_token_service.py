"""TokenService over a real connection."""

from pathlib import Path
from typing import Any

import pytest

from arena.store.accounts.tokens import Role, Scope
from arena.store.audit.entries import Actor, AuditKind
from arena.v1 import token_pb2
from tests.unit.server.services.harness import DAY_US, Arena, RefusedError, refusal_of

BOT, OWNER, ORGANISER = token_pb2.ROLE_BOT, token_pb2.ROLE_OWNER, token_pb2.ROLE_ORGANISER
SPECTATOR = token_pb2.ROLE_SPECTATOR
READ, PRIVATE, TOKENS = token_pb2.SCOPE_READ, token_pb2.SCOPE_PRIVATE, token_pb2.SCOPE_TOKENS


def create(arena: Arena, caller: str, **fields: object) -> Any:
    """Make a token."""
    return arena.call("CreateToken", caller, **fields)


@pytest.mark.parametrize("caller", ["ada", "organiser"])
def test_a_token_of_a_bot_belongs_to_the_bots_owner(arena: Arena, caller: str) -> None:
    made = create(arena, caller, role=BOT, bot="bots/ant")
    assert (made.token.role, made.token.bot, made.token.owner) == (BOT, "bots/ant", "owners/ada")
    assert made.secret.startswith("arn_" + made.token.name.removeprefix("tokens/") + "_")
    assert not made.token.HasField("expire_time")


def test_an_organiser_makes_owners_and_organisers(arena: Arena) -> None:
    owner = create(arena, "organiser", role=OWNER, owner="owners/zoe")
    assert arena.opens(owner.secret)
    assert owner.user_made
    assert not create(arena, "organiser", role=OWNER, owner="owners/zoe").user_made
    assert not create(arena, "organiser", role=BOT, bot="bots/ant").user_made
    organiser = create(arena, "organiser", role=ORGANISER, owner="users/xia")
    assert create(arena, organiser.secret, role=OWNER, owner="owners/yan").token.owner == "owners/yan"


def refusal(arena: Arena, caller: str, **fields: object) -> tuple[str, str, dict[str, str]]:
    """How the request for a token is refused: status, reason, details."""
    refused = refusal_of(create, arena, caller, **fields)
    return *refused.status, refused.metadata


def test_spectators_owners_and_organisers_make_tokens_for_themselves(arena: Arena) -> None:
    arena.add_token("sam", Role.SPECTATOR, "sam")
    assert create(arena, "sam", role=SPECTATOR).token.owner == "owners/sam"
    assert create(arena, "ada", role=OWNER, note="laptop").token.note == "laptop"
    assert create(arena, "ada", role=SPECTATOR, owner="users/ada").token.role == SPECTATOR
    assert create(arena, "organiser", role=ORGANISER).token.owner == "owners/root"


def test_a_token_with_scopes_makes_only_tokens_within_them(arena: Arena) -> None:
    made = create(arena, "ada", role=OWNER, scopes=[TOKENS, READ]).token
    assert list(made.scopes) == [READ, TOKENS]
    arena.add_token("narrow", Role.OWNER, "ada", scopes=frozenset({Scope.READ, Scope.TOKENS}))
    assert list(create(arena, "narrow", role=OWNER, scopes=[READ]).token.scopes) == [READ]
    denied = "PERMISSION_DENIED", "SCOPE_REQUIRED"
    assert refusal(arena, "narrow", role=OWNER) == (*denied, {"required": "BOTS"})
    assert refusal(arena, "narrow", role=OWNER, scopes=[READ, PRIVATE]) == (*denied, {"required": "PRIVATE"})
    # A spectator's role has both, today: it is written down, lest it grow.
    assert list(create(arena, "narrow", role=SPECTATOR).token.scopes) == [READ, TOKENS]
    # A bot's token has no scopes: it plays, and can do nothing else.
    assert create(arena, "narrow", role=BOT, bot="bots/ant").token.bot == "bots/ant"


def test_an_organiser_with_scopes_makes_no_organiser_without(arena: Arena) -> None:
    arena.add_token("narrow", Role.ORGANISER, "root", scopes=frozenset({Scope.TOKENS}))
    for fields in ({"role": ORGANISER}, {"role": OWNER, "owner": "owners/ada"}):
        assert refusal(arena, "narrow", **fields)[1] == "SCOPE_REQUIRED"
    new = {"role": OWNER, "owner": "owners/new", "scopes": [TOKENS]}
    assert refusal(arena, "narrow", **new) == ("PERMISSION_DENIED", "SCOPE_REQUIRED", {"required": "OVERSEE"})
    made = create(arena, "narrow", role=OWNER, owner="owners/ada", scopes=[TOKENS]).token
    assert made.owner == "owners/ada"


def test_a_token_ends_with_the_one_that_made_it_at_the_latest(arena: Arena) -> None:
    """Otherwise whoever finds a token could keep its rights for good."""
    arena.add_token("short", Role.OWNER, "ada", expires_us=arena.now_us + DAY_US)
    for fields in ({"role": OWNER}, {"role": OWNER, "expire_days": 7}, {"role": BOT, "bot": "bots/ant"}):
        made = create(arena, "short", **fields).token
        assert made.expire_time.ToMicroseconds() == arena.now_us + DAY_US
    sooner = create(arena, "short", role=OWNER, expire_minutes=5).token
    assert sooner.expire_time.ToMicroseconds() == arena.now_us + 5 * 60_000_000


def test_the_calling_token_shows_itself(arena: Arena) -> None:
    own = arena.call("GetOwnToken", "ada").token
    assert (own.name, own.role, own.owner) == (f"tokens/{arena.tokens['ada'].id}", OWNER, "owners/ada")


def test_made_and_revoked_tokens_are_audited(arena: Arena) -> None:
    made = create(arena, "organiser", role=OWNER, owner="users/zoe", scopes=[READ], expire_days=2).token
    for _ in range(2):  # the second time nothing happens that has not happened
        arena.call("RevokeToken", "organiser", name=made.name)
    entries = arena.audited()
    actor = Actor("root", arena.tokens["organiser"].id)
    assert [(entry.kind, entry.actor, entry.about) for entry in entries] == [
        (AuditKind.TOKEN, actor, (made.name, "users/zoe")),
        (AuditKind.TOKEN, actor, (made.name, "users/zoe")),
        (AuditKind.USER, actor, ("users/zoe",)),
    ]
    token_id = made.name.removeprefix("tokens/")
    revoked, made_token, made_user = (entry.sentence for entry in entries)
    assert token_id in revoked
    assert all(words in made_token for words in ("the role owner", "only for read", "2023-11-16 22:13Z"))
    assert "the role owner" in made_user


def test_a_token_expires_after_its_days(arena: Arena) -> None:
    """Row 2."""
    made = create(arena, "organiser", role=OWNER, owner="owners/ada", expire_days=2)
    assert made.token.expire_time.ToMicroseconds() == arena.now_us + 2 * DAY_US
    arena.now_us += 2 * DAY_US - 1
    assert arena.opens(made.secret)
    arena.now_us += 1
    assert not arena.opens(made.secret)


def test_a_revoked_token_opens_nothing_and_its_connections_are_closed(arena: Arena) -> None:
    """Row 2."""
    made = create(arena, "organiser", role=OWNER, owner="owners/ada")
    assert arena.opens(made.secret)
    assert arena.call("RevokeToken", "ada", name=made.token.name).token.revoked
    assert not arena.opens(made.secret)
    assert arena.runtime.closed == [made.token.name.removeprefix("tokens/")]


def test_a_spectators_token_revokes_no_token_of_a_higher_role(arena: Arena) -> None:
    """A spectator's token ends those of spectators, and none that may do more."""
    arena.add_token("lent", Role.SPECTATOR, "root")
    arena.add_token("own bot", Role.BOT, "root", "owl")
    arena.add_token("daily", Role.OWNER, "root")

    def revoke(of: str, by: str) -> bool:
        name = f"tokens/{arena.tokens[of].id}"
        try:
            return bool(arena.call("RevokeToken", by, name=name).token.revoked)
        except RefusedError as refused:
            return refused.reason != "ROLE_REQUIRED"

    assert [revoke(of, "lent") for of in ("organiser", "daily", "own bot")] == [False] * 3
    assert not revoke("organiser", "daily")
    assert [revoke("own bot", "daily"), revoke("daily", "organiser"), revoke("lent", "lent")] == [True] * 3


def test_owners_see_their_tokens_and_organisers_all(arena: Arena) -> None:
    ids = {name: f"tokens/{token.id}" for name, token in arena.tokens.items()}
    assert [token.name for token in arena.call("ListTokens", "ada").tokens] == [ids["ada"], ids["ant"]]
    first = arena.call("ListTokens", "organiser", page_size=3)
    assert [token.name for token in first.tokens] == [ids[name] for name in ("organiser", "ada", "bob")]
    refused = arena.refusal("ListTokens", "ada", page_size=3, page_token=first.next_page_token)
    assert refused.reason == "PAGE_TOKEN_INVALID"


def test_no_secret_is_stored_or_logged(
    arena: Arena, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = create(arena, "ada", role=BOT, bot="bots/ant")
    secrets = [made.secret.split("_")[2], *(token.secret for token in arena.tokens.values())]
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert len(stored) > 1000
    for secret in secrets:
        assert secret.encode() not in stored
        assert bytes.fromhex(secret) not in stored
        assert secret not in caplog.text
