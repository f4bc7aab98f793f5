"""Ranks in standings: 1 is best, equals share one, and who has not played yet stands below all others, without one."""

from __future__ import annotations

from typing import Final

NO_RANK: Final = 0
"""Told as such in the .proto files."""
