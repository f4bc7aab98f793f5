"""The network as arrays, and how it learns: TD(lambda) targets and Adam."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

HIDDEN: Final = 32
"""Units of the hidden layer."""
LAMBDA: Final = 0.8
"""How much a target depends on what happened later, from 0 (the next position alone) to 1 (the result alone)."""
DISCOUNT: Final = 0.98
"""What a point is worth that comes one action later."""
BATCH: Final = 256
EPOCHS: Final = 2
STEP: Final = 0.002
"""The learning rate of Adam."""
_MOMENTUM: Final = 0.9
_SECOND: Final = 0.999
_SMALL: Final = 1e-8


def new_weights(features: int, dice: np.random.Generator) -> list[Floats]:
    """Return the weights before any training, in the order of the fields of Network: it expects nothing to come."""
    return [
        dice.normal(0.0, 1.0 / np.sqrt(features), (HIDDEN, features)),
        np.zeros(HIDDEN),
        np.zeros(HIDDEN),
        np.zeros(1),
    ]


def values(weights: list[Floats], rows: Floats) -> Floats:
    """Return the values of positions: those of `Network.value`. `rows`: (..., features)."""
    hidden, hidden_bias, output, output_bias = weights
    found: Floats = rows[..., 0] + output_bias[0] + np.tanh(rows @ hidden.T + hidden_bias) @ output
    return found


def targets(estimates: Floats, margins: Floats, finals: Floats) -> Floats:
    """Return what the values of the positions of a match should have been: lambda-returns.

    What a position is worth beyond its margin is the sum of the later changes of the margin, each the less the more
    actions later it comes (Sutton and Barto, Reinforcement Learning, 2nd edition, section 12.1). All by action played
    and seat: `estimates`, the values; `margins`. `finals`: by seat, the value of the end, which is the last position.
    """
    found = np.vstack([margins[:-1], finals])
    gains = found[1:] - found[:-1]
    expected = estimates - margins
    expected[-1] = 0.0
    to_come = np.zeros_like(finals)
    for ply in range(len(gains) - 1, -1, -1):
        to_come = gains[ply] + DISCOUNT * ((1 - LAMBDA) * expected[ply + 1] + LAMBDA * to_come)
        found[ply] += to_come
    return found


@dataclass
class Learner:
    """The weights with the state of Adam (Kingma and Ba, 2015, algorithm 1)."""

    weights: list[Floats]
    means: list[Floats] = field(default_factory=list)
    squares: list[Floats] = field(default_factory=list)
    steps: int = 0

    def __post_init__(self) -> None:
        """Begin Adam, unless its state is given."""
        self.means = self.means or [np.zeros_like(each) for each in self.weights]
        self.squares = self.squares or [np.zeros_like(each) for each in self.weights]

    def learn(self, rows: Floats, wanted: Floats, rate: float, dice: np.random.Generator) -> float:
        """Bring the values of the rows nearer to what is wanted; return the mean squared error before.

        `rate`: the learning rate, as a part of STEP.
        """
        error = float(np.mean((values(self.weights, rows) - wanted) ** 2))
        for _ in range(EPOCHS):
            order = dice.permutation(len(rows))
            for start in range(0, len(rows), BATCH):
                chosen = order[start : start + BATCH]
                self._step(self.gradients(rows[chosen], wanted[chosen]), rate)
        return error

    def gradients(self, rows: Floats, wanted: Floats) -> list[Floats]:
        """Return the gradients of half the mean squared error."""
        hidden, hidden_bias, output, output_bias = self.weights
        units = np.tanh(rows @ hidden.T + hidden_bias)
        errors = (rows[:, 0] + output_bias[0] + units @ output - wanted) / len(rows)
        back = errors[:, None] * output * (1 - units**2)
        return [back.T @ rows, back.sum(axis=0), errors @ units, errors.sum(keepdims=True)]

    def _step(self, gradients: list[Floats], rate: float) -> None:
        self.steps += 1
        rate *= STEP * np.sqrt(1 - _SECOND**self.steps) / (1 - _MOMENTUM**self.steps)
        for weights, mean, square, gradient in zip(
            self.weights, self.means, self.squares, gradients, strict=True
        ):
            mean += (1 - _MOMENTUM) * (gradient - mean)
            square += (1 - _SECOND) * (gradient**2 - square)
            weights -= rate * mean / (np.sqrt(square) + _SMALL)
