"""What the bots in this folder share that meet an encrypted port."""

from __future__ import annotations

import ssl

from tests.system.misbehaving.python.visit import ADDRESS, Visit
from tests.system.play.wire import PREFACE, dial
from tests.unit.server.certificates import Files


def knock(visit: Visit, shown: Files | None) -> None:
    """Encrypts, shows this certificate, begins to speak HTTP/2, and notes whether anything comes back."""
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
