"""`arena ladder`: create and run ladders."""

import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Final, Literal

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import HISTORY_SECONDS, ArenaClient, fetch_all
from arena.cli.framework.errors import CliError, print_error
from arena.cli.framework.names import EVENT_ID_HELP, numbers, pairs, resource, resource_id
from arena.cli.framework.output import (
    Columns,
    Format,
    enum_value,
    facts,
    listing_table,
    plain,
    print_line,
    print_message,
    table,
)
from arena.cli.framework.signals import Interrupted, interruptible
from arena.cli.ladder.fair_play import MATCHES, BotsOption, MatchesOption, show_report
from arena.cli.ladder.freezes import freeze_standings, freeze_text, reveal_ranks
from arena.cli.ladder.history import rating_history
from arena.cli.ladder.settings import (
    ArchivedOption,
    HiddenOption,
    LadderArgument,
    archive_ladder,
    deadline_text,
    delete_ladder,
    event_name,
    has_passed,
    hide_ladder,
    rename_ladder,
    set_anchor,
    set_deadline,
    table_with_titles,
)
from arena.cli.ladder.standings import standings_of, standings_table
from arena.cli.ladder.watch import ladder_named, pause_and_watch, pending_matches, run_and_watch
from arena.cli.rules import (
    FIRST_GAME,
    ClockValues,
    GameOption,
    OptionValues,
    SeedPolicyOption,
    clock_values,
    padding_warnings,
    print_warnings,
    time_control,
)
from arena.core.versions import shown_version
from arena.drawings.wording import counted
from arena.v1 import ladder_pb2, match_pb2
from arena.wire.owner_wording import unavailable_words
from arena.wire.wording import (
    enum_word,
    format_clock,
    format_milli,
    format_options,
    format_rank,
    format_seed_policy,
    format_time,
    short,
)

app = group("Create and run ladders: open-ended play, rated, or solo and ranked by score.")

BotsArgument = Annotated[list[str], typer.Argument(metavar="BOT...", help="The bots, for example greedy.")]


@arena_command(app, "create", example="arena ladder create main --seats 2,3,4 --clock per_decision_ms=500")
def create_ladder(
    context: CommandContext,
    name: Annotated[str, typer.Argument(metavar="LADDER", help=EVENT_ID_HELP)],
    game: GameOption = FIRST_GAME,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="N,N...", help="Seat counts of its matches; 1: a solo ladder. Default: all from 2."
        ),
    ] = None,
    option: OptionValues = None,
    clock: ClockValues = None,
    forbid_same_owner: Annotated[
        bool, typer.Option("--forbid-same-owner", help="Never pair bots of the same owner.")
    ] = False,
    seed_policy: SeedPolicyOption = None,
) -> None:
    """Create a ladder, paused."""
    request = ladder_pb2.CreateLadderRequest(
        ladder_id=resource_id("ladders", name),
        game=resource_id("games", game),
        seat_counts=numbers(seats, "--seats") if seats else [],
        options=pairs(option or (), "--option"),
        time_control=time_control(clock_values(clock)) if clock else None,
        forbid_same_owner=forbid_same_owner,
        request_id=str(uuid.uuid4()),
        seed_policy=enum_value(match_pb2.SeedPolicy, seed_policy),
    )
    with context.connect() as arena:
        created = arena.ladders.CreateLadder(request)
    ladder = created.ladder
    warnings = [*created.warnings, *padding_warnings(ladder.game, ladder.time_control)]
    context.show(ladder, lambda: _details(ladder), {"warnings": warnings})
    print_warnings(warnings)


@arena_command(app, "list", example="arena ladder list")
def list_ladders(
    context: CommandContext, hidden: HiddenOption = False, archived: ArchivedOption = False
) -> None:
    """List ladders by name."""
    request = ladder_pb2.ListLaddersRequest(show_hidden=hidden, show_archived=archived)
    context.call(lambda arena: fetch_all(arena.ladders.ListLadders, request), _table)


@arena_command(app, "show", example="arena ladder show main")
def show_ladder(context: CommandContext, name: LadderArgument) -> None:
    """Show a ladder: rules, clock and state."""
    with context.connect() as arena:
        ladder = ladder_named(arena, resource("ladders", name))
        context.show(ladder, lambda: _details(ladder, _pending(arena, ladder.name)))


@arena_command(app, "join", example="arena ladder join main greedy planner")
def join_ladder(context: CommandContext, name: LadderArgument, bots: BotsArgument) -> None:
    """Enter bots in a ladder, one after the other. Entering twice is no error."""
    _change_entries(context, name, bots, "joined")


