"""`arena match`: what was played, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.errors import server_packages
from arena.cli.framework.names import resource
from arena.cli.framework.output import Column, Format, facts, plain, print_json, say, short, show, table, when
from arena.cli.match.outcome import (
    LEFT,
    ended_by,
    is_void,
    lost,
    places,
    seat_sentences,
    what_the_organiser_can_do,
)
from arena.cli.match.status import MatchStatus, look_at, standing_document, standing_lines, unlogged
from arena.cli.match.watch import watch_match
from arena.cli.match_data import SUFFIX, LogSource, log_of_match
from arena.cli.match_selection import (
    BotFilter,
    LadderFilter,
    LimitOption,
    MatchChoice,
    TournamentFilter,
    find,
)
from arena.cli.rules import option_words
from arena.core.match import ENDED_BY_FORFEIT
from arena.core.versions import shown_version
from arena.v1 import match_pb2

app = group("Matches: what was played, and how it ended.")


def _no_file(text: str) -> str:
    """The text, if it may be a match. Raises BadParameter if it names a log file."""
    if text.endswith(SUFFIX):
        raise typer.BadParameter(
            f"{text} is a file, and not the number of a match: `arena log show` and `arena log explain` read files."
        )
    return text


MatchArgument = Annotated[
    str, typer.Argument(metavar="MATCH", help="The match, for example 17.", callback=_no_file)
]


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
    session: CommandContext,
    ladder: LadderFilter = None,
    tournament: TournamentFilter = None,
    bot: BotFilter = None,
    state: Annotated[StateName | None, typer.Option(help="Only matches in this state.")] = None,
    limit: LimitOption = 50,
) -> None:
    """Lists matches, newest first."""
    chosen = match_pb2.MATCH_STATE_UNSPECIFIED if state is None else state.value_on_the_wire
    with session.connect() as arena:
        which = MatchChoice(ladder, tournament, bot, chosen)
        matches = find(arena, which, limit=limit)
    session.show(matches, lambda: _listing(matches))


@arena_command(app, "show", example="arena match show 17")
def show_match(session: CommandContext, name: MatchArgument) -> None:
    """Shows one match: who sat where, how each seat ended and why."""
    with session.connect() as arena:
        match = arena.matches.GetMatch(match_pb2.GetMatchRequest(name=resource("matches", name))).match
    session.show(match, lambda: _page(match))


@arena_command(app, "explain", example="arena match explain 17")
def explain_match(session: CommandContext, name: MatchArgument) -> None:
    """Explains a match: how each seat ended and why, by how much, the clock, and what to do; or where it stands."""
    with session.connect() as arena:
        standing = look_at(arena, resource("matches", name))
        log = log_of_match(arena, standing.match) if standing.match.log else None
    if session.format is Format.JSON:
        print_json(_explained_document(standing, log))
        return
    if log is None or is_void(standing.match):
        for sentence in standing_lines(standing):
            say(sentence)
    for part in _explained(standing, log):
        show(part)
    if log is not None and lost(standing.match):
        say(_go_on(standing))
    if standing.own.trouble:
        say(standing.own.trouble)


def _go_on(standing: MatchStatus) -> str:
    """What else there is to read and to try; the seat of the caller's bot where that is known."""
    match, mine = short(standing.match.name), standing.mine
    bot = short(mine[0]) if len(mine) == 1 else "BOT"
    return (
        f'`arena log show {match}` tells it turn by turn; `arena log replay {match} --as {bot} --bot "COMMAND"` puts '
        f"the decisions of {bot} to your program again."
    )


def _explained(standing: MatchStatus, log: LogSource | None) -> Iterable[RenderableType]:
    if log is None:
        return unlogged(standing)
    with server_packages():
        from arena.cli.explain.explain import explanation
        from arena.cli.log.reading import interpreted
    return explanation(interpreted(log), standing.own)


def _explained_document(standing: MatchStatus, log: LogSource | None) -> dict[str, object]:
    """`seats` as `arena log explain` has them, or as far as they are known without a log."""
    known = standing_document(standing)
    if log is not None:
        with server_packages():
            from arena.cli.explain.explain import document
            from arena.cli.log.reading import interpreted
        known |= document(interpreted(log), standing.own)
    return known | {"void_reason": standing.match.void_reason, "replayed_as": standing.match.replayed_as}


@arena_command(app, "replay", example="arena match replay 17")
def replay_match(session: CommandContext, name: MatchArgument) -> None:
    """Has a void match played again that is left to the organiser, because it was void three times (organisers)."""
    with session.connect() as arena:
        request = match_pb2.ReplayMatchRequest(name=resource("matches", name))
        match = arena.matches.ReplayMatch(request).match
    session.show(
        match, lambda: f"It is played again as match {short(match.name)} as soon as its bots have room."
    )


