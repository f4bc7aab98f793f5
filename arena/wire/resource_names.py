"""Resource names: "bots/{bot}", "matches/{match}" and so on, written and read."""

from __future__ import annotations

import re
from typing import Final

from arena.core.errors import ErrorReason, InvalidArgumentError

_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,31}")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")
_HASH_BEGINNING: Final = re.compile(r"[0-9a-f]{6,64}")
_TOKEN_ID: Final = re.compile(r"[0-9a-f]{12}")
_SINGULAR: Final = {
    "owners": "owner",
    "users": "user",
    "auditEntries": "number",
    "bots": "bot",
    "games": "game",
    "ladders": "ladder",
    "tournaments": "tournament",
    "matches": "match",
    "tokens": "token",
}


def owner_name(owner: str) -> str:
    """ "owners/{owner}"."""
    return f"owners/{owner}"


def user_name(user: str) -> str:
    """ "users/{user}", the same whom "owners/{owner}" names as the owner of something."""
    return f"users/{user}"


def audit_entry_name(number: int) -> str:
    """ "auditEntries/{number}"."""
    return f"auditEntries/{number}"


def bot_name(bot: str) -> str:
    """ "bots/{bot}"."""
    return f"bots/{bot}"


def version_name(bot: str, label: str) -> str:
    """ "bots/{bot}/versions/{version}"."""
    return f"bots/{bot}/versions/{label}"


def submission_name(bot: str, number: int) -> str:
    """ "bots/{bot}/submissions/{number}"."""
    return f"bots/{bot}/submissions/{number}"


def token_name(token: str) -> str:
    """ "tokens/{token}"."""
    return f"tokens/{token}"


def game_name(game: str) -> str:
    """ "games/{game}"."""
    return f"games/{game}"


def ladder_name(ladder: str) -> str:
    """ "ladders/{ladder}"."""
    return f"ladders/{ladder}"


def tournament_name(tournament: str) -> str:
    """ "tournaments/{tournament}"."""
    return f"tournaments/{tournament}"


def match_name(match: int) -> str:
    """ "matches/{match}"."""
    return f"matches/{match}"


def group_name(group: int) -> str:
    """ "g{group}"."""
    return f"g{group}"


def check_id(field: str, value: str) -> str:
    """The id that a caller has chosen. Raises InvalidArgumentError (FIELD_INVALID)."""
    if not _ID.fullmatch(value):
        raise InvalidArgumentError(
            ErrorReason.FIELD_INVALID,
            f"{field} is {value[:40]!r}, but must be 1 to 32 of a-z, 0-9 and -, beginning with a letter.",
            field=field,
        )
    return value


def parse_owner(field: str, name: str) -> str:
    """The owner's id. Raises InvalidArgumentError (FIELD_INVALID), as all of these."""
    return _parse(field, name, "owners", _ID)


def parse_user(field: str, name: str) -> str:
    """The user's id."""
    return _parse(field, name, "users", _ID)


def parse_audit_entry(field: str, name: str) -> int:
    """The number of an entry of the audit trail."""
    return int(_parse(field, name, "auditEntries", _NUMBER))


def parse_bot(field: str, name: str) -> str:
    """The bot's id."""
    return _parse(field, name, "bots", _ID)


def parse_submission(field: str, name: str) -> tuple[str, int]:
    """The bot's id, and the number of its submission."""
    bot, number = _parse_of_bot(field, name, "submissions", _NUMBER, "number")
    return bot, int(number)


def parse_version(field: str, name: str) -> tuple[str, str]:
    """The bot's id, and how the hash of its version begins, at least 6 digits."""
    return _parse_of_bot(field, name, "versions", _HASH_BEGINNING, "hash")


def parse_game(field: str, name: str) -> str:
    """The game's id."""
    return _parse(field, name, "games", _ID)


def parse_ladder(field: str, name: str) -> str:
    """The ladder's id."""
    return _parse(field, name, "ladders", _ID)


def parse_tournament(field: str, name: str) -> str:
    """The tournament's id."""
    return _parse(field, name, "tournaments", _ID)


def parse_match(field: str, name: str) -> int:
    """The match's id."""
    return int(_parse(field, name, "matches", _NUMBER))


def parse_token(field: str, name: str) -> str:
    """The public id of a token."""
    return _parse(field, name, "tokens", _TOKEN_ID)


def _parse(field: str, name: str, collection: str, form: re.Pattern[str]) -> str:
    head, _, rest = name.partition("/")
    if head != collection or not form.fullmatch(rest):
        raise InvalidArgumentError(
            ErrorReason.FIELD_INVALID,
            f"{field} is {name[:60]!r}, but must have the form {collection}/{{{_SINGULAR[collection]}}}.",
            field=field,
        )
    return rest


def _parse_of_bot(
    field: str, name: str, collection: str, form: re.Pattern[str], what: str
) -> tuple[str, str]:
    parts = name.split("/")
    if (
        len(parts) != 4
        or (parts[0], parts[2]) != ("bots", collection)
        or not _ID.fullmatch(parts[1])
        or not form.fullmatch(parts[3])
    ):
        raise InvalidArgumentError(
            ErrorReason.FIELD_INVALID,
            f"{field} is {name[:120]!r}, but must have the form bots/{{bot}}/{collection}/{{{what}}}.",
            field=field,
        )
    return parts[1], parts[3]
