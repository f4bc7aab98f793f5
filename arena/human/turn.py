"""What a person plans before they send it: actions played on positions that fit what their seat sees."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.codecs.codec import codec_for
from arena.drawings.drawing import Step, drawing_for
from arena.pictures.picture import picture_for
from engine.game import TERMINAL, Event, IllegalActionError, State
from engine.randomness import SEED_BYTES, Stream

SAMPLES: Final = 8
"""Positions that fit what the seat sees. If an action leads to different views, chance or a hidden card decides."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An action that the seat may play."""

    action: int
    """Packed."""
    notation: str
    """As the game's rules write it."""
    words: str
    """As a sentence without its subject, for example "moves a camel from 44 to 11"."""
    note: str = ""
    """What else is to be known before it is chosen, for example "costs 2 points"; empty if nothing."""

    @property
    def told(self) -> str:
        """The words with the note."""
        return f"{self.words} ({self.note})" if self.note else self.words


@dataclass(frozen=True, slots=True)
class Planned:
    """An action that was planned and not sent."""

    choice: Choice
    leads_to: object | None
    """The seat's own Observation after it; None: it depends on chance or on what is hidden."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A hint."""

    sentence: str
    """Who would play what, or why there is no hint."""
    choice: Choice | None = None
    """What the sample bot would play."""


