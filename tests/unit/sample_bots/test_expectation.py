"""What the search bots send of what they expect."""

import os
from collections.abc import Callable, Sequence
from types import ModuleType

import pytest

from arena.sdk import Bot
from arena.sdk.evaluation import evaluation_message
from engine.game import State
from engine.randomness import Stream
from engine.registry import GAMES
from sample_bots.python.ahldarahd import planner as ahldarahd_planner
from sample_bots.python.caravan import mcts as caravan_mcts
from sample_bots.python.caravan import planner as caravan_planner
from sample_bots.python.caravanserai import mcts as caravanserai_mcts
from sample_bots.python.caravanserai import planner as caravanserai_planner
from sample_bots.python.expectation import expected_scores
from sample_bots.python.wasteland import planner as wasteland_planner
from tests.unit.sample_bots.driver import Looks, ask

BOTS: list[tuple[str, ModuleType, type[Bot]]] = [
    ("caravan", caravan_mcts, caravan_mcts.Mcts),
    ("caravan", caravan_planner, caravan_planner.Planner),
    ("caravanserai", caravanserai_mcts, caravanserai_mcts.Mcts),
    ("caravanserai", caravanserai_planner, caravanserai_planner.Planner),
    ("ahldarahd", ahldarahd_planner, ahldarahd_planner.Planner),
    ("wasteland", wasteland_planner, wasteland_planner.Planner),
]


class NoTime:
    """A budget that is used up from the beginning."""

    def spent(self) -> float:
        return 1.0


Sent = list[tuple[Sequence[float], str, Sequence[float]]]


def asked(
    game: str,
    module: ModuleType,
    bot_class: type[Bot],
    seats: int,
    monkeypatch: pytest.MonkeyPatch,
    budget: Callable[[], object] = lambda: Looks(60),
) -> tuple[Sent, State]:
    """Ask the bot in the first position in which it searches; return what it sent."""
    monkeypatch.setattr(module, "Budget", lambda _clock, _wish: budget())
    monkeypatch.setattr(os, "urandom", bytes)
    rules = GAMES[game]
    state = rules.new_match(seats, rules.options(seats, {}), bytes([seats]) * 32)
    stream, sent = Stream(bytes(32)), Sent()
    for _ in range(40):
        bot = bot_class()
        bot.write_evaluation = lambda *what: sent.append(what)
        ask(rules, bot, state)
        if sent or state.outcome() is not None:
            break
        state.apply(rules.sensible_action(state, stream))
    return sent, state


@pytest.mark.parametrize(("game", "module", "bot"), BOTS, ids=lambda value: getattr(value, "__name__", value))
@pytest.mark.parametrize("seats", [2, 4])
def test_a_search_bot_sends_what_it_expects_of_every_seat(
    game: str, module: ModuleType, bot: type[Bot], seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, _ = asked(game, module, bot, seats, monkeypatch)
    [(scores, line, finals)] = sent
    assert sum(scores) == pytest.approx(seats / 2)
    assert not finals
    assert "lead " in line
    message = evaluation_message(scores, line, finals, seats=seats)
    assert len(message.scores_per_mille) == seats


@pytest.mark.parametrize(
    ("game", "module", "bot"), BOTS[2:4], ids=lambda value: getattr(value, "__name__", value)
)
def test_in_solo_it_is_the_length_of_the_caravan(
    game: str, module: ModuleType, bot: type[Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, _ = asked(game, module, bot, 1, monkeypatch)
    [(scores, line, finals)] = sent
    assert not scores
    assert [0 < final < 100 for final in finals] == [True]
    evaluation_message(scores, line, finals, seats=1)


@pytest.mark.parametrize(("game", "module", "bot"), BOTS, ids=lambda value: getattr(value, "__name__", value))
def test_without_any_time_nothing_is_expected(
    game: str, module: ModuleType, bot: type[Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, _ = asked(game, module, bot, 2, monkeypatch, NoTime)
    assert not sent


def test_expected_scores_follow_the_leads_and_add_up_to_half_the_seats() -> None:
    assert expected_scores([0.0, 0.0], 10) == [0.5, 0.5]
    first, second = expected_scores([5.0, -5.0], 10)
    assert first == pytest.approx(0.7310585786)
    assert first + second == pytest.approx(1)
    four = expected_scores([9.0, 1.0, 1.0, -1e9], 3)
    assert four == sorted(four, reverse=True)
    assert sum(four) == pytest.approx(2)
    assert four[3] == 0.0
    assert expected_scores([31.0], 10) == []
