"""`arena match`: list, show, explain and rule on matches."""

from typing import Annotated, Final, Literal

import typer
from rich.console import Group, RenderableType

from arena.cli.analyse.options import (
    DEFAULT_TOP,
    AnalysisRequest,
    AsOption,
    BudgetOption,
    ForceOption,
    JobsOption,
    PlayoutsOption,
    RenderOption,
    SeatOption,
    SeedOption,
    TopOption,
)
from arena.cli.explain.seat_summary import OwnerDebug, exception_lines, fetch_owner_debug
from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import HISTORY_SECONDS
from arena.cli.framework.errors import CliError
from arena.cli.framework.names import moment, resource
from arena.cli.framework.output import (
    Columns,
    Format,
    enum_value,
    facts,
    listing_table,
    plain,
    print_json,
    print_line,
    show,
    table,
)
from arena.cli.match.status import (
    LEFT,
    fetch_status,
    format_used,
    has_loser,
    organiser_commands,
    seats_without_log,
    status_document,
    status_lines,
)
from arena.cli.match_data import (
    PACE_SECONDS,
    SUFFIX,
    BotFilter,
    LadderFilter,
    LimitOption,
    PaceOption,
    TournamentFilter,
    find_matches,
    log_of,
    log_of_match,
    match_filter,
)
from arena.core.match import ENDED_BY_FORFEIT
from arena.core.versions import shown_version
from arena.drawings.wording import counted
from arena.v1 import ending_pb2, match_pb2
from arena.wire.wording import (
    enum_word,
    format_clock,
    format_ending,
    format_options,
    format_placings,
    format_time,
    is_void,
    seat_sentences,
    short,
)

app = group("List, show, watch and explain matches, and rule on them.")


def _match_number(text: str | None) -> str | None:
    if text is not None and text.endswith(SUFFIX):
        raise typer.BadParameter(
            f"{text} is a file, not a match number. To read files, use `arena log show`, `arena log explain` or "
            "`arena log analyse`."
        )
    return text


MatchArgument = Annotated[
    str, typer.Argument(metavar="MATCH", help="The match, for example 17.", callback=_match_number)
]


StateName = Literal["pending", "running", "finished", "aborted", "no_contest"]
"""The state of a match on the command line."""


@arena_command(app, "list", example="arena match list --ladder main --bot greedy --state finished")
def list_matches(
    context: CommandContext,
    ladder: LadderFilter = None,
    tournament: TournamentFilter = None,
    bot: BotFilter = None,
    state: Annotated[StateName | None, typer.Option(help="Only matches in this state.")] = None,
    limit: LimitOption = 50,
) -> None:
    """List matches, newest first."""
    which = match_filter(ladder, tournament, bot, enum_value(match_pb2.MatchState, state))
    context.call(lambda arena: find_matches(arena, which, limit=limit), _table)


@arena_command(app, "show", example="arena match show 17")
def show_match(context: CommandContext, name: MatchArgument) -> None:
    """Show a match: seats, results and how each seat ended."""
    request = match_pb2.GetMatchRequest(name=resource("matches", name))
    with context.connect() as arena:
        match = arena.matches.GetMatch(request).match
        explained = context.format is Format.TABLE and any(map(_may_have_raised, match.seats))
        own = fetch_owner_debug(arena, match.name) if explained else OwnerDebug()
    context.show(match, lambda: _details(match, own))


@arena_command(app, "explain", example="arena match explain 17")
def explain_match(context: CommandContext, name: MatchArgument) -> None:
    """Explain a match: how and why each seat ended, margins, clock and advice; or its state if it is not over."""
    with context.connect() as arena:
        status = fetch_status(arena, resource("matches", name))
        log = log_of_match(arena, status.match) if status.match.log else None
    explained, known = seats_without_log(status), status_document(status)
    if log is not None:
        from arena.cli.explain.explain import document, explanation
        from arena.cli.log.reading import read_match

        read, _ = read_match(log)
        explained, known = explanation(read, status.own), known | document(read, status.own)
    if context.format is Format.JSON:
        void = {"void_reason": status.match.void_reason, "replayed_as": status.match.replayed_as}
        print_json(known | void)
        return
    if log is None or is_void(status.match):
        for sentence in status_lines(status):
            print_line(sentence)
    for part in explained:
        show(part)
    if log is not None and has_loser(status.match):
        match, mine = short(status.match.name), status.own_bots
        bot = short(mine[0]) if len(mine) == 1 else "BOT"
        print_line(
            f"To see it turn by turn: `arena log show {match}`, or in a browser: `arena log render {match}`. "
            f"To replay the decisions of {bot} with your program: "
            f'`arena log replay {match} --as {bot} --bot "COMMAND"`.'
        )
    if status.own.trouble:
        print_line(status.own.trouble)


