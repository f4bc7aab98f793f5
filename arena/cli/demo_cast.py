"""Who plays in the demo, and on which ladder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import grpc
import typer

from arena.cli.connection import Arena
from arena.cli.entrants import Entrant, named_entrant, sample_entrants
from arena.cli.errors import CliError, call_of
from arena.cli.rules import time_control
from arena.cli.token import request_for
from arena.v1 import bot_pb2, ladder_pb2, token_pb2

LADDER: Final = "ladders/demo"

_SEAT_COUNTS = (2, 3, 4)

_GAME: Final = "caravan"


def cast(bots: Sequence[str]) -> tuple[Entrant, ...]:
    """The bots given as NAME=COMMAND, or else the sample bots of the game.

    Raises:
        BadParameter: a bot has another form, its command cannot be started, a name comes twice, or there is only one.
        CliError: the sample bots are not there; they need a checkout.
    """
    if not bots:
        return _samples()
    found = tuple(named_entrant(text, _GAME) for text in bots)
    names = [entrant.bot for entrant in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise typer.BadParameter(
            f"there are two bots {twice!r}: give each a name of its own.", param_hint="--bot"
        )
    if len(found) < min(_SEAT_COUNTS):
        raise typer.BadParameter("a match needs two bots: give --bot once more.", param_hint="--bot")
    return found


def _samples() -> tuple[Entrant, ...]:
    if found := sample_entrants(_GAME):
        return found
    raise CliError(
        "The demo needs the sample bots, which come with a checkout: run it there, with `make demo`, "
        "or name bots of your own with --bot."
    )


def enter_all(arena: Arena, entrants: Sequence[Entrant]) -> None:
    """All bots are registered, the ladder exists, and all bots are entered in it."""
    for entrant in entrants:
        _create_bot(arena, entrant)
    _create_ladder(arena, [seats for seats in _SEAT_COUNTS if seats <= len(entrants)])
    for entrant in entrants:
        arena.ladders.JoinLadder(ladder_pb2.JoinLadderRequest(name=LADDER, bot=f"bots/{entrant.bot}"))


def new_token(arena: Arena, bot: str) -> token_pb2.CreateTokenResponse:
    """A token for one run of the demo; it ends by itself the day after."""
    return arena.tokens.CreateToken(request_for(token_pb2.ROLE_BOT, bot, 1))


def _create_bot(arena: Arena, entrant: Entrant) -> None:
    request = bot_pb2.CreateBotRequest(bot_id=entrant.bot, description=entrant.description)
    try:
        arena.bots.CreateBot(request)
    except grpc.RpcError as error:
        _unless_it_exists(error)


def _create_ladder(arena: Arena, seat_counts: Sequence[int]) -> None:
    request = ladder_pb2.CreateLadderRequest(
        ladder_id=LADDER.removeprefix("ladders/"),
        game=_GAME,
        seat_counts=seat_counts,
        time_control=time_control({}),
    )
    try:
        arena.ladders.CreateLadder(request)
    except grpc.RpcError as error:
        _unless_it_exists(error)


def _unless_it_exists(error: grpc.RpcError) -> None:
    if call_of(error).code() is not grpc.StatusCode.ALREADY_EXISTS:
        raise error