@arena_command(app, "leave", example="arena ladder leave main greedy")
def leave_ladder(
    context: CommandContext,
    name: LadderArgument,
    bots: BotsArgument,
    lock: Annotated[
        bool, typer.Option("--lock", help="Only organisers can enter them again (for organisers).")
    ] = False,
) -> None:
    """Withdraw bots, one after the other: they get no new matches, their ratings stay."""
    _change_entries(context, name, bots, "left", lock=lock)


_NO_RETURN: Final = " Only organisers can enter it again."


def _change_entries(
    context: CommandContext,
    name: str,
    bots: Sequence[str],
    done: Literal["joined", "left"],
    *,
    lock: bool = False,
) -> None:
    """Enter or withdraw the bots, and print each; as JSON only the ladder after the last."""
    entries = [{"name": resource("ladders", name), "bot": resource("bots", bot)} for bot in bots]
    ladder = ladder_pb2.Ladder()
    with context.connect() as arena:
        for entry in entries:
            if done == "joined":
                ladder = arena.ladders.JoinLadder(ladder_pb2.JoinLadderRequest(**entry)).ladder
            else:
                ladder = arena.ladders.LeaveLadder(ladder_pb2.LeaveLadderRequest(**entry, lock=lock)).ladder
            if context.format is Format.TABLE:
                locked = done == "left" and (lock or has_passed(ladder))
                print_line(
                    f"{short(entry['bot'])} {done} the ladder {short(ladder.name)}.{_NO_RETURN if locked else ''}"
                )
    if context.format is Format.JSON:
        print_message(ladder)


@arena_command(app, "run", example="arena ladder run main --matches 100")
def run_ladder(
    context: CommandContext,
    name: LadderArgument,
    matches: Annotated[
        int, typer.Option(min=0, help="Pause after N more matches, once their groups are complete; 0: never.")
    ] = 0,
    wait: Annotated[bool, typer.Option("--wait", help="With --matches: wait until they have ended.")] = False,
) -> None:
    """Start matchmaking. The arena continues on its own."""
    if wait and not matches:
        raise typer.BadParameter("--wait needs --matches: the ladder would never end.", param_hint="--wait")
    request = ladder_pb2.RunLadderRequest(name=resource("ladders", name), matches=matches)
    with context.connect() as arena:
        if wait:
            with interruptible():
                try:
                    run_and_watch(arena, request.name, request.matches)
                except Interrupted:
                    ladder = ladder_named(arena, request.name)
                    left = counted(ladder.remaining_matches, "match", "matches")
                    state = (
                        f"keeps running, {left} to go. To pause it: arena ladder pause {short(ladder.name)}"
                    )
                    if ladder.state == ladder_pb2.Ladder.STATE_PAUSED:
                        state = "is paused"
                    print_error(f"No longer waiting. The ladder {short(ladder.name)} {state}.")
                    raise
            ladder = ladder_named(arena, request.name)
        else:
            ladder = arena.ladders.RunLadder(request).ladder
    context.show(ladder, lambda: _details(ladder))


@arena_command(app, "pause", example="arena ladder pause main")
def pause_ladder(
    context: CommandContext,
    name: LadderArgument,
    wait: Annotated[bool, typer.Option("--wait", help="Wait until its last match has ended.")] = False,
) -> None:
    """Pause matchmaking. Running matches are finished."""
    request = ladder_pb2.PauseLadderRequest(name=resource("ladders", name))
    with context.connect() as arena:
        if wait:
            with interruptible():
                try:
                    ladder = pause_and_watch(arena, request.name)
                except Interrupted:
                    own = short(request.name)
                    print_error(
                        f"No longer waiting. The matches of {own} that have begun are played to their end."
                    )
                    raise
        else:
            ladder = arena.ladders.PauseLadder(request).ladder
    context.show(ladder, lambda: _details(ladder))


@arena_command(app, "standings", example="arena ladder standings main")
def list_standings(context: CommandContext, name: LadderArgument) -> None:
    """Show the standings, best first."""
    context.call(lambda arena: standings_of(arena, name), standings_table)


@arena_command(app, "ratings", example="arena ladder ratings main")
def refit_ratings(context: CommandContext, name: LadderArgument) -> None:
    """Fit ratings to all rated matches at once: each bot version with its interval, and the advantage of each seat."""
    request = ladder_pb2.RefitRatingsRequest(name=resource("ladders", name))
    context.call(
        lambda arena: arena.ladders.RefitRatings(request, timeout=HISTORY_SECONDS), fitted_ratings_tables
    )


