"""Finds secrets wherever they should not be, in whatever form somebody may have written them."""

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

_BASE64_BITS = 3
"""Bytes that base64 takes at once: a secret in the middle of a longer text begins at any of three places."""


@dataclass(frozen=True)
class Process:
    """A process of this machine at one moment, as far as /proc shows it."""

    pid: int
    command_line: bytes
    environment: bytes

    def variable(self, name: str) -> str | None:
        """Return its environment."""
        for entry in self.environment.split(b"\0"):
            key, _, value = entry.partition(b"=")
            if key == name.encode():
                return value.decode()
        return None


class SecretScanner:
    """All secrets that there are, and who holds which."""

    def __init__(self) -> None:
        self._forms: dict[str, set[bytes]] = {}

    def add_token(self, name: str, token: str) -> None:
        """Add the token of a user or bot: its id is public, the rest is not, and neither is half of it."""
        secret = token.split("_")[2]
        assert len(secret) == 64, f"{name} is no token"
        self.add(name, token.encode(), secret.encode(), bytes.fromhex(secret))
        self.add(name, secret[:32].encode(), secret[32:].encode())

    def add_key(self, name: str, pem: bytes) -> None:
        """Add a private key, as PEM and as the bytes in it."""
        key = load_pem_private_key(pem, password=None)
        der = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
        if isinstance(key, EllipticCurvePrivateKey):
            number = key.private_numbers().private_value.to_bytes(32)
        else:
            assert isinstance(key, Ed25519PrivateKey)
            number = key.private_bytes_raw()
        # The first line of a key is that of any other of its kind.
        self.add(name, pem, der, number, *pem.splitlines()[2:-1])

    def add(self, name: str, *texts: bytes) -> None:
        """Something else that nobody may see."""
        for text in texts:
            self._forms.setdefault(name, set()).update(_forms(text))

    def __len__(self) -> int:
        return len(self._forms)

    def found_in(self, data: bytes | str) -> set[str]:
        """Return the names of the secrets in the data, written in any way."""
        raw = data.encode(errors="surrogateescape") if isinstance(data, str) else data
        low = raw.lower()
        return {
            name for name, forms in self._forms.items() if any(form in raw or form in low for form in forms)
        }


def _forms(text: bytes) -> Iterator[bytes]:
    """How it may have been written. Hex is looked for in small letters, in what was made small."""
    yield text
    yield text.hex().encode()
    yield text.hex(" ").encode()
    yield quote(text, safe="").encode()
    yield text[::-1]
    for before in range(_BASE64_BITS):
        for encode in (b64encode, urlsafe_b64encode):
            # The first and the last group also hold bits of what stands beside it.
            written = encode(bytes(before) + text)
            yield written[4 if before else 0 : len(written) - 4]


def processes() -> list[Process]:
    """All that run at this moment."""
    return [found for entry in Path("/proc").iterdir() if (found := _process(entry)) is not None]


def _process(entry: Path) -> Process | None:
    if not entry.name.isdigit():
        return None
    try:
        return Process(int(entry.name), (entry / "cmdline").read_bytes(), (entry / "environ").read_bytes())
    except OSError:
        return None  # it has ended meanwhile
