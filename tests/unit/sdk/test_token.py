"""Which tokens are sent, and whereto: never in the open over a network that is not declared trusted."""

import asyncio
import contextlib
import os
import socket

import pytest

from arena.sdk.connection import Connection, ConnectionLostError
from arena.sdk.settings import Endpoint, check_sendable, endpoint_from, is_local
from arena.sdk.tls import SettingsError, Tls

SECRET = "arn_0123456789ab_secret"


LOCAL = """
unix:///run/arena.sock localhost:7450 LocalHost:7450 127.0.0.1:7450 127.8.9.10:7450 [::1]:7450 ::1
[::ffff:127.0.0.1]:7450 0.0.0.0:7450 ipv4:127.0.0.1:7450 ipv6:[::1]:7450 dns:///localhost:7450
ipv4:127.0.0.1:7450,127.0.0.2:7450
"""
REMOTE = """
arena.example:7450 localhost.example:7450 127.0.0.1.example:7450 localhost@arena.example:7450 10.0.0.7:7450
192.168.1.5:7450 [2001:db8::1]:7450 [::ffff:10.0.0.7]:7450 ipv4:127.0.0.1:7450,10.0.0.7:7450
dns://10.0.0.7/localhost:7450 xds:///localhost:7450
"""


@pytest.mark.parametrize("address", ["", *LOCAL.split(), *REMOTE.split()])
def test_only_what_stays_on_this_machine_is_local(address: str) -> None:
    assert is_local(address) == (address in LOCAL.split())


def test_a_token_is_not_sent_in_the_open_and_the_sentence_says_what_to_do_and_not_the_token() -> None:
    with pytest.raises(SettingsError) as refused:
        endpoint_from({"ARENA_ADDRESS": "arena.example:7450", "ARENA_TOKEN": SECRET})
    said = str(refused.value)
    assert all(
        word in said for word in ("arena.example:7450", "ARENA_TLS=1", "ARENA_TLS_CA", "ARENA_PLAINTEXT=1")
    )
    assert "secret" not in said


@pytest.mark.parametrize(
    "more",
    [{"ARENA_TLS": "1"}, {"ARENA_PLAINTEXT": "1"}, {"ARENA_ADDRESS": "127.0.0.1:7450"}, {"ARENA_TOKEN": ""}],
    ids=["encrypted", "trusted", "local", "no token"],
)
def test_it_is_sent_encrypted_or_where_that_was_asked_for(more: dict[str, str]) -> None:
    environ = {"ARENA_ADDRESS": "arena.example:7450", "ARENA_TOKEN": SECRET} | more
    assert endpoint_from(environ).token == environ["ARENA_TOKEN"]


@pytest.mark.parametrize("value", ["0", "", "yes", "true"])
def test_only_1_says_that_the_network_is_trusted(value: str) -> None:
    with pytest.raises(SettingsError):
        endpoint_from({"ARENA_ADDRESS": "a:1", "ARENA_TOKEN": SECRET, "ARENA_PLAINTEXT": value})


@pytest.mark.parametrize(
    "broken", ["arn_a\nsecret", "arn_\N{LATIN SMALL LETTER E WITH ACUTE}secret", "arn_a secret", "a\0secret"]
)
def test_what_no_metadata_can_hold_is_refused_without_being_repeated(broken: str) -> None:
    """gRPC itself would say "Invalid metadata", again and again."""
    with pytest.raises(SettingsError, match="ARENA_TOKEN") as refused:
        check_sendable(broken, "ARENA_TOKEN")
    assert "secret" not in str(refused.value)


def test_what_is_secret_of_an_endpoint_is_in_no_traceback() -> None:
    endpoint = Endpoint("localhost:7450", SECRET, Tls(key=b"the key"))
    assert repr(endpoint).startswith("Endpoint(address='localhost:7450'")
    assert SECRET not in repr(endpoint)
    assert "the key" not in repr(endpoint)


def test_no_proxy_is_given_what_is_meant_for_this_machine(
    loop: asyncio.Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """gRPC sends even what goes to localhost to the proxy of the environment: a token, in the open."""
    for name in list(os.environ):
        if name.lower().endswith("proxy"):
            monkeypatch.delenv(name)
    with socket.create_server(("127.0.0.1", 0)) as proxy, socket.socket() as nobody:
        proxy.setblocking(False)
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.getsockname()[1]}")
        address = f"localhost:{nobody.getsockname()[1]}"

        async def connect() -> None:
            with contextlib.suppress(ConnectionLostError):
                async with Connection(endpoint_from({"ARENA_ADDRESS": address, "ARENA_TOKEN": SECRET})):
                    """Its way has been tried."""

        loop.run(connect())
        with pytest.raises(BlockingIOError):
            proxy.accept()
