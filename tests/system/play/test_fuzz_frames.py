"""A bot that says anything in any order: it hurts itself alone, and is told why in the arena's own words."""

import threading
from collections.abc import Iterator
from random import Random

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.v1 import ending_pb2, match_pb2, play_pb2, time_control_pb2
from tests.any_message import Fuzz
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.conftest import BotFactory
from tests.system.play.oracle import check_words, faults
from tests.system.play.raw_bot import RawBot, hello
from tests.system.play.test_match import SHORT

QUICK = time_control_pb2.TimeControl(
    per_decision_ms=60_000, bank_ms=0, strikes=2, absence_ms=50, hold_ms=0, seat_limit_ms=86_400_000
)
BARRIER = 4_000_000_000
"""A pong that nobody asked for: the warning that follows tells that all before it has been handled."""

FATES = {
    grpc.StatusCode.OK,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.UNAUTHENTICATED,
}


class FuzzingBot:
    """One connection of the bot that says anything."""

    def __init__(self, bot: RawBot, random: Random, arena: ArenaProcess) -> None:
        self._bot, self._random, self._arena = bot, random, arena
        self._fuzz = Fuzz(random)
        self._last: play_pb2.ServerMessage | None = None

    def run(self) -> None:
        """Says hello for the most part, then anything, until it leaves or is shown the door."""
        if self._random.random() < 0.9:
            self._bot.say(
                hello=hello(claim=self._random.random() < 0.5, capacity=play_pb2.Capacity(matches=3))
            )
        for _ in range(self._random.randrange(1, 12)):
            if not self._heard_all():
                self._bot.cut()
                return
            self._bot.say_bytes(self._frame())
        self._leave()

    def _frame(self) -> bytes:
        if self._random.random() < 0.05:
            return self._random.randbytes(self._random.choice([0, 1, 7, 400]))
        messages = [self._message() for _ in range(self._random.choice([1, 1, 2, 5]))]
        data = play_pb2.PlayRequest(messages=messages).SerializeToString()
        return self._fuzz.mutated(data) if self._random.random() < 0.1 else data

    def _message(self) -> play_pb2.ClientMessage:
        """Send an answer to the last question, sensible or not, or any other message."""
        kinds = play_pb2.ClientMessage.DESCRIPTOR.oneofs_by_name["kind"].fields
        kind = self._random.choice(
            [field for field in kinds if field.name != "hello" or self._random.random() < 0.05]
        )
        message = play_pb2.ClientMessage()
        assert kind.message_type is not None
        getattr(message, kind.name).CopyFrom(self._fuzz.message(kind.message_type))
        if self._last is not None and self._last.HasField("decision") and self._random.random() < 0.6:
            asked = self._last.decision
            answer = play_pb2.Answer(assignment=asked.assignment, decision=asked.decision)
            if self._random.random() < 0.5:
                answer.action.CopyFrom(self._fuzz.message(answer.action.DESCRIPTOR))  # type: ignore[arg-type]
            else:
                answer.index = self._random.choice([0, 1, 5, 49, 2**32 - 1])
            message = play_pb2.ClientMessage(answer=answer)
        return message

    def _heard_all(self) -> bool:
        """Read what the arena has sent up to now; return False if that was its last message."""
        self._bot.say(pong=play_pb2.Pong(id=BARRIER))
        while (message := self._bot.hear_any()) is not None:
            check_words(str(message), self._arena.data)
            if message.HasField("assigned") and self._random.random() < 0.9:
                self._bot.say(ready=play_pb2.Ready(assignment=message.assigned.assignment))
            elif message.HasField("warning") and "answers no ping" in message.warning.sentence:
                return True
            elif message.HasField("decision"):
                self._last = message
        assert self._bot.status in FATES, self._bot.status
        return False

    def _leave(self) -> None:
        if self._random.random() < 0.5:
            self._bot.half_close()
            while self._bot.hear_any() is not None:
                pass
            assert self._bot.status in FATES, self._bot.status
        self._bot.cut()


@pytest.fixture(scope="module")
def table(arena: ArenaProcess) -> Iterator[BotFactory]:
    """Yield a ladder that plays without end; check that its other bot never notices anything."""
    bot_factory = BotFactory(arena)
    babbler, partner = bot_factory.register("babbler"), bot_factory.register("partner")
    bot = bot_factory.dial(partner)
    bot.hello(capacity=play_pb2.Capacity(matches=20))
    thread = threading.Thread(target=lambda: list(bot.play_every_seat()), daemon=True)
    thread.start()
    arena.ladder(f"babel{bot_factory.number}", babbler, partner, time_control=QUICK, options=SHORT, matches=0)
    yield bot_factory
    arena.ladders.PauseLadder(name=f"ladders/babel{bot_factory.number}")
    bot_factory.close()
    thread.join(20)
    found = faults(arena.log)
    assert not found, "".join(found)


@given(seed=st.integers(0, 2**64))
def test_anything_said_in_any_order_hurts_nobody_else(table: BotFactory, seed: int) -> None:
    bot = RawBot(table.arena.unix, table.tokens[f"babbler{table.number}"])
    FuzzingBot(bot, Random(seed), table.arena).run()


def test_the_partner_of_all_this_was_never_at_fault(table: BotFactory) -> None:
    finished = table.arena.matches.ListMatches(
        page_size=1000, bot=f"bots/partner{table.number}", state=match_pb2.MATCH_STATE_FINISHED
    ).matches
    assert len(finished) >= 3
    for match in finished:
        (seat,) = [seat for seat in match.seats if "partner" in seat.bot]
        assert seat.ending.termination == ending_pb2.TERMINATION_NORMAL
        assert (seat.strikes, seat.placing) == (0, 1)
    assert table.arena.ladders.RecomputeLadder(name=f"ladders/babel{table.number}").identical
