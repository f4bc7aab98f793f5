"""Limits of the size of a submission."""

from dataclasses import dataclass
from typing import Final

MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SubmissionLimits:
    """What an archive may hold; the defaults are those of docs/submitting.md."""

    archive_bytes: int = 64 * MIB
    """As it is sent."""
    unpacked_bytes: int = 256 * MIB
    """All files together."""
    files: int = 10_000
    """Files and folders together, with those that only a path implies."""
    path_bytes: int = 400
    """One path, in UTF-8."""
    name_bytes: int = 200
    """One part of a path, in UTF-8; file systems allow 255."""
    depth: int = 32
    """Parts of one path."""


DEFAULT_BOUNDS: Final = SubmissionLimits()
