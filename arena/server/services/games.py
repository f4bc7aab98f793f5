"""GameService: the games of this arena."""
# ruff: noqa: N802 - the methods are named as in the .proto

from arena.server.context import Context
from arena.server.services.service_context import Service
from arena.v1 import game_pb2 as pb
from arena.v1 import game_pb2_grpc
from arena.wire.fields import same
from arena.wire.game_catalogue import engine_kind
from arena.wire.resource_names import game_name, parse_game
from engine.game import Game


class GameService(Service, game_pb2_grpc.GameServiceServicer):
    """Shows the games; needs no token."""

    async def ListGames(self, request: pb.ListGamesRequest, _: Context) -> pb.ListGamesResponse:
        """Return all games, by id."""
        return pb.ListGamesResponse(games=[game_message(game) for game in self._platform.catalogue.games()])

    async def GetGame(self, request: pb.GetGameRequest, _: Context) -> pb.GetGameResponse:
        """Return one game."""
        game = self._platform.catalogue.game(parse_game("name", request.name))
        return pb.GetGameResponse(game=game_message(game))


def game_message(game: Game) -> pb.Game:
    """Return the game as a message."""
    spec = game.spec
    return pb.Game(
        name=game_name(spec.id),
        **same(spec, "title", "rules_version", "min_seats", "max_seats"),
        **same(spec, "hidden_information", "secret_decisions"),
        options=[
            pb.GameOption(default_value=option.default, **same(option, "name", "description", "allowed"))
            for option in spec.options
        ],
        chance=pb.Chance.Value(f"CHANCE_{spec.chance.name}"),
        engine=engine_kind(),
    )
