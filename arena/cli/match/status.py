"""The state of a match, and its explanation without a log, as text and JSON."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import grpc
from rich.console import RenderableType
from rich.text import Text

from arena.cli.explain.seat_summary import (
    OwnerDebug,
    fetch_owner_debug,
    headline,
    seat_details,
    seat_details_document,
    seat_outcomes,
)
from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.output import printable
from arena.drawings.wording import counted
from arena.v1 import bot_pb2, ladder_pb2, match_pb2, token_pb2, tournament_pb2
from arena.wire.owner_wording import describe_unavailable
from arena.wire.wording import enum_word, format_ending, is_void, short


@dataclass(frozen=True, slots=True)
class MatchStatus:
    """A match with what else its explanation needs."""

    match: match_pb2.Match
    own: OwnerDebug
    """The debug lines of the caller's bots."""
    replay: match_pb2.Match | None = None
    """The replay of a void match."""
    waits_for: tuple[tuple[str, str], ...] = ()
    """Of a pending match: (bot, why it is waited for)."""

    own_bots: tuple[str, ...] = ()
    """The caller's bots in a match that has ended."""

    sealed: bool = False
    """Whether a running match cannot be watched because its group shares a seed (WATCH_SEALED)."""

    @property
    def same_seed(self) -> bool | None:
        """Whether the replay has the seed of the void match; None without a replay."""
        if self.replay is None:
            return None
        return self.replay.seed_commitment == self.match.seed_commitment


def fetch_status(arena: ArenaClient, name: str) -> MatchStatus:
    """Fetch the match of this resource name and what belongs to its explanation."""

    def get(match: str) -> match_pb2.Match:
        return arena.matches.GetMatch(match_pb2.GetMatchRequest(name=match)).match

    match = get(name)
    pending = match.state == match_pb2.MATCH_STATE_PENDING
    ended = match.state == match_pb2.MATCH_STATE_FINISHED
    return MatchStatus(
        match,
        OwnerDebug() if pending else fetch_owner_debug(arena, match.name),
        get(match.replayed_as) if match.replayed_as else None,
        tuple((bot.name, why) for bot in _bots(arena, match) if (why := describe_unavailable(bot)))
        if pending
        else (),
        _own_bots(arena, match) if ended else (),
        sealed=match.state == match_pb2.MATCH_STATE_RUNNING and _shares_seed(arena, match),
    )


def _shares_seed(arena: ArenaClient, match: match_pb2.Match) -> bool:
    """Return whether the matches of its group share one seed."""
    shared = match_pb2.SEED_POLICY_SHARED
    if match.ladder:
        ladder = arena.ladders.GetLadder(ladder_pb2.GetLadderRequest(name=match.ladder)).ladder
        return ladder.seed_policy == shared
    if match.tournament:
        request = tournament_pb2.GetTournamentRequest(name=match.tournament)
        tournament = arena.tournaments.GetTournament(request).tournament
        stages = [stage.visibility for stage in tournament.parameters.stages]
        if not any(stages):
            return tournament.seed_policy == shared
        pairings = tournament_pb2.ListPairingsRequest(name=match.tournament)
        listed = fetch_all(arena.tournaments.ListPairings, pairings).pairings
        own = {stages[pairing.stage - 1] for pairing in listed if pairing.group == match.group}
        sealed = tournament_pb2.Tournament.VISIBILITY_SEALED
        return (next(iter(own), 0) or tournament.visibility) == sealed
    return False


def _own_bots(arena: ArenaClient, match: match_pb2.Match) -> tuple[str, ...]:
    """Return the caller's bots in the match; none if the arena does not know who they are."""
    try:
        own = arena.tokens.GetOwnToken(token_pb2.GetOwnTokenRequest())
        owner = own.owner or own.token.owner  # arenas without teams have only the second
        return tuple(bot.name for bot in _bots(arena, match) if owner and bot.owner == owner)
    except grpc.RpcError:
        return ()


def _bots(arena: ArenaClient, match: match_pb2.Match) -> Iterator[bot_pb2.Bot]:
    """Fetch the bots of a match that are not hidden."""
    for name in dict.fromkeys(seat.bot for seat in match.seats if seat.bot):
        yield arena.bots.GetBot(bot_pb2.GetBotRequest(name=name)).bot


def status_lines(status: MatchStatus) -> Iterator[str]:
    """Yield why there is no result (yet), what follows, and which bots keep a match waiting."""
    match = status.match
    yield explain_missing_log(match)
    for bot, why in status.waits_for:
        yield f"{short(bot)} {why}."
    if match.state == match_pb2.MATCH_STATE_PENDING and match.ladder:
        yield f"To see the queue: `arena ladder queue {short(match.ladder)}`."
    if match.state == match_pb2.MATCH_STATE_RUNNING:
        yield (
            "Its group shares one seed, so it can be watched only after the group has ended."
            if status.sealed
            else f"To watch it: `arena match watch {short(match.name)}`."
        )
    if is_void(match):
        yield from _void_lines(status)


