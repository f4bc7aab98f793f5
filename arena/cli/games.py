"""`arena games`: which games an arena runs."""

from __future__ import annotations

from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.names import resource
from arena.cli.framework.output import Column, facts, short, table
from arena.cli.rules import FIRST_GAME, GameArgument
from arena.v1 import game_pb2

app = group("The games an arena runs.")


@arena_command(app, "list", example="arena games list")
def list_games(session: CommandContext) -> None:
    """Lists the games with their seats and rules versions."""
    with session.connect() as arena:
        games = arena.games.ListGames(game_pb2.ListGamesRequest())
    session.show(games, lambda: _listing(games))


@arena_command(app, "show", example=f"arena games show {FIRST_GAME}")
def show_game(
    session: CommandContext,
    name: GameArgument,
) -> None:
    """Shows one game with its options."""
    with session.connect() as arena:
        game = arena.games.GetGame(game_pb2.GetGameRequest(name=resource("games", name))).game
    session.show(game, lambda: _page(game))


def _listing(games: game_pb2.ListGamesResponse) -> RenderableType:
    columns = (
        Column("game"),
        Column("title"),
        Column("rules", True),
        Column("seats", True),
        Column("chance"),
    )
    return table(
        columns,
        ((short(g.name), g.title, str(g.rules_version), _seats(g), _chance(g.chance)) for g in games.games),
    )


def _page(game: game_pb2.Game) -> RenderableType:
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
    columns = (Column("option"), Column("default"), Column("allowed"), Column("meaning"))
    options = table(columns, ((o.name, o.default_value, o.allowed, o.description) for o in game.options))
    return Group(about, options) if game.options else about


def _seats(game: game_pb2.Game) -> str:
    return str(game.min_seats) if game.min_seats == game.max_seats else f"{game.min_seats}-{game.max_seats}"


def _chance(chance: game_pb2.Chance.ValueType) -> str:
    return game_pb2.Chance.Name(chance).removeprefix("CHANCE_").lower()
