"""How large a submission may be, in every way in which it could be too large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SubmissionLimits:
    """What an archive may hold at most; the defaults are those of docs/submitting.md."""

    archive_bytes: int = 64 * MIB
    """As it is sent."""
    unpacked_bytes: int = 256 * MIB
    """All files together."""
    files: int = 10_000
    """Files and folders together, those counted that an entry's path only implies."""
    path_bytes: int = 400
    """One path, in UTF-8."""
    name_bytes: int = 200
    """One part of a path, in UTF-8: below the 255 of file systems, since a file is written under a longer name."""
    depth: int = 32
    """Parts of one path."""


DEFAULT_BOUNDS: Final = SubmissionLimits()
