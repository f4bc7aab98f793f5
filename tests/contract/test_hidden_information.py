"""Hidden information is hidden: a viewer is sent the same bytes in matches that differ in what it may not know.

A match is played with the arena's own runner, sessions and words of the wire. Then what is hidden from one viewer up to
some ply is dealt anew, and the same answers are given again: whatever the viewer is sent must be the same, message by
message, at the same ply and at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from arena.codecs.codec import codec_for
from arena.core.referee import Refused
from arena.core.round_trip import RoundTrip
from arena.core.stalls import StallMeter
from arena.core.time_control import RANGES, TimeControl
from arena.players.hello import Identity, Preferences
from arena.players.outgoing import Goodbye, Outgoing
from arena.players.sessions import Sessions
from arena.runner.match_runner import MatchRunner
from arena.server.happening_messages import happening_bytes
from arena.server.play.outgoing_words import words
from engine.game import SPECTATOR, Game, State
from engine.randomness import Stream
from engine.registry import GAMES
from tests.contract.cases import CASES, Case
from tests.contract.hidden import HIDDEN
from tests.runner.fakes import Room

SECRETIVE = [case for case in CASES if case.rules.spec.hidden_information]
THOUGHT_MS = 1
CONTROL = TimeControl(strikes=RANGES["strikes"][1], secret_pad_ms=2 * THOUGHT_MS)
PREFERENCES = (
    Preferences(live=True),
    Preferences(typed_actions=False, packed_actions=True),
    Preferences(typed_actions=False, full_view=False),
)
Answer = tuple[int, ...] | Refused

LONGEST_PAUSE_MS = 1_000
"""Until a question is asked that waits for pads."""


class FromHere:
    """The game, all of whose matches begin with one position."""

    def __init__(self, game: Game, start: State) -> None:
        self.spec = game.spec
        self.options: Callable[[int, Mapping[str, str]], object] = game.options
        self.start = start

    def new_match(self, seats: int, options: object, seed: bytes) -> State:
        return self.start.clone()


@dataclass
class Ear:
    """The connection of a seat: what it is sent, with the step and the time."""

    table: Table
    preferences: Preferences
    round_trip: RoundTrip = field(default_factory=lambda: RoundTrip(local=False))
    silent: bool = False
    heard: list[tuple[int, int, bytes]] = field(default_factory=list)

    def push(self, message: Outgoing) -> None:
        now = self.table.room.timers.now()
        self.heard.append((self.table.steps, now, words(message, self.preferences)))

    def end(self, ending: Goodbye) -> None:
        raise AssertionError(ending)


class Table:
    """A match that begins with a position, at which a test answers for every seat."""

    def __init__(self, case: Case, start: State) -> None:
        self.steps = 0
        """Answers so far, but for those that others than the viewer gave in secret."""
        self.case = case
        self.room = Room(case.seats, game=case.game, control=CONTROL, match=1, **case.options)
        sessions = Sessions(self.room.timers, lambda: None)
        self.ears: list[Ear] = []
        self.sessions = []
        for seat in range(case.seats):
            bot = f"bot{seat}"
            session = sessions.open(Identity(bot, "1", bot, bot), {case.game: frozenset()})
            ear = Ear(self, PREFERENCES[seat % len(PREFERENCES)])
            session.connect(ear, ear.preferences)
            self.sessions.append(session)
            self.ears.append(ear)
        self.seats = [session.new_seat() for session in self.sessions]
        self.runner = MatchRunner(
            self.room.setup,
            self.seats,
            self.room.log,
            timers=self.room.timers,
            stalls=StallMeter(),
            desk=self.room,
        )
        self.runner.offer()
        for each in self.seats:
            each.port.ready()

    @property
    def state(self) -> State:
        return self.runner.state

    def answer(self, answer: Answer, *, counts: bool) -> None:
        """Of the seat to act, when it is asked and has thought. `counts`: as a step."""
        seat = self.seats[self.state.seat_to_act]
        for _ in range(LONGEST_PAUSE_MS):
            if seat.open is not None:
                break
            self.room.timers.move(1)
        assert seat.open is not None
        decision = seat.open.decision
        seat.written(decision, self.room.timers.now())
        self.room.timers.move(THOUGHT_MS)
        self.steps += counts
        seat.answer(decision, answer, self.room.timers.now())

    def is_secret(self, viewer: int) -> bool:
        """Whether somebody else than the viewer is asked in secret."""
        return self.state.asks_in_secret and self.state.seat_to_act != viewer

    def come_back(self, seat: int) -> None:
        """The bot of the seat loses its connection, and is told its match anew."""
        session, ear = self.sessions[seat], self.ears[seat]
        session.disconnect(ear)
        session.connect(ear, ear.preferences)
        session.tell_all()

    def public(self) -> list[bytes]:
        """What spectators have been shown."""
        codec = codec_for(self.case.game)
        return [
            b"".join([happening_bytes(each, codec) for each in scene.happened])
            + codec.encode_observation(scene.observation)
            for scene in self.runner.gallery.scenes()
        ]


@dataclass
class Played:
    """A match, and what one viewer was sent in it."""

    answers: list[Answer]
    secret: list[bool]
    """Whether each of them was given in secret by somebody else than the viewer."""
    positions: list[State]
    """Before each answer."""
    sent: list[Any]

    def replay(self, table: Table, viewer: int, until: int) -> None:
        """The first answers once more. Who is asked in secret gives the answer that was given there, or passes."""
        public = [each for each, secret in zip(self.answers[:until], self.secret, strict=False) if not secret]
        offers = self.positions[until].secret_offers
        hidden = {
            position.secret_offers: answer
            for position, answer, secret in zip(
                self.positions, self.answers[:until], self.secret, strict=False
            )
            if secret
        }
        while not table.room.ends:
            state = table.state
            if table.is_secret(viewer):
                if state.secret_offers >= offers:
                    break
                again(table, viewer, hidden.get(state.secret_offers, (state.default_action(),)))
            elif public:
                again(table, viewer, public.pop(0))
            else:
                break
        assert not public


def sent_to(table: Table, viewer: int) -> list[Any]:
    return table.public() if viewer == SPECTATOR else table.ears[viewer].heard


def at_a_table(case: Case, start: State, play: Callable[[Table], None], viewer: int) -> list[Any]:
    """What the viewer is sent in the match."""
    with patch.dict(GAMES, {case.game: FromHere(case.rules, start)}):
        table = Table(case, start)
        play(table)
        return sent_to(table, viewer)


def a_match(case: Case, viewer: int, dice: Random) -> Played:
    """All that may happen, with answers of the viewer that are refused, and comebacks of it."""
    answers: list[Answer] = []
    secret: list[bool] = []
    positions: list[State] = []
    choose = HIDDEN[case.game].choose

    def play(table: Table) -> None:
        while not table.room.ends:
            state = table.state
            positions.append(state.clone())
            answer: Answer = (choose(state, dice),)
            if state.seat_to_act == viewer and dice.randrange(6) == 0:
                answer = dice.choice([Refused("it cannot be read"), dice.choice(answers or [answer])])
            answers.append(answer)
            secret.append(table.is_secret(viewer))
            again(table, viewer, answer)

    sent = at_a_table(case, case.new_match(), play, viewer)
    return Played(answers, secret, positions, sent)


def again(table: Table, viewer: int, answer: Answer) -> None:
    """One answer, and now and then a comeback of the viewer."""
    counts = not table.is_secret(viewer)
    table.answer(answer, counts=counts)
    if counts and viewer != SPECTATOR and table.steps % 40 == 0 and not table.room.ends:
        table.come_back(viewer)


@pytest.mark.parametrize("case", SECRETIVE, ids=str)
def test_what_a_viewer_may_not_know_changes_no_byte_that_it_is_sent(case: Case) -> None:
    """Decisions with their views and legal lists, refusals, news, comebacks, decision numbers; scenes of spectators."""
    changed = 0
    for viewer in case.viewers:
        dice = Random(f"{case} {viewer}")
        match = a_match(case, viewer, dice)
        for part in (0.3, 0.8):
            until = round(part * len(match.positions))
            stream = Stream(dice.randbytes(32))
            start = HIDDEN[case.game].deal_anew(match.positions[: until + 1], viewer, stream)
            changed += start.digest() != match.positions[0].digest()

            def replay(table: Table, until: int = until) -> None:
                match.replay(table, viewer, until)  # noqa: B023 - called at once

            sent = at_a_table(case, start, replay, viewer)
            assert len(sent) > until // (2 * case.seats)
            assert sent == match.sent[: len(sent)]
    assert changed > len(case.viewers)


def test_every_game_with_hidden_information_is_tested() -> None:
    assert {game for game, rules in GAMES.items() if rules.spec.hidden_information} == set(HIDDEN)
    assert {case.game for case in SECRETIVE} == set(HIDDEN)
