"""Everything the arena refuses, as exceptions that the server turns into statuses by one table.

::

    ArenaError
    +-- NotFoundError             the named thing does not exist
    +-- AlreadyExistsError        the name is taken
    +-- InvalidArgumentError      a field is malformed or out of its range
    +-- FailedPreconditionError   not possible in this state of things
    +-- UnauthenticatedError      no token, or not a valid one
    +-- PermissionDeniedError     a valid token that does not allow this
    +-- ResourceExhaustedError    too much of something
    +-- UnavailableError          not now; try again
    +-- DeadlineExceededError     the other side took too long
    +-- DataLossError             something stored is missing or broken

What a bot does wrong within a match is none of these: it is data (`arena.core.endings.terminations`).
"""

from enum import Enum


class ErrorReason(Enum):
    """The reason in `google.rpc.ErrorInfo`; the same names as in proto/arena/v1/errors.proto."""

    TOKEN_MISSING = "TOKEN_MISSING"
    TOKEN_INVALID = "TOKEN_INVALID"
    NOT_OWNER = "NOT_OWNER"
    ROLE_REQUIRED = "ROLE_REQUIRED"
    FIELD_INVALID = "FIELD_INVALID"
    OPTION_INVALID = "OPTION_INVALID"
    PAGE_TOKEN_INVALID = "PAGE_TOKEN_INVALID"
    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    GAME_NOT_FOUND = "GAME_NOT_FOUND"
    BOT_NOT_FOUND = "BOT_NOT_FOUND"
    LADDER_NOT_FOUND = "LADDER_NOT_FOUND"
    MATCH_NOT_FOUND = "MATCH_NOT_FOUND"
    TOKEN_NOT_FOUND = "TOKEN_NOT_FOUND"
    ENTRY_NOT_FOUND = "ENTRY_NOT_FOUND"
    BOT_EXISTS = "BOT_EXISTS"
    LADDER_EXISTS = "LADDER_EXISTS"
    TOO_FEW_BOTS = "TOO_FEW_BOTS"
    LOG_SEALED = "LOG_SEALED"
    LOG_MISSING = "LOG_MISSING"
    HELLO_EXPECTED = "HELLO_EXPECTED"
    VERSION_UNSUPPORTED = "VERSION_UNSUPPORTED"
    MALFORMED_MESSAGE = "MALFORMED_MESSAGE"
    MESSAGE_FLOOD = "MESSAGE_FLOOD"
    SLOW_READER = "SLOW_READER"
    RESUME_INVALID = "RESUME_INVALID"
    DRAINING = "DRAINING"
    STORAGE = "STORAGE"
    INTERNAL = "INTERNAL"
    RATE_LIMITED = "RATE_LIMITED"
    TOURNAMENT_NOT_FOUND = "TOURNAMENT_NOT_FOUND"
    TOURNAMENT_EXISTS = "TOURNAMENT_EXISTS"
    PLAN_TOO_LARGE = "PLAN_TOO_LARGE"
    WATCH_SEALED = "WATCH_SEALED"
    TOO_FEW_MATCHES = "TOO_FEW_MATCHES"
    SEASON_NOT_FOUND = "SEASON_NOT_FOUND"
    SHARED_SEED_REFUSED = "SHARED_SEED_REFUSED"
    TOURNAMENT_STATE = "TOURNAMENT_STATE"
    CHALLENGE_REFUSED = "CHALLENGE_REFUSED"
    MATCH_STATE = "MATCH_STATE"
    LADDER_UNRATED = "LADDER_UNRATED"
    ARCHIVE_HASH_MISMATCH = "ARCHIVE_HASH_MISMATCH"
    ARCHIVE_TOO_LARGE = "ARCHIVE_TOO_LARGE"
    ARCHIVE_MALFORMED = "ARCHIVE_MALFORMED"
    ARCHIVE_PATH = "ARCHIVE_PATH"
    ARCHIVE_LINK = "ARCHIVE_LINK"
    ARCHIVE_SPECIAL_FILE = "ARCHIVE_SPECIAL_FILE"
    ARCHIVE_COLLISION = "ARCHIVE_COLLISION"
    ARCHIVE_TOO_MANY_FILES = "ARCHIVE_TOO_MANY_FILES"
    MANIFEST_MISSING = "MANIFEST_MISSING"
    MANIFEST_INVALID = "MANIFEST_INVALID"
    EXECUTABLE_INVALID = "EXECUTABLE_INVALID"
    RUNTIME_UNAVAILABLE = "RUNTIME_UNAVAILABLE"
    BUILD_FAILED = "BUILD_FAILED"
    BOT_START_FAILED = "BOT_START_FAILED"
    CONFORMANCE_FAILED = "CONFORMANCE_FAILED"
    SANDBOX_WEAK = "SANDBOX_WEAK"
    SUBMISSION_NOT_FOUND = "SUBMISSION_NOT_FOUND"
    SUBMISSION_STATE = "SUBMISSION_STATE"
    VERSION_NOT_FOUND = "VERSION_NOT_FOUND"
    QUOTA_EXCEEDED = "QUOTA_EXCEEDED"
    BOT_HOSTED = "BOT_HOSTED"
    SCOPE_REQUIRED = "SCOPE_REQUIRED"
    USER_NOT_FOUND = "USER_NOT_FOUND"
    USER_EXISTS = "USER_EXISTS"
    LAST_ORGANISER = "LAST_ORGANISER"
    AUDIT_ENTRY_NOT_FOUND = "AUDIT_ENTRY_NOT_FOUND"
    REQUEST_INCOMPLETE = "REQUEST_INCOMPLETE"
    NODE_NOT_FOUND = "NODE_NOT_FOUND"
    INVITE_NOT_FOUND = "INVITE_NOT_FOUND"
    INVITE_ENDED = "INVITE_ENDED"
    ENTRY_LOCKED = "ENTRY_LOCKED"
    TEAM_NOT_FOUND = "TEAM_NOT_FOUND"
    TEAM_STATE = "TEAM_STATE"
    DEADLINE_PASSED = "DEADLINE_PASSED"
    ANNOUNCEMENT_NOT_FOUND = "ANNOUNCEMENT_NOT_FOUND"
    EVENT_ARCHIVED = "EVENT_ARCHIVED"
    EVENT_NOT_EMPTY = "EVENT_NOT_EMPTY"
    HOSTING_LOCKED = "HOSTING_LOCKED"
    WEBHOOK_NOT_FOUND = "WEBHOOK_NOT_FOUND"
    STANDINGS_FROZEN = "STANDINGS_FROZEN"
    LADDER_STATE = "LADDER_STATE"


class ArenaError(Exception):
    """Something the arena refuses: one sentence for people that names the thing and what to do."""

    def __init__(self, reason: ErrorReason, sentence: str, **metadata: str) -> None:
        """`metadata`: machine-readable details, for example the field's name."""
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence
        self.metadata = metadata


class NotFoundError(ArenaError):
    """The named thing does not exist."""


class AlreadyExistsError(ArenaError):
    """The name is taken."""


class InvalidArgumentError(ArenaError):
    """A field is malformed or out of its range."""


def invalid_field(field: str, sentence: str) -> InvalidArgumentError:
    """Return the error of a request's field (FIELD_INVALID)."""
    return InvalidArgumentError(ErrorReason.FIELD_INVALID, sentence, field=field)


class FailedPreconditionError(ArenaError):
    """Not possible in this state of things."""


class UnauthenticatedError(ArenaError):
    """No token, or not a valid one."""


class PermissionDeniedError(ArenaError):
    """A valid token that does not allow this."""


class ResourceExhaustedError(ArenaError):
    """Too much of something."""


class UnavailableError(ArenaError):
    """Not now; try again."""


class DeadlineExceededError(ArenaError):
    """The other side took too long."""


class DataLossError(ArenaError):
    """Something stored is missing or broken."""
