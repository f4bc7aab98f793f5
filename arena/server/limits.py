"""The limits on each caller, and their reasons (docs/limits.md). Ordinary use meets none of them."""

from dataclasses import dataclass
from typing import Final

from arena.store.accounts.users import Quotas
from arena.submissions.limits import DEFAULT_BOUNDS
from arena.wire.play.frames import FRAME_BYTES


@dataclass(frozen=True, slots=True)
class Allowance:
    """A burst, and a rate afterwards."""

    what: str
    """What is counted, in the plural."""
    burst: int
    per_s: int


MESSAGE_BYTES: Final = FRAME_BYTES
"""The largest message that gRPC takes on any call: a piece of an archive is 64 KiB, and no other request is larger."""

STREAM_WINDOW_BYTES: Final = 16 * 1024
"""How much of a message may come before the arena asks for it, once the peer has acknowledged the arena's settings;
until then it is 64 KiB, HTTP/2's own default."""

SETTINGS_WITHIN_S: Final = 30
"""A peer that has not acknowledged the arena's settings by then is disconnected. A bot may connect, compute for a while
and only then read."""

METADATA_BYTES: Final = 8 * 1024
METADATA_FIELDS: Final = 128
"""The largest metadata of a call. gRPC enforces the bytes for peers that have acknowledged its settings."""

REQUEST_WITHIN_S: Final = 10.0
"""A call whose request has not come by then ends."""

REQUEST_GIVES_WAY_S: Final = 0.25
"""A request that has not come by then gives way to waiting calls. gRPC libraries send it with the headers, so only lost
packets can take so long."""

STRANGERS_RECEIVED: Final = 32
STRANGERS_WAITING: Final = 128
"""Requests of callers whose token was never valid before: read at the same time, and waiting."""

KNOWN_RECEIVED: Final = 32
KNOWN_WAITING: Final = 128
"""The same for callers whose token was valid before."""

WORK_SHARE: Final = 0.2
"""The share of the arena's time for the calls of one user while matches are in play; callers without a valid token
share one. More calls are delayed."""

WORK_AHEAD_S: Final = 0.25
"""Work of one user that is done without delay: a page with all that it shows, a listing of thousands of rows."""

CALL_S: Final = 0.003
ANSWER_BYTE_S: Final = 0.000_000_3
"""The cost of a call, and of each byte of its answer. An empty call takes 3 ms of processor time in all threads, a
match in a listing, of 550 bytes, 160 us."""

WATCHED_BYTE_S: Final = 0.000_001_5
"""The same for a byte of a watched match: an ended one is replayed, which took 45 ms for 30 kB."""

LONGEST_DELAY_S: Final = 10.0
"""The longest delay of a call."""

DELAYED_CALLS: Final = 128
"""Delayed calls of one user at the same time."""

UPLOADS: Final = 32
UPLOADS_OF_ONE: Final = 4
"""Uploads of archives at the same time: of all users, and of one."""

OPEN_STREAMS: Final = 64
"""Open streams of health and reflection, which need no token, of all callers together."""

STORED_LOGS: Final = 256
STORED_LOGS_OF_ONE: Final = 64
"""Calls that hold a stored log in memory (downloads, and ended matches that are watched): of all users, and of one."""

LOGS_READ: Final = 2
"""Stored logs that are read, checked and replayed at the same time, each in a thread."""

PIECE_WITHIN_S: Final = 60.0
"""An upload without a further message by then ends; it can be resumed."""

CALLS: Final = Allowance("unanswered calls", burst=1_000, per_s=50)
"""Unanswered calls. An answered call is given back, so callers that wait for answers never meet this; it is many
clients with `STREAMS` calls each, all cancelled at once."""

OPENINGS: Final = Allowance("Play calls", burst=200, per_s=2)
"""New connections of bots with one token: two hundred processes of one bot may start at once."""

USER_OPENINGS: Final = Allowance("Play calls of a user's bots", burst=2_048, per_s=16)
"""New connections of all bots of one user, with any number of tokens: four times the connections that a user may have
(`QUOTAS`), since all of them come back after every restart of the arena."""

GUESSES: Final = Allowance("invalid tokens", burst=100, per_s=1)
"""Calls with invalid tokens from one address: many bots with an old token, behind one address."""

BAN_S: Final = 60
"""How long a ban lasts."""

PLAY_CONNECTIONS: Final = 256
"""Connections of bots with one token at the same time."""

STREAMS: Final = 64
"""Calls at the same time on one HTTP/2 connection, enforced by gRPC: others wait in the client."""

MOST_CONNECTIONS: Final = 4_000
"""TCP connections at once, and as many to the Unix socket, if the system grants enough file descriptors."""

RESERVED_DESCRIPTORS: Final = 256
"""File descriptors reserved for database and logs: connections never prevent storing a result."""

SILENT_CONNECTION_S: Final = 10
"""A connection without a handshake by then is closed."""

IDLE_CONNECTION_S: Final = 300
"""A connection without a call for so long is closed; clients reopen it by themselves."""

WATCHER_WRITE_S: Final = 5.0
"""A response that a spectator does not read for so long ends the call."""

DOWNLOAD_WRITE_S: Final = 60.0
"""The same for other streams: 64 KiB in a minute is the slowest line that a log goes through."""

ARCHIVE_BYTES: Final = DEFAULT_BOUNDS.archive_bytes
"""The largest archive of a submitted bot."""

VERSIONS_OF_A_BOT: Final = 100
"""Submitted versions of one bot. Any of them may be played again, so none is removed automatically."""

CHANGES_A_DAY: Final = 1_000
"""Changes of one user within 24 hours that go into the audit trail, which is never cut: half a MiB a day. Nobody
makes so many by hand."""

LABELS_A_DAY: Final = 100
"""New versions that one bot may declare in `hello` within 24 hours. Each is stored for good, and a bot whose label
changes with every build has one every quarter of an hour, day and night."""

TEAM_MEMBERS: Final = 10
"""Members of a team that users make up themselves; organisers may add more."""

QUOTAS: Final = Quotas(
    bots=100,
    submissions_per_day=50,
    archive_mib=ARCHIVE_BYTES >> 20,
    versions_mib=4_096,
    connections=512,
    tokens=200,
)
"""The quotas of users who are no organisers, unless `SetUserQuotas` says otherwise.

Bots: each author of a class has a handful, and a table of a hundred is still readable. Submissions: more than one an
hour, day and night; each costs the arena minutes of a processor. Space: sixteen of the largest versions as submitted;
fifty users with all of it fill 200 GB. Connections: those of two tokens (`PLAY_CONNECTIONS`). Tokens: two a bot."""
