"""The command `arena` and its groups."""

import os
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.framework.command_tree import Entry, root_group
from arena.cli.framework.errors import CommandExit, print_error
from arena.cli.framework.target import DEFAULT_DATA, Target, check_data_folder
from engine.state import BUILD

ENTRIES: Final = (
    Entry("serve", "arena.cli.serve", "Run an arena until it is stopped (Ctrl-C, SIGTERM or SIGHUP)."),
    Entry(
        "demo",
        "arena.cli.demo.commands",
        "Start an arena and bots, play a rated ladder, show the standings and verify every log.",
    ),
    Entry(
        "play",
        "arena.cli.play.commands",
        "Play one match on this machine between bots, or against them: a real log, no account, no rating.",
    ),
    Entry(
        "compare",
        "arena.cli.compare.commands",
        "Find out whether a new version of a bot is better than the old one: on this machine, without an account.",
    ),
    Entry("llm", "arena.cli.llm", "Make and try bots that a language model plays."),
    Entry(
        "mcp",
        "arena.cli.mcp",
        "Let an agent play as a bot: serve tools over the Model Context Protocol on standard input and output.",
    ),
    Entry(
        "conformance",
        "arena.cli.conformance.commands",
        "Test a bot in any language against a scripted arena: results, failures and the rules of the protocol.",
    ),
    Entry(
        "simulate",
        "arena.cli.simulate.commands",
        "Simulate many matches in process, without an arena, and print statistics.",
    ),
    Entry(
        "doctor",
        "arena.cli.doctor",
        "Check machine, data folder and connection; fail if something is broken. With --server: only the connection.",
    ),
    Entry(
        "challenge",
        "arena.cli.tournament.commands",
        "Challenge bots to unrated matches that start at once: a tournament of one pairing.",
        app="challenge_app",
    ),
    Entry(
        "gate",
        "arena.cli.gate.commands",
        "Find out whether a version of your bot is better than the one that plays now: on the arena, against a field.",
    ),
    Entry("games", "arena.cli.games", "List and show the games of an arena."),
    Entry("user", "arena.cli.user", "Create, list and change users."),
    Entry(
        "invite", "arena.cli.invite", "Create, list and revoke invites, with which people join by themselves."
    ),
    Entry("team", "arena.cli.team", "Teams: several people own bots together."),
    Entry(
        "class",
        "arena.cli.class_report",
        "A class or a hackathon: how far everybody is, and a report for grades.",
    ),
    Entry(
        "join",
        "arena.cli.join",
        "Join an arena with the code of an invite. The token is kept for later commands.",
    ),
    Entry("account", "arena.cli.account", "The arenas that you have joined on this machine."),
    Entry("bot", "arena.cli.bot.commands", "Register, show, submit and run bots."),
    Entry("token", "arena.cli.token", "Create, list and revoke tokens."),
    Entry(
        "ladder",
        "arena.cli.ladder.commands",
        "Create and run ladders: open-ended play, rated, or solo and ranked by score.",
    ),
    Entry(
        "season",
        "arena.cli.season.commands",
        "Close the seasons of ladders; list, show and verify their final standings.",
    ),
    Entry(
        "tournament",
        "arena.cli.tournament.commands",
        "Create and run tournaments: closed events of many formats.",
    ),
    Entry("event", "arena.cli.event.commands", "Make ladders and tournaments as a file has them."),
    Entry("match", "arena.cli.match.commands", "List, show, watch and explain matches, and rule on them."),
    Entry("log", "arena.cli.log.commands", "List, download, show, verify, replay and export match logs."),
    Entry("pages", "arena.cli.pages", "Show ladders, bots, tournaments and matches as web pages."),
    Entry(
        "announcement",
        "arena.cli.announcement",
        "Announcements to everybody, which every page and command shows.",
    ),
    Entry(
        "audit",
        "arena.cli.audit",
        "Show the audit trail: faults of the arena and decisions of people (organisers).",
    ),
    Entry(
        "webhook",
        "arena.cli.webhook",
        "Create, list, test and delete webhooks: URLs to which the arena sends notifications (organisers).",
    ),
    Entry(
        "cluster",
        "arena.cli.cluster",
        "Match nodes: other machines that play matches of hosted bots.",
    ),
    Entry(
        "data",
        "arena.cli.data",
        "Back up, restore and prune the data folder of a local arena; export matches as a data set.",
    ),
)
"""The commands and groups of commands, in the order of the help. Each is declared and documented in its module."""

app = typer.Typer(
    cls=root_group(ENTRIES),
    help="Caravan Arena: bots play board games against each other over gRPC.",
    epilog="Begin with: arena demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(asked: bool) -> None:
    """Print the version and exit, if asked."""
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            installed = version("caravan-arena")
        except PackageNotFoundError:
            installed = "unknown"  # a checkout
        print(f"caravan-arena {installed}, engine {BUILD}")
        raise typer.Exit


@app.callback()
def arena(
    ctx: typer.Context,
    server: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", envvar="ARENA_ADDRESS", help="The arena: host:port or unix:///path."),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(metavar="TOKEN|FILE", envvar="ARENA_TOKEN", help="A token, or a file that holds one."),
    ] = None,
    data: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            envvar="ARENA_DATA",
            callback=check_data_folder,
            help="The local arena's data folder.",
        ),
    ] = DEFAULT_DATA,
    tls_ca: Annotated[
        str | None, typer.Option(metavar="FILE", help="Encrypt, and trust the authorities in this PEM file.")
    ] = None,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Store the options before the command."""
    ctx.obj = Target(server or None, token or None, data, tls_ca)


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        app(prog_name="arena")
    except Exception as error:
        if os.environ.get("ARENA_DEBUG"):
            raise
        print_error(f"Internal error ({type(error).__name__}: {error}). Please report it.")
        sys.exit(CommandExit.FAILED)


if __name__ == "__main__":
    main()
