"""Requests to real receivers on this machine, good and bad; and the addresses to which nothing is sent."""

import asyncio
import ssl
import time
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from arena.core.errors import InvalidArgumentError
from arena.server.webhooks.addresses import is_public
from arena.server.webhooks.sender import MAX_URL, Answer, Sender, check_url
from arena.server.webhooks.signature import secret_text, signed_headers
from tests.unit.server.certificates import Authority
from tests.webhook_receiver import Receiver


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    """Yield a running receiver."""
    with Receiver() as receiver:
        yield receiver


def post(sender: Sender, url: str) -> Answer:
    """Send a request and return what came of it."""
    return asyncio.run(sender.post(url, {"webhook-id": "m1"}, b"{}", wants_text=True))


def test_a_receiver_that_answers_200_to_299_has_accepted(receiver: Receiver) -> None:
    before = len(receiver.received)
    assert post(Sender(allow_private=True), receiver.url("/ok?a=b%20c")) == Answer(204)
    [request] = receiver.received[before:]
    assert (request.path, request.body) == ("/ok?a=b%20c", b"{}")
    assert (request.headers["host"], request.headers["webhook-id"]) == (f"127.0.0.1:{receiver.port}", "m1")


@pytest.mark.parametrize("status", [400, 404, 410, 500, 503])
def test_another_status_is_a_failure(receiver: Receiver, status: int) -> None:
    answer = post(Sender(allow_private=True), receiver.url(f"/status/{status}"))
    assert (answer.status, answer.accepted) == (status, False)
    assert answer.text == "the <b>receiver</b> says so"


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    before = len(receiver.received)
    answer = post(Sender(allow_private=True), receiver.url("/redirect"))
    assert (answer.status, answer.accepted) == (302, False)
    assert [each.path for each in receiver.received[before:]] == ["/redirect"]


@pytest.mark.parametrize("path", ["/hang", "/drip"])
def test_a_receiver_that_does_not_answer_in_time_has_failed(receiver: Receiver, path: str) -> None:
    answer = post(Sender(allow_private=True, within_s=0.3), receiver.url(path))
    assert (answer.status, answer.accepted) == (0, False)


def test_a_receiver_that_answers_no_http_has_failed(receiver: Receiver) -> None:
    answer = post(Sender(allow_private=True), receiver.url("/garbage"))
    assert (answer.status, answer.accepted) == (0, False)


def test_of_an_endless_answer_only_the_beginning_is_read(receiver: Receiver) -> None:
    answer = post(Sender(allow_private=True), receiver.url("/endless"))
    assert (answer.status, answer.accepted) == (200, True)
    assert len(answer.text) <= 200


def test_where_nobody_listens_and_what_has_no_name_has_failed() -> None:
    with Receiver() as closed:
        url = closed.url("/ok")
    assert not post(Sender(allow_private=True), url).accepted

    async def unknown(host: str, port: int) -> list[str]:
        raise OSError(-2, "Name or service not known")

    answer = post(Sender(allow_private=True, resolve=unknown), "https://nowhere.invalid/")
    assert (answer.status, answer.accepted) == (0, False)
    too_long = f"https://{'a' * 64}.example/"
    assert post(Sender(allow_private=True), too_long).failure.startswith("its name cannot be resolved")


def test_the_next_address_of_a_host_is_tried(receiver: Receiver) -> None:
    async def two(host: str, port: int) -> list[str]:
        return ["127.0.0.2", "127.0.0.1"]  # the receiver listens at the second

    sender = Sender(allow_private=True, resolve=two)
    assert post(sender, receiver.url("/ok", host="receiver.example")).accepted
    assert receiver.received[-1].headers["host"] == f"receiver.example:{receiver.port}"


def test_the_certificate_must_be_that_of_the_host_and_not_of_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path, "authority")
    files = authority.issue("receiver", hosts=[x509.DNSName("receiver.example")])
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(files.certificate, files.key)

    async def here(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    with Receiver(context) as receiver:
        url, other = (receiver.url("/ok", host=host) for host in ("receiver.example", "other.example"))
        assert not post(Sender(allow_private=True, resolve=here), url).accepted  # an unknown authority
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
        assert post(Sender(allow_private=True, resolve=here), url).accepted
        assert not post(Sender(allow_private=True, resolve=here), other).accepted
        assert len(receiver.received) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1"])
def test_nothing_is_sent_to_this_machine_however_it_is_written(receiver: Receiver, host: str) -> None:
    before = len(receiver.received)
    assert not post(Sender(allow_private=False), receiver.url("/ok", host=host)).accepted
    assert receiver.received[before:] == []


def test_a_host_with_one_address_that_is_not_public_is_refused_as_a_whole(receiver: Receiver) -> None:
    async def mixed(host: str, port: int) -> list[str]:
        return ["8.8.8.8", "127.0.0.1"]

    before = len(receiver.received)
    answer = post(Sender(allow_private=False, resolve=mixed), receiver.url("/ok", host="mixed.example"))
    assert not answer.accepted
    assert receiver.received[before:] == []


def test_a_name_is_resolved_once_so_that_it_cannot_change_after_the_check(receiver: Receiver) -> None:
    asked: list[str] = []

    async def rebinding(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.2"] if len(asked) == 1 else ["127.0.0.1"]

    before = len(receiver.received)
    post(Sender(allow_private=True, resolve=rebinding), receiver.url("/ok", host="rebinding.example"))
    assert asked == ["rebinding.example"]
    assert (
        receiver.received[before:] == []
    )  # it went to the address of the first answer, where nobody listens


PRIVATE = """
0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1
192.0.2.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.1.2.3 ::ffff:169.254.169.254 64:ff9b::7f00:1 64:ff9b::a00:1
64:ff9b:1::1 100::1 2001:db8::1 2001::1 2002:7f00:1::1 2002:a00:1::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1
"""


@pytest.mark.parametrize("address", PRIVATE.split())
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8"])
def test_addresses_that_are_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        *("", "example.org", "ftp://example.org/", "file:///etc/passwd", "https://", "https:///path"),
        *("https://user@example.org/", "https://user:word@example.org/", "https://example.org:99999/"),
        *("https://exämple.org/", "https://example.org/a b", "https://example.org/\n", "https://[::1"),
        "https://example.org/" + "x" * MAX_URL,
    ],
)
def test_urls_that_are_refused(url: str) -> None:
    with pytest.raises(InvalidArgumentError):
        check_url("url", url)


def test_the_library_of_standard_webhooks_verifies_a_signature() -> None:
    secret, body = bytes(range(32)), b'{"type":"webhook.test"}'
    headers = signed_headers(secret, "m1", int(time.time()), body)
    verifier = Webhook(secret_text(secret))
    assert verifier.verify(body, headers) == {"type": "webhook.test"}
    with pytest.raises(WebhookVerificationError):
        verifier.verify(body + b" ", headers)
    with pytest.raises(WebhookVerificationError):
        verifier.verify(body, headers | {"webhook-id": "m2"})
