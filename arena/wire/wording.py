"""Messages in words, as commands and web pages show them: names, numbers, times, rules and endings."""

from collections.abc import Iterable
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from arena.codecs.codec import codec_for
from arena.v1 import ending_pb2, games_pb2, match_pb2, time_control_pb2
from engine.game import Game, InvalidOptionsError
from engine.registry import GAMES


def format_milli(value: int, digits: int = 0) -> str:
    """Format a number of thousandths."""
    return f"{value / 1000:.{digits}f}"


def format_rank(rank: int) -> str:
    """Format a rank or position; "-" for 0, which is none."""
    return str(rank) if rank else "-"


def format_time(time: Timestamp) -> str:
    """Format a time as "2026-11-21 09:30:05Z"; empty if it is not set."""
    if not time.seconds:
        return ""
    return time.ToDatetime().strftime("%Y-%m-%d %H:%M:%SZ")


def format_season(name: str) -> str:
    """Return the resource name of a season in words: "main, season 2" of "ladders/main/seasons/2"."""
    ladder, _, number = name.removeprefix("ladders/").partition("/seasons/")
    return f"{ladder}, season {number}"


def short(name: str) -> str:
    """Return the last part of a resource name: "greedy" of "bots/greedy"."""
    return name.rsplit("/", 1)[-1]


def enum_word(enum: Any, value: int) -> str:
    """Return an enum value in lower case, without its prefix: "paused" for STATE_PAUSED; a number if unknown."""
    if value not in enum.values():
        return str(value)
    return str(enum.Name(value)).removeprefix(enum.Name(0).removesuffix("UNSPECIFIED")).lower()


def format_clock(control: time_control_pb2.TimeControl) -> str:
    """Format the clock rules."""
    return (
        f"{control.per_decision_ms} ms a decision, bank {control.bank_ms} ms + {control.increment_ms} ms, "
        f"grace {control.grace_ms} ms, {control.strikes} strikes, absence {control.absence_ms} ms, "
        f"hold {control.hold_ms} ms, seat limit {control.seat_limit_ms} ms{format_padding(control.secret_pad_ms)}"
    )


def format_padding(secret_pad_ms: int) -> str:
    """Format the padding of secret decisions as the end of a line; empty if there is none."""
    return f", secret_pad_ms {secret_pad_ms}" if secret_pad_ms else ""


def format_options(game: str, options: Iterable[tuple[int, games_pb2.GameOptions]]) -> str:
    """Format the game options that differ from the defaults; `options` with their seat counts."""
    if game not in GAMES:
        return ""
    given = ((seats, message) for seats, message in options if message.WhichOneof("game") is not None)
    changed = [each for seats, message in given for each in _changed(GAMES[game], seats, message)]
    return ", ".join(dict.fromkeys(changed))


def _changed(game: Game, seats: int, message: games_pb2.GameOptions) -> list[str]:
    try:
        values = game.option_values(codec_for(game.spec.id).decode_options(message, seats))
    except InvalidOptionsError:
        return ["unknown to this version; see --format json"]
    usual = game.option_values(game.options(seats, {}))
    return [f"{name} {value}" for name, value in values.items() if value != usual[name]]


def format_seed_policy(policy: match_pb2.SeedPolicy.ValueType, *, hosted_only: bool) -> str:
    """Format a seed policy and what follows from it."""
    if policy != match_pb2.SEED_POLICY_SHARED:
        return "one per match"
    hosted = " only hosted bots play, in fresh processes;" if hosted_only else ""
    return f"shared by the matches of a group;{hosted} sealed until the group has ended"


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


def seat_sentences(match: match_pb2.Match) -> list[str]:
    """Return a sentence for each seat that has ended."""
    return [
        f"Seat {number} ({short(seat.bot)}): {seat.ending.sentence}"
        for number, seat in enumerate(match.seats)
        if seat.ending.sentence
    ]


def format_placings(match: match_pb2.Match) -> str:
    """Return the bots by placing, for example "1 greedy, 2 random"; by seat before the end."""
    seats = sorted(match.seats, key=lambda seat: seat.placing)
    return ", ".join(
        f"{seat.placing} {short(seat.bot)}" if seat.placing else short(seat.bot) or "?" for seat in seats
    )
