"""What an export sends, as messages."""

from arena.core.rating.elo import Change
from arena.core.rating.ledger import LedgerEntry
from arena.core.rating.rating import uncertainty_milli
from arena.v1 import export_pb2
from arena.wire.fields import timestamp
from arena.wire.resource_names import bot_name, group_name, ladder_name, match_name, version_name


def ledger_entry_message(ladder: str, entry: LedgerEntry, created_us: int) -> export_pb2.ExportedLedgerEntry:
    """Return an entry of a ladder's rating ledger as a message. `created_us`: when it was stored."""
    return export_pb2.ExportedLedgerEntry(
        ladder=ladder_name(ladder),
        seq=entry.seq,
        kind=export_pb2.ExportedLedgerEntry.Kind.ValueType(entry.kind.value),
        group="" if entry.group is None else group_name(entry.group),
        matches=[match_name(match.match) for match in entry.matches],
        changes=map(_change_message, entry.changes),
        time=timestamp(created_us),
        closed_season=0 if entry.season is None else entry.season.number,
    )


def _change_message(change: Change) -> export_pb2.ExportedLedgerEntry.Change:
    version = change.after.version
    return export_pb2.ExportedLedgerEntry.Change(
        bot=bot_name(change.bot),
        bot_version=version_name(change.bot, version) if version else "",
        rating_milli_before=change.before.rating_milli,
        rating_milli_after=change.after.rating_milli,
        uncertainty_milli_before=uncertainty_milli(change.before.information),
        uncertainty_milli_after=uncertainty_milli(change.after.information),
    )
