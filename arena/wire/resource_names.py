"""Resource names: "bots/{bot}", "matches/{match}" and so on."""

import re
from collections.abc import Callable
from typing import Final, TypeVar

from arena.core.errors import invalid_field

_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,31}")
_EVENT_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""Of ladders and tournaments, which people name after a year or a class."""
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")
_HASH_BEGINNING: Final = re.compile(r"[0-9a-f]{6,64}")
_TOKEN_ID: Final = re.compile(r"[0-9a-f]{12}")
_NODE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""As of a host: it is one where the node was given no name."""
T = TypeVar("T", str, int)


def _collection(
    plural: str, singular: str, form: re.Pattern[str], read: Callable[[str], T]
) -> tuple[Callable[[T], str], Callable[[str, str], T]]:
    """Return what makes names of the form "{plural}/{id}", and what parses them.

    The parser is given the name's field and the name; it raises InvalidArgumentError (FIELD_INVALID).
    """

    def name(id_: T) -> str:
        return f"{plural}/{id_}"

    def parse(field: str, name: str) -> T:
        head, _, rest = name.partition("/")
        if head != plural or not form.fullmatch(rest):
            raise invalid_field(
                field, f"{field} is {name[:60]!r}, but must have the form {plural}/{{{singular}}}."
            )
        return read(rest)

    return name, parse


owner_name, parse_owner = _collection("owners", "owner", _ID, str)
user_name, parse_user = _collection("users", "user", _ID, str)
"""The user who is the owner of the same id."""
audit_entry_name, parse_audit_entry = _collection("auditEntries", "number", _NUMBER, int)
bot_name, parse_bot = _collection("bots", "bot", _ID, str)
token_name, parse_token = _collection("tokens", "token", _TOKEN_ID, str)
team_name, parse_team = _collection("teams", "team", _ID, str)
"""The team that is the owner of the same id."""
invite_name, parse_invite = _collection("invites", "invite", _TOKEN_ID, str)
announcement_name, parse_announcement = _collection("announcements", "number", _NUMBER, int)
webhook_name, parse_webhook = _collection("webhooks", "webhook", _TOKEN_ID, str)
game_name, parse_game = _collection("games", "game", _ID, str)
ladder_name, parse_ladder = _collection("ladders", "ladder", _EVENT_ID, str)
tournament_name, parse_tournament = _collection("tournaments", "tournament", _EVENT_ID, str)
match_name, parse_match = _collection("matches", "match", _NUMBER, int)
node_name, parse_node = _collection("nodes", "node", _NODE, str)


def season_name(ladder: str, number: int) -> str:
    """Return "ladders/{ladder}/seasons/{season}"."""
    return f"{ladder_name(ladder)}/seasons/{number}"


def parse_season(field: str, name: str) -> tuple[str, int]:
    """Return the ladder's id and the number of its season. Raises InvalidArgumentError (FIELD_INVALID)."""
    found = re.fullmatch(f"ladders/({_EVENT_ID.pattern})/seasons/({_NUMBER.pattern})", name)
    if found is None:
        raise invalid_field(
            field, f"{field} is {name[:120]!r}, but must have the form ladders/{{ladder}}/seasons/{{season}}."
        )
    return found[1], int(found[2])


def version_name(bot: str, label: str) -> str:
    """Return "bots/{bot}/versions/{version}"."""
    return f"bots/{bot}/versions/{label}"


def submission_name(bot: str, number: int) -> str:
    """Return "bots/{bot}/submissions/{number}"."""
    return f"bots/{bot}/submissions/{number}"


def group_name(group: int) -> str:
    """Return "g{group}"."""
    return f"g{group}"


def check_id(field: str, value: str, *, event: bool = False) -> str:
    """Return the id that a caller has chosen. Raises InvalidArgumentError (FIELD_INVALID).

    `event`: whether it is of a ladder or tournament.
    """
    form, first = (_EVENT_ID, "letter or digit") if event else (_ID, "letter")
    if not form.fullmatch(value):
        raise invalid_field(
            field,
            f"{field} is {value[:40]!r}, but must be 1 to 32 of a-z, 0-9 and -, beginning with a {first}.",
        )
    return value


def parse_submission(field: str, name: str) -> tuple[str, int]:
    """Return the bot's id and the number of its submission. Raises InvalidArgumentError (FIELD_INVALID)."""
    bot, number = _parse_of_bot(field, name, "submissions", _NUMBER, "number")
    return bot, int(number)


def parse_version(field: str, name: str) -> tuple[str, str]:
    """Return the bot's id and the first digits of a version's hash, at least 6. Raises InvalidArgumentError."""
    of_bot = re.fullmatch(f"bots/{_ID.pattern}/versions/([^/]*)", name)
    if of_bot is not None and not _HASH_BEGINNING.fullmatch(of_bot[1]):
        raise invalid_field(
            field,
            f"{field} is {name[:120]!r}, but a version is named by at least 6 hexadecimal digits (0-9, a-f) of its"
            " hash, as `arena bot versions` lists them.",
        )
    return _parse_of_bot(field, name, "versions", _HASH_BEGINNING, "hash")


def _parse_of_bot(
    field: str, name: str, collection: str, form: re.Pattern[str], what: str
) -> tuple[str, str]:
    found = re.fullmatch(f"bots/({_ID.pattern})/{collection}/({form.pattern})", name)
    if found is None:
        raise invalid_field(
            field, f"{field} is {name[:120]!r}, but must have the form bots/{{bot}}/{collection}/{{{what}}}."
        )
    return found[1], found[2]
