"""`arena bot`: register, show and run bots."""

import os
import uuid
from collections.abc import Sequence
from typing import Annotated, Final

import grpc
import typer
from rich.console import Group, RenderableType

from arena.cli.bot.by_hand import play_by_hand
from arena.cli.bot.results import bot_record, bot_standings, ladder_label
from arena.cli.bot.run_token import bot_environment, token_for
from arena.cli.bot.submission_report import origin
from arena.cli.bot.submit import host_bot, list_versions, pack_bot, show_submissions, submit_bot
from arena.cli.bot.supervisor import as_exit_code, supervise
from arena.cli.framework.commands import CommandContext, arena_command, command, group
from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.names import ID_HELP, BotArgument, resource, resource_id
from arena.cli.framework.output import Columns, facts, listing_table, plain, print_note, table_of
from arena.cli.framework.processes import Child
from arena.cli.token import ExpireOption, issue, note_new_user, request_for
from arena.v1 import bot_pb2, ladder_pb2, submission_pb2, token_pb2
from arena.wire.owner_wording import format_hosting, format_unavailable, next_step, short_version
from arena.wire.wording import format_time, short

app = group("Register, show, submit and run bots.")


@arena_command(app, "create", example='arena bot create greedy --description "takes what it can get"')
def create_bot(
    context: CommandContext,
    name: Annotated[str, typer.Argument(metavar="BOT", help=ID_HELP)],
    owner: Annotated[
        str | None, typer.Option(help="Its owner. Default: you (organisers may name others).")
    ] = None,
    description: Annotated[str, typer.Option(help="A description of one line.")] = "",
) -> None:
    """Register a bot."""
    request = bot_pb2.CreateBotRequest(
        bot_id=resource_id("bots", name),
        owner=resource("owners", owner) if owner else "",
        description=description,
        request_id=str(uuid.uuid4()),
    )
    with context.connect() as arena:
        made = arena.bots.CreateBot(request)
    bot = made.bot
    if made.user_made:
        note_new_user(bot.owner, token_pb2.ROLE_OWNER)
    context.show(bot, lambda: f"{plain(short(bot.name))} was registered for {plain(short(bot.owner))}.")


@arena_command(app, "list", example="arena bot list --format json")
def list_bots(
    context: CommandContext,
    hidden: Annotated[bool, typer.Option("--hidden", help="Include hidden bots.")] = False,
) -> None:
    """List bots by name."""
    request = bot_pb2.ListBotsRequest(show_hidden=hidden)
    context.call(
        lambda arena: fetch_all(arena.bots.ListBots, request),
        lambda listing: listing_table(_COLUMNS, listing.bots, _NO_BOTS),
    )


@arena_command(app, "show", example="arena bot show greedy")
def show_bot(context: CommandContext, name: BotArgument) -> None:
    """Show a bot with its versions."""
    with context.connect() as arena:
        bot = arena.bots.GetBot(bot_pb2.GetBotRequest(name=resource("bots", name))).bot
        listing = arena.ladders.ListBotStandings(
            ladder_pb2.ListBotStandingsRequest(bot=bot.name, page_size=100)
        )
        step = _next_step(arena, bot, listing.standings)
    context.show(bot, lambda: _details(bot, listing.standings, step))


@arena_command(app, "token", example="arena bot token greedy > greedy.token")
def make_token(context: CommandContext, name: BotArgument, expire_days: ExpireOption = 0) -> None:
    """Create a token that plays as the bot. Its secret is printed only once."""
    issue(context, request_for(token_pb2.ROLE_BOT, name, expire_days))


@arena_command(app, "hide", example="arena bot hide greedy")
def hide_bot(
    context: CommandContext,
    name: BotArgument,
    undo: Annotated[bool, typer.Option("--undo", help="Show it again.")] = False,
) -> None:
    """Hide a bot from listings and matchmaking. Its matches stay."""
    request = bot_pb2.SetBotHiddenRequest(name=resource("bots", name), hidden=not undo)
    context.call(
        lambda arena: arena.bots.SetBotHidden(request).bot,
        lambda bot: plain(f"{short(bot.name)} is {'hidden' if bot.hidden else 'visible'}."),
    )


