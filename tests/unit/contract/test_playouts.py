"""What the contract of engine/state.py promises of playouts."""

import re
import subprocess
import sys
from pathlib import Path

from engine.game import TERMINAL, State
from engine.randomness import Stream
from tests.checkout import text
from tests.unit.contract.cases import Case, final, sample
from tests.unit.core.toy_game import ToyState

SEED = bytes(range(32))


def played_by_hand(state: State, stream: Stream, limit: int) -> int:
    """Play as a playout does, a ply at a time; return the number of plies."""
    for ply in range(limit):
        if state.seat_to_act == TERMINAL:
            return ply
        action = state.playout_action(stream)
        assert state.is_legal(action)
        state.apply(action)
    return limit


def test_a_playout_is_its_actions_played_one_by_one(case: Case) -> None:
    for step in sample(case, every=40):
        quick, slow, streams = step.state.clone(), step.state.clone(), (Stream(SEED), Stream(SEED))
        assert quick.playout(streams[0], 60) == played_by_hand(slow, streams[1], 60)
        assert quick.digest() == slow.digest()
        assert streams[0].words == streams[1].words


def test_a_playout_plays_no_more_plies_than_it_may_and_none_in_a_match_that_is_over(case: Case) -> None:
    state, stream = case.new_match(), Stream(SEED)
    digest = state.digest()
    assert state.playout(stream, 0) == 0
    assert (state.digest(), stream.words) == (digest, 0)
    assert state.playout(stream, 2) == 2
    assert final(case).playout(stream, 2) == 0


def test_a_playout_ends_its_match_within_the_bound_on_plies_and_leaves_no_events(case: Case) -> None:
    state = case.new_match()
    bound = case.rules.max_plies(case.seats, case.rules.options(case.seats, case.options))
    plies = state.playout(Stream(SEED), bound + 1)
    assert 0 < plies <= bound
    assert state.outcome() is not None
    assert state.take_events() == []


def test_other_streams_make_other_playouts(case: Case) -> None:
    state = case.new_match()
    ends = set()
    for number in range(9):
        copy = state.clone()
        copy.playout(Stream(bytes([number] * 32)), 100)
        ends.add(copy.digest())
    assert len(ends) > 1


def test_without_a_word_of_the_game_every_listed_action_has_the_same_chance() -> None:
    stream, counts = Stream(SEED), [0, 0, 0, 0]
    for _ in range(3000):
        counts[ToyState().playout_action(stream)] += 1
    assert counts[0] == 0
    assert all(abs(count - 1000) < 120 for count in counts[1:])


def test_a_game_of_a_few_lines_has_playouts() -> None:
    state = ToyState(seats=2, rounds=4)
    assert state.playout(Stream(SEED), 100) == 8
    outcome = state.outcome()
    assert outcome is not None
    assert 8 <= sum(outcome.scores) <= 24


def test_the_search_that_the_guide_shows_runs(tmp_path: Path) -> None:
    guide = text("docs/bots/python.md")
    (program,) = re.findall(r"```python\n(# flat_search\.py.*?)```", guide, re.DOTALL)
    (tmp_path / "flat_search.py").write_text(program)
    said = subprocess.run(
        [sys.executable, "-P", "flat_search.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert re.fullmatch(r"(PLACE|PASS).* \d+ actions .*\n", said)
