"""What every drawing promises."""

from __future__ import annotations

import pytest

from arena.drawings.drawing import drawing_for
from tests.conformance.cases import Case, final, sample


def test_every_position_can_be_drawn_for_every_viewer(case: Case) -> None:
    draw = drawing_for(case.game)
    states = [step.state for step in sample(case, every=40)] + [final(case)]
    for state in states:
        for viewer in case.viewers:
            lines = draw(state.observe(viewer)).plain.splitlines()
            assert len(lines) > 1
            assert all(line.isprintable() for line in lines)


def test_a_game_without_a_drawing_is_not_found() -> None:
    with pytest.raises(KeyError, match="sandstorm"):
        drawing_for("sandstorm")
