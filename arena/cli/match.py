"""`arena match`: what was played, and how it ended."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType

from arena.cli.commands import Session, arena_command, group
from arena.cli.connection import Arena
from arena.cli.names import resource
from arena.cli.output import Column, facts, narrow, plain, short, table, when
from arena.cli.paging import whole
from arena.v1 import bot_pb2, ending_pb2, ladder_pb2, match_pb2

app = group("Matches: what was played, and how it ended.")

LimitOption = Annotated[int, typer.Option("--limit", min=0, help="How many, newest first; 0: all.")]
LadderFilter = Annotated[str | None, typer.Option("--ladder", help="Only matches of this ladder.")]
BotFilter = Annotated[str | None, typer.Option("--bot", help="Only matches in which this bot has a seat.")]


class StateName(StrEnum):
    """Where a match stands, as people type it."""

    PENDING = "pending"
    RUNNING = "running"
    FINISHED = "finished"
    ABORTED = "aborted"
    NO_CONTEST = "no_contest"

    @property
    def value_on_the_wire(self) -> match_pb2.MatchState.ValueType:
        """The same state in match.proto."""
        return match_pb2.MatchState.Value(f"MATCH_STATE_{self.name}")


@arena_command(app, "list", example="arena match list --ladder main --bot greedy --state finished")
def list_matches(
    session: Session,
    ladder: LadderFilter = None,
    bot: BotFilter = None,
    state: Annotated[StateName | None, typer.Option(help="Only matches in this state.")] = None,
    limit: LimitOption = 50,
) -> None:
    """Lists matches, newest first."""
    chosen = match_pb2.MATCH_STATE_UNSPECIFIED if state is None else state.value_on_the_wire
    with session.connect() as arena:
        matches = find(arena, ladder=ladder, bot=bot, state=chosen, limit=limit)
    session.show(matches, lambda: _listing(matches))


@arena_command(app, "show", example="arena match show 17")
def show_match(
    session: Session, name: Annotated[str, typer.Argument(metavar="MATCH", help="The match, for example 17.")]
) -> None:
    """Shows one match: who sat where, how each seat ended and why."""
    with session.connect() as arena:
        match = arena.matches.GetMatch(match_pb2.GetMatchRequest(name=resource("matches", name))).match
    session.show(match, lambda: _page(match))


def find(
    arena: Arena, *, ladder: str | None, bot: str | None, state: match_pb2.MatchState.ValueType, limit: int
) -> match_pb2.ListMatchesResponse:
    """Matches, newest first; at most `limit` of them, 0: all. A ladder or bot that is not there is refused."""
    if ladder:
        arena.ladders.GetLadder(ladder_pb2.GetLadderRequest(name=resource("ladders", ladder)))
    if bot:
        arena.bots.GetBot(bot_pb2.GetBotRequest(name=resource("bots", bot)))
    return whole(
        lambda size, page: arena.matches.ListMatches(
            match_pb2.ListMatchesRequest(
                page_size=size,
                page_token=page,
                ladder=resource("ladders", ladder) if ladder else "",
                bot=resource("bots", bot) if bot else "",
                state=state,
            )
        ),
        lines=lambda listing: len(listing.matches),
        limit=limit,
    )


def seconds(match: match_pb2.Match) -> str:
    """How long the match took, in seconds; empty before its end."""
    if not match.end_time.seconds:
        return ""
    return f"{(match.end_time.ToNanoseconds() - match.start_time.ToNanoseconds()) / 1e9:.1f}"


def places(match: match_pb2.Match) -> str:
    """The bots by their placings, for example "1 greedy, 2 random"; in seat order before the end."""
    seats = sorted(match.seats, key=lambda seat: seat.placing)
    return ", ".join(
        f"{seat.placing} {short(seat.bot)}" if seat.placing else short(seat.bot) for seat in seats
    )


def _listing(matches: match_pb2.ListMatchesResponse) -> RenderableType:
    if not matches.matches:
        return "No matches."
    shown = [(column, cell) for column, cell in _COLUMNS if not narrow() or column.title not in _LEFT_OUT]
    drawn = table(
        [column for column, _ in shown], ([cell(match) for _, cell in shown] for match in matches.matches)
    )
    return Group(drawn, "There are more: see --limit.") if matches.next_page_token else drawn


def _page(match: match_pb2.Match) -> RenderableType:
    columns = (
        Column("seat", True),
        Column("bot"),
        Column("version"),
        Column("placing", True),
        Column("score", True),
        Column("ended by"),
        Column("decisions", True),
        Column("think s", True),
        Column("strikes", True),
    )
    seats = table(columns, (_seat(number, seat) for number, seat in enumerate(match.seats)))
    sentences = [
        f"Seat {i} ({short(s.bot)}): {s.ending.sentence}"
        for i, s in enumerate(match.seats)
        if s.ending.sentence
    ]
    return Group(_facts(match), seats, plain("\n").join(plain(sentence) for sentence in sentences))


def _facts(match: match_pb2.Match) -> RenderableType:
    replay = f", replay {match.attempt}" if match.attempt else ""
    return facts(
        (
            ("match", short(match.name)),
            ("ladder", short(match.ladder)),
            ("group", f"{match.group}, place {match.group_index}{replay}" if match.group else ""),
            ("game", f"{match.game}, rules version {match.rules_version}"),
            ("state", _standing(match) + ("" if match.rated else ", unrated")),
            ("void because", match.void_reason),
            ("ending", match.ending),
            ("plies", str(match.plies)),
            ("began", when(match.start_time)),
            ("ended", when(match.end_time)),
            ("seed commitment", match.seed_commitment.hex()),
            ("seed", match.seed.hex()),
            ("log", match.log),
        )
    )


def _seat(number: int, seat: match_pb2.MatchSeat) -> tuple[str, ...]:
    termination = ending_pb2.Termination.Name(seat.ending.termination).removeprefix("TERMINATION_")
    ended = seat.placing > 0
    return (
        str(number),
        short(seat.bot),
        short(seat.bot_version),
        str(seat.placing) if ended else "",
        str(seat.score) if ended else "",
        "" if termination == "UNSPECIFIED" else termination,
        str(seat.decisions),
        f"{seat.used_ms / 1000:.2f}",
        str(seat.strikes),
    )


def _state(match: match_pb2.Match) -> str:
    return match_pb2.MatchState.Name(match.state).removeprefix("MATCH_STATE_").lower()


def _standing(match: match_pb2.Match) -> str:
    waits = match.state == match_pb2.MATCH_STATE_PENDING
    return "pending: it waits for its bots" if waits else _state(match)


_COLUMNS: Final[tuple[tuple[Column, Callable[[match_pb2.Match], str]], ...]] = (
    (Column("match", True), lambda match: short(match.name)),
    (Column("ladder"), lambda match: short(match.ladder)),
    (Column("group"), lambda match: match.group),
    (Column("game"), lambda match: match.game),
    (Column("state"), _state),
    (Column("placings", cut=True), places),
    (Column("ending"), lambda match: match.ending),
    (Column("plies", True), lambda match: str(match.plies)),
    (Column("seconds", True), seconds),
)
_LEFT_OUT: Final = frozenset({"group", "game", "plies"})
"""What a narrow terminal has no room for."""
