"""The text of a token, arn_<id>_<secret>_<crc>: made, read, and blotted out of anything that is logged.

The checksum tells a mistyped token from a wrong one. The secret has 256 bits, so its plain SHA-256 is safe.
"""

import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final
from zlib import crc32

from arena.core.invite_codes import redact_codes

ID_BYTES: Final = 6
SECRET_BYTES: Final = 32

_TOKEN: Final = re.compile(r"arn_([0-9a-f]{12})_([0-9a-f]{64})_([0-9a-f]{8})")
_TRACE: Final = re.compile(r"arn_[0-9A-Za-z_-]+")
_NOBODY: Final = sha256(b"no token has this hash").digest()


@dataclass(frozen=True, slots=True)
class TokenText:
    """A token in the clear. It is never stored."""

    id: str
    """The public part, 12 hex digits: the id in "tokens/{token}"."""
    secret: str
    """64 hex digits."""

    def __str__(self) -> str:
        """Return the whole token, to be shown once."""
        return f"arn_{self.id}_{self.secret}_{_checksum(self.id, self.secret)}"

    def __repr__(self) -> str:
        """Leave out the secret, so that no traceback shows it."""
        return f"TokenText(id={self.id!r})"

    @property
    def secret_sha256(self) -> bytes:
        """What is stored of the secret, 32 bytes."""
        return sha256(self.secret.encode("ascii")).digest()


def new_token(random_bytes: Callable[[int], bytes]) -> TokenText:
    """Make a token; `random_bytes` is `secrets.token_bytes` in a real arena."""
    return TokenText(random_bytes(ID_BYTES).hex(), random_bytes(SECRET_BYTES).hex())


def parse_token(text: str) -> TokenText | None:
    """Return the token that a caller has sent; None if it is none or its checksum is wrong."""
    match = _TOKEN.fullmatch(text)
    if match is None:
        return None
    token_id, secret, checksum = match.groups()
    return TokenText(token_id, secret) if checksum == _checksum(token_id, secret) else None


def secret_matches(token: TokenText | None, stored_sha256: bytes | None) -> bool:
    """Return whether the token's secret is the stored one. The hashes are compared in every case, found or not."""
    given = token.secret_sha256 if token is not None else bytes(len(_NOBODY))
    same = hmac.compare_digest(given, stored_sha256 if stored_sha256 is not None else _NOBODY)
    return same and token is not None and stored_sha256 is not None


def redact(text: str) -> str:
    """Return the text with every token cut down to its public part, and without the codes of invites."""
    return redact_codes(_TRACE.sub(lambda match: match.group()[: len("arn_") + 2 * ID_BYTES] + "_...", text))


def _checksum(token_id: str, secret: str) -> str:
    return f"{crc32(f'{token_id}_{secret}'.encode('ascii')):08x}"
