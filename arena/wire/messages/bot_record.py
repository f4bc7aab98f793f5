"""The record of a bot as messages."""

from arena.store.matches.bot_records import EndingRow, OpponentRow
from arena.v1 import bot_pb2, ending_pb2
from arena.wire.fields import same, timestamp
from arena.wire.resource_names import bot_name, match_name

_MILLI = 1_000


def opponent_message(row: OpponentRow) -> bot_pb2.OpponentRecord:
    """Return the results against one opponent; scores of several games are not compared."""
    difference = None
    if row.score_difference is not None and row.compared_games == 1:
        difference = round(row.score_difference * _MILLI / row.compared)
    return bot_pb2.OpponentRecord(
        bot=bot_name(row.opponent),
        **same(row, "matches", "wins", "ties", "losses"),
        mean_score_difference_milli=difference,
        last_match=match_name(row.last_match),
        last_match_time=timestamp(row.last_match_us),
    )


def ending_count(row: EndingRow) -> bot_pb2.EndingCount:
    """Return how often seats ended in one way."""
    return bot_pb2.EndingCount(
        termination=ending_pb2.Termination.ValueType(row.termination.value),
        fault=ending_pb2.Fault.ValueType(row.fault.value),
        matches=row.matches,
        last_match=match_name(row.last_match),
        last_match_time=timestamp(row.last_match_us),
    )
