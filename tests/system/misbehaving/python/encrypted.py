"""Bots that meet an encrypted port, which admits only clients with a certificate of one authority."""

import ssl
import tempfile
from pathlib import Path

from tests.system.misbehaving.python.by_hand import send_and_listen
from tests.system.misbehaving.python.visit import ADDRESS, Visit, main, remote_bot
from tests.system.play.wire import PREFACE, dial
from tests.unit.server.certificates import Authority, Files


def knock(visit: Visit, shown: Files | None) -> None:
    """Show this certificate in a TLS handshake, begin HTTP/2, and note whether anything comes back."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # whom it speaks to is not what this is about
    context.set_alpn_protocols(["h2"])
    if shown is not None:
        context.load_cert_chain(shown.certificate, shown.key)
    heard = b""
    try:
        with dial(ADDRESS) as plain, context.wrap_socket(plain) as connection:
            connection.sendall(PREFACE)
            heard = connection.recv(4_096)
    except (ssl.SSLError, ConnectionError):
        pass  # refused with an alert, or with a reset that has overtaken it
    visit.note_end("HEARD" if heard else "CLOSED")


@remote_bot
def speaks_plainly_at_an_encrypted_port(visit: Visit) -> None:
    """Speak HTTP/2 without TLS where it is expected."""
    send_and_listen(visit, PREFACE)


@remote_bot
def shows_no_certificate(visit: Visit) -> None:
    """Show no certificate where only clients with one are admitted."""
    knock(visit, None)


@remote_bot
def shows_a_certificate_of_its_own(visit: Visit) -> None:
    """Show a certificate that it has signed itself where those of one authority are admitted."""
    with tempfile.TemporaryDirectory() as folder:
        knock(visit, Authority(Path(folder), "myself").issue("me"))


@remote_bot
def breaks_its_handshake(visit: Visit) -> None:
    """Begin a TLS handshake, and send other bytes after half of it."""
    send_and_listen(visit, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(2_000))


if __name__ == "__main__":
    main()
