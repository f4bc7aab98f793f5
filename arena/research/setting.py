"""A game with its seats and options, as environments play it: positions as arrays, actions by place in the list."""

from collections.abc import Mapping
from operator import index
from typing import Final, SupportsIndex, TypedDict, TypeVar

import numpy as np
import numpy.typing as npt

from arena.drawings.drawing import drawing_for
from arena.pictures.picture import picture_for
from arena.research.features import NONE, Feature, GameFeatures, features_for
from engine.game import Game, InvalidOptionsError, Outcome, State
from engine.registry import GAMES

Ints = npt.NDArray[np.int32]
"""Numbers that a seat sees."""

Mask = npt.NDArray[np.int8]
"""1 for each place of an action that is legal, 0 for the rest."""

_MOST_KINDS: Final = 32

_Number = TypeVar("_Number", bound=np.generic)


class RefusedError(ValueError):
    """What was asked of an environment is not possible; the message says what is wrong and what to do."""


class SeatObservation(TypedDict):
    """What a seat is given: nothing in it depends on what the seat may not know."""

    observation: dict[str, Ints]
    """The features by name."""
    action_mask: Mask
    """By place; all 0 unless the seat decides."""
    actions: Ints
    """By place and column of `Setting.columns`: what the action is; NONE in rows without an action and in fields that
    an action does not have."""


class Setting:
    """A game with a number of seats and options.

    An action is given by its place in the ascending list of legal actions, from 0. Actions that the rules never list,
    such as free offers and plans of several steps, cannot be given.
    """

    def __init__(self, game: str, seats: int | None = None, options: Mapping[str, str] | None = None) -> None:
        """`seats`: by default the most that the game allows. `options`: as text by name, defaults for the rest.

        Raises RefusedError: no such game, number of seats or option.
        """
        self.game: Final = game
        self.rules: Final = _rules_of(game)
        self._features: Final = _features_of(game)
        self.seats: Final = self.rules.spec.max_seats if seats is None else seats
        self.options: Final = _options_of(self.rules, self.seats, options or {})
        self.features: Final[tuple[Feature, ...]] = self._features.features(self.seats, self.options)
        self.size: Final = sum(_count(feature) for feature in self.features)
        """Numbers of all features."""
        self.actions: Final = self._features.most_actions(self.seats, self.options)
        """The size of the action space. Of a longer list the actions from this place on cannot be given."""
        self.columns: Final = ("kind", *(field.name for field in self._features.fields))
        """What the columns of `SeatObservation.actions` are."""
        self._reads: Final = [feature.read for feature in self.features]
        self._places: Final = _places(self.features)
        self._shifts, self._field_masks = _field_tables(self._features)

    def new_match(self, seed: bytes) -> State:
        """Return the position after the set-up of a seed of 32 bytes. Raises ValueError for another length."""
        return self.rules.new_match(self.seats, self.options, seed)

    def observe(self, state: State, seat: int) -> SeatObservation:
        """Return what a seat is given in a position."""
        decides = state.seat_to_act == seat
        return {
            "observation": self.split(self.vector(state.observe(seat))),
            "action_mask": self.mask(self.legal_count(state) if decides else 0),
            "actions": self.table(state if decides else None),
        }

    def vector(self, view: object) -> Ints:
        """Return all features of an Observation of the game, one after the other: `size` numbers."""
        values: list[int] = []
        for read in self._reads:
            values += read(view)
        return np.array(values, np.int32)

    def split(self, vector: npt.NDArray[_Number]) -> dict[str, npt.NDArray[_Number]]:
        """Return the features of a vector by name, in their shapes, without copying."""
        return {name: vector[place].reshape(shape) for name, place, shape in self._places}

    def legal_count(self, state: State) -> int:
        """Return how many actions can be given: the length of the legal list, at most `actions`."""
        return min(len(state.legal_actions()), self.actions)

    def mask(self, count: int) -> Mask:
        """Return the mask of the first `count` places."""
        mask = np.zeros(self.actions, np.int8)
        mask[:count] = 1
        return mask

    def table(self, state: State | None) -> Ints:
        """Return the legal actions of a position in columns, by place; of None a table without actions."""
        table = np.full((self.actions, len(self.columns)), NONE, np.int32)
        if state is not None:
            legal = np.array(state.legal_actions()[: self.actions], np.uint32)
            kinds = legal >> self._features.kind_shift
            values = legal[:, None] >> self._shifts[kinds] & self._field_masks[kinds]
            table[: len(legal), 0] = kinds
            table[: len(legal), 1:] = np.where(self._field_masks[kinds] > 0, values.astype(np.int32), NONE)
        return table

    def action_at(self, state: State, place: SupportsIndex) -> int:
        """Return the packed action in that place of the position's list.

        Raises RefusedError: the place is no whole number, or no action has it.
        """
        try:
            number = index(place)
        except TypeError:
            raise RefusedError(
                f"An action is given by its place, a whole number, not {type(place).__name__}: take one where"
                " action_mask is 1."
            ) from None
        count = self.legal_count(state)
        if not 0 <= number < count:
            raise RefusedError(
                f"No legal action has the place {number}: take one where action_mask is 1, here"
                f" 0 to {count - 1}."
            )
        return state.legal_actions()[number]

    def rewards(self, outcome: Outcome) -> list[float]:
        """Return the reward by seat at the end of a match.

        With several seats: the share of the other seats that it has beaten less the share that has beaten it, from -1
        to 1, in all 0. With one seat: its score.
        """
        placings = outcome.placings
        if self.seats == 1:
            return [float(outcome.scores[0])]
        others = self.seats - 1
        return [
            (sum(other > own for other in placings) - sum(other < own for other in placings)) / others
            for own in placings
        ]

    def text(self, state: State, viewer: int) -> str:
        """Return the position as a viewer (a seat, or SPECTATOR) sees it, in lines of at most 80 characters."""
        return drawing_for(self.game).draw(state.observe(viewer)).plain

    def svg(self, state: State, viewer: int) -> str:
        """Return the position as a viewer sees it as an SVG picture."""
        return picture_for(self.game).draw(state.observe(viewer)).svg()


