"""TokenService over a real connection."""

from __future__ import annotations

import logging
from pathlib import Path

import grpc
import pytest
import structlog

from arena.server.log_redaction import redact_tokens
from arena.v1 import bot_pb2, token_pb2
from tests.server.services.harness import DAY_US, Arena, RefusedError

BOT, OWNER, ORGANISER = token_pb2.ROLE_BOT, token_pb2.ROLE_OWNER, token_pb2.ROLE_ORGANISER


def create(arena: Arena, caller: str, **fields: object) -> token_pb2.CreateTokenResponse:
    """A token made."""
    request = token_pb2.CreateTokenRequest(**fields)  # type: ignore[arg-type]
    response: token_pb2.CreateTokenResponse = arena.ask(arena.token_service.CreateToken, request, caller)
    return response


def works(arena: Arena, secret: str) -> bool:
    """Whether the token opens a listing."""
    try:
        arena.ask(arena.bots.ListBots, bot_pb2.ListBotsRequest(), secret)
    except RefusedError as refused:
        return refused.reason != "TOKEN_INVALID"
    return True


def test_an_owner_makes_tokens_for_his_bots(arena: Arena) -> None:
    made = create(arena, "ada", role=BOT, bot="bots/ant")
    assert (made.token.role, made.token.bot, made.token.owner) == (BOT, "bots/ant", "owners/ada")
    assert made.secret.startswith("arn_" + made.token.name.removeprefix("tokens/") + "_")
    assert not made.token.HasField("expire_time")


def test_a_token_made_for_a_bot_belongs_to_the_bots_owner(arena: Arena) -> None:
    assert create(arena, "organiser", role=BOT, bot="bots/ant").token.owner == "owners/ada"


def test_an_organiser_makes_owners_and_organisers(arena: Arena) -> None:
    owner = create(arena, "organiser", role=OWNER, owner="owners/zoe")
    assert works(arena, owner.secret)
    organiser = create(arena, "organiser", role=ORGANISER, owner="owners/zoe")
    assert create(arena, organiser.secret, role=OWNER, owner="owners/yan").token.owner == "owners/yan"


@pytest.mark.parametrize("role", [OWNER, ORGANISER])
def test_an_owner_makes_no_owners(arena: Arena, role: token_pb2.Role.ValueType) -> None:
    with pytest.raises(RefusedError) as refused:
        create(arena, "ada", role=role, owner="owners/ada")
    assert (refused.value.code, refused.value.reason) == (grpc.StatusCode.PERMISSION_DENIED, "ROLE_REQUIRED")


def test_nobody_makes_tokens_for_the_bots_of_others(arena: Arena) -> None:
    with pytest.raises(RefusedError) as refused:
        create(arena, "bob", role=BOT, bot="bots/ant")
    assert refused.value.reason == "NOT_OWNER"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "role"),
        ({"role": 7}, "role"),
        ({"role": BOT}, "bot"),
        ({"role": OWNER}, "owner"),
        ({"role": OWNER, "owner": "bots/x"}, "owner"),
        ({"role": BOT, "bot": "bots/ant", "expire_days": 3651}, "expire_days"),
    ],
)
def test_a_wrong_field_is_named(arena: Arena, fields: dict[str, object], field: str) -> None:
    with pytest.raises(RefusedError) as refused:
        create(arena, "organiser", **fields)
    assert (refused.value.code, refused.value.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID")
    assert refused.value.infos[0].metadata == {"field": field}


def test_there_is_no_token_for_a_bot_that_is_not_there(arena: Arena) -> None:
    with pytest.raises(RefusedError) as refused:
        create(arena, "ada", role=BOT, bot="bots/none")
    assert refused.value.reason == "BOT_NOT_FOUND"


def test_a_token_expires_after_its_days(arena: Arena) -> None:
    """Row 2."""
    made = create(arena, "organiser", role=OWNER, owner="owners/ada", expire_days=2)
    assert made.token.expire_time.ToMicroseconds() == arena.now_us + 2 * DAY_US
    arena.now_us += 2 * DAY_US - 1
    assert works(arena, made.secret)
    arena.now_us += 1
    assert not works(arena, made.secret)


def test_a_revoked_token_opens_nothing_and_its_connections_are_closed(arena: Arena) -> None:
    """Row 2."""
    made = create(arena, "organiser", role=OWNER, owner="owners/ada")
    assert works(arena, made.secret)
    revoke = token_pb2.RevokeTokenRequest(name=made.token.name)
    assert arena.ask(arena.token_service.RevokeToken, revoke, "ada").token.revoked
    assert not works(arena, made.secret)
    assert arena.live.closed == [made.token.name.removeprefix("tokens/")]


def test_nobody_revokes_the_tokens_of_others(arena: Arena) -> None:
    name = f"tokens/{arena.tokens['ant'].id}"
    with pytest.raises(RefusedError) as refused:
        arena.ask(arena.token_service.RevokeToken, token_pb2.RevokeTokenRequest(name=name), "bob")
    assert refused.value.reason == "NOT_OWNER"
    assert arena.live.closed == []


def test_a_token_that_is_not_there_is_not_found(arena: Arena) -> None:
    revoke = token_pb2.RevokeTokenRequest(name="tokens/0123456789ab")
    with pytest.raises(RefusedError) as refused:
        arena.ask(arena.token_service.RevokeToken, revoke, "ada")
    assert (refused.value.code, refused.value.reason) == (grpc.StatusCode.NOT_FOUND, "TOKEN_NOT_FOUND")


def test_owners_see_their_tokens_and_organisers_all(arena: Arena) -> None:
    def listed(caller: str, **fields: object) -> token_pb2.ListTokensResponse:
        request = token_pb2.ListTokensRequest(**fields)  # type: ignore[arg-type]
        response: token_pb2.ListTokensResponse = arena.ask(arena.token_service.ListTokens, request, caller)
        return response

    ids = {name: f"tokens/{token.id}" for name, token in arena.tokens.items()}
    assert [token.name for token in listed("ada").tokens] == [ids["ada"], ids["ant"]]
    everything = [token.name for token in listed("organiser").tokens]
    assert everything == [ids[name] for name in ("organiser", "ada", "bob", "ant")]
    first = listed("organiser", page_size=3)
    rest = listed("organiser", page_size=3, page_token=first.next_page_token)
    assert [token.name for token in (*first.tokens, *rest.tokens)] == everything
    with pytest.raises(RefusedError) as refused:
        listed("ada", page_size=3, page_token=first.next_page_token)
    assert refused.value.reason == "PAGE_TOKEN_INVALID"


def test_no_token_is_stored_or_logged_in_the_clear(
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


def test_the_service_log_shows_the_public_part_of_a_token_alone(
    arena: Arena, caplog: pytest.LogCaptureFixture
) -> None:
    secret = create(arena, "ada", role=BOT, bot="bots/ant").secret
    log = structlog.wrap_logger(
        logging.getLogger("redaction"),
        processors=[structlog.processors.format_exc_info, redact_tokens, structlog.processors.JSONRenderer()],
    )
    try:
        raise ValueError(secret)
    except ValueError:
        log.exception("failed", metadata=f"Bearer {secret}")
    assert secret.split("_")[1] in caplog.text
    assert secret.split("_")[2] not in caplog.text
