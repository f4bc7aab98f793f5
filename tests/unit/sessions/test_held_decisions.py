"""How long decisions wait for others of the same bot: never for longer than the bot pays, or than its allowance."""

from dataclasses import replace

import pytest

from arena.core.clock.time_control import TimeControl
from arena.core.units import NS_PER_MS
from arena.runner.question import Question
from arena.sessions.handshake import Capacity, Identity, Preferences
from arena.sessions.registry import SessionRegistry
from arena.sessions.seat import AssignedSeat
from arena.sessions.session import Session
from tests.unit.runner.fakes import FakeTimers, MatchFixture
from tests.unit.sessions.test_sessions import FakeLink

HOLD_MS = 500
CLOCK = TimeControl(per_decision_ms=1_000, bank_ms=0, increment_ms=0, hold_ms=HOLD_MS)
AN_HOUR = replace(CLOCK, per_decision_ms=3_600_000)


def a_question(decision: int, observation: object = None) -> Question:
    """Return a decision about a position that the bot has not been shown, unless one is given."""
    shown = object() if observation is None else observation
    return Question(decision, [0], shown, [], per_decision_ms=1_000, bank_ms=0, increment_ms=0)


class SlowBot:
    """A bot that answers one decision at a time and holds seats of several matches."""

    def __init__(self) -> None:
        self.timers = FakeTimers()
        self.sessions = SessionRegistry(self.timers, lambda: None)
        self.link = FakeLink()
        self.session: Session = self.sessions.open(Identity("ant", "1", "ada", "token"), {})
        self.session.connect(self.link, Preferences())
        self.session.set_capacity(Capacity(matches=4, open_decisions=1))

    def seat(
        self, clock: TimeControl = CLOCK, *, ladder: str | None = None, tournament: str | None = None
    ) -> AssignedSeat:
        """Offer the bot a seat in a match of this ladder or tournament."""
        fixture = MatchFixture(2).offer()
        setup = replace(fixture.setup, ladder=ladder, tournament=tournament, time_control=clock)
        seat = self.session.new_seat()
        seat.offer(setup, 0, fixture.players[0].match)
        return seat

    def waited_ms(self, seat: AssignedSeat, *, answer_after_ms: float = 60_000) -> float:
        """Ask the seat; how long its decision is held back."""
        began = self.timers.now()
        seat.ask(a_question(seat.asked + 1))
        while not seat.out:
            assert self.timers.now() - began <= answer_after_ms * NS_PER_MS
            self.timers.move_to_next()
        return (self.timers.now() - began) / NS_PER_MS

    def answer(self, seat: AssignedSeat) -> None:
        """Answer the decision of the seat."""
        seat.answer(seat.asked, (0,), self.timers.now())


def test_a_decision_waits_for_another_of_the_same_ladder_and_goes_out_when_that_is_answered() -> None:
    bot = SlowBot()
    first, second = bot.seat(ladder="main"), bot.seat(ladder="main")
    assert bot.waited_ms(first) == 0
    second.ask(a_question(1))
    bot.timers.move(200)
    assert not second.out
    bot.answer(first)
    assert second.out


ALLOWANCE = [HOLD_MS, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("clock", "competition", "expected"),
    [
        (CLOCK, {"ladder": "main"}, [HOLD_MS] * 5),
        (CLOCK, {"ladder": "other"}, [HOLD_MS] * 5),
        (AN_HOUR, {"ladder": "slow"}, ALLOWANCE),
        (CLOCK, {"tournament": "cup"}, ALLOWANCE),
        (AN_HOUR, {"tournament": "challenge-1"}, ALLOWANCE),
    ],
    ids=["the same ladder", "a ladder as fast", "a slower ladder", "a tournament", "a challenge"],
)
def test_each_decision_is_held_where_the_bot_pays_and_others_share_one_allowance(
    clock: TimeControl, competition: dict[str, str], expected: list[float]
) -> None:
    """`competition`: of the match whose decision is open, while the bot is asked five times on the ladder main."""
    bot = SlowBot()
    anchor, seat = bot.seat(clock, **competition), bot.seat(ladder="main")
    bot.waited_ms(anchor)
    waits = []
    for _ in expected:
        waits.append(bot.waited_ms(seat))
        bot.answer(seat)
    assert waits == expected


def test_what_a_decision_has_waited_for_nothing_counts_when_it_goes_out_early() -> None:
    bot = SlowBot()
    anchor, seat = bot.seat(AN_HOUR, tournament="challenge-1"), bot.seat(ladder="main")
    for expected in (300, 200, 0):
        bot.waited_ms(anchor)
        seat.ask(a_question(seat.asked + 1))
        bot.timers.move(300)
        assert seat.out == (expected < 300)
        bot.answer(anchor)
        assert seat.out
        assert seat.asked_at == bot.timers.now() - (300 - expected) * NS_PER_MS
        bot.answer(seat)


def test_a_paid_wait_that_turns_into_one_for_nothing_ends_with_the_allowance() -> None:
    bot = SlowBot()
    bot.session.set_capacity(Capacity(matches=4, open_decisions=2))
    paying, challenge = bot.seat(ladder="main"), bot.seat(AN_HOUR, tournament="challenge-1")
    paying_too, seat = bot.seat(ladder="main"), bot.seat(replace(CLOCK, hold_ms=60_000), ladder="main")
    seat.hold_left_ns = 100 * NS_PER_MS
    bot.waited_ms(paying)
    bot.waited_ms(paying_too)
    seat.ask(a_question(1))
    challenge.ask(a_question(1))
    bot.timers.move(HOLD_MS)  # the challenge's own hold is over: now three are open
    assert challenge.out
    assert not seat.out
    bot.answer(paying)
    bot.timers.move(99)
    assert not seat.out
    bot.timers.move(1)
    assert seat.out


def test_without_a_connection_nothing_is_held_back() -> None:
    bot = SlowBot()
    anchor, seat = bot.seat(ladder="main"), bot.seat(ladder="main")
    bot.waited_ms(anchor)
    seat.ask(a_question(1))
    assert not seat.out
    bot.session.disconnect(bot.link)
    assert seat.out


def test_a_decision_about_a_position_that_the_bot_was_shown_is_not_held_back() -> None:
    bot = SlowBot()
    anchor, seat = bot.seat(ladder="main"), bot.seat(ladder="main")
    bot.waited_ms(anchor)
    seat.start("the first position")
    seat.ask(a_question(1, "the first position"))
    assert seat.out
