"""The options of `arena play`."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.match_data import SUFFIX

BotsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT...",
        help="By seat: a sample bot, such as random or greedy, a command in quotes: 'python my_bot.py', "
        "the folder of a bot that a language model plays, "
        "or me: you play at this terminal, or in a browser with --browser.",
    ),
]
SeedOption = Annotated[
    str | None, typer.Option(metavar="HEX", help="64 hex digits: repeat a set-up and its draws.")
]
EntryOption = Annotated[
    str | None, typer.Option(metavar="ID", help="With --suite: its set-up of this id. Default: any.")
]
FromOption = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="MATCH|FILE", help="With --ply: play on from this match, on its seed and options."
    ),
]
PlyOption = Annotated[
    int | None, typer.Option(min=0, help="With --from: the first ply, from 0, that is decided anew.")
]
WatchOption = Annotated[bool, typer.Option("--watch", help="Show the board while it is played.")]
LogOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help=f"The log file. Default: ./match-TIME{SUFFIX}.")
]
DebugOption = Annotated[
    int | None,
    typer.Option(metavar="SEAT", min=0, help="Give the bot of this seat the terminal and no clock."),
]
PauseOption = Annotated[
    bool, typer.Option("--pause", help="Show the board before each decision, and wait for Enter.")
]
BrowserOption = Annotated[
    bool, typer.Option("--browser", help="With me: play in a browser, by clicking on the picture.")
]
HintOption = Annotated[
    str | None,
    typer.Option(
        metavar="BOT",
        help="With me: the sample bot to ask for hints. Default: the strongest there is.",
    ),
]
