"""How bot versions are called."""

import re
from typing import Final

SHOWN_DIGITS: Final = 12
"""Digits of a hash that people are shown."""

_HASH: Final = re.compile(r"[0-9a-f]{64}")


def is_hash(label: str) -> bool:
    """Return whether the label of a version is a content hash, as of a submitted version."""
    return _HASH.fullmatch(label) is not None


def shown_version(label: str) -> str:
    """Return the label for people: a hash is cut, a declared version is not."""
    return label[:SHOWN_DIGITS] if is_hash(label) else label
