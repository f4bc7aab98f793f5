"""How much of everything one caller may have (docs/limits.md), and why so much: the innocent meet none of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.store.accounts.users import Quotas
from arena.submissions.limits import DEFAULT_BOUNDS
from arena.wire.play.frames import FRAME_BYTES


@dataclass(frozen=True, slots=True)
class Allowance:
    """So many at once, and from then on so many a second."""

    what: str
    """What is counted, in the plural."""
    burst: int
    per_s: int


MESSAGE_BYTES: Final = FRAME_BYTES
"""The largest message that gRPC takes, on any call: a piece of an archive is 64 KiB, and no other request is larger."""

STREAM_WINDOW_BYTES: Final = 16 * 1024
"""So much of a message may come before the arena asks for it, once the peer has acknowledged the arena's settings;
until then it is 64 KiB, HTTP/2's own default."""

SETTINGS_WITHIN_S: Final = 30
"""A peer that has not acknowledged the arena's settings by then is disconnected. It is longer than a bot takes that
connects first, computes for a while and reads then."""

METADATA_BYTES: Final = 8 * 1024
METADATA_FIELDS: Final = 128
"""The largest metadata of a call. gRPC keeps to the bytes for peers that have acknowledged its settings."""

REQUEST_WITHIN_S: Final = 10.0
"""A call whose request has not come by then is over."""

REQUEST_GIVES_WAY_S: Final = 0.25
"""A request that has not come by then gives way to others that wait. Whoever sends it with the headers, as all gRPC
libraries do, is not delayed: only what was lost on the way can take so long."""

STRANGERS_RECEIVED: Final = 32
STRANGERS_WAITING: Final = 128
"""Requests of callers whose token has not been valid before: read at the same time, and waiting. A token is known from
the first call on that it was valid in."""

KNOWN_RECEIVED: Final = 32
KNOWN_WAITING: Final = 128
"""The same for callers whose token is known."""

WORK_SHARE: Final = 0.2
"""While matches are in play, the calls of one user may take so much of the arena's time; those without a token, all of
them together. More of them are answered later."""

WORK_AHEAD_S: Final = 0.25
"""So much work of one user is done without delay: a page with all that it shows, a listing of thousands of rows."""

CALL_S: Final = 0.003
ANSWER_BYTE_S: Final = 0.000_000_3
"""What a call is taken to cost, and each byte of its answer: one that reads nothing takes 3 ms of processor time in all
threads, a match in a listing, of 550 bytes, 160 us."""

WATCHED_BYTE_S: Final = 0.000_001_5
"""The same for a byte of a match that is watched: one that has ended is played again, which took 45 ms for 30 kB."""

LONGEST_DELAY_S: Final = 10.0
"""No call is delayed for longer, whatever those before it have cost."""

DELAYED_CALLS: Final = 128
"""Calls of one user that wait for their turn at the same time."""

UPLOADS: Final = 32
UPLOADS_OF_ONE: Final = 4
"""Uploads of archives under way: of all, and of one user."""

OPEN_STREAMS: Final = 64
"""Calls of health and reflection that go on, which need no token: of all callers together."""

STORED_LOGS: Final = 256
STORED_LOGS_OF_ONE: Final = 64
"""Calls that hold a stored log in memory, downloads and ended matches that are shown again: of all, and of one user."""

LOGS_READ: Final = 2
"""Stored logs that are read, checked and played again at the same time, each in a thread."""

PIECE_WITHIN_S: Final = 60.0
"""An upload of which no further message has come by then is broken off; it can be taken up again."""

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
