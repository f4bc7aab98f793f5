"""The peer of `arena compare`: matches over pipes, with the same engine."""

import random
from collections.abc import Iterator
from contextlib import closing

import pytest

from benchmarks.peers.pipe_bot import PipeBot
from benchmarks.peers.pipe_matches import Program, play, play_match
from engine.registry import GAMES
from engine.state import State

GAME = next(iter(GAMES))
SEED = bytes(range(32))


@pytest.fixture
def state() -> State:
    game = GAMES[GAME]
    return game.new_match(2, game.options(2, {}), SEED)


@pytest.fixture
def programs() -> Iterator[list[Program]]:
    with closing(Program(GAME)) as one, closing(Program(GAME)) as other:
        yield [one, other]


def test_a_bot_plays_what_is_new_on_its_own_position_and_answers_with_a_legal_action(state: State) -> None:
    bot, dice = PipeBot(GAME), random.Random(1)
    played: list[str] = []
    for _ in range(6):
        bot.answer(f"position {SEED.hex()} moves {' '.join(played)}")
        word, action = bot.answer("go").split()
        assert word == "bestmove"
        assert state.is_legal(int(action))
        played.append(str(dice.choice(list(state.legal_actions()))))  # another than its own
        state.apply(int(played[-1]))


def test_another_seed_begins_another_match() -> None:
    bot = PipeBot(GAME)
    game = GAMES[GAME]
    for seed in (SEED, bytes(32)):
        start = game.new_match(2, game.options(2, {}), seed)
        first = start.legal_actions()[0]
        assert bot.answer(f"position {seed.hex()} moves {first}") == ""
        start.apply(first)
        assert start.is_legal(int(bot.answer("go").removeprefix("bestmove ")))


def test_programs_play_one_match_after_the_other_to_the_end(programs: list[Program]) -> None:
    assert all(play_match(GAME, seed, programs) > 50 for seed in (SEED, bytes(32)))


def test_an_illegal_move_ends_the_match(monkeypatch: pytest.MonkeyPatch, programs: list[Program]) -> None:
    monkeypatch.setattr(programs[1], "ask", lambda _line: f"bestmove {2**31}")
    with pytest.raises(RuntimeError, match="seat 1"):
        play_match(GAME, SEED, programs)


def test_all_matches_are_played_and_timed() -> None:
    found = play(GAME, matches=3, jobs=2)
    assert found["plies"] > 150
    assert found["seconds"] > 0
