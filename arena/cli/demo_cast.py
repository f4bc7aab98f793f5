"""Who plays in the demo, and on which ladder."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

from arena.cli import sample_bots
from arena.cli.connection import Arena
from arena.cli.errors import call_of
from arena.cli.processes import Child
from arena.cli.rules import time_control
from arena.cli.token import request_for
from arena.v1 import bot_pb2, ladder_pb2, token_pb2

LADDER: Final = "ladders/demo"

_SEAT_COUNTS = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Player:
    """A sample bot."""

    bot: str
    """Its id, and its name among the sample bots."""
    description: str

    @property
    def program(self) -> str:
        """Its file."""
        return sample_bots.FILES[self.bot]

    @property
    def name(self) -> str:
        """Its resource name."""
        return f"bots/{self.bot}"


CAST: Final = (
    Player("random", "plays any legal action"),
    Player("greedy", "takes what is near"),
    Player("planner", "searches its whole turn"),
    Player("mcts", "tries turns out in random futures"),
)


def programs() -> Path:
    """The folder of the sample bots.

    Raises:
        CliError: they are not there; the demo needs a checkout.
    """
    return sample_bots.folder("The demo", "run it in a checkout, with `make demo`.")


def enter_all(arena: Arena) -> None:
    """All bots are registered, the ladder exists, and all bots are entered in it."""
    for player in CAST:
        _create_bot(arena, player)
    _create_ladder(arena)
    for player in CAST:
        arena.ladders.JoinLadder(ladder_pb2.JoinLadderRequest(name=LADDER, bot=player.name))


def new_token(arena: Arena, player: Player) -> token_pb2.CreateTokenResponse:
    """A token for one run of the demo; it ends by itself the day after."""
    return arena.tokens.CreateToken(request_for(token_pb2.ROLE_BOT, player.bot, 1))


def start(player: Player, program: Path, address: str, token: str, *, log: Path) -> Child:
    """The bot as a process of its own, which knows an address and a token and nothing else."""
    environment = sample_bots.environment(address, token)
    return Child(player.bot, [sys.executable, str(program)], environment=environment, log=log)


def _create_bot(arena: Arena, player: Player) -> None:
    request = bot_pb2.CreateBotRequest(bot_id=player.bot, description=player.description)
    try:
        arena.bots.CreateBot(request)
    except grpc.RpcError as error:
        _unless_it_exists(error)


def _create_ladder(arena: Arena) -> None:
    request = ladder_pb2.CreateLadderRequest(
        ladder_id=LADDER.removeprefix("ladders/"),
        game="caravan",
        seat_counts=_SEAT_COUNTS,
        time_control=time_control({}),
    )
    try:
        arena.ladders.CreateLadder(request)
    except grpc.RpcError as error:
        _unless_it_exists(error)


def _unless_it_exists(error: grpc.RpcError) -> None:
    if call_of(error).code() is not grpc.StatusCode.ALREADY_EXISTS:
        raise error
