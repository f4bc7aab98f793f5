"""How much of everything one caller may have (docs/limits.md), and why so much: the innocent meet none of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.store.users import Quotas
from arena.submissions.bounds import DEFAULT_BOUNDS


@dataclass(frozen=True, slots=True)
class Allowance:
    """So many at once, and from then on so many a second."""

    what: str
    """What is counted, in the plural."""
    burst: int
    per_s: int


CALLS: Final = Allowance("unanswered calls", burst=1_000, per_s=50)
"""Calls that nobody waits for. An answered call is given back, so who waits for his answers never meets this, however
fast he asks; it is the size of many clients with `STREAMS` calls each, all broken off at once."""

OPENINGS: Final = Allowance("Play calls", burst=200, per_s=2)
"""New connections of bots with one token: two hundred programs of one bot may start at once."""

GUESSES: Final = Allowance("invalid tokens", burst=100, per_s=1)
"""Calls from one address whose token is not valid: a room full of bots with an old token, behind one address."""

BAN_S: Final = 60
"""Who oversteps an allowance is not heard for so long."""

PLAY_CONNECTIONS: Final = 256
"""Connections of bots with one token at the same time."""

STREAMS: Final = 64
"""Calls at the same time on one HTTP/2 connection, kept by gRPC: others wait in the client."""

MOST_CONNECTIONS: Final = 4_000
"""TCP connections at once, and as many to the Unix socket, where the system grants enough file descriptors."""

RESERVED_DESCRIPTORS: Final = 256
"""File descriptors kept for database and logs: no flood of connections stops a result from being stored."""

SILENT_CONNECTION_S: Final = 10
"""A connection that has not said what it is within so long is closed."""

IDLE_CONNECTION_S: Final = 300
"""A connection without a call is closed after so long; clients open it again by themselves."""

WATCHER_WRITE_S: Final = 5.0
"""A response that a spectator does not take for so long ends his call."""

DOWNLOAD_WRITE_S: Final = 60.0
"""The same for other streams of responses: 64 KiB in a minute is the slowest line that a log goes through."""

ARCHIVE_BYTES: Final = DEFAULT_BOUNDS.archive_bytes
"""The largest archive of a submitted bot."""

VERSIONS_OF_A_BOT: Final = 100
"""Submitted versions of one bot that are kept: any of them may be played again, so none is removed by itself."""

CHANGES_A_DAY: Final = 1_000
"""Changes of one user within 24 hours that go into the audit trail: tokens made and revoked, bots, tournaments. Nobody
makes so many by hand, and what is never cut must not fill the disk: this is half a MiB a day.
"""

QUOTAS: Final = Quotas(
    bots=100,
    submissions_per_day=50,
    archive_mib=ARCHIVE_BYTES >> 20,
    versions_mib=4_096,
    connections=512,
    tokens=200,
)
"""What a user may have who is no organiser, unless `SetUserQuotas` says otherwise.

Bots: each author of a class has a handful, and a table of a hundred is a listing still. Submissions: more than one an
hour, day and night; each costs the arena minutes of a processor. Space: sixteen of the largest versions as they are
submitted; fifty users with all of it fill 200 GB. Connections: those of two tokens (`PLAY_CONNECTIONS`).
Tokens: two for each bot.
"""
