"""What an arena says before it opens its port."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from arena.server.serve import warn_of_plain_text
from arena.server.settings import Settings, TlsFiles


@pytest.mark.parametrize(
    ("host", "encrypted", "warns"),
    [
        ("127.0.0.1", False, False),
        ("::1", False, False),
        ("localhost", False, False),
        ("0.0.0.0", False, True),
        ("::", False, True),
        ("192.168.1.5", False, True),
        ("arena.example.org", False, True),
        ("0.0.0.0", True, False),
    ],
)
def test_a_public_port_without_encryption_is_warned_of(host: str, encrypted: bool, warns: bool) -> None:
    tls = TlsFiles(Path("cert.pem"), Path("key.pem")) if encrypted else None
    with capture_logs() as logs:
        warn_of_plain_text(Settings(data=Path("data"), host=host, tls=tls))
    assert [(each["log_level"], each["host"]) for each in logs] == ([("warning", host)] if warns else [])
    assert all("docs/operations.md" in each["event"] for each in logs)
