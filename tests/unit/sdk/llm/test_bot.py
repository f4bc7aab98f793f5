"""The bot: whatever the endpoint does, each decision has a legal answer in time, and its owner reads why."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.sdk.llm.bot import LlmBot
from arena.sdk.llm.fallback import latest
from arena.sdk.llm.folder import Caps, Price, Usage
from arena.sdk.match import Clock
from engine.registry import GAMES
from tests.unit.sdk.llm.conftest import Setting
from tests.unit.sdk.llm.fake_endpoint import HOSTILE, KEY, answers, fails, never_answers, says
from tests.unit.sdk.llm.matches import a_clock, a_match, legal, new_state, observation


class Seat:
    """A bot at the beginning of a match."""

    def __init__(self, bot_class: type[LlmBot], game: str = "caravan") -> None:
        self.state = new_state(game)
        self.game = game
        self.bot = bot_class()
        self.bot.match = a_match(game, self.state)
        self.lines: list[str] = []
        self.bot.write_debug = self.lines.append
        self.bot.on_match_started(self.bot.match)

    def decide(self, clock: Clock | None = None, actions: Sequence[int] | None = None) -> int:
        """Ask the bot, and play what it chooses; return its place in the list."""
        actions = legal(self.state) if actions is None else actions
        seen = observation(self.game, self.state, self.state.seat_to_act)
        index = self.bot.choose(seen, actions, clock or a_clock())
        self.state.apply(actions[index])
        return index

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def test_the_action_of_the_model_is_played_and_its_thoughts_are_kept(setting: Setting) -> None:
    fake = setting.serve(answers(3, "towards the ivory"))
    seat = Seat(setting.bot(price=Price(1.0, 2.0)))
    assert seat.decide() == 2
    assert "thoughts: towards the ivory" in seat.lines
    assert "m: 1000 + 50 tokens" in seat.text
    assert "cost 0.0011" in seat.text
    assert (seat.bot.counts.by_model, seat.bot.counts.by_fallback) == (1, 0)
    assert seat.bot.budget.match == Usage(1000, 50)
    system, user = fake.received[0].body["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert "You play to win." in system["content"]


def test_it_reads_its_thoughts_again_at_the_next_decision(setting: Setting) -> None:
    fake = setting.serve(answers(3, "towards the ivory"), answers(1))
    seat = Seat(setting.bot())
    seat.decide()
    while seat.state.seat_to_act != 0:
        seat.state.apply(legal(seat.state)[0])
    seat.decide()
    assert "towards the ivory" in fake.received[1].asked


@pytest.mark.parametrize(
    "first", ["no object", "an unknown number", "refuses", "filtered", "too long", "injection"]
)
def test_an_answer_that_cannot_be_used_is_asked_for_once_more_with_the_reason(
    setting: Setting, first: str
) -> None:
    fake = setting.serve(HOSTILE[first], answers(2))
    seat = Seat(setting.bot())
    assert seat.decide() == 1
    assert (seat.bot.counts.asked_again, seat.bot.counts.by_model) == (1, 1)
    assert len(fake.received) == 2
    (reason,) = [line.removeprefix("asked again: ") for line in seat.lines if line.startswith("asked again")]
    assert reason in " ".join(fake.received[1].asked.split())
    assert seat.bot.budget.requests == 2


@pytest.mark.parametrize("wrong", HOSTILE)
def test_whatever_the_endpoint_does_the_fallback_plays_a_legal_action(setting: Setting, wrong: str) -> None:
    setting.serve(HOSTILE[wrong])
    seat = Seat(setting.bot(caps=Caps()))
    seat.bot.__class__.margin_s = 0.1
    seat.decide(a_clock(700))
    assert (seat.bot.counts.by_model, seat.bot.counts.by_fallback) == (0, 1)
    assert "fallback sensible: " in seat.text
    assert KEY not in seat.text
    assert all(line.isprintable() for line in seat.lines)


def test_a_key_that_an_endpoint_spells_in_another_way_is_in_no_debug_line(setting: Setting) -> None:
    escaped = "".join(f"\\u{ord(character):04x}" for character in KEY)
    setting.serve(says('{"action": 1, "thoughts": "use ' + escaped + '"}'))
    seat = Seat(setting.bot())
    seat.decide()
    assert "thoughts: use [API key]" in seat.lines


def test_after_two_answers_that_cannot_be_used_it_asks_no_more(setting: Setting) -> None:
    fake = setting.serve(answers(9999))
    seat = Seat(setting.bot())
    seat.decide()
    assert len(fake.received) == 2
    assert seat.bot.counts.by_fallback == 1


def test_the_fallback_first_plays_the_first_action(setting: Setting) -> None:
    setting.serve(fails(401))
    assert Seat(setting.bot(fallback="first")).decide() == 0


def test_an_only_action_is_played_without_a_request(setting: Setting) -> None:
    fake = setting.serve()
    seat = Seat(setting.bot())
    assert seat.decide(actions=legal(seat.state)[:1]) == 0
    assert not fake.received


def test_without_time_it_answers_at_once(setting: Setting) -> None:
    fake = setting.serve()
    seat = Seat(setting.bot())
    seat.decide(a_clock(400))
    assert "no time for a request" in seat.text
    assert not fake.received


def test_it_does_not_wait_for_an_answer_that_the_arena_does_not_want_any_more(setting: Setting) -> None:
    setting.serve(never_answers)
    seat = Seat(setting.bot())
    seat.bot.waits = lambda: False
    seat.decide(a_clock(3_600_000))
    assert seat.bot.counts.by_fallback == 1


@pytest.mark.parametrize(
    ("caps", "named"),
    [
        (Caps(tokens_per_decision=100), "tokens_per_decision"),
        (Caps(tokens_per_match=100), "tokens_per_match"),
        (Caps(cost_per_match=1e-9), "cost_per_match"),
        (Caps(cost_total=1e-9), "cost_total"),
    ],
)
def test_beyond_a_cap_the_fallback_plays_and_nothing_is_sent(
    setting: Setting, caps: Caps, named: str
) -> None:
    fake = setting.serve()
    seat = Seat(setting.bot(caps=caps, price=Price(1, 1)))
    seat.decide()
    assert named in seat.text
    assert not fake.received


def test_each_decision_has_the_tokens_of_its_cap_anew(setting: Setting) -> None:
    setting.serve(answers(1, "short"))
    seat = Seat(setting.bot(caps=Caps(answer_tokens=100, tokens_per_decision=12_000)))
    for _ in range(13):
        seat.decide()
    assert seat.bot.counts.by_fallback == 0, seat.text
    assert seat.bot.budget.match.tokens > 12_000


def test_an_error_of_its_own_costs_no_decision(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    setting.serve()
    seat = Seat(setting.bot())

    def broken(*_: object) -> None:
        raise ZeroDivisionError("in a drawing")

    monkeypatch.setattr("arena.sdk.llm.match_texts.PlannedTurn", broken)
    seat.decide()
    assert "ZeroDivisionError: in a drawing" in seat.text
    monkeypatch.setattr("arena.sdk.llm.prompt.Briefing.sensible_action", broken)
    assert seat.decide() == 0
    assert seat.bot.counts.by_fallback == 2


def test_a_match_that_cannot_be_read_is_played_with_first_actions(setting: Setting) -> None:
    setting.serve()
    bot = setting.bot()()
    assert bot.choose(None, [5, 6], a_clock()) == 0


def test_a_short_clock_and_missing_rules_are_reported(
    setting: Setting, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    setting.serve()
    monkeypatch.setattr("arena.sdk.llm.bot.rules_of", lambda *_: "")
    made = setting.bot()
    bot = made()
    lines: list[str] = []
    bot.write_debug = lines.append
    match = a_match("caravan", new_state("caravan"))
    match.time_control.per_decision_ms, match.time_control.bank_ms = 1000, 10_000
    bot.on_match_started(match)
    assert "leaves the model 3.0 s" in lines[0]
    assert "rules.md" in lines[1]
    assert Seat(setting.bot(own_rules="Just play.")).lines == []


@pytest.mark.parametrize(
    ("per_decision_ms", "bank_ms", "left_ms", "kept_s"),
    [
        (60_000, 0, 60_000, 0.5),
        (1_000, 10_000, 11_000, 8.0),
        (1_000, 10_000, 2_000, 0.5),
        (0, 4_000, 4_000, 3.5),
    ],
    ids=["no bank", "a quarter of the bank", "after a comeback", "beyond the limit of the seat"],
)
def test_it_keeps_most_of_the_bank(per_decision_ms: int, bank_ms: int, left_ms: int, kept_s: float) -> None:
    clock = Clock(per_decision_ms, bank_ms, 0, left_ms, deadline=100.0)
    assert latest(clock) == pytest.approx(100.0 - kept_s)


def test_all_matches_of_a_folder_are_counted_in_its_file(setting: Setting, tmp_path: Path) -> None:
    setting.serve(answers(1))
    bot = setting.bot(price=Price(1, 0))
    for _ in range(2):
        Seat(bot).decide()
    spent: dict[str, Any] = json.loads((tmp_path / "spent.json").read_text())
    assert spent == {"requests": 2, "input_tokens": 2000, "output_tokens": 100, "cost": 0.002}


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_every_game(setting: Setting, game: str) -> None:
    setting.serve()
    seat = Seat(setting.bot(), game)
    for _ in range(3):
        seat.decide()
    assert seat.bot.counts.by_fallback == 0, seat.text


def test_the_result_is_printed_with_what_the_match_has_taken(
    setting: Setting, caplog: pytest.LogCaptureFixture
) -> None:
    setting.serve(answers(1))
    seat = Seat(setting.bot())
    seat.decide()
    with caplog.at_level("INFO", "arena.sdk"):
        seat.bot.on_match_ended(seat.bot.match, type("Ended", (), {"placing": 2})())
    assert "matches/7: place 2. 1 decisions: 1 by the model, 0 by the fallback" in caplog.text
    assert "1 requests with 1000 + 50 tokens" in caplog.text


def test_an_answer_without_thoughts_is_enough(setting: Setting) -> None:
    setting.serve(says('{"action": 1}'))
    seat = Seat(setting.bot())
    assert seat.decide() == 0
    assert not [line for line in seat.lines if line.startswith("thoughts")]