@arena_command(app, "void", example='arena match void 17 --reason "wrong rules were played"')
def void_match(
    session: CommandContext,
    name: MatchArgument,
    reason: Annotated[str, typer.Option("--reason", help="Why, on one line, for everybody to read.")],
) -> None:
    """Makes a finished match void and takes its group's rating changes back; or leaves a void one out (organisers)."""
    with session.connect() as arena:
        request = match_pb2.VoidMatchRequest(name=resource("matches", name), reason=reason)
        voided = arena.matches.VoidMatch(request)
    match = voided.match
    told = f"Match {short(match.name)} does not count. {match.void_reason} {voided.consequence}".rstrip()
    session.show(match, lambda: told)


def seconds(match: match_pb2.Match) -> str:
    """How long the match took, in seconds; empty before its end, and of one that never began."""
    if not (match.end_time.seconds and match.start_time.seconds):
        return ""
    return f"{(match.end_time.ToNanoseconds() - match.start_time.ToNanoseconds()) / 1e9:.1f}"


def _listing(matches: match_pb2.ListMatchesResponse) -> RenderableType:
    if not matches.matches:
        return "No matches."
    drawn = table(
        [column for column, _ in _COLUMNS],
        ([cell(match) for _, cell in _COLUMNS] for match in matches.matches),
    )
    return Group(drawn, "There are more: see --limit.") if matches.next_page_token else drawn


def _page(match: match_pb2.Match) -> RenderableType:
    seats = table(_SEAT, (_seat(number, match) for number in range(len(match.seats))))
    sentences = seat_sentences(match)
    if lost(match) and match.log:
        sentences.append(f"`arena match explain {short(match.name)}` tells more.")
    return Group(_facts(match), seats, "\n".join(plain(sentence) for sentence in sentences))


def _facts(match: match_pb2.Match) -> RenderableType:
    replay = f", replay {match.attempt}" if match.attempt else ""
    if match.replay_of:
        replay += f", played instead of match {short(match.replay_of)}"
    return facts(
        (
            ("match", short(match.name)),
            ("ladder", short(match.ladder)),
            ("tournament", short(match.tournament)),
            ("group", f"{match.group}, place {match.group_index}{replay}" if match.group else ""),
            ("game", f"{match.game}, rules version {match.rules_version}"),
            ("options", option_words(match.game, [(len(match.seats), match.options)])),
            ("state", _standing(match) + ("" if match.rated else ", unrated")),
            ("void because", match.void_reason),
            ("played again", f"as match {short(match.replayed_as)}" if match.replayed_as else ""),
            ("decision", f"{LEFT}: {what_the_organiser_can_do(match)}" if match.left_to_organiser else ""),
            ("ending", match.ending),
            ("level", match.seats[0].level if match.seats else ""),
            ("plies", str(match.plies)),
            ("began", when(match.start_time)),
            ("ended", when(match.end_time)),
            ("seed commitment", match.seed_commitment.hex()),
            ("seed", match.seed.hex()),
            ("log", match.log),
        )
    )


def _seat(number: int, match: match_pb2.Match) -> tuple[str, ...]:
    seat = match.seats[number]
    ended = seat.placing > 0
    return (
        str(number),
        short(seat.bot),
        shown_version(short(seat.bot_version)),
        str(seat.placing) if ended else "",
        _score(match, seat) if ended else "",
        ended_by(match, seat),
        str(seat.decisions),
        f"{seat.used_ms / 1000:.2f}",
        str(seat.strikes),
    )


def _score(match: match_pb2.Match, seat: match_pb2.MatchSeat) -> str:
    """The game's score; a match that forfeits ended was not played to a score."""
    return "-" if match.ending in ENDED_BY_FORFEIT else str(seat.score)


def _state(match: match_pb2.Match) -> str:
    return match_pb2.MatchState.Name(match.state).removeprefix("MATCH_STATE_").lower()


def _ending(match: match_pb2.Match) -> str:
    """Why it ended; of a void match, what became of it."""
    if match.replayed_as:
        return f"replayed as {short(match.replayed_as)}"
    return LEFT if match.left_to_organiser else match.ending


def _standing(match: match_pb2.Match) -> str:
    waits = match.state == match_pb2.MATCH_STATE_PENDING
    return "pending: it waits for its bots" if waits else _state(match)


_COLUMNS: Final[tuple[tuple[Column, Callable[[match_pb2.Match], str]], ...]] = (
    (Column("match", True), lambda match: short(match.name)),
    (Column("of"), lambda match: short(match.ladder or match.tournament)),
    (Column("group", spare=True), lambda match: match.group),
    (Column("game", spare=True), lambda match: match.game),
    (Column("state"), _state),
    (Column("placings", cut=True), places),
    (Column("ending"), _ending),
    (Column("plies", True, spare=True), lambda match: str(match.plies)),
    (Column("seconds", True), seconds),
)
_SEAT: Final = (
    Column("seat", True),
    Column("bot", cut=True),
    Column("version", spare=True),
    Column("placing", True),
    Column("score", True),
    Column("ended by"),
    Column("asked", True),
    Column("think s", True),
    Column("strikes", True),
)
"""The columns of a match's seats."""


arena_command(app, "watch", example="arena match watch 17 --from-start", formats=False)(watch_match)
