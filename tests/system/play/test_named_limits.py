"""Each limit of the clock, driven over in a real match: the evidence names it, its value and what was used of it."""

from typing import Any

import pytest

from arena.cli.explain.explain import document
from arena.cli.log.reading import read_match
from arena.cli.match_data import LogSource
from arena.v1 import ending_pb2, play_pb2, time_control_pb2
from tests.system.play.conftest import BotFactory
from tests.system.play.raw_bot import RawBot

TIME, ILLEGAL = ending_pb2.TERMINATION_TIME_FORFEIT, ending_pb2.TERMINATION_ILLEGAL_ACTION


def clock(**fields: int) -> time_control_pb2.TimeControl:
    """Return a clock without bank, increment and strikes, with these fields changed."""
    usual = {"per_decision_ms": 200, "absence_ms": 30_000, "hold_ms": 5_000, "seat_limit_ms": 86_400_000}
    return time_control_pb2.TimeControl(**{**usual, **fields})


def alone(bot_factory: BotFactory, **fields: int) -> RawBot:
    """Return a bot in a match of one seat."""
    [bot] = bot_factory.table(1, game="caravanserai", time_control=clock(**fields))
    return bot


def facts(evidence: Any) -> dict[str, str]:
    return {each.fact: each.value for each in evidence}


MISSES: dict[str, tuple[dict[str, int], dict[str, str]]] = {
    "per_decision": ({}, {"limit": "per_decision_ms", "allowed_ms": "200", "per_decision_ms": "200"}),
    "bank": (
        {"bank_ms": 100},
        {"limit": "bank_ms", "allowed_ms": "300", "bank_ms": "100", "bank_start_ms": "100"},
    ),
    "grace": ({"grace_ms": 70}, {"limit": "per_decision_ms", "allowed_ms": "270", "grace_ms": "70"}),
}
"""By the limit: the clock, and what is expected of the evidence."""


@pytest.mark.parametrize(("fields", "expected"), MISSES.values(), ids=MISSES)
def test_a_missed_decision_names_the_limit_it_ran_into(
    bot_factory: BotFactory, fields: dict[str, int], expected: dict[str, str]
) -> None:
    bot = alone(bot_factory, **fields)
    bot.hear("decision")
    closed, ended = bot.hear("decision_closed"), bot.hear("seat_ended")
    assert expected.items() <= facts(closed.evidence).items()
    assert ended.ending.termination == TIME
    assert facts(ended.ending.evidence) == facts(closed.evidence)


def test_the_evidence_says_how_much_of_the_bank_came_from_increments(bot_factory: BotFactory) -> None:
    bot = alone(bot_factory, per_decision_ms=4_000, increment_ms=60)
    bot.answer(bot.hear("decision"))
    assert bot.hear("decision").bank_ms == 60
    told = facts(bot.hear("seat_ended").ending.evidence)
    named = ("limit", "increment_ms", "earned_ms", "bank_start_ms", "bank_ms", "allowed_ms")
    assert [told[fact] for fact in named] == ["bank_ms", "60", "60", "0", "60", "4060"]


def test_each_strike_says_how_many_are_allowed_and_the_last_one_ends_the_seat(
    bot_factory: BotFactory,
) -> None:
    bot = alone(bot_factory, per_decision_ms=60_000, strikes=1)
    told = []
    for _ in range(2):
        bot.answer(bot.hear("decision"), 9_999)
        told.append(facts(bot.hear("decision_closed").evidence))
    named = ("limit", "strikes", "strikes_allowed")
    assert [[each[fact] for fact in named] for each in told] == [["strikes", "1", "1"], ["strikes", "2", "1"]]
    ending = bot.hear("seat_ended").ending
    assert ending.termination == ILLEGAL
    assert facts(ending.evidence) == told[-1]


def test_a_bot_that_stays_away_too_long_is_named_the_absence(bot_factory: BotFactory) -> None:
    away, other = bot_factory.table(2, time_control=clock(per_decision_ms=60_000, absence_ms=300))
    away.hear("decision")
    away.cut()
    ending = other.hear("match_ended").match.seats[0].ending
    told = facts(ending.evidence)
    assert ending.termination == ending_pb2.TERMINATION_DISCONNECT
    assert (told["limit"], told["absence_allowed_ms"]) == ("absence_ms", "300")
    assert int(told["absent_ms"]) >= 300


def test_a_decision_that_was_held_back_as_long_as_allowed_names_the_hold(bot_factory: BotFactory) -> None:
    ids, bots = bot_factory.welcomed("ab", capacity=play_pb2.Capacity(matches=2, open_decisions=1))
    control = clock(per_decision_ms=4_000, hold_ms=200, strikes=5)
    bot_factory.arena.ladder(f"held{bot_factory.number}", *ids, time_control=control)
    for bot in bots:
        for _ in range(2):
            bot.take_seat()
    # Each is asked first in one match of the group; an answer there asks the other a second question.
    first = bots[0].hear("decision").assignment
    bots[1].answer(bots[1].hear("decision"))
    held = bots[0].hear("decision").assignment
    limits = {}
    for _ in range(2):
        closed = bots[0].hear("decision_closed")
        limits[closed.assignment] = facts(closed.evidence)
    assert limits[first]["limit"] == "per_decision_ms"
    assert "held_ms" not in limits[first]
    assert (limits[held]["limit"], limits[held]["hold_ms"]) == ("hold_ms", "200")
    assert int(limits[held]["held_ms"]) >= 200


def test_a_seat_that_has_used_its_limit_is_told_so_by_question_evidence_and_explanation(
    bot_factory: BotFactory,
) -> None:
    bot = alone(bot_factory, per_decision_ms=1_000, seat_limit_ms=1_000, strikes=1)
    asked = [bot.hear("decision"), bot.hear("decision")]
    assert [each.seat_time_left_ms for each in asked] == [1_000, 0]
    assert [each.per_decision_ms for each in asked] == [1_000, 0]
    ending = bot.hear("seat_ended").ending
    told = facts(ending.evidence)
    named = ("limit", "seat_limit_ms", "per_decision_ms", "allowed_ms")
    assert [told[fact] for fact in named] == ["seat_limit_ms", "1000", "1000", "0"]
    assert int(told["seat_used_ms"]) >= 1_000
    match = bot.hear("match_ended").match
    read, _ = read_match(LogSource(match.name, bot_factory.arena.log_bytes(match.name)))
    explained: Any = document(read)
    assert explained["time_control"]["seat_limit_ms"] == 1_000
    [seat] = explained["seats"]
    assert [each["limit"] for each in seat["decisions"]] == ["per_decision_ms", "seat_limit_ms"]
    assert "seat_limit_ms 1000" in seat["limit"]
