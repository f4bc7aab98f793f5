"""Whatever an event of the service log holds, the secret of a token is not in it."""

import secrets
from typing import Any

import pytest

from arena.core.tokens import new_token
from arena.server.service_log import redact_tokens

TOKEN = new_token(secrets.token_bytes)


@pytest.mark.parametrize(
    "value",
    [
        f"Bearer {TOKEN}",
        f"Bearer {TOKEN}".encode(),
        [("authorization", f"Bearer {TOKEN}")],
        {"authorization": {f"Bearer {TOKEN}"}},
        {f"Bearer {TOKEN}": 1},
        {("Bearer", str(TOKEN)): 1},
        ValueError(f"no such bot: {TOKEN}"),
    ],
    ids=["text", "bytes", "metadata", "set", "key", "pair as a key", "exception"],
)
def test_a_token_is_redacted_in_every_kind_of_value(value: Any) -> None:
    written = str(redact_tokens(None, "info", {"event": "call failed", "value": value}))
    assert TOKEN.secret not in written
    assert TOKEN.id in written


def test_values_without_tokens_are_not_changed() -> None:
    event = {
        "event": "open",
        "port": 7450,
        "tls": True,
        "socket": None,
        "path": ("a", "b"),
        "by": {("a", 1): 2},
    }
    assert redact_tokens(None, "info", event) == event | {"path": ["a", "b"]}