def _void_lines(status: MatchStatus) -> Iterator[str]:
    match = status.match
    if match.state == match_pb2.MATCH_STATE_ABORTED and status.replay is not None:
        seed = "the same seed, which its group shares" if status.same_seed else "a new seed"
        yield f"Match {short(match.replayed_as)} replaces it with {seed}."
    if match.rated:
        no_contest = match.state == match_pb2.MATCH_STATE_NO_CONTEST
        charged = "; absences are shown below" if no_contest else ", and no bot is charged"
        had_result = any(seat.placing for seat in match.seats)
        taken_back = "; its rating changes are reverted" if had_result else ""
        yield f"It does not count for ratings{charged}{taken_back}."
    else:
        yield "It was not rated."


def _state(match: match_pb2.Match) -> str:
    return enum_word(match_pb2.MatchState, match.state).upper()


def seats_without_log(status: MatchStatus) -> Iterator[RenderableType]:
    """Yield the seats of a match without a readable log."""
    match = status.match
    facts, state = seat_outcomes(match), _state(match)
    for outcome, seat in zip(facts, match.seats, strict=True):
        yield Text(printable(f"\n{headline(outcome, len(facts), state=state)}"))
        thought = f"{seat.used_ms / 1000:.2f} s"
        between = [f"thought {thought} in {counted(seat.decisions, 'decision')}"] if seat.decisions else []
        if seat.strikes:
            between.append(f"{counted(seat.strikes, 'strike')}: decisions taken by the arena")
        yield from seat_details(outcome, facts, status.own, between)


def status_document(status: MatchStatus) -> dict[str, object]:
    """Return the same for JSON; what only a log tells is null."""
    match, replay = status.match, status.replay
    facts = seat_outcomes(match)
    seats = [
        seat_details_document(outcome, facts, status.own)
        | {
            "asked": seat.decisions,
            "used_ms": seat.used_ms,
            "strike_count": seat.strikes,
            "strikes": None,
            "decisions": None,
        }
        for outcome, seat in zip(facts, match.seats, strict=True)
    ]
    return {
        "match": match.name,
        "state": _state(match),
        "ending": match.ending,
        "seats": seats,
        "explained": list(status_lines(status)) if is_void(match) or not match.log else [],
        "rated": match.rated,
        "waits_for": [{"bot": bot, "why": why} for bot, why in status.waits_for],
        "replay": replay and {"match": replay.name, "attempt": replay.attempt, "same_seed": status.same_seed},
        "left_to_organiser": match.left_to_organiser,
        "debug_lines_trouble": status.own.trouble or None,
    }


LEFT: Final = "left to the organiser"
"""Of a match that was voided too often."""


def organiser_commands(match: match_pb2.Match) -> str:
    """Return the commands that decide a match that is left to the organiser."""
    name = short(match.name)
    return f"use `arena match replay {name}`, or `arena match void {name} --reason TEXT` to drop it"


def format_used(match: match_pb2.Match) -> str:
    """Return what each seat has used of the clock's limits for the whole match; empty before the first decision."""
    control = match.time_control
    return "; ".join(
        f"seat {number}: {seat.used_ms} ms of the seat limit, {seat.strikes} of {counted(control.strikes, 'strike')}"
        for number, seat in enumerate(match.seats)
        if seat.decisions
    )


def has_loser(match: match_pb2.Match) -> bool:
    """Return whether the match has a result in which a seat was beaten or forfeited."""
    forfeited = any(format_ending(match, seat) not in ("", "NORMAL") for seat in match.seats)
    return not is_void(match) and (forfeited or any(seat.placing > 1 for seat in match.seats))


_MISSING_LOG: Final = {
    match_pb2.MATCH_STATE_PENDING: "has not begun. It is waiting for its bots.",
    match_pb2.MATCH_STATE_RUNNING: "is in play. It can be explained when it has ended.",
}


def explain_missing_log(match: match_pb2.Match) -> str:
    """Return the state of a match that has no readable log."""
    name = short(match.name)
    if match.state in _MISSING_LOG:
        return f"Match {name} {_MISSING_LOG[match.state]}"
    if match.state == match_pb2.MATCH_STATE_FINISHED:
        return (
            f"The log of match {name} is sealed until all matches of group {match.group} have ended, because they "
            "share a seed. Try again then."
        )
    replayed = "It is not replayed." if is_void(match) else ""
    if match.replayed_as:
        replayed = f"It is replayed as match {short(match.replayed_as)}."
    elif match.left_to_organiser:
        replayed = f"It is {LEFT}: {organiser_commands(match)}."
    return f"Match {name} has no result: {match.void_reason} {replayed}".rstrip()