def _rules_of(game: str) -> Game:
    if game not in GAMES:
        raise RefusedError(f'There is no game "{game}": choose one of {", ".join(GAMES)}.')
    return GAMES[game]


def _features_of(game: str) -> GameFeatures:
    try:
        return features_for(game)
    except KeyError:
        raise RefusedError(
            f'The game "{game}" has no feature list: write arena/research/{game}/features.py'
            " (docs/adding_a_game.md)."
        ) from None


def _options_of(rules: Game, seats: int, values: Mapping[str, str]) -> object:
    for name, value in values.items():
        if not isinstance(value, str):
            raise RefusedError(
                f'The option "{name}" is given as text, for example "{str(value).lower()}", not as'
                f" {type(value).__name__}."
            )
    try:
        return rules.options(seats, values)
    except InvalidOptionsError as error:
        raise RefusedError(str(error)) from None


def _count(feature: Feature) -> int:
    return int(np.prod(feature.shape))


def _places(features: tuple[Feature, ...]) -> list[tuple[str, slice, tuple[int, ...]]]:
    """Return of each feature its name, its place in a vector, and its shape."""
    places, start = [], 0
    for feature in features:
        places.append((feature.name, slice(start, start + _count(feature)), feature.shape))
        start += _count(feature)
    return places


def _field_tables(features: GameFeatures) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Return by kind and field how far an action is shifted, and the mask of the field then; 0: it has none."""
    shifts = np.zeros((_MOST_KINDS, len(features.fields)), np.uint32)
    masks = np.zeros_like(shifts)
    for column, field in enumerate(features.fields):
        for kind, bits in field.bits.items():
            shifts[kind, column] = bits.lowest
            masks[kind, column] = (1 << bits.count) - 1
    return shifts, masks
