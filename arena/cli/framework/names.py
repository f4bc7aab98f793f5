"""Parsing of names and values on the command line."""

import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

import typer
from google.protobuf.timestamp_pb2 import Timestamp

from arena.core.tokens import redact
from engine.randomness import SEED_BYTES

BotArgument = Annotated[str, typer.Argument(metavar="BOT", help="The bot, for example greedy.")]

ID_HELP: Final = "Its id: 1 to 32 of a-z, 0-9 and -, beginning with a letter."
EVENT_ID_HELP: Final = "Its id: 1 to 32 of a-z, 0-9 and -, beginning with a letter or digit."

_MOST_ELO: Final = 2_000
_MOST_RISK: Final = 0.5

_EVENT_ID: Final = "[a-z0-9][a-z0-9-]{0,31}"
_EVENT_RULE: Final = "names are 1 to 32 of a-z, 0-9 and -, beginning with a letter or digit"
_SPANS: Final = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
_FORMS: Final = {
    "ladders": (_EVENT_ID, f"ladder {_EVENT_RULE}"),
    "tournaments": (_EVENT_ID, f"tournament {_EVENT_RULE}"),
    "matches": ("[1-9][0-9]{0,8}", "matches have numbers, for example 17"),
    "tokens": ("[0-9a-f]{12}", "token names are 12 of 0-9 and a-f; see `arena token list`"),
    "invites": ("[0-9a-f]{12}", "invite names are 12 of 0-9 and a-f; see `arena invite list`"),
    "webhooks": ("[0-9a-f]{12}", "webhook names are 12 of 0-9 and a-f; see `arena webhook list`"),
    "nodes": (
        "[A-Za-z0-9][A-Za-z0-9._-]{0,63}",
        "node names are 1 to 64 of A-Z, a-z, 0-9, ., _ and -; see `arena cluster show`",
    ),
    "announcements": ("[1-9][0-9]{0,8}", "announcements have numbers; see `arena announcement list`"),
    "auditEntries": ("[1-9][0-9]{0,8}", "entries have numbers; see `arena audit list`"),
}
"""The form of names that differs from that of other ids, by collection."""


def resource(collection: str, name: str) -> str:
    """Return the resource name: "bots/greedy" for "greedy" and for "bots/greedy". Raises BadParameter."""
    own = resource_id(collection, name)
    id_rule = f"{collection.removesuffix('s')} names are 1 to 32 of a-z, 0-9 and -, beginning with a letter"
    form, rule = _FORMS.get(collection, ("[a-z][a-z0-9-]{0,31}", id_rule))
    if not re.fullmatch(form, own):
        raise typer.BadParameter(f"invalid name {redact(own)[:60]!r}: {rule}.")
    return f"{collection}/{own}"


def resource_id(collection: str, name: str) -> str:
    """Return the last part: "greedy" for "greedy" and for "bots/greedy"."""
    return name.removeprefix(f"{collection}/")


def pairs(texts: Iterable[str], option: str) -> dict[str, str]:
    """Parse "name=value" texts. Raises BadParameter, also if a name comes twice."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise typer.BadParameter(f"invalid value {text!r}: expected name=value.", param_hint=option)
        if name in values:
            raise typer.BadParameter(f"duplicate name {name!r}.", param_hint=option)
        values[name] = value
    return values


def numbers(text: str, option: str) -> list[int]:
    """Parse "2,3,4". Raises BadParameter."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise typer.BadParameter(
            f"invalid list {text!r}: expected numbers such as 2,3,4.", param_hint=option
        ) from None


def seed_of(text: str) -> bytes:
    """Parse --seed. Raises BadParameter."""
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise typer.BadParameter(f"invalid seed: expected {2 * SEED_BYTES} hex digits.", param_hint="--seed")
    return seed


def sprt_numbers(text: str, alpha: float, beta: float) -> tuple[float, float]:
    """Parse --sprt, and check --alpha and --beta. Raises BadParameter."""
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        elo0 = elo1 = math.nan
    if not -_MOST_ELO <= elo0 < elo1 <= _MOST_ELO:
        raise typer.BadParameter(
            f"invalid value {text!r}: expected two numbers of points, the smaller first, such as 0,20.",
            param_hint="--sprt",
        )
    for risk, name in ((alpha, "--alpha"), (beta, "--beta")):
        if not 0 < risk < _MOST_RISK:
            raise typer.BadParameter(f"a risk is above 0 and below {_MOST_RISK}.", param_hint=name)
    return elo0, elo1


def moment(text: str) -> Timestamp:
    """Parse --since: a time, or how long ago. Raises BadParameter."""
    return _time(text, "--since", -1)


def moment_ahead(text: str, option: str) -> Timestamp:
    """Parse a time, or how long it is until then. Raises BadParameter."""
    return _time(text, option, 1)


def moment_or_removal(text: str | None, *, remove: bool) -> Timestamp | None:
    """Parse TIME: "now", a time, or how long it is until then. Return None for --remove. Raises BadParameter."""
    if remove == (text is not None):
        raise typer.BadParameter("give either a time or --remove.", param_hint="TIME")
    if text is None:
        return None
    if text != "now":
        return _time(text, "TIME", 1, also="now, ")
    now = Timestamp()
    now.GetCurrentTime()
    return now


def _time(text: str, option: str, direction: int, *, also: str = "") -> Timestamp:
    """`direction`: 1 for a duration from now on, -1 for one before now. `also`: other forms that are allowed."""
    try:
        if span := re.fullmatch(r"([1-9][0-9]{0,5})([mhd])", text):
            return _timestamp(datetime.now(UTC) + direction * int(span[1]) * _SPANS[span[2]])
        return iso_time(text)
    except (ValueError, OverflowError):  # OverflowError: before the year 1, or after 9999
        raise typer.BadParameter(
            f"invalid time {text!r}: expected {also}30m, 12h, 7d, 2026-11-21 or 2026-11-21T22:00 (UTC).",
            param_hint=option,
        ) from None


def iso_time(text: str) -> Timestamp:
    """Parse a date or time of ISO 8601, which is of UTC unless it says otherwise. Raises ValueError, OverflowError."""
    when = datetime.fromisoformat(text)
    return _timestamp(when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC))


def _timestamp(when: datetime) -> Timestamp:
    sent = Timestamp()
    sent.FromDatetime(when.replace(tzinfo=None))
    return sent
