"""The bot of an agent: whatever the agent does, each decision has a legal answer in time."""

import threading
from typing import Any

import pytest

from arena.codecs.codec import codec_for
from arena.sdk.mcp.bot import AgentBot, bot_for
from arena.sdk.mcp.seats import Answer, NewsKind, Seats
from arena.v1 import games_pb2, play_pb2
from engine.registry import GAMES
from tests.unit.sdk.llm.matches import a_clock, a_match, legal, new_state, observation


class Player:
    """A bot at the beginning of a match, whose `choose` runs in a thread."""

    def __init__(self, game: str = "caravan") -> None:
        self.game, self.state, self.seats = game, new_state(game), Seats()
        self.due = threading.Event()
        self.seats.listener = lambda: self.due.set() if self.seats.due() else None
        kind = bot_for("agent", self.seats, (game,), 1)
        kind.margin_s = 0.05
        self.bot: AgentBot = kind()
        self.bot.match = a_match(game, self.state)
        self.lines: list[str] = []
        self.bot.write_debug = self.lines.append
        self.bot.on_match_started(self.bot.match)
        self.chosen: Any = None

    def choose(self, left_ms: int = 60_000, only: int | None = None) -> None:
        actions = legal(self.state)[:only]
        seen = observation(self.game, self.state, self.state.seat_to_act)
        self.chosen = self.bot.choose(seen, actions, a_clock(left_ms))

    def think(self, only: int | None = None) -> threading.Thread:
        """Begin to choose, and return when the decision is due."""
        thread = threading.Thread(target=lambda: self.choose(only=only))
        thread.start()
        assert self.due.wait(30)
        return thread

    def kinds(self) -> list[NewsKind]:
        return [each.kind for each in self.seats.take_news()]


@pytest.mark.parametrize("game", GAMES)
def test_the_action_of_the_agent_is_played_and_its_thoughts_are_kept(game: str) -> None:
    player = Player(game)
    thread = player.think()
    (decision,) = player.seats.due()
    last = legal(player.state)[-1]
    player.seats.answer(decision.id, Answer(last, "why\nnot"), "")
    thread.join(30)
    assert player.chosen == len(legal(player.state)) - 1
    assert player.lines == ["thoughts: why not"]
    assert player.kinds() == [NewsKind.MATCH_STARTED]


@pytest.mark.parametrize("left_ms", [1, 100, 300])
def test_without_an_answer_the_fallback_plays_before_the_deadline_and_the_agent_learns_it(
    left_ms: int,
) -> None:
    player = Player()
    player.choose(left_ms)
    assert 0 <= player.chosen < len(legal(player.state))
    assert player.kinds() == [NewsKind.MATCH_STARTED, NewsKind.FALLBACK_PLAYED]
    assert player.seats.due() == []
    assert "fallback sensible" in player.lines[0]


def test_a_decision_that_the_arena_has_closed_plays_no_fallback() -> None:
    player = Player()
    player.bot.waits = lambda: False
    player.choose()
    assert player.kinds() == [NewsKind.MATCH_STARTED]


def test_an_only_action_is_played_without_the_agent() -> None:
    player = Player()
    player.choose(only=1)
    assert player.chosen == 0
    assert player.kinds() == [NewsKind.MATCH_STARTED]


def test_an_error_of_its_own_costs_no_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("broken")

    player = Player()
    monkeypatch.setattr("arena.sdk.llm.match_texts.MatchTexts.question", broken)
    player.choose()
    assert 0 <= player.chosen < len(legal(player.state))
    assert "RuntimeError: broken" in player.lines[0]
    assert player.kinds() == [NewsKind.MATCH_STARTED, NewsKind.FALLBACK_PLAYED]


def test_an_action_that_is_not_in_the_list_is_sent_as_a_message() -> None:
    player = Player()
    thread = player.think(only=2)
    (decision,) = player.seats.due()
    third = legal(player.state)[2]
    player.seats.answer(decision.id, Answer(third, ""), "")
    thread.join(30)
    wire = games_pb2.Action(caravan=player.chosen)
    assert codec_for("caravan").decode_action(wire, player.state) == (third,)


def test_what_the_arena_plays_for_the_seat_is_told_and_counts_in_what_happened() -> None:
    player = Player()
    player.choose(1)
    player.kinds()
    action = games_pb2.Action.FromString(codec_for("caravan").encode_action(legal(player.state)[0]))
    player.bot.on_decision_closed(play_pb2.DecisionClosed(sentence="Too late.", played=[action]))
    (news,) = player.seats.take_news()
    assert (news.kind, news.text) == (NewsKind.ARENA_PLAYED, "Too late.")


def test_a_match_that_is_lost_is_not_in_progress_any_more() -> None:
    player = Player()
    player.bot.on_match_lost(player.bot.match)
    assert player.kinds() == [NewsKind.MATCH_STARTED, NewsKind.MATCH_LOST]
    assert player.seats.in_progress() == []


def test_a_fast_clock_is_reported_at_the_beginning() -> None:
    player = Player()
    match = player.bot.match
    match.time_control.per_decision_ms = 1000
    kind = bot_for("agent", player.seats, ("caravan",), 1)
    player.seats.take_news()
    kind().on_match_started(match)
    (news,) = player.seats.take_news()
    assert "--clock slow" in news.text