class PlannedTurn:
    """One decision of a seat and those that follow it at once, until another seat acts or chance decides."""

    def __init__(self, game: str, observation: object, names: Sequence[str] = ()) -> None:
        """Begin with nothing planned. `observation`: the game's own, of the seat to act. `names`: the bots by seat."""
        self._codec = codec_for(game)
        self._drawing = drawing_for(game)
        self._picture = picture_for(game)
        self._names = names
        streams = [Stream(bytes([sample]) * SEED_BYTES) for sample in range(SAMPLES)]
        first = [self._codec.game.from_observation(observation, stream) for stream in streams]
        self.seat = first[0].seat_to_act
        self._positions = [first]
        """The samples before each planned action and after the last."""
        self._observations = [observation]
        """What the seat sees before each planned action, as far as it is known."""
        self.planned: list[Planned] = []

    @property
    def observation(self) -> object:
        """What the seat would see now, as far as it is known: before a draw of chance, what the action itself does."""
        return self._observations[-1]

    @property
    def observation_before(self) -> object:
        """What the seat saw before the last planned action; what it sees now if nothing is planned."""
        return self._observations[-2:][0]

    @property
    def is_open(self) -> bool:
        """Whether another action can be planned before the planned ones are sent."""
        return not self.planned or (
            self.planned[-1].leads_to is not None and self._positions[-1][0].seat_to_act == self.seat
        )

    @property
    def outlook(self) -> str:
        """Why nothing more can be planned before the plan is sent, and what comes then; empty if more can be."""
        if self.is_open:
            return ""
        after = self._positions[-1]
        if all(state.seat_to_act == TERMINAL for state in after):
            return "This ends the match. Send it, or take it back."
        step = self._steps_of_last()[0]
        chance = f"{self._drawing.chance(step)} " if self.planned[-1].leads_to is None else ""
        if any(state.seat_to_act != self.seat for state in after):
            return f"{chance}Send this, or take it back."
        left = {self._drawing.left(state.observe(self.seat)) for state in after}
        same_turn = self._drawing.turn(step.before) == self._drawing.turn(step.after)
        points = f" with {left.pop()}" if same_turn and len(left) == 1 and "" not in left else ""
        return f"{chance}Send this; then you continue{points}."

    def choices(self) -> list[Choice]:
        """Return the listed legal actions; empty if the plan has to be sent first."""
        if not self.is_open:
            return []
        return [self.choice_of(action) for action in self._positions[-1][0].legal_actions()]

    def read(self, notation: str) -> Choice:
        """Return the action of a text in the notation of the rules, listed or not.

        Raises UnreadableActionError: it is no action of this game. Raises IllegalActionError: it may not be played now.
        """
        state = self._positions[-1][0]
        action = state.parse_action(notation)
        state.clone().apply(action)
        return self.choice_of(action)

    def step_of(self, choice: Choice) -> Step:
        """Return what an action does to a position that fits what the seat sees, for its marks on a picture."""
        return self._step(self._positions[-1][0], choice.action)

    def gain(self, choice: Choice) -> int:
        """Return how many points of score an action brings whatever chance does; 0 if that is not known."""
        gains = set()
        for state in self._positions[-1][:2]:
            try:
                step = self._step(state, choice.action)
            except IllegalActionError:
                return 0
            before, after = self._picture.scores(step.before), self._picture.scores(step.after)
            gains.add(after[self.seat] - before[self.seat] if after else 0)
        return gains.pop() if len(gains) == 1 else 0

    def _step(self, state: State, action: int) -> Step:
        position, events = self._played(state, action)
        return Step(self.seat, state.observe(self.seat), action, events, position.observe(self.seat))

    def position(self) -> State:
        """Return a position that fits what the seat sees after the planned actions; for hints."""
        return self._positions[-1][0].clone()

    def plan(self, choice: Choice) -> None:
        """Play an action on the samples. Raises IllegalActionError."""
        seen: list[tuple[object, tuple[Event, ...], int]] = []
        after: list[State] = []
        for state in self._positions[-1]:
            try:
                position, events = self._played(state, choice.action)
            except IllegalActionError:
                if not seen:
                    raise
                continue  # it fits only some of the samples
            after.append(position)
            seen.append((position.observe(self.seat), events, position.seat_to_act))
        known = len(seen) == SAMPLES and all(each == seen[0] for each in seen)
        self.planned.append(Planned(choice, seen[0][0] if known else None))
        self._positions.append(after)
        self._observations.append(seen[0][0] if known else self._known_part())

    def _steps_of_last(self) -> list[Step]:
        """Return what the last planned action does to each sample that it fits."""
        states = (state for state in self._positions[-2] if state.is_legal(self.planned[-1].choice.action))
        return [self._step(state, self.planned[-1].choice.action) for state in states]

    def _known_part(self) -> object:
        """Return what the seat sees of the last planned action before chance acts; without it, what it saw before."""
        steps = self._steps_of_last()
        seen = [self._picture.moments(step)[0].after for step in steps]
        return seen[0] if len(seen) == SAMPLES and all(each == seen[0] for each in seen) else self.observation

    def undo(self) -> bool:
        """Take the last planned action back; return whether there was one."""
        if not self.planned:
            return False
        for each in (self.planned, self._positions, self._observations):
            each.pop()
        return True

    def choice_of(self, action: int) -> Choice:
        """Return a legal action with its words, which tell nothing that chance or hidden cards decide."""
        states = self._positions[-1]
        told = {self._words(state, action) for state in states[:2]}
        if len(told) > 1:
            told = {self._words(states[0], action, with_events=False)}
        return Choice(action, states[0].format_action(action), *told.pop())

    def _words(self, state: State, action: int, *, with_events: bool = True) -> tuple[str, str]:
        """Return the sentence and the note of an action."""
        before = state.observe(self.seat)
        after = before
        events: tuple[Event, ...] = ()
        if with_events:
            try:
                position, events = self._played(state, action)
            except IllegalActionError:
                return "", ""
            after = position.observe(self.seat)
        step = Step(self.seat, before, action, events, after)
        return self._drawing.describe([step], self._names).plain, self._drawing.note(step)

    def _played(self, state: State, action: int) -> tuple[State, tuple[Event, ...]]:
        """Return the position after the action, and what the seat sees happen."""
        position = state.clone()
        position.apply(action)
        seen = (event.seen_by(self.seat) for event in position.take_events())
        return position, tuple(event for event in seen if event is not None)
