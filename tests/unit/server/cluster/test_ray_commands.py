"""The token and the ports of a cluster."""

import stat
from pathlib import Path

import pytest

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.server.cluster.node_settings import NodeSettings
from arena.server.cluster.ray_commands import (
    FIRST_PORT,
    PORTS,
    check_token,
    head_command,
    make_token,
    node_command,
    ports_of,
    ray_environment,
)


def test_a_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    token = tmp_path / "data" / "cluster.token"
    assert make_token(token)
    first = token.read_text()
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert not make_token(token)
    assert token.read_text() == first
    check_token(token)


@pytest.mark.parametrize("content", [None, b"", b"short", b"\xff" * 64])
def test_nobody_joins_without_a_token(tmp_path: Path, content: bytes | None) -> None:
    token = tmp_path / "token"
    if content is not None:
        token.write_bytes(content)
    with pytest.raises(FailedPreconditionError) as refused:
        check_token(token)
    assert refused.value.reason is ErrorReason.FIELD_INVALID


def test_all_ports_are_within_those_to_open_in_a_firewall() -> None:
    ports = ports_of(FIRST_PORT)
    assert len(set(ports.values())) == len(ports)
    assert all(FIRST_PORT <= port < FIRST_PORT + PORTS for port in ports.values())
    for command in (
        head_command(host="192.0.2.1", port=6379, first_port=FIRST_PORT),
        node_command("192.0.2.1:6379", name="lab", host=None, first_port=FIRST_PORT),
    ):
        assert {f"--{name}={port}" for name, port in ports.items()} <= set(command)


def test_a_process_of_ray_has_the_token_and_no_secret_of_an_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "secret")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    monkeypatch.setenv("RAY_USE_TLS", "1")
    settings = NodeSettings("lab", tmp_path, 2, 8)
    environment = ray_environment(tmp_path / "token", settings.to_environment())
    assert (environment["RAY_AUTH_MODE"], environment["RAY_AUTH_TOKEN_PATH"]) == (
        "token",
        str(tmp_path / "token"),
    )
    assert "secret" not in environment.values()
    assert environment["RAY_USE_TLS"] == "1"
    monkeypatch.setenv("ARENA_NODE", environment["ARENA_NODE"])
    assert NodeSettings.from_environment() == settings
