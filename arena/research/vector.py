"""Many matches of a game played side by side in one process, a decision of each at a time."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from arena.research.setting import Ints, Mask, RefusedError, Setting
from engine.game import TERMINAL, State


class VectorStepper:
    """A number of matches; one that is over makes room for the next at once.

    What every step needs is in arrays that the next step changes: copy what is to be kept.
    """

    def __init__(
        self,
        game: str,
        matches: int,
        *,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
    ) -> None:
        """Begin so many matches, their seeds drawn from `seed`; of None from numbers that nobody knows.

        `seats`: by default the most that the game allows. `options`: the game's own, as text by name.

        Raises RefusedError: no such game, number of seats or option, or no matches.
        """
        if matches < 1:
            raise RefusedError(f"At least 1 match is needed, not {matches}.")
        self.setting = Setting(game, seats, options)
        self._numbers = np.random.default_rng(seed)
        self._states: list[State] = [self._new_match() for _ in range(matches)]
        self._lists: list[Sequence[int]] = [state.legal_actions() for state in self._states]
        self.seat: Ints = np.array([state.seat_to_act for state in self._states], np.int32)
        """By match: the seat that decides."""
        self.legal: Ints = np.array([self.setting.legal_count(state) for state in self._states], np.int32)
        """By match: how many actions can be given; their places are 0 to this number less 1."""
        self.ended: npt.NDArray[np.bool_] = np.zeros(matches, np.bool_)
        """By match: whether the last step ended it; seat and legal are those of the next match then."""
        self.rewards: npt.NDArray[np.float32] = np.zeros((matches, self.setting.seats), np.float32)
        """By match and seat: what the last step brought, 0 unless it ended the match (`Setting.rewards`)."""
        self._places = np.arange(self.setting.actions, dtype=np.int32)

    def step(self, places: npt.ArrayLike) -> None:
        """Play in each match the action of that place in its legal list. `places`: by match, whole numbers.

        Raises RefusedError: not one number for each match, or a place that no legal action has. No match has changed.
        """
        chosen = np.asarray(places)
        if chosen.shape != self.legal.shape or not np.issubdtype(chosen.dtype, np.integer):
            raise RefusedError(
                f"{len(self._states)} whole numbers are needed, the place of an action for each match; given were"
                f" {chosen.dtype} of the shape {chosen.shape}."
            )
        wrong = (chosen < 0) | (chosen >= self.legal)
        if wrong.any():
            match = int(wrong.argmax())
            raise RefusedError(
                f"No legal action of match {match} has the place {chosen[match]}: take one from 0 to"
                f" {self.legal[match] - 1}."
            )
        if self.ended.any():
            self.ended[:] = False
            self.rewards[:] = 0.0
        seats, counts, states, lists = [], [], self._states, self._lists
        for match, place in enumerate(chosen.tolist()):
            state = states[match]
            state.apply(lists[match][place])
            state.take_events()  # nobody reads them, and a long match would keep thousands
            seat = state.seat_to_act
            if seat == TERMINAL:
                state = self._end(match, state)
                seat = state.seat_to_act
            seats.append(seat)
            listed = lists[match] = state.legal_actions()
            counts.append(len(listed))
        self.seat[:] = seats
        np.minimum(counts, self.setting.actions, out=self.legal)

    def masks(self) -> Mask:
        """Return by match and place 1 for each action that can be given."""
        return (self._places < self.legal[:, None]).astype(np.int8)

    def observations(self) -> Ints:
        """Return by match the features that the seat to act sees, one after the other (`Setting.vector`)."""
        vector = self.setting.vector
        return np.stack([vector(state.observe(state.seat_to_act)) for state in self._states])

    def actions(self) -> Ints:
        """Return by match, place and column what the legal actions are (`SeatObservation.actions`)."""
        return np.stack([self.setting.table(state) for state in self._states])

    def _new_match(self) -> State:
        return self.setting.new_match(self._numbers.bytes(32))

    def _end(self, match: int, state: State) -> State:
        """Note the result of a match that is over and begin the next in its place."""
        outcome = state.outcome()
        assert outcome is not None
        self.ended[match] = True
        self.rewards[match] = self.setting.rewards(outcome)
        new = self._states[match] = self._new_match()
        return new
