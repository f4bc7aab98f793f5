"""The outcome of a match as the arena reports it."""

from typing import Final

from arena.cli.framework.output import enum_word, short
from arena.v1 import ending_pb2, match_pb2

LEFT: Final = "left to the organiser"
"""Of a match that was voided too often."""


def organiser_commands(match: match_pb2.Match) -> str:
    """Return the commands that decide a match that is left to the organiser."""
    name = short(match.name)
    return f"use `arena match replay {name}`, or `arena match void {name} --reason TEXT` to drop it"


def is_void(match: match_pb2.Match) -> bool:
    """Return whether the match ended without a result."""
    return match.state in (match_pb2.MATCH_STATE_ABORTED, match_pb2.MATCH_STATE_NO_CONTEST)


def format_ending(match: match_pb2.Match, seat: match_pb2.MatchSeat) -> str:
    """Return how a seat ended, in a word; "void" or "no contest" for seats without fault in a void match."""
    termination = enum_word(ending_pb2.Termination, seat.ending.termination).upper()
    if termination == "UNSPECIFIED":
        return ""
    if is_void(match) and termination == "NORMAL":
        return "void" if match.state == match_pb2.MATCH_STATE_ABORTED else "no contest"
    return termination


def has_loser(match: match_pb2.Match) -> bool:
    """Return whether the match has a result in which a seat was beaten or forfeited."""
    forfeited = any(format_ending(match, seat) not in ("", "NORMAL") for seat in match.seats)
    return not is_void(match) and (forfeited or any(seat.placing > 1 for seat in match.seats))


def seat_sentences(match: match_pb2.Match) -> list[str]:
    """Return a sentence for each seat that has ended."""
    return [
        f"Seat {number} ({short(seat.bot)}): {seat.ending.sentence}"
        for number, seat in enumerate(match.seats)
        if seat.ending.sentence
    ]


def explain_missing_log(match: match_pb2.Match) -> str:
    """Return the state of a match that has no readable log."""
    name = short(match.name)
    match match.state:
        case match_pb2.MATCH_STATE_PENDING:
            return f"Match {name} has not begun. It is waiting for its bots."
        case match_pb2.MATCH_STATE_RUNNING:
            return f"Match {name} is in play. It can be explained when it has ended."
        case match_pb2.MATCH_STATE_FINISHED:
            return (
                f"The log of match {name} is sealed until all matches of group {match.group} have ended, because "
                "they share a seed. Try again then."
            )
        case _:
            replayed = "It is not replayed." if is_void(match) else ""
            if match.replayed_as:
                replayed = f"It is replayed as match {short(match.replayed_as)}."
            elif match.left_to_organiser:
                replayed = f"It is {LEFT}: {organiser_commands(match)}."
            return f"Match {name} has no result: {match.void_reason} {replayed}".rstrip()


def format_placings(match: match_pb2.Match) -> str:
    """Return the bots by placing, for example "1 greedy, 2 random"; by seat before the end."""
    seats = sorted(match.seats, key=lambda seat: seat.placing)
    return ", ".join(
        f"{seat.placing} {short(seat.bot)}" if seat.placing else short(seat.bot) or "?" for seat in seats
    )
