"""`arena llm`: folders of bots that a language model plays (docs/llm.md)."""

import math
import os
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from arena.cli.framework.commands import command, group
from arena.cli.framework.errors import CliError, server_packages
from arena.cli.framework.names import pairs
from arena.cli.framework.output import Format, print_json, print_line
from arena.cli.rules import FIRST_GAME, OptionValues, game_named
from engine.game import Game
from engine.randomness import SEED_BYTES

if TYPE_CHECKING:
    from arena.sdk.llm.folder import Folder
    from arena.sdk.llm.match_texts import Question
    from arena.sdk.llm.prompt import Briefing

app = group("Make and try bots that a language model plays.")

_ASK_SECONDS: Final = 120.0
_MODEL: Final = "gpt-5-mini"
_BASE_URL: Final = "https://api.openai.com/v1"

FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the bot.")]


@command(app, "new", example=f"arena llm new my-llm-bot --model {_MODEL} --key-variable OPENAI_API_KEY")
def new_llm_bot(
    folder: FolderArgument,
    model: Annotated[
        str, typer.Option(metavar="MODEL", help="The model, as the endpoint names it.")
    ] = _MODEL,
    base_url: Annotated[
        str, typer.Option(metavar="URL", help="The endpoint, up to and with its version.")
    ] = _BASE_URL,
    key_variable: Annotated[
        str, typer.Option(metavar="NAME", help="The environment variable that holds the API key.")
    ] = "",
) -> None:
    """Make a folder with a prompt and settings, to be edited."""
    from arena.sdk.llm.folder import PROMPT, SETTINGS, FolderError, new_folder

    try:
        new_folder(folder, model=model, base_url=base_url, api_key_variable=key_variable)
    except FolderError as error:
        raise CliError(str(error)) from None
    print_line(
        f"{folder / SETTINGS} has the settings, {folder / PROMPT} is what you tell the model. Edit both."
    )


@command(app, "show", example=f"arena llm show my-llm-bot --game {FIRST_GAME} --ask")
def show_llm_bot(
    folder: FolderArgument,
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="The game. Default: its first one.")
    ] = None,
    seats: Annotated[int, typer.Option(metavar="N", help="Seats of the match.")] = 2,
    option: OptionValues = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="Send it, and show the answer and what it takes.")
    ] = False,
    format: Annotated[Format, typer.Option(help="Output format.")] = Format.TABLE,
) -> None:
    """Show what the model reads in the first decision of a match.

    With --ask it is sent once: to try the endpoint and its key, and to see what a decision costs.
    """
    from arena.sdk.llm.folder import FolderError, key_of, read_folder

    try:
        found = read_folder(folder)
        rules = game_named(game or found.games[0], "--game")
        first = _first_decision(found, rules, seats, rules.options(seats, pairs(option or (), "--option")))
        document: dict[str, Any] = {"system": first.briefing.system, "user": first.question.text}
        if ask:
            document |= _asked(found, key_of(found, os.environ), first)
    except FolderError as error:
        raise CliError(str(error)) from None
    if format is Format.JSON:
        print_json(document)
        return
    for name, value in document.items():
        print_line(f"=== {name} ===")
        print_line(str(value))


@dataclass(frozen=True, slots=True)
class _First:
    """The first decision of a match."""

    briefing: "Briefing"
    question: "Question"


def _first_decision(folder: "Folder", game: Game, seats: int, options: object) -> _First:
    """Return the first decision of a match on a new seed, as the seat that decides sees it."""
    from arena.codecs.codec import codec_for
    from arena.sdk.game_messages import inner
    from arena.sdk.llm.prompt import Briefing
    from arena.sdk.match import Match
    from arena.v1 import games_pb2, time_control_pb2

    codec = codec_for(game.spec.id)
    state = game.new_match(seats, options, secrets.token_bytes(SEED_BYTES))
    seen = codec.encode_observation(state.observe(state.seat_to_act))
    view = inner(games_pb2.Observation.FromString(seen))
    match: Match = Match(
        name="matches/1",
        ladder="",
        tournament="",
        game=game.spec.id,
        rules_version=game.spec.rules_version,
        options=codec.options_message(options),
        seats=seats,
        seat=state.seat_to_act,
        time_control=time_control_pb2.TimeControl(),
        rated=False,
        participants=tuple(f"bots/{seat}" for seat in range(seats)),
        view=view,
        comeback=False,
        answers=(),
    )
    briefing = Briefing(match, folder)
    return _First(briefing, briefing.ask(view, list(state.legal_actions()), ""))


def _asked(folder: "Folder", key: str, first: _First) -> dict[str, Any]:
    """Send the question once, and return the answer and what it has taken. Raises CliError: there is none."""
    with server_packages("llm"):
        from arena.sdk.llm.endpoint import Endpoint, EndpointError
    from arena.sdk.llm.answer import UnusableAnswerError, read_answer
    from arena.sdk.llm.spending import Budget, CapReachedError, Total

    budget = Budget(folder.caps, folder.price, Total(folder.path, folder.price, folder.caps.cost_total))
    endpoint = Endpoint(folder, key)
    messages = [
        {"role": "system", "content": first.briefing.system},
        {"role": "user", "content": first.question.text},
    ]
    began = time.monotonic()
    try:
        reply = endpoint.ask(messages, budget, until=began + _ASK_SECONDS, is_wanted=lambda: True)
    except (EndpointError, CapReachedError) as error:
        raise CliError(str(error)) from None
    finally:
        endpoint.close()
    document = {
        "answer": reply.text,
        "input_tokens": budget.match.input,
        "output_tokens": budget.match.output,
        "cost": budget.cost,
        "seconds": math.ceil(time.monotonic() - began),
    }
    try:
        answer = read_answer(reply.text, first.question.notations)
    except UnusableAnswerError as error:
        raise CliError(f"The model has answered {reply.text!r}. {error}") from None
    return {**document, "action": first.question.notations[answer.index]}
