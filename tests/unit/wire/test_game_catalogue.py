"""The games of an arena by their names."""

import pytest

from arena.codecs.codec import codec_for
from arena.core.errors import ErrorReason, NotFoundError
from arena.wire.game_catalogue import GameCatalogue
from engine.registry import GAMES


@pytest.mark.parametrize(
    ("name", "meant"), [("Caravan", "caravan?"), ("ahldarad", "ahldarahd?"), ("chess", None)]
)
def test_a_wrong_game_is_rejected_with_the_game_that_may_be_meant(name: str, meant: str | None):
    with pytest.raises(NotFoundError) as caught:
        GameCatalogue(GAMES, codec_for).game(name)

    assert caught.value.reason is ErrorReason.GAME_NOT_FOUND
    assert caught.value.sentence.split()[-1].endswith("?") == (meant is not None)
    assert meant is None or caught.value.sentence.endswith(f" {meant}")