@arena_command(app, "analyse", example="arena match analyse 17 --as my-bot --budget 2m")
def analyse_match(
    context: CommandContext,
    name: MatchArgument,
    seat: SeatOption = None,
    as_: AsOption = None,
    budget: BudgetOption = None,
    playouts: PlayoutsOption = None,
    jobs: JobsOption = None,
    top: TopOption = DEFAULT_TOP,
    seed: SeedOption = 0,
    render: RenderOption = None,
    force: ForceOption = False,
) -> None:
    """Find the costliest decisions of a seat, by the search of the strongest sample bot."""
    from arena.cli.analyse.analyse import analyse

    with context.connect() as arena:
        source = log_of(arena, name)
    request = AnalysisRequest(seat, as_, budget, playouts, jobs, top, seed, render, force, context.format)
    analyse(source, name, request)


@arena_command(app, "watch", example="arena match watch 17 --from-start", formats=False)
def watch_match(
    context: CommandContext,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[MATCH]", help="The match. Default: the newest in play, or the next to begin."
        ),
    ] = None,
    from_start: Annotated[
        bool, typer.Option("--from-start", help="Start at the first turn, not at the current position.")
    ] = False,
    ladder: LadderFilter = None,
    pace: PaceOption = PACE_SECONDS,
) -> None:
    """Show a match while it is played, as spectators see it, or a finished one from its log."""
    from arena.cli.match.watch import watch

    watch(context, name, ladder, from_start=from_start, pace=pace)


@arena_command(app, "replay", example="arena match replay 17")
def replay_match(context: CommandContext, name: MatchArgument) -> None:
    """Replay a void match that is left to the organiser because it was voided three times (organisers)."""
    request = match_pb2.ReplayMatchRequest(name=resource("matches", name))
    context.call(
        lambda arena: arena.matches.ReplayMatch(request).match,
        lambda match: f"Replayed as match {short(match.name)} as soon as its bots are available.",
    )


@arena_command(app, "void", example='arena match void 17 --reason "wrong rules were played"')
def void_match(
    context: CommandContext,
    reason: Annotated[str, typer.Option("--reason", help="The reason, on one line; it is public.")],
    name: Annotated[
        str | None,
        typer.Argument(metavar="[MATCH]", help="The match, for example 17.", callback=_match_number),
    ] = None,
    bot: Annotated[str | None, typer.Option(metavar="BOT", help="All matches of this bot instead.")] = None,
    since: Annotated[
        str | None,
        typer.Option(
            help="With --bot: only matches that ended since: 30m, 12h, 7d, or a date or time (UTC)."
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="With --bot: do it, not only count the matches.")
    ] = False,
) -> None:
    """Void a finished match and revert its rating changes, or drop a void match for good (organisers)."""
    if (name is None) is (bot is None):
        raise typer.BadParameter("name either one match, or --bot for all matches of a bot.")
    if bot is not None:
        _void_matches_of(context, bot, since, reason, yes=yes)
        return
    if since is not None or yes:
        raise typer.BadParameter("--since and --yes need --bot.")
    assert name is not None
    with context.connect() as arena:
        request = match_pb2.VoidMatchRequest(name=resource("matches", name), reason=reason)
        voided = arena.matches.VoidMatch(request)
    match = voided.match
    printed = f"Match {short(match.name)} does not count. {match.void_reason} {voided.consequence}".rstrip()
    context.show(match, lambda: printed)


def _void_matches_of(context: CommandContext, bot: str, since: str | None, reason: str, *, yes: bool) -> None:
    """Void all matches of a bot. Without `yes`: fail with how many they are."""
    request = match_pb2.VoidBotMatchesRequest(
        bot=resource("bots", bot),
        since=None if since is None else moment(since),
        reason=reason,
        validate_only=not yes,
    )
    with context.connect() as arena:
        answer = arena.matches.VoidBotMatches(request, timeout=HISTORY_SECONDS)
    count = counted(len(answer.matches), "match", "matches")
    if not yes and answer.matches:
        raise CliError(
            f"This would void {count} of {short(request.bot)}, from match {short(answer.matches[0])} to "
            f"{short(answer.matches[-1])}. Use --yes to void them."
        )
    context.show(answer, lambda: _void_summary(answer, count, short(request.bot)))


