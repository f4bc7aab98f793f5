"""What an entry of the rating ledger holds, as JSON text and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from arena.core.errors import DataLossError, ErrorReason
from arena.core.rating.elo import Change, RatedMatch, RatedSeat
from arena.core.rating.rating import Rating
from arena.store.packing import pack


@dataclass(frozen=True, slots=True)
class LedgerBody:
    """What was rated and what it changed; the fields of `arena.core.rating.ledger.LedgerEntry`."""

    matches: tuple[RatedMatch, ...]
    changes: tuple[Change, ...]


def pack_body(body: LedgerBody) -> str:
    """The one text of a body."""
    return pack(asdict(body))


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


def _match(values: Mapping[str, Any]) -> RatedMatch:
    return RatedMatch(values["match"], tuple(RatedSeat(**seat) for seat in values["seats"]))


def _change(values: Mapping[str, Any]) -> Change:
    return Change(values["bot"], values["k"], Rating(**values["before"]), Rating(**values["after"]))
