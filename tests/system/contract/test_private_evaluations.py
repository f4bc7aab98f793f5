"""What a bot expects is sent to nobody before the log can be read: all are sent the same bytes with it and without it.

A match is played twice with the same answers by the arena's own runner, sessions and words of the wire, once with an
evaluation in each answer. Whatever seats, spectators and owners of bots receive must be the same, at the same time.
"""

from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from arena.codecs.codec import codec_for
from arena.core.clock.round_trip import RoundTrip
from arena.core.evaluation import LINE_BYTES, MOST_PER_MILLE, MOST_POINTS, Evaluation
from arena.core.match import Cause
from arena.core.ply import PlyRecord
from arena.core.referee.referee import Refused
from arena.match_log.encode import PlyEncoder
from arena.runner.match_runner import MatchRunner
from arena.sessions.handshake import Identity, Preferences
from arena.sessions.outgoing import Goodbye, Outgoing
from arena.sessions.registry import SessionRegistry
from arena.wire.play.outgoing import encode_message, happening_bytes
from engine.registry import GAMES
from tests.unit.core.stalls_by_hand import idle_meter
from tests.unit.runner.fakes import FakeTimers, MatchFixture

DECISIONS = 40
MARK = "Ωmega-line"
"""In no word of the arena."""

PREFERENCES = (Preferences(live=True, text=True), Preferences(typed_actions=False, packed_actions=True))


@dataclass
class Ear:
    """The connection of a seat."""

    timers: FakeTimers
    preferences: Preferences
    round_trip: RoundTrip = field(default_factory=lambda: RoundTrip(local=False))
    silent: bool = False
    heard: list[tuple[int, bytes]] = field(default_factory=list)

    def push(self, message: Outgoing) -> None:
        self.heard.append((self.timers.now(), encode_message(message, self.preferences)))

    def end(self, ending: Goodbye) -> None:
        raise AssertionError(ending)


@dataclass
class Sent:
    """All that left the arena in one match, and what its log holds."""

    seats: list[list[tuple[int, bytes]]]
    spectators: list[bytes]
    plies: list[PlyRecord]

    def everything(self) -> bytes:
        return b"".join([*(data for seat in self.seats for _, data in seat), *self.spectators])


def an_evaluation(dice: Random, seats: int) -> Evaluation:
    scores = [dice.randint(0, MOST_PER_MILLE) for _ in range(seats)] if seats > 1 else []
    finals = [dice.randint(-MOST_POINTS, MOST_POINTS) for _ in range(seats)]
    line = MARK * dice.randint(1, LINE_BYTES // len(MARK.encode()))
    return Evaluation(tuple(scores), line, tuple(finals))


def play(game: str, seats: int, seed: int, *, evaluates: bool) -> Sent:
    """Play some decisions: mostly legal ones, now and then one that is refused, late, or repeated after a comeback."""
    room = MatchFixture(seats, game=game, match=1)
    sessions = SessionRegistry(room.timers, lambda: None)
    ears, held = [], []
    for seat in range(seats):
        session = sessions.open(Identity(f"bot{seat}", "1", f"bot{seat}", ""), {game: frozenset()})
        ear = Ear(room.timers, PREFERENCES[seat % len(PREFERENCES)])
        session.connect(ear, ear.preferences)
        ears.append(ear)
        held.append((session, session.new_seat()))
    runner = MatchRunner(
        room.setup,
        [seat for _, seat in held],
        room.log,
        timers=room.timers,
        stalls=idle_meter(),
        match_manager=room,
    )
    runner.offer()
    for _, each in held:
        each.match.ready(each.seat)
    dice, other_dice = Random(seed), Random(-seed - 1)
    for _ in range(DECISIONS):
        if room.ends:
            break
        acting = runner.state.seat_to_act
        session, asked = held[acting]
        while asked.open is None:
            room.timers.move(1)
        decision = asked.open.decision
        asked.written(decision, room.timers.now())
        room.timers.move(dice.randrange(3))
        legal = asked.open.legal_actions
        answer: tuple[int, ...] | Refused = (legal[dice.randrange(len(legal))],)
        kind = dice.randrange(30)
        if kind == 0:
            answer = Refused("it cannot be read")
        elif kind == 1:
            room.timers.move_to_next()
        given_now = an_evaluation(other_dice, seats) if evaluates else None
        asked.answer(decision, answer, room.timers.now(), given_now)
        if kind == 2:
            session.disconnect(ears[acting])
            session.connect(ears[acting], ears[acting].preferences)
            session.repeat_all()
    codec = codec_for(game)
    frames = [
        b"".join(happening_bytes(each, codec) for each in frame.happened)
        + codec.encode_observation(frame.observation)
        for frame in runner.spectator_view.frames()
    ]
    return Sent([ear.heard for ear in ears], frames, room.log.plies)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=10, phases=(Phase.explicit, Phase.reuse, Phase.generate))  # a match is slow to shrink
@given(seed=st.integers(0, 2**32), more=st.integers(0, 5))
def test_an_evaluation_changes_no_byte_that_anybody_is_sent_during_the_match(
    game: str, seed: int, more: int
) -> None:
    """Decisions, news, refusals and comebacks of every seat, and what spectators see."""
    spec = GAMES[game].spec
    seats = min(spec.min_seats + more, spec.max_seats)
    with_them, without = (play(game, seats, seed, evaluates=each) for each in (True, False))
    assert with_them.seats == without.seats
    assert with_them.spectators == without.spectators
    assert MARK.encode() not in with_them.everything()


@pytest.mark.parametrize("game", GAMES)
def test_the_log_has_the_evaluation_of_each_answer_that_counts_and_is_else_the_same(game: str) -> None:
    seats = GAMES[game].spec.max_seats
    with_them, without = (play(game, seats, 4, evaluates=each) for each in (True, False))
    encoder = PlyEncoder(codec_for(game))
    kept = [encoder.encode(ply) for ply in with_them.plies]
    assert {ply.cause for ply in with_them.plies} > {Cause.CHOSEN}
    for ply, data in zip(with_them.plies, kept, strict=True):
        assert (MARK.encode() in data) == (ply.cause is Cause.CHOSEN)
        ply.evaluation = None
    assert with_them.plies == without.plies
    assert [encoder.encode(ply) for ply in with_them.plies] == [encoder.encode(ply) for ply in without.plies]