@arena_command(app, "refuse-challenges", example="arena bot refuse-challenges greedy")
def refuse_challenges(
    context: CommandContext,
    name: BotArgument,
    undo: Annotated[bool, typer.Option("--undo", help="Accept them again.")] = False,
) -> None:
    """Refuse challenges by other owners for a bot. Existing challenges continue."""
    request = bot_pb2.SetBotChallengesRequest(name=resource("bots", name), refused=not undo)
    how = {True: "refuses challenges by other owners", False: "accepts challenges"}
    context.call(
        lambda arena: arena.bots.SetBotChallenges(request).bot,
        lambda bot: plain(f"{short(bot.name)} {how[bot.refuses_challenges]}."),
    )


@arena_command(app, "run", example="arena bot run my-bot -- python my_bot.py", formats=False)
def run_bot(
    context: CommandContext,
    name: BotArgument,
    command: Annotated[
        list[str] | None,
        typer.Argument(help="The program and its arguments, after --.", metavar="COMMAND..."),
    ] = None,
) -> None:
    """Run a program as a bot, with address and token in its environment, and restart it if it dies."""
    bot = resource_id("bots", name)
    if not command:
        raise typer.BadParameter(
            f"name the program after --, as in: arena bot run {bot} -- python my_bot.py.",
            param_hint="COMMAND...",
        )
    with token_for(context, bot, "arena bot run") as token:
        environment = bot_environment(
            context.target.tls_environment(os.environ), context.target.address(), token
        )
        code = supervise(lambda: Child(bot, command, environment=environment), print_note)
    if code:
        raise typer.Exit(as_exit_code(code))


@arena_command(app, "play", example="arena bot play my-bot --browser", formats=False)
def play_as_bot(
    context: CommandContext,
    name: BotArgument,
    browser: Annotated[
        bool, typer.Option("--browser", help="Play in a browser, by clicking on the picture.")
    ] = False,
    hint: Annotated[
        str | None,
        typer.Option(
            help="The sample bot that gives hints. Default: planner, else mcts, else greedy.", metavar="BOT"
        ),
    ] = None,
) -> None:
    """Play by hand as a bot, at the terminal or in a browser. The clocks of its matches apply."""
    bot = resource_id("bots", name)
    with token_for(context, bot, "arena bot play") as token:
        environment = bot_environment(
            context.target.tls_environment(os.environ), context.target.address(), token
        )
        code = play_by_hand(bot, environment, print_note, hint=hint, browser=browser)
    if code:
        raise typer.Exit(as_exit_code(code))


_COLUMNS: Final[Columns[bot_pb2.Bot]] = {
    "!bot": lambda bot: short(bot.name) + (" (hidden)" if bot.hidden else ""),
    "owner": lambda bot: short(bot.owner),
    "language": lambda bot: bot.versions[0].language if bot.versions else "",
    "!version": lambda bot: short_version(bot.versions[0].name) if bot.versions else "",
    ">connections": lambda bot: "hosted" if bot.hosting.version else bot.connections,
    ">playing": lambda bot: bot.playing,
    "unavailable": format_unavailable,
    "description": lambda bot: bot.description,
}

_VERSIONS: Final[Columns[bot_pb2.BotVersion]] = {
    "!version": lambda version: short_version(version.name),
    "language": lambda version: version.language,
    "origin": origin,
    "first seen": lambda version: format_time(version.create_time),
}


