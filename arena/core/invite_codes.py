"""The codes of invites and teams, for example JOIN-XXXXX-XXXXX-XXXXX-XXXXX: made, read as people type them, redacted.

Its 20 symbols are of Crockford's base 32 (https://www.crockford.com/base32.html), in which no two look alike. 19 are
random: 95 bits, so that the plain SHA-256 of a code is safe. The last one tells a mistyped code from a wrong one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final
from zlib import crc32

PREFIX: Final = "JOIN"
"""Of invites."""
TEAM_PREFIX: Final = "TEAM"
"""Of teams."""

_SYMBOLS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM: Final = 19
_GROUP: Final = 5
_TYPED_ALIKE: Final = str.maketrans("OIL", "011", "- ")
_TRACE: Final = re.compile(
    rf"\b({PREFIX}|{TEAM_PREFIX})-?[0-9A-Za-z]{{5}}(?:-?[0-9A-Za-z]{{5}}){{3}}\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class InviteCode:
    """A code in the clear. It is never stored."""

    symbols: str
    """20 symbols, the last one of which checks the others."""
    prefix: str = PREFIX

    def __str__(self) -> str:
        """Return the whole code, to be shown once."""
        groups = (self.symbols[at : at + _GROUP] for at in range(0, len(self.symbols), _GROUP))
        return "-".join((self.prefix, *groups))

    def __repr__(self) -> str:
        """Leave the symbols out, so that no traceback shows them."""
        return "InviteCode(...)"

    @property
    def sha256(self) -> bytes:
        """What is stored of the code, 32 bytes."""
        return sha256(self.symbols.encode("ascii")).digest()


def new_code(random_bytes: Callable[[int], bytes], prefix: str = PREFIX) -> InviteCode:
    """Make a code; `random_bytes` is `secrets.token_bytes` in a real arena."""
    chosen = "".join(_SYMBOLS[byte % len(_SYMBOLS)] for byte in random_bytes(_RANDOM))
    return InviteCode(chosen + _check_symbol(chosen), prefix)


def parse_code(text: str, prefix: str = PREFIX) -> InviteCode | None:
    """Return the code that a person has typed or pasted; None if it is none, or mistyped.

    Upper and lower case, missing dashes and spaces, and O, I and L for 0 and 1 are all the same.
    """
    symbols = text.strip().upper().removeprefix(prefix).translate(_TYPED_ALIKE)
    if len(symbols) != _RANDOM + 1 or not set(symbols) <= set(_SYMBOLS):
        return None
    return InviteCode(symbols, prefix) if symbols[-1] == _check_symbol(symbols[:-1]) else None


def redact_codes(text: str) -> str:
    """Return the text with every code cut down to its prefix."""
    return _TRACE.sub(lambda found: f"{found[1]}-...", text)


def _check_symbol(symbols: str) -> str:
    return _SYMBOLS[crc32(symbols.encode("ascii")) % len(_SYMBOLS)]
