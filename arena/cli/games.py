"""`arena games`: the games of an arena."""

from typing import Final

from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.names import resource
from arena.cli.framework.output import Columns, facts, table_of
from arena.cli.rules import FIRST_GAME, GameArgument
from arena.v1 import game_pb2
from arena.wire.wording import enum_word, short

app = group("List and show the games of an arena.")


@arena_command(app, "list", example="arena games list")
def list_games(context: CommandContext) -> None:
    """List the games with their seats and rules versions."""
    context.call(
        lambda arena: arena.games.ListGames(game_pb2.ListGamesRequest()),
        lambda listing: table_of(_COLUMNS, listing.games),
    )


@arena_command(app, "show", example=f"arena games show {FIRST_GAME}")
def show_game(context: CommandContext, name: GameArgument) -> None:
    """Show a game with its options."""
    request = game_pb2.GetGameRequest(name=resource("games", name))
    context.call(lambda arena: arena.games.GetGame(request).game, _details)


def _details(game: game_pb2.Game) -> RenderableType:
    about = facts(
        ("game", short(game.name)),
        ("title", game.title),
        ("rules version", str(game.rules_version)),
        ("seats", _seats(game)),
        ("chance", enum_word(game_pb2.Chance, game.chance)),
        ("hidden information", "yes" if game.hidden_information else "no"),
        ("secret decisions", "yes" if game.secret_decisions else "no"),
        ("engine", "compiled" if game.engine == "compiled" else "plain Python"),
    )
    return Group(about, table_of(_OPTIONS, game.options)) if game.options else about


def _seats(game: game_pb2.Game) -> str:
    return str(game.min_seats) if game.min_seats == game.max_seats else f"{game.min_seats}-{game.max_seats}"


_COLUMNS: Final[Columns[game_pb2.Game]] = {
    "game": lambda game: short(game.name),
    "title": lambda game: game.title,
    ">rules": lambda game: game.rules_version,
    ">seats": _seats,
    "chance": lambda game: enum_word(game_pb2.Chance, game.chance),
}

_OPTIONS: Final[Columns[game_pb2.GameOption]] = {
    "option": lambda option: option.name,
    "default": lambda option: option.default_value,
    "allowed": lambda option: option.allowed,
    "meaning": lambda option: option.description,
}