arena_command(app, "anchor", example="arena ladder anchor main greedy --rating 1500")(set_anchor)
arena_command(app, "rename", example="arena ladder rename main 'Spring term, group A'")(rename_ladder)
arena_command(app, "deadline", example="arena ladder deadline main 2026-12-01T18:00")(set_deadline)
arena_command(app, "freeze", example="arena ladder freeze main 2026-12-01T16:00")(freeze_standings)
arena_command(app, "reveal", example="arena ladder reveal main --ranks 3")(reveal_ranks)
arena_command(app, "archive", example="arena ladder archive main")(archive_ladder)
arena_command(app, "delete", example="arena ladder delete mistyped")(delete_ladder)
arena_command(app, "hide", example="arena ladder hide main")(hide_ladder)
arena_command(app, "history", example="arena ladder history main greedy")(rating_history)


@arena_command(app, "fair-play", example="arena ladder fair-play main --bots my-bot")
def fair_play(
    context: CommandContext, name: LadderArgument, bots: BotsOption = None, matches: MatchesOption = MATCHES
) -> None:
    """Show bots that decide alike, favour each other or may be the same (organisers). This is no verdict."""
    show_report(context, resource("ladders", name), bots, matches)


@arena_command(app, "queue", example="arena ladder queue main")
def list_queue(context: CommandContext, name: LadderArgument) -> None:
    """Show who is paired next, the longest wait of each bot, and its matches of the last hour."""
    ladder = resource("ladders", name)
    with context.connect() as arena:
        queue = arena.ladders.ListQueue(ladder_pb2.ListQueueRequest(name=ladder))
        context.show(queue, lambda: _queue_details(queue, ladder_named(arena, ladder)))


@arena_command(app, "recompute", example="arena ladder recompute main")
def recompute_ladder(context: CommandContext, name: LadderArgument) -> None:
    """Recompute ratings from the ledger, or solo scores from the matches; fail if any bit differs."""
    request = ladder_pb2.RecomputeLadderRequest(name=resource("ladders", name))
    with context.connect() as arena:
        solo = _solo(ladder_named(arena, request.name))
        answer = arena.ladders.RecomputeLadder(request, timeout=HISTORY_SECONDS)
    context.show(answer, lambda: _comparison(answer, solo=solo))
    if not answer.identical:
        wrong = "scores of {} differ from its matches" if solo else "ratings of {} differ from its ledger"
        raise CliError(f"The {wrong.format(short(request.name))}.")


def _queue_details(queue: ladder_pb2.ListQueueResponse, ladder: ladder_pb2.Ladder) -> RenderableType:
    absent = [
        (short(line.bot), unavailable_words(line.unavailable_reason, line.waiting_for))
        for line in queue.places
        if line.waiting_for
    ]
    why = ladder.waiting_for
    waits = f"The ladder waits: {why}." if why else ""
    if ladder.state == ladder_pb2.Ladder.STATE_PAUSED:
        waits = f"The ladder is paused. To start it: `arena ladder run {short(ladder.name)}`."
    elif why.startswith("match"):  # a sentence of its own
        waits = f"{why[0].upper()}{why[1:]}."
    none = f"No bots in the queue: `arena ladder join {short(ladder.name)} BOT` enters one."
    drawn = listing_table(_QUEUE, queue.places, none)
    return Group(drawn, facts(*absent), *([plain(waits)] if waits else []))


def _table(listing: ladder_pb2.ListLaddersResponse) -> RenderableType:
    waiting = [
        (short(each.name), f"waits: {each.waiting_for}") for each in listing.ladders if each.waiting_for
    ]
    none = "No ladders: `arena ladder create` makes one, `--archived` lists archived ones."
    return Group(table_with_titles(_COLUMNS, listing.ladders, none), *([facts(*waiting)] if waiting else []))


def _pending(arena: ArenaClient, ladder: str) -> str:
    """Return how many matches wait for their bots, as the end of a line."""
    count, more = pending_matches(arena, ladder)
    return f", {'more than ' if more else ''}{count} pending" if count else ""


def _details(ladder: ladder_pb2.Ladder, pending: str = "") -> RenderableType:
    remaining = f", {ladder.remaining_matches} to go" if ladder.remaining_matches else ""
    return facts(
        ("ladder", short(ladder.name)),
        ("title", ladder.title),
        ("hidden", "yes" if ladder.hidden else ""),
        ("archived", "yes" if ladder.archived else ""),
        ("season", str(ladder.season or "")),
        ("game", f"{ladder.game}, rules version {ladder.rules_version}"),
        ("seats", _seats(ladder) + (", solo: unrated, ranked by score" if _solo(ladder) else "")),
        ("options", format_options(ladder.game, zip(ladder.seat_counts, ladder.options, strict=False))),
        ("clock", format_clock(ladder.time_control)),
        ("seeds", format_seed_policy(ladder.seed_policy, hosted_only=ladder.hosted_only)),
        ("bots of one owner", "" if _solo(ladder) else _OWNERS[ladder.same_owner]),
        ("bots", str(ladder.entries)),
        ("state", _state(ladder) + remaining),
        ("waiting for", ladder.waiting_for),
        ("matches", f"{ladder.finished_matches} finished, {ladder.running_matches} running{pending}"),
        ("deadline", deadline_text(ladder)),
        ("standings", freeze_text(ladder)),
        ("created", format_time(ladder.create_time)),
        *((f"commitment {s.day}", s.commitment.hex()) for s in ladder.secrets),
    )


