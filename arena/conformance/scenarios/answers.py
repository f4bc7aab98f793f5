"""Answers that do not count."""

from __future__ import annotations

from typing import Final

from arena.conformance import demands
from arena.conformance.scenario import Scenario
from arena.conformance.scenarios.everyday import a_seat
from arena.conformance.stage import Stage
from arena.v1 import play_pb2


async def reject(stage: Stage) -> None:
    """An answer is called illegal, a decision is over before it is answered: the bot goes on with the next."""
    talk = await stage.welcomed()
    seat = await a_seat(stage, talk)
    await seat.play(2)
    await seat.ask()
    await seat.hear_answer()
    illegal = seat.closed(
        play_pb2.DecisionClosed.CAUSE_ILLEGAL_ACTION, "The action is not legal: this is a test."
    )
    await talk.say(illegal)
    await seat.ask()
    await seat.answered(demands.NO_TRY)
    seat.table.next_seat()
    question = seat.question()
    late = seat.closed(play_pb2.DecisionClosed.CAUSE_TIME_FORFEIT, "The answer was late: this is a test.")
    await talk.say(question, late)
    await seat.ask()
    await seat.answered(demands.NO_TRY)
    await seat.play(2)


SCENARIOS: Final = (
    Scenario("reject", "Goes on with the next decision when one was closed as illegal or as late.", reject),
)
