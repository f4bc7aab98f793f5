"""Hidden information is hidden: a viewer is sent the same bytes in matches that differ in what it may not know.

A match is played with the arena's own runner, sessions and words of the wire. Then what is hidden from one viewer up to
some ply is dealt anew, and the same answers are given again: whatever the viewer is sent must be the same, message by
message, at the same ply and at the same time; so must the debug lines that are kept for it. All other bots write into
theirs what they may not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from arena.codecs.codec import codec_for
from arena.core.clock.round_trip import RoundTrip
from arena.core.clock.time_control import RANGES, TimeControl
from arena.core.match import DebugLine
from arena.core.referee.referee import Refused
from arena.runner.match_runner import MatchRunner
from arena.sessions.handshake import Identity, Preferences
from arena.sessions.outgoing import Goodbye, Outgoing
from arena.sessions.registry import SessionRegistry
from arena.wire.play.outgoing import encode_message, happening_bytes
from engine.game import SPECTATOR, Game, State
from engine.randomness import Stream
from engine.registry import GAMES
from tests.unit.contract.cases import CASES, Case
from tests.unit.contract.hidden import HIDDEN
from tests.unit.core.stalls_by_hand import idle_meter
from tests.unit.runner.fakes import MatchFixture

SECRETIVE = [case for case in CASES if case.rules.spec.hidden_information]
THOUGHT_MS = 1
CONTROL = TimeControl(strikes=RANGES["strikes"][1], increment_ms=0, secret_pad_ms=2 * THOUGHT_MS)
"""Without increments: who lets his time pass shows how long it was (docs/architecture.md, "What timing tells")."""
PREFERENCES = (
    Preferences(live=True, text=True),
    Preferences(typed_actions=False, packed_actions=True),
    Preferences(typed_actions=False, full_view=False, text=True),
)
Answer = tuple[int, ...] | Refused | None
"""What a bot sends; None: nothing, until its time is over."""

LATE = 16
"""Twentieths of a match."""

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

    table: ScriptedMatch
    preferences: Preferences
    round_trip: RoundTrip = field(default_factory=lambda: RoundTrip(local=False))
    silent: bool = False
    heard: list[tuple[int, int, bytes]] = field(default_factory=list)

    def push(self, message: Outgoing) -> None:
        now = self.table.room.timers.now()
        self.heard.append((self.table.steps, now, encode_message(message, self.preferences)))

    def end(self, ending: Goodbye) -> None:
        raise AssertionError(ending)


class ScriptedMatch:
    """A match that begins with a position, at which a test answers for every seat."""

    def __init__(self, case: Case, start: State) -> None:
        self.steps = 0
        """Answers so far, but for those that others than the viewer gave in secret."""
        self.case = case
        self.room = MatchFixture(case.seats, game=case.game, control=CONTROL, match=1, **case.options)
        sessions = SessionRegistry(self.room.timers, lambda: None)
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
            stalls=idle_meter(),
            match_manager=self.room,
        )
        self.runner.offer()
        for each in self.seats:
            each.match.ready(each.seat)

    @property
    def state(self) -> State:
        return self.runner.state

    def answer(self, answer: Answer, viewer: int) -> None:
        """Of the seat to act, after a millisecond or never, and a debug line before it."""
        acting = self.state.seat_to_act
        seat = self.seats[acting]
        for _ in range(LONGEST_PAUSE_MS):
            if seat.open is not None:
                break
            self.room.timers.move(1)
        assert seat.open is not None
        decision = seat.open.decision
        seat.written(decision, self.room.timers.now())
        seat.keep_debug(decision, b"mine" if acting == viewer else self.state.digest())
        self.steps += not self.is_secret(viewer)
        if answer is None:
            while self.waits_for(acting, decision):
                self.room.timers.move_to_next()
            return
        self.room.timers.move(THOUGHT_MS)
        seat.answer(decision, answer, self.room.timers.now())

    def waits_for(self, seat: int, decision: int) -> bool:
        """Return whether the seat's question is still open."""
        question = self.seats[seat].open
        return question is not None and question.decision == decision

    def is_secret(self, viewer: int) -> bool:
        """Return whether somebody else than the viewer is asked in secret."""
        return self.state.asks_in_secret and self.state.seat_to_act != viewer

    def answer_out_of_place(self, seat: int) -> None:
        """Answer a decision of the seat that is over, if there is one, and one that is not yet asked."""
        asked = self.seats[seat].asked
        for decision in (asked - 1, asked + 1):
            self.seats[seat].answer(decision, (0,), self.room.timers.now())

    def come_back(self, seat: int) -> None:
        """Reconnect the bot of the seat, which is sent its match anew."""
        session, ear = self.sessions[seat], self.ears[seat]
        session.disconnect(ear)
        session.connect(ear, ear.preferences)
        session.repeat_all()

    def public(self) -> list[bytes]:
        """Return what spectators have been shown."""
        codec = codec_for(self.case.game)
        return [
            b"".join([happening_bytes(each, codec) for each in frame.happened])
            + codec.encode_observation(frame.observation)
            for frame in self.runner.spectator_view.frames()
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
    kept: list[DebugLine]

    def public(self, until: int) -> list[Answer]:
        """Of the first answers, those that were not given in secret."""
        return [each for each, secret in zip(self.answers[:until], self.secret, strict=False) if not secret]

    def replay(self, table: ScriptedMatch, viewer: int, until: int) -> None:
        """Repeat the first answers. A seat asked in secret gives the answer that was given there, or passes."""
        public = self.public(until)
        offers = self.positions[until].secret_offers
        given = zip(self.positions, self.answers[:until], self.secret, strict=False)
        hidden = {position.secret_offers: answer for position, answer, secret in given if secret}
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


def sent_to(table: ScriptedMatch, viewer: int) -> list[Any]:
    return table.public() if viewer == SPECTATOR else table.ears[viewer].heard


def kept_for(table: ScriptedMatch, viewer: int) -> list[DebugLine]:
    """Return the debug lines that the viewer's owner may read, with their decisions."""
    return [] if viewer == SPECTATOR else list(table.runner.debug_lines[viewer])


def at_a_table(
    case: Case, start: State, play: Callable[[ScriptedMatch], None], viewer: int
) -> tuple[list[Any], list[DebugLine]]:
    """Return what the viewer is sent in the match, and what is kept for it."""
    with patch.dict(GAMES.imported, {case.game: FromHere(case.rules, start)}):
        table = ScriptedMatch(case, start)
        play(table)
        return sent_to(table, viewer), kept_for(table, viewer)


def a_match(case: Case, viewer: int, dice: Random) -> Played:
    """All that may happen, with answers of the viewer that are refused, comebacks of it, and bots that are too late."""
    answers: list[Answer] = []
    secret: list[bool] = []
    positions: list[State] = []
    choose = HIDDEN[case.game].choose

    def play(table: ScriptedMatch) -> None:
        while not table.room.ends:
            state = table.state
            positions.append(state.clone())
            answer: Answer = (choose(state, dice),)
            if state.seat_to_act == viewer and dice.randrange(6) == 0:
                answer = dice.choice([Refused("it cannot be read"), dice.choice(answers or [answer])])
            secret.append(table.is_secret(viewer))
            if dice.randrange(20) == 0 and not secret[-1]:  # longer than a pad
                answer = None
            answers.append(answer)
            again(table, viewer, answer)
        assert table.state.outcome() is not None, "the match was void"

    sent, kept = at_a_table(case, case.new_match(), play, viewer)
    return Played(answers, secret, positions, sent, kept)


def again(table: ScriptedMatch, viewer: int, answer: Answer) -> None:
    """One answer, and now and then answers out of place and a comeback of the viewer."""
    counts = not table.is_secret(viewer)
    table.answer(answer, viewer)
    if counts and viewer != SPECTATOR and not table.room.ends:
        if table.steps % 15 == 0:
            table.answer_out_of_place(viewer)
        if table.steps % 40 == 0:
            table.come_back(viewer)


def other_starts(case: Case, match: Played, viewer: int, dice: Random) -> Iterator[tuple[int, State]]:
    """First positions dealt anew, with the number of answers up to which the viewer may see no difference.

    The last such number, in twentieths of the match, at which what stays hidden longest can still be another; and LATE.
    """
    hidden, first, found = HIDDEN[case.game], match.positions[0], False
    for part in range(18, 0, -1):
        until = max(1, part * len(match.positions) // 20)
        start = hidden.deal_anew(match.positions[: until + 1], viewer, Stream(dice.randbytes(32)))
        latest = not found and hidden.longest(start) != hidden.longest(first)
        found = found or latest
        if latest or (part == LATE and start.digest() != first.digest()):
            yield until, start
    assert found


@pytest.mark.parametrize("case", SECRETIVE, ids=str)
def test_what_a_viewer_may_not_know_changes_no_byte_that_it_is_sent(case: Case) -> None:
    """Decisions with their views and legal lists, refusals, news, comebacks, decision numbers; scenes of spectators.

    Rows 12, 13, 14, 16 and 19 of docs/bad_inputs.md; debug lines.
    """
    for viewer in case.viewers:
        dice = Random(f"{case} {viewer}")
        match = a_match(case, viewer, dice)
        for until, start in other_starts(case, match, viewer, dice):

            def replay(table: ScriptedMatch, until: int = until) -> None:
                match.replay(table, viewer, until)  # noqa: B023 - called at once

            sent, kept = at_a_table(case, start, replay, viewer)
            assert len(sent) > len(match.public(until)) // (2 * case.seats)
            assert sent == match.sent[: len(sent)]
            assert kept == match.kept[: len(kept)]


def test_every_game_with_hidden_information_is_tested() -> None:
    assert {game for game, rules in GAMES.items() if rules.spec.hidden_information} == set(HIDDEN)
    assert {case.game for case in SECRETIVE} == set(HIDDEN)
