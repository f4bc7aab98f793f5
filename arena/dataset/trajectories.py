"""The plies of simulated matches as rows of the table of decisions, column by column."""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from arena.dataset.columns import Coded, Repeated, Rows, repeated
from engine.state import State

WORD: Final = "q"
"""The typecode of the arrays: 64-bit integers."""


class Trajectories:
    """The plies of a few matches that were played one after the other."""

    def __init__(self) -> None:
        """Start without plies."""
        self._seats: list[int] = []
        self._actions: list[int] = []
        self._places: list[int] = []
        self._counts: list[int] = []
        self._plies: list[int] = []
        self._texts: dict[int, str] = {}
        # Bound once: this takes a fifth of the time of recording a ply.
        self._add_seat, self._add_action = self._seats.append, self._actions.append
        self._add_place, self._add_count = self._places.append, self._counts.append

    def add(self, seat: int, action: int, legal: Sequence[int]) -> None:
        """Record an action that is about to be played. `legal`: the list of legal actions, which has it."""
        self._add_seat(seat)
        self._add_action(action)
        self._add_place(bisect_left(legal, action))
        self._add_count(len(legal))

    def end_match(self, state: State, plies: int) -> None:
        """Note that a match of so many plies is over. `state`: any of it, for the texts of its actions."""
        self._plies.append(plies)
        for action in set(self._actions[len(self._actions) - plies :]) - self._texts.keys():
            self._texts[action] = state.format_action(action)

    def rows(self, first: int) -> Rows:
        """Return the plies as rows of DECISIONS. `first`: the number of the first match."""
        codes = {action: code for code, action in enumerate(self._texts)}
        plies = array(WORD)
        for count in self._plies:
            plies.extend(range(count))
        return Rows(
            len(self._actions),
            {
                "match": repeated(range(first, first + len(self._plies)), self._plies),
                "ply": plies,
                "seat": array(WORD, self._seats),
                "action": array(WORD, self._actions),
                "notation": Coded(
                    array(WORD, [codes[action] for action in self._actions]), [*self._texts.values()]
                ),
                "list_place": array(WORD, self._places),
                "legal_actions": array(WORD, self._counts),
                "cause": Repeated("CHOSEN"),
            },
        )