def _details(bot: bot_pb2.Bot, ladders: Sequence[ladder_pb2.BotStanding], step: str) -> RenderableType:
    matches, again = f"playing {bot.playing}, capacity {bot.capacity}", ""
    if bot.hosting.version and not (bot.connections or bot.hosting.benched):
        matches = f"playing {bot.playing}; its program is started when a match needs it"
    if bot.hosting.HasField("retry_time"):
        again = f"; next attempt at {format_time(bot.hosting.retry_time)}"
    about = facts(
        ("bot", short(bot.name)),
        ("owner", short(bot.owner)),
        ("description", bot.description),
        ("hidden", "yes" if bot.hidden else ""),
        ("registered", format_time(bot.create_time)),
        ("connections", str(bot.connections)),
        ("matches", matches),
        ("ladders", ", ".join(map(ladder_label, ladders)) or "none"),
        ("hosting", format_hosting(bot.hosting) if bot.HasField("hosting") else ""),
        ("unavailable", format_unavailable(bot) + (again if bot.hosting.benched else "")),
        ("challenges", "refused, except from its owner and organisers" if bot.refuses_challenges else ""),
        ("next", step),
    )
    return Group(about, table_of(_VERSIONS, bot.versions)) if bot.versions else about


def _next_step(arena: ArenaClient, bot: bot_pb2.Bot, ladders: Sequence[ladder_pb2.BotStanding]) -> str:
    """Return advice for a bot that can get no match: nothing runs it, or it is on no ladder."""
    name = short(bot.name)
    if bot.hidden:
        return f"To show it again: `arena bot hide {name} --undo`."
    if any(ladder.locked for ladder in ladders) and all(ladder.withdrawn for ladder in ladders):
        return "An organiser has taken it off its ladder, and only an organiser can enter it again."
    if bot.hosting.version or bot.connections:
        return "" if bot.playing or not all(ladder.withdrawn for ladder in ladders) else next_step(name)
    request = submission_pb2.ListSubmissionsRequest(bot=bot.name, page_size=1)
    try:
        newest = arena.submissions.ListSubmissions(request).submissions
    except grpc.RpcError:  # the bot of another owner
        return ""
    if newest and newest[0].HasField("rejection"):
        number = short(newest[0].name)
        return f"Submission {number} was rejected. To see why: `arena bot submissions {name} {number}`."
    connect = f"To connect it: `arena bot run {name} -- COMMAND`."
    return (
        connect
        if bot.hosting.locked
        else f"{connect} To let the arena run it: `arena bot submit {name} PATH`."
    )


def list_runtimes(context: CommandContext) -> None:
    """List the runtimes that a bot.toml can name, with their versions."""
    request = submission_pb2.ListRuntimesRequest()
    context.call(
        lambda arena: arena.submissions.ListRuntimes(request),
        lambda found: listing_table(_RUNTIMES, found.runtimes, _NO_RUNTIMES),
    )


def _runtime_state(runtime: submission_pb2.Runtime) -> str:
    if runtime.unavailable:
        return f"not available: {runtime.unavailable}"
    return f"no builds: {runtime.no_builds}" if runtime.no_builds else "works"


_NO_BOTS: Final = "No bots yet: `arena bot create` registers one."
_NO_RUNTIMES: Final = "No runtimes: this arena runs no submitted bots (`arena doctor`)."

_RUNTIMES: Final[Columns[submission_pb2.Runtime]] = {
    "runtime": lambda each: each.name,
    "version": lambda each: each.version,
    "added": lambda each: "by the organiser" if each.added else "",
    "~state": _runtime_state,
}

arena_command(app, "standings", example="arena bot standings greedy")(bot_standings)
arena_command(app, "record", example="arena bot record greedy --ladder main")(bot_record)
command(app, "pack", example="arena bot pack ./my_bot")(pack_bot)
arena_command(app, "submit", example="arena bot submit my-bot ./my_bot")(submit_bot)
arena_command(app, "submissions", example="arena bot submissions my-bot 7")(show_submissions)
arena_command(app, "runtimes", example="arena bot runtimes")(list_runtimes)
arena_command(app, "versions", example="arena bot versions my-bot")(list_versions)
arena_command(app, "host", example="arena bot host my-bot --pin 3f9a01c2b7de")(host_bot)
