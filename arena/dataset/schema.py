"""The tables of a data set and their columns. docs/data.md shows the same; a test compares the two."""

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

SCHEMA: Final = 1
"""Rises when a release renames or removes a column or changes its meaning or type, but not for new columns."""


class DataFormat(StrEnum):
    """The format of the tables of a data set."""

    JSONL = "jsonl"
    """JSON lines."""
    PARQUET = "parquet"
    """Parquet, which needs the extra [data]."""


class Kind(Enum):
    """The type of a column; every column may be null."""

    INT = "int64"
    BOOL = "bool"
    TEXT = "text"
    INTS = "list of int32"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    kind: Kind
    meaning: str
    """What it holds, with its unit: a sentence."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, which is one file."""

    name: str
    row: str
    """What a row is: a phrase."""
    columns: tuple[Column, ...]


def _int(name: str, meaning: str) -> Column:
    return Column(name, Kind.INT, meaning)


def _text(name: str, meaning: str) -> Column:
    return Column(name, Kind.TEXT, meaning)


def _bool(name: str, meaning: str) -> Column:
    return Column(name, Kind.BOOL, meaning)


_MATCH: Final = (
    _int("match", "The number of the match, 17 of `matches/17`."),
    _int("position", "The position of the match in the export order. Of several rows the largest counts."),
)

MATCHES: Final = Table(
    "matches",
    "a match",
    (
        *_MATCH,
        _text("ladder", "The id of its ladder."),
        _text("tournament", "The id of its tournament."),
        _text("match_group", "Its match group, for example `g12`."),
        _int("group_index", "Its place in the group, from 0."),
        _int("attempt", "How many void matches were played in this place before it."),
        _text("game", "The id of the game."),
        _int("rules_version", "The version of the rules."),
        _int("seats", "The number of seats."),
        _text("options", "The options of the game, as a JSON object of texts."),
        _text("time_control", "The clock, as a JSON object; fields as in `TimeControl`."),
        _text("state", "FINISHED, ABORTED (void) or NO_CONTEST."),
        _bool("rated", "Whether it was played for ratings."),
        _text("ending", "Why it ended by the rules of the game; empty for a void match."),
        _int("plies", "The number of actions played."),
        _text("seed", "The seed, 64 hex digits."),
        _text("seed_commitment", "The commitment to the seed, 64 hex digits."),
        _text("log", "The name of its log, the end of the hash chain, 64 hex digits."),
        _text("log_state", "PRESENT, NONE, REMOVED or DAMAGED. Without a log a match has no decisions."),
        _int("created_us", "When it was created, microseconds since 1970 UTC."),
        _int("started_us", "When play began, microseconds since 1970 UTC."),
        _int("ended_us", "When it ended, microseconds since 1970 UTC."),
        _text("void_reason", "Why it is void."),
        _int("replayed_as", "The match that was played instead of this void one."),
        _int("replay_of", "The void match that this one was played instead of."),
    ),
)

SEATS: Final = Table(
    "seats",
    "a seat of a match",
    (
        *_MATCH,
        _int("seat", "The seat, from 0."),
        _text("bot", "The id of the bot; in simulated matches the policy."),
        _text("bot_version", "The label of the version that played."),
        _int("final_placing", "1 is best; seats that tie share the better placing. 0 in a void match."),
        _int("score", "The score of the game."),
        _text("termination", "How the seat ended, for example NORMAL or TIME_FORFEIT."),
        _text("fault", "Whose fault it was: NONE, BOT or ARENA."),
        _int("decisions", "The number of decisions."),
        _int("used_ms", "Thinking time charged, in milliseconds."),
        _int("strikes", "The number of strikes."),
        _text("level", "With one seat: the level that the score reached."),
    ),
)

DECISIONS: Final = Table(
    "decisions",
    "an action played (a ply)",
    (
        *_MATCH,
        _int("ply", "The number of the action in the match, from 0."),
        _int("seat", "The seat that acted."),
        _int(
            "decision", "The decision of the seat, from 1; actions of a plan share one. 0: nobody was asked."
        ),
        _int("action", "The action in the packing of the game; null for offers wider than 63 bits."),
        _text("notation", "The action as text; null if the rules are not those installed."),
        _int(
            "list_place",
            "The place of the action in the list of legal actions, from 0; null if it is not listed.",
        ),
        _int("legal_actions", "The length of the list; null if the rules are not those installed."),
        _text("cause", "CHOSEN, TIME_FORFEIT, ILLEGAL_ACTION, FORFEITED or GIVEN."),
        _int("started_ns", "When the decision began, nanoseconds since the match began."),
        _int("used_ns", "Thinking time charged, nanoseconds. Of a plan the first action has all times."),
        _int("credit_ns", "Time credited for the network, nanoseconds."),
        _int("stall_ns", "Time in which the arena itself did not run, nanoseconds; not charged."),
        _int("wait_ns", "Time in which a hosted program waited for a processor, nanoseconds."),
        _int("bank_ns", "The bank after the decision, nanoseconds."),
        _bool("over_seat_limit", "Whether the seat had used more than its limit before."),
    ),
)

RATINGS: Final = Table(
    "ratings",
    "the change of one bot's rating by an entry of a ledger",
    (
        _int("position", "The position of the entry in the export order."),
        _text("ladder", "The id of the ladder."),
        _int("seq", "The number of the entry in the ledger of the ladder, from 1."),
        _text("kind", "MATCH_GROUP, VOID, SEASON_CLOSE or ANCHOR."),
        _text("match_group", "The match group that the entry rates or takes back."),
        _int("closed_season", "The season that it closes."),
        _int("time_us", "When it was stored, microseconds since 1970 UTC."),
        _text("bot", "The id of the bot."),
        _text("bot_version", "The label of the version that the new rating belongs to."),
        _int("rating_milli_before", "The rating before, in thousandths of a point."),
        _int("rating_milli_after", "The rating after, in thousandths of a point."),
        _int("uncertainty_milli_before", "Half the width of the 95 % interval before, likewise."),
        _int("uncertainty_milli_after", "Half the width of the 95 % interval after, likewise."),
    ),
)

OBSERVATIONS: Final = Table(
    "observations",
    "what the acting seat sees before a ply, with `--with observations`",
    (
        *_MATCH,
        _int("ply", "The number of the action in the match, from 0."),
        _int("seat", "The seat that acted."),
        Column(
            "features",
            Kind.INTS,
            "The features of the game, one after the other ([research.md](research.md)).",
        ),
    ),
)

TABLES: Final = (MATCHES, SEATS, DECISIONS, RATINGS, OBSERVATIONS)
