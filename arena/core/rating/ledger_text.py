"""Ledger entries as JSON text, as they are stored: one line, the same bytes for the same entry."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from arena.core.errors import DataLossError, ErrorReason
from arena.core.rating.elo import Change, RatedMatch, RatedSeat
from arena.core.rating.ledger import EntryKind, LedgerEntry
from arena.core.rating.rating import Rating


def entry_to_text(entry: LedgerEntry) -> str:
    """The entry as JSON: the fields of `LedgerEntry`, and for readers the deltas of each change."""
    fields = {
        "seq": entry.seq,
        "kind": entry.kind.name,
        "group": entry.group,
        "matches": [asdict(match) for match in entry.matches],
        "changes": [
            asdict(change)
            | {"delta_milli": change.delta_milli, "information_delta": change.information_delta}
            for change in entry.changes
        ],
    }
    return json.dumps(fields, separators=(",", ":"), sort_keys=True)


def entry_from_text(text: str) -> LedgerEntry:
    """The entry that `entry_to_text` wrote. Raises DataLossError (STORAGE) for any other text."""
    try:
        return _entry(json.loads(text))
    except (ValueError, KeyError, TypeError) as error:
        raise DataLossError(
            ErrorReason.STORAGE,
            f"The rating ledger is damaged: an entry cannot be read ({error!r});"
            " restore the data folder from a backup.",
        ) from error


def _entry(fields: Any) -> LedgerEntry:
    return LedgerEntry(
        seq=fields["seq"],
        kind=EntryKind[fields["kind"]],
        group=fields["group"],
        matches=tuple(_match(match) for match in fields["matches"]),
        changes=tuple(_change(change) for change in fields["changes"]),
    )


def _match(fields: Any) -> RatedMatch:
    return RatedMatch(fields["match"], tuple(RatedSeat(**seat) for seat in fields["seats"]))


def _change(fields: Any) -> Change:
    return Change(fields["bot"], fields["k"], Rating(**fields["before"]), Rating(**fields["after"]))
