"""`arena games`: the games of an arena."""

from __future__ import annotations

from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.names import resource
from arena.cli.framework.output import enum_word, facts, short, table
from arena.cli.rules import FIRST_GAME, GameArgument
from arena.v1 import game_pb2

app = group("List and show the games of an arena.")


@arena_command(app, "list", example="arena games list")
def list_games(context: CommandContext) -> None:
    """List the games with their seats and rules versions."""
    with context.connect() as arena:
        games = arena.games.ListGames(game_pb2.ListGamesRequest())
    context.show(games, lambda: _table(games))


@arena_command(app, "show", example=f"arena games show {FIRST_GAME}")
def show_game(context: CommandContext, name: GameArgument) -> None:
    """Show a game with its options."""
    with context.connect() as arena:
        game = arena.games.GetGame(game_pb2.GetGameRequest(name=resource("games", name))).game
    context.show(game, lambda: _details(game))


def _table(games: game_pb2.ListGamesResponse) -> RenderableType:
    titles = ("game", "title", ">rules", ">seats", "chance")
    return table(
        titles,
        ((short(g.name), g.title, str(g.rules_version), _seats(g), _chance(g.chance)) for g in games.games),
    )


def _details(game: game_pb2.Game) -> RenderableType:
    about = facts(
        (
            ("game", short(game.name)),
            ("title", game.title),
            ("rules version", str(game.rules_version)),
            ("seats", _seats(game)),
            ("chance", _chance(game.chance)),
            ("hidden information", "yes" if game.hidden_information else "no"),
            ("secret decisions", "yes" if game.secret_decisions else "no"),
            ("engine", "compiled" if game.engine == "compiled" else "plain Python"),
        )
    )
    titles = ("option", "default", "allowed", "meaning")
    options = table(titles, ((o.name, o.default_value, o.allowed, o.description) for o in game.options))
    return Group(about, options) if game.options else about


def _seats(game: game_pb2.Game) -> str:
    return str(game.min_seats) if game.min_seats == game.max_seats else f"{game.min_seats}-{game.max_seats}"


def _chance(chance: game_pb2.Chance.ValueType) -> str:
    return enum_word(game_pb2.Chance, chance)
