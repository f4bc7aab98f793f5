"""Whole matches of every game: how single actions are judged, and how sensible players end."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import IllegalActionError, State, UnreadableActionError
from engine.randomness import Stream
from engine.registry import GAMES
from tests.unit.engine.matches import a_match, walk

TABLES = [
    *(("caravan", seats, {}) for seats in (2, 3, 4)),
    *(("caravanserai", seats, {"expert": expert}) for seats in (1, 2, 6) for expert in ("false", "true")),
    *(("ahldarahd", seats, {"night_of_the_outsider": "true", "trading": "true"}) for seats in (2, 4)),
    *(("wasteland", seats, {"check_rule": rule}) for seats, rule in ((2, "engage"), (4, "deter"))),
]


@pytest.mark.parametrize(("game", "seats", "values"), TABLES)
def test_single_actions_are_judged_as_the_list_says(game: str, seats: int, values: dict[str, str]) -> None:
    """Every action that was listed anywhere in the match is tried in some positions of it; others are refused."""
    seen: set[int] = set()
    positions: list[State] = []
    for ply, state in enumerate(walk(a_match(game, seats, values), game, bytes([seats]) * 32)):
        seen |= set(state.legal_actions())
        positions += [state.clone()] if ply % 4 == 0 else []
    for number, state in enumerate(positions):
        assert {action for action in seen if state.is_legal(action)} == set(state.legal_actions())
        for action in [action ^ 1 << number % 32 for action in state.legal_actions()[:20]]:
            if not state.is_legal(action):
                with pytest.raises(IllegalActionError, match=r"\.$"):
                    state.apply(action)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=40)
@given(text=st.text(max_size=40))
def test_any_text_is_read_or_refused(game: str, text: str) -> None:
    with pytest.raises(UnreadableActionError):
        a_match(game, 2, {}).parse_action(text)


@pytest.mark.parametrize(
    ("game", "seats", "ending", "plies"),
    [
        *(("caravan", seats, "FINAL_DELIVERY", range(120, 341)) for seats in (2, 3, 4)),
        *(("ahldarahd", seats, "DECK_EMPTY", range(20 * seats, 80 * seats)) for seats in (2, 3, 4, 5)),
        *(("wasteland", seats, "GOAL", range(250, 700)) for seats in (2, 3, 4)),
    ],
)
def test_matches_of_sensible_players_end_as_they_should(
    game: str, seats: int, ending: str, plies: range
) -> None:
    """Not by a limit, nearly all of them, and after a plausible number of decisions in the mean."""
    endings, played = [], 0
    for number in range(10):
        stream = Stream(bytes([number + 1]) * 32)
        state = a_match(game, seats, {}, bytes([number]) * 32)
        while (outcome := state.outcome()) is None:
            state.apply(GAMES[game].sensible_action(state, stream))
            played += 1
        endings.append(outcome.ending)
    assert endings.count(ending) >= 9
    assert played // 10 in plies
