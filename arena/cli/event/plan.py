"""The plan of an event file: what would change, what prevents it, how long tournaments take, how seasons are closed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import Final

from arena.cli.event.changes import (
    ORGANISERS_ACTIONS,
    Change,
    Difference,
    Obstacle,
    Warned,
    difference,
)
from arena.cli.event.file import EventFile
from arena.cli.event.live import Size, Speed, arena_now, size_of, speeds
from arena.cli.event.seasons import PlannedSeason, planned_season
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import print_error
from arena.cli.framework.output import Columns, print_line, print_note, show, table_of
from arena.v1 import token_pb2, tournament_pb2
from arena.wire.tournament_wording import at_least_to_most, format_suite, part_of
from arena.wire.wording import short

_PAIRINGS_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Plan:
    """What would happen."""

    difference: Difference
    sizes: Sequence[Size]
    speed: dict[str, Speed]
    """By game."""
    seasons: Sequence[PlannedSeason] = ()

    def hours(self, size: Size) -> tuple[float, float] | None:
        """Return how long the matches take at today's speed, at least and at most; None if it is not known."""
        if size.game not in self.speed:
            return None
        fewest, most = size.matches
        per_hour = self.speed[size.game].per_hour
        return fewest / per_hour, most / per_hour


def plan_of(client: ArenaClient, wanted: EventFile) -> Plan:
    """Return the plan of a file on an arena. Raises RpcError: the arena does not answer."""
    arena = arena_now(client, wanted)
    found = difference(wanted, arena)
    stopped = {each.subject for each in found.obstacles}
    answers = [size_of(client, event, arena) for event in wanted.tournaments if event.name not in stopped]
    refused = tuple(each for each in answers if isinstance(each, Obstacle))
    sizes = [each for each in answers if isinstance(each, Size)]
    warnings = starmap(Warned, ((size.tournament, sentence) for size in sizes for sentence in size.warnings))
    role = _role_warnings(client, found.changes)
    whole = Difference(found.changes, (*found.obstacles, *refused), (*found.warnings, *role, *warnings))
    seasons = [planned_season(each, arena.ladders) for each in wanted.seasons if each.name not in stopped]
    return Plan(whole, sizes, speeds(client) if sizes else {}, seasons)


def _role_warnings(client: ArenaClient, changes: Sequence[Change]) -> list[Warned]:
    """Warn of the first change that only organisers may make, if the token is not of one."""
    theirs = [each for each in changes if each.action in ORGANISERS_ACTIONS]
    if not theirs:
        return []
    token = client.tokens.GetOwnToken(token_pb2.GetOwnTokenRequest()).token
    may = not token.scopes or token_pb2.SCOPE_ORGANISE in token.scopes
    if token.role == token_pb2.ROLE_ORGANISER and may:
        return []
    return [
        Warned(
            theirs[0].subject,
            f"The change {theirs[0].action!r} is for organisers, and this token may not make it: `apply` would be "
            "refused. Use the token of an organiser (`arena token show`).",
        )
    ]


def show_plan(plan: Plan, file: str) -> None:
    """Print the plan of a file for people."""
    if plan.difference.changes:
        show(table_of(_CHANGES, plan.difference.changes))
    elif not plan.difference.obstacles:
        print_line("Nothing to change.")
    for size in plan.sizes:
        print_line(_size_in_words(plan, size))
        if size.suite is not None:
            print_line(f"Set-ups of {size.tournament}: {format_suite(size.suite)}.")
        _show_first_round(size)
    for season in plan.seasons:
        print_line(season.words(file))
    for warning in plan.difference.warnings:
        print_note(f"{warning.subject}: {warning.sentence}")
    for obstacle in plan.difference.obstacles:
        print_error(f"{obstacle.subject}: {obstacle.sentence}")


def _show_first_round(size: Size) -> None:
    if not size.first_round:
        return
    print_line(f"First round of {short(size.tournament)}, as it might be drawn:")
    show(table_of(_PAIRINGS, size.first_round[:_PAIRINGS_SHOWN]))
    if (more := len(size.first_round) - _PAIRINGS_SHOWN) > 0:
        print_line(f"... and {more} more.")
    if size.byes:
        print_line(f"Byes: {', '.join(map(short, size.byes))}.")


def _size_in_words(plan: Plan, size: Size) -> str:
    if size.has_ended:
        return f"{size.tournament}: finished."
    rounds = at_least_to_most(*size.rounds, "round", "rounds")
    pairings = at_least_to_most(*size.pairings, "pairing", "pairings")
    matches = at_least_to_most(*size.matches, "match", "matches")
    to_play = f"{size.tournament}: {rounds}, {pairings}, {matches} to play"
    hours = plan.hours(size)
    if hours is None:
        return f"{to_play}. How long they take is not known: too few matches of {size.game} have ended here."
    speed = plan.speed[size.game]
    least, most = map(_duration, hours)
    about = least if least == most else f"{least} to {most}"
    return (
        f"{to_play}, about {about} at the speed of the newest {speed.matches} matches of {size.game} "
        f"({speed.per_hour:.0f} an hour)."
    )


def _duration(hours: float) -> str:
    return f"{hours:.1f} h" if hours >= 1 else f"{hours * 60:.0f} min"


def document(plan: Plan) -> dict[str, object]:
    """Return the plan as JSON (docs/events.md)."""
    found = plan.difference
    return {
        "changes": [
            {"subject": each.subject, "action": each.action, "details": each.details}
            for each in found.changes
        ],
        "obstacles": [{"subject": each.subject, "sentence": each.sentence} for each in found.obstacles],
        "warnings": [{"subject": each.subject, "sentence": each.sentence} for each in found.warnings],
        "tournaments": [dict(_size_document(plan, size)) for size in plan.sizes],
        "seasons": [season.document() for season in plan.seasons],
    }


def _size_document(plan: Plan, size: Size) -> Iterator[tuple[str, object]]:
    """Yield the keys; those without "most" are at least, as they were before there was a most."""
    hours = plan.hours(size)
    yield "tournament", size.tournament
    yield "rounds", size.rounds[0]
    yield "most_rounds", size.rounds[1]
    yield "pairings", size.pairings[0]
    yield "most_pairings", size.pairings[1]
    yield "matches_to_play", size.matches[0]
    yield "most_matches_to_play", size.matches[1]
    yield "hours", hours and hours[0]
    yield "most_hours", hours and hours[1]
    yield "first_round", [{"part": part_of(each), "bots": list(each.bots)} for each in size.first_round]
    yield "byes", list(size.byes)
    yield "suite", size.suite and {"name": size.suite.name, "sha256": size.suite.sha256.hex()}
    yield "finished", size.has_ended


_CHANGES: Final[Columns[Change]] = {
    "change": lambda change: change.action,
    "of": lambda change: f"{change.subject.partition('s/')[0]} {short(change.subject)}",
    "details": lambda change: change.details,
}

_PAIRINGS: Final[Columns[tournament_pb2.Pairing]] = {
    ">pairing": lambda pairing: pairing.number,
    "part": part_of,
    "!bots": lambda pairing: ", ".join(map(short, pairing.bots)),
}