_OWNERS: Final = {True: "may be paired", False: "are never paired"}


def _solo(ladder: ladder_pb2.Ladder) -> bool:
    return list(ladder.seat_counts) == [1]


def _seats(ladder: ladder_pb2.Ladder) -> str:
    return ",".join(str(count) for count in ladder.seat_counts)


def _state(ladder: ladder_pb2.Ladder) -> str:
    return enum_word(ladder_pb2.Ladder.State, ladder.state)


_COLUMNS: Final[Columns[ladder_pb2.Ladder]] = {
    "ladder": event_name,
    "game": lambda ladder: ladder.game,
    "seats": _seats,
    "state": _state,
    ">bots": lambda ladder: ladder.entries,
    ">finished": lambda ladder: ladder.finished_matches,
    ">running": lambda ladder: ladder.running_matches,
}


def _comparison(answer: ladder_pb2.RecomputeLadderResponse, *, solo: bool) -> RenderableType:
    what = "boards recounted" if solo else "ledger entries replayed"
    sentence = f"{answer.entries} {what}: "
    if answer.identical:
        return sentence + f"every {'score' if solo else 'rating'} is identical."
    differences = table(
        ("bot", ">in force", ">recomputed"),
        (
            (short(each.bot), format_milli(each.stored_milli, 3), format_milli(each.recomputed_milli, 3))
            for each in answer.differences
        ),
    )
    return Group(f"{sentence}these {'scores' if solo else 'ratings'} differ.", differences)


def _own(
    cell: Callable[[ladder_pb2.ListQueueResponse.QueuePlace], object],
) -> Callable[[ladder_pb2.ListQueueResponse.QueuePlace], object]:
    """Return a cell that is empty for bots of other owners, whose places are hidden."""
    return lambda line: cell(line) if line.position or line.waiting_for else ""


_QUEUE: Final[Columns[ladder_pb2.ListQueueResponse.QueuePlace]] = {
    ">place": _own(lambda line: format_rank(line.position)),
    "~bot": lambda line: short(line.bot),
    ">waited": _own(lambda line: line.waited_groups),
    ">to come": _own(lambda line: line.wait_bound_groups),
    ">open": _own(lambda line: line.open_matches),
    ">free": _own(lambda line: line.free_matches),
    ">last hour": lambda line: line.matches_last_hour,
}


_RATINGS = (">rank", "~bot", "~version", ">rating", ">+-", ">matches", ">above next")

_SEATS = (">seats", ">seat", ">advantage", ">+-", ">matches")


def fitted_ratings_tables(refit: ladder_pb2.RefitRatingsResponse) -> RenderableType:
    """Return fitted ratings with half their intervals, then the seat advantages."""
    matches = counted(refit.matches, "rated match", "rated matches")
    return Group(
        table(_RATINGS, _ratings(refit)),
        table(_SEATS, _seat_advantages(refit)),
        f"Fitted to {matches} at once; +- is half a 95 % interval.",
    )


def _ratings(refit: ladder_pb2.RefitRatingsResponse) -> Iterator[tuple[object, ...]]:
    rank, rating_milli = 0, 0
    for place, line in enumerate(refit.ratings, start=1):
        if line.rating_milli != rating_milli or not rank:
            rank, rating_milli = place, line.rating_milli
        bot, _, version = line.bot_version.partition("/versions/")
        ppm = line.superiority_ppm
        superiority = ">99.9 %" if ppm > 999_000 else f"{ppm / 10_000:.1f} %"  # never 100 %
        yield (
            rank,
            short(bot),
            shown_version(version),
            format_milli(line.rating_milli),
            "fixed" if line.anchor else format_milli((line.high_milli - line.low_milli) // 2),
            line.matches,
            superiority if place < len(refit.ratings) else "",
        )


def _seat_advantages(refit: ladder_pb2.RefitRatingsResponse) -> Iterator[tuple[object, ...]]:
    for count in refit.seat_advantages:
        pairs = zip(count.advantage_milli, count.uncertainty_milli, strict=True)
        for seat, (advantage, uncertainty) in enumerate(pairs):
            first = (count.seats, count.matches) if seat == 0 else ("", "")
            yield first[0], seat, f"{advantage / 1000:+z.0f}", format_milli(uncertainty), first[1]
