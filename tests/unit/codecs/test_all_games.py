"""What the codecs of all games refuse."""

import pytest

from arena.codecs.codec import codec_for
from arena.v1 import games_pb2
from engine.game import Event, UnreadableActionError
from engine.registry import GAMES

NO_ACTIONS = {
    "ahldarahd": (15 << 28, 1 << 40, 1 << 130, -1),
    "caravan": (7 << 22,),
    "caravanserai": (7 << 25,),
    "wasteland": (22 << 27, 1 << 40, -1),
}


@pytest.mark.parametrize("game", GAMES)
def test_values_of_other_games_are_refused(game: str) -> None:
    codec = codec_for(game)
    with pytest.raises(TypeError, match=rf"engine\.{game}\.observation\.Observation"):
        codec.encode_observation("a view")
    for use in (codec.encode_event, codec.describe_event):
        with pytest.raises(TypeError, match=codec.game.spec.title):
            use(Event())
    for number in NO_ACTIONS[game]:
        with pytest.raises(ValueError, match=codec.game.spec.title):
            codec.encode_action(number)
    with pytest.raises(UnreadableActionError):
        codec.decode_event(games_pb2.GameEvent())
