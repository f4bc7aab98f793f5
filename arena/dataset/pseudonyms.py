"""Names and numbers replaced by pseudonyms, so that a data set does not say who played (docs/data.md)."""

import hmac
from typing import Final

KEY_BYTES: Final = 32

_TEXT_DIGITS: Final = 16
"""64 bits: among a million names two are the same once in 37 million data sets."""

_NUMBER_BITS: Final = 53
"""Numbers that every reader of JSON keeps exact."""

REMOVED: Final = frozenset(
    {
        *("position", "log", "seed", "seed_commitment", "void_reason"),
        *("created_us", "started_us", "ended_us", "time_us"),
    }
)
"""Columns that are null: by them somebody who may read the arena finds a match at once."""

_TEXTS: Final = {
    "bot": "bot",
    "bot_version": "version",
    "ladder": "ladder",
    "tournament": "tournament",
    "match_group": "group",
}
_NUMBERS: Final = {"match": "match", "replayed_as": "match", "replay_of": "match"}


class Pseudonyms:
    """The pseudonyms of a key. Without it nobody can compute or check them."""

    def __init__(self, key: bytes) -> None:
        """`key`: 32 secret bytes; the same key gives the same pseudonyms."""
        self._key = key

    def text(self, kind: str, name: str) -> str:
        """Return the pseudonym of a name, for example "bot-3fa9..."."""
        return f"{kind}-{self._digest(kind, name).hex()[:_TEXT_DIGITS]}"

    def number(self, kind: str, number: int) -> int:
        """Return the pseudonym of a number, below 2^53."""
        return int.from_bytes(self._digest(kind, str(number))[:8], "big") >> (64 - _NUMBER_BITS)

    def applied(self, record: dict[str, object]) -> dict[str, object]:
        """Return a record of any table without what identifies a match or who played it."""
        return {name: self._value(name, value, record) for name, value in record.items()}

    def _value(self, name: str, value: object, record: dict[str, object]) -> object:
        if name in REMOVED:
            return None
        if value is None or value == "":
            return value
        if name == "bot_version":  # a hash of a content is the same for two bots
            return self.text("version", f"{record['bot']}/{value}")
        if name in _TEXTS:
            return self.text(_TEXTS[name], str(value))
        if name in _NUMBERS and isinstance(value, int):
            return self.number(_NUMBERS[name], value)
        return value

    def _digest(self, kind: str, name: str) -> bytes:
        return hmac.digest(self._key, f"{kind}\0{name}".encode(), "sha256")
