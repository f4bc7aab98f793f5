"""What an entry of the rating ledger holds, as JSON text and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.core.errors import DataLossError, ErrorReason
from arena.core.rating.elo import Change, RatedMatch, RatedSeat
from arena.core.rating.rating import Rating
from arena.store.json_columns import pack


@dataclass(frozen=True, slots=True)
class LedgerBody:
    """What was rated and what it changed; the fields of `arena.core.rating.ledger.LedgerEntry`."""

    matches: tuple[RatedMatch, ...]
    changes: tuple[Change, ...]


def pack_body(body: LedgerBody) -> str:
    """The one text of a body."""
    matches = [_match_values(match) for match in body.matches]
    return pack({"matches": matches, "changes": [_change_values(change) for change in body.changes]})


def unpack_body(text: str) -> LedgerBody:
    """The body again, equal to the one that was packed.

    Raises:
        DataLossError: STORAGE, the text is not what `pack_body` writes.
    """
    try:
        body = json.loads(text)
        return LedgerBody(
            matches=tuple(_match(match) for match in body["matches"]),
            changes=tuple(_change(change) for change in body["changes"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataLossError(
            ErrorReason.STORAGE,
            "The rating ledger is damaged: an entry cannot be read; restore the data folder from a backup.",
        ) from error


def _match_values(match: RatedMatch) -> dict[str, object]:
    # `asdict` copies whatever it meets, and takes five times as long: it would be half of what storing a result takes.
    return {"match": match.match, "seats": [_values(seat) for seat in match.seats]}


def _change_values(change: Change) -> dict[str, object]:
    before, after = _values(change.before), _values(change.after)
    return {"bot": change.bot, "k": change.k, "before": before, "after": after}


def _values(plain: RatedSeat | Rating) -> dict[str, object]:
    return {name: getattr(plain, name) for name in type(plain).__slots__}


def _match(values: Mapping[str, Any]) -> RatedMatch:
    return RatedMatch(
        values["match"],
        tuple([RatedSeat(s["bot"], s["version"], s["placing"], s["forfeited"]) for s in values["seats"]]),
    )


def _change(values: Mapping[str, Any]) -> Change:
    return Change(values["bot"], values["k"], _rating(values["before"]), _rating(values["after"]))


def _rating(values: Mapping[str, Any]) -> Rating:
    return Rating(values["rating_milli"], values["information"], values["version"], values["version_matches"])