def _void_summary(answer: match_pb2.VoidBotMatchesResponse, count: str, bot: str) -> RenderableType:
    if not answer.matches:
        return f"{bot} has no match that could be void."
    parts = [f"{count} of {bot} no longer count: {', '.join(map(short, answer.matches))}."]
    if answer.unrated_matches:
        others = ", ".join(map(short, answer.unrated_matches))
        parts.append(f"Other matches of their groups keep their results, but count for no rating: {others}.")
    return plain(" ".join(parts))


def seconds(match: match_pb2.Match) -> str:
    """Return the duration in seconds; empty before the end, and for a match that never began."""
    if not (match.end_time.seconds and match.start_time.seconds):
        return ""
    return f"{(match.end_time.ToNanoseconds() - match.start_time.ToNanoseconds()) / 1e9:.1f}"


def _table(listing: match_pb2.ListMatchesResponse) -> RenderableType:
    drawn = listing_table(_COLUMNS, listing.matches, _NO_MATCHES)
    return Group(drawn, "There are more; see --limit.") if listing.next_page_token else drawn


def _may_have_raised(seat: match_pb2.MatchSeat) -> bool:
    """Return whether an exception of the bot may explain how the seat did."""
    return bool(seat.strikes) or seat.ending.termination == ending_pb2.TERMINATION_RESIGNATION


def _details(match: match_pb2.Match, own: OwnerDebug) -> RenderableType:
    seats = table(_SEAT, (_seat(number, match) for number in range(len(match.seats))))
    sentences = seat_sentences(match)
    for number, seat in enumerate(match.seats):
        sentences += [
            f"Seat {number} ({short(seat.bot)}): {each}" for each in exception_lines(own.of(number))
        ]
    if has_loser(match) and match.log:
        sentences.append(f"To see more: `arena match explain {short(match.name)}`.")
    return Group(_facts(match), seats, "\n".join(plain(sentence) for sentence in sentences))


def _facts(match: match_pb2.Match) -> RenderableType:
    replay = f", replay {match.attempt}" if match.attempt else ""
    if match.replay_of:
        replay += f", in place of match {short(match.replay_of)}"
    pending = match.state == match_pb2.MATCH_STATE_PENDING
    state = "pending: waiting for its bots" if pending else enum_word(match_pb2.MatchState, match.state)
    return facts(
        ("match", short(match.name)),
        ("ladder", short(match.ladder)),
        ("tournament", short(match.tournament)),
        ("group", f"{match.group}, place {match.group_index}{replay}" if match.group else ""),
        ("game", f"{match.game}, rules version {match.rules_version}"),
        ("options", format_options(match.game, [(len(match.seats), match.options)])),
        ("clock", format_clock(match.time_control)),
        ("used", format_used(match)),
        ("state", state + ("" if match.rated else ", unrated")),
        ("void", match.void_reason),
        ("replayed", f"as match {short(match.replayed_as)}" if match.replayed_as else ""),
        ("decision", f"{LEFT}: {organiser_commands(match)}" if match.left_to_organiser else ""),
        ("ending", match.ending),
        ("level", match.seats[0].level if match.seats else ""),
        ("plies", str(match.plies)),
        ("began", format_time(match.start_time)),
        ("ended", format_time(match.end_time)),
        ("seed commitment", match.seed_commitment.hex()),
        ("seed", match.seed.hex()),
        ("log", match.log),
    )


def _seat(number: int, match: match_pb2.Match) -> tuple[object, ...]:
    seat = match.seats[number]
    ended = seat.placing > 0
    return (
        number,
        short(seat.bot),
        shown_version(short(seat.bot_version)),
        str(seat.placing) if ended else "",
        ("-" if match.ending in ENDED_BY_FORFEIT else seat.score) if ended else "",
        format_ending(match, seat),
        seat.decisions,
        f"{seat.used_ms / 1000:.2f}",
        seat.strikes,
    )


def _ending(match: match_pb2.Match) -> str:
    if match.replayed_as:
        return f"replayed as {short(match.replayed_as)}"
    return LEFT if match.left_to_organiser else match.ending


_NO_MATCHES: Final = "No matches to show: a ladder or tournament that runs makes them, and `arena challenge`."

_COLUMNS: Final[Columns[match_pb2.Match]] = {
    ">match": lambda match: short(match.name),
    "of": lambda match: short(match.ladder or match.tournament),
    "?group": lambda match: match.group,
    "?game": lambda match: match.game,
    "state": lambda match: enum_word(match_pb2.MatchState, match.state),
    "~placings": format_placings,
    "ending": _ending,
    "?>plies": lambda match: match.plies,
    ">seconds": seconds,
}

_SEAT: Final = (
    ">seat",
    "~bot",
    "?version",
    ">placing",
    ">score",
    "ended by",
    ">asked",
    ">think s",
    ">strikes",
)
