"""Digests: every field of a position is in them, but what follows from the other fields."""

from collections.abc import Iterator
from typing import Any

import pytest

from engine.game import State
from engine.randomness import Stream
from engine.registry import GAMES
from tests.unit.engine.matches import a_match

OTHER_OPTIONS = {
    "caravan": {"camels": "6", "goods": "FULL", "no_progress_turns": "7", "turn_limit": "999"},
    "caravanserai": {"expert": "true"},
    "ahldarahd": {"night_of_the_outsider": "true", "trading": "true", "neutral_board": "true"},
    "wasteland": {"check_rule": "deter", "max_rounds": "59"},
}
FOLLOWS = {
    "caravan": {
        "bag_left",
        "camels",
        "good_actions",
        "goods_on_spaces",
        "occupied",
        "seat_views",
        "space_views",
    },
    "caravanserai": {"occupied", "seat_views"},
    "ahldarahd": {"gained", "placed"},
    "wasteland": {"offers"},
}
"""By game, what is no part of the position, or follows from the rest of it."""

DRAWN = {"bag": "drawn", "deck": "top"}
"""Piles that keep what was drawn from them, and how much that is."""


def others(value: Any) -> Iterator[Any]:
    """Yield values that differ from this one in one place, and the reverse of a sequence."""
    if isinstance(value, (bytes, list, tuple)):
        kind = type(value)
        for place, part in enumerate(value):
            yield from (kind([*value[:place], other, *value[place + 1 :]]) for other in others(part))
        if value[::-1] != value:
            yield value[::-1]
        yield from [] if value else [kind([1])]
    elif isinstance(value, bool):
        yield not value
    else:
        yield 1 if value is None else value + 1


def in_the_midst(game: str) -> State:
    """Return a position in which nearly no list is empty."""
    switched_on = {name: text for name, text in OTHER_OPTIONS[game].items() if text == "true"}
    state, stream = a_match(game, 3, switched_on), Stream(bytes(32))
    for _ in range(40):
        state.apply(GAMES[game].sensible_action(state, stream))
    if game == "wasteland":
        state.queue, state.wilds = ((1, 0),), ((17, 2),)  # type: ignore[attr-defined]
    return state


@pytest.mark.parametrize("game", FOLLOWS)
def test_the_digest_changes_with_every_field_of_the_position(game: str) -> None:
    state = in_the_midst(game)
    digest = state.digest()
    fields = {name for part in type(state).__mro__ for name in getattr(part, "__slots__", ())}
    assert fields > FOLLOWS[game]
    for name in fields - FOLLOWS[game] - {"setup", "events", "legal"}:
        value = getattr(state, name)
        changed = list(others(value))[getattr(state, DRAWN[name]) if name in DRAWN else 0 :]
        assert changed, name
        for other in changed:
            setattr(state, name, other)
            assert state.digest() != digest, (name, other)
        setattr(state, name, value)
        assert state.digest() == digest


@pytest.mark.parametrize("game", FOLLOWS)
def test_the_digest_changes_with_the_seats_and_with_every_option(game: str) -> None:
    changes = [{name: text} for name, text in OTHER_OPTIONS[game].items()]
    matches = [a_match(game, 2, {}), a_match(game, 3, {}), *(a_match(game, 2, change) for change in changes)]
    assert len({match.digest() for match in matches}) == len(matches)
