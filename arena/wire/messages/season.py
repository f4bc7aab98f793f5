"""Closed seasons as messages."""

from arena.store.ladders.seasons import Move, SeasonRow
from arena.v1 import season_pb2
from arena.wire.fields import same, timestamp
from arena.wire.resource_names import bot_name, ladder_name, season_name


def season_message(row: SeasonRow, *, whole: bool) -> season_pb2.Season:
    """Return a season as a message. `whole`: with its document and signature."""
    season = season_pb2.Season(
        name=season_name(row.ladder, row.number),
        **same(row, "number", "keep_percent", "bots", "key_id"),
        start_time=timestamp(row.start_us),
        close_time=timestamp(row.close_us),
    )
    if whole:
        season.document, season.signature = row.document, row.signature
    return season


def season_move_message(move: Move) -> season_pb2.SeasonMove:
    """Return a move between divisions as a message."""
    return season_pb2.SeasonMove(
        bot=bot_name(move.bot), from_ladder=ladder_name(move.source), to_ladder=ladder_name(move.target)
    )
