"""What decisions of Caravanserai are worth: the placements that mcts tries, and the match played out after them.

Nothing is hidden and nothing is left to chance, so the matches are played out with some chance in the choice of
placements: an interval then says how much depends on how the seats play on.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import count
from typing import Final

from engine.caravanserai.actions import CAMEL_STEP, kind_of
from engine.caravanserai.observation import Decision
from engine.caravanserai.position import NEVER
from engine.caravanserai.quick.paths import Paths
from engine.caravanserai.quick.placements import Finder
from engine.caravanserai.quick.playouts import COUNTED, answer_quickly, play_turn, quick_answer
from engine.caravanserai.quick.worth import worth
from engine.caravanserai.sensible import sensible_action
from engine.caravanserai.state import CaravanseraiState
from engine.game import TERMINAL
from engine.randomness import Stream
from sample_bots.python.caravanserai.search.judgement import SETTINGS, CaravanseraiJudgement
from sample_bots.python.search.tree import Move, Tree

EFFORT: Final = 60
"""Simulations of an advice."""

PLACEMENTS: Final = 16
"""Placements and openings that are looked at."""
ANSWERS: Final = 8
"""Inns for a good that are looked at."""
COMPLETIONS: Final = 8
"""Ways to complete a placement that are looked at."""
TRIES: Final = 3
"""For each next step, so many are tried."""

SPREAD: Final = 2.0
"""In pieces, at the end of the match."""

_OTHER_IN: Final = 3
"""One placement of so many in a match played out is not the best one."""
_CHOICES: Final = 3
"""But one of so many."""


class CaravanseraiJudge:
    """A move is a placement, or an answer."""

    bot = "mcts"

    def __init__(self) -> None:
        """Know no board yet."""
        self._board: tuple[int, bytes] = 0, b""
        self._paths: Paths | None = None

    def paths(self, state: CaravanseraiState) -> Paths:
        """Return the paths of the board; those of the last one are kept, because it takes long to find them."""
        board = state.setup.seats, bytes(colour + 1 for colour in state.setup.inn_colour)
        if self._paths is None or board != self._board:
            self._board, self._paths = board, Paths(state.setup)
        return self._paths

    def moves(self, state: CaravanseraiState) -> Sequence[Move]:
        """Return placements, ways to complete one that has begun, or answers."""
        judgement = CaravanseraiJudgement(self.paths(state))
        if state.decision is Decision.OPEN_CELL or (state.decision is Decision.STEP and not state.laid):
            return judgement.moves(state, at_root=True)[:PLACEMENTS]
        if state.decision is Decision.STEP:
            return completions(state)
        listed = state.legal_actions()
        others = listed[:: max(1, len(listed) // ANSWERS)]
        return list(dict.fromkeys([(quick_answer(state),), *((action,) for action in others)]))

    def continues(self, before: CaravanseraiState, after: CaravanseraiState) -> bool:
        """Return whether a placement goes on."""
        return after.decision is Decision.STEP and after.laid > before.laid

    def play_on(self, state: CaravanseraiState, root: CaravanseraiState, stream: Stream) -> None:
        """Play the match out."""
        paths = self.paths(state)
        while state.seat_to_act != TERMINAL:
            if state.decision is Decision.OPEN_CELL:
                listed = state.legal_actions()
                state.apply(listed[stream.uniform(len(listed))])
            elif state.decision is Decision.STEP and state.laid:
                state.apply(sensible_action(state, stream))
            elif state.decision is Decision.STEP:
                most = 1 if stream.uniform(_OTHER_IN) else _CHOICES
                found = Finder(state, state.seat_to_act, paths, most_counted=COUNTED).best(most)
                play_turn(state, found[stream.uniform(len(found))][1])
            else:
                answer_quickly(state)

    def points(self, state: CaravanseraiState) -> Sequence[float]:
        """Return the lengths."""
        return [float(len(cells)) for cells in state.cells]

    def spread(self, state: CaravanseraiState) -> float:
        """Return the same at any time: the match is played out."""
        return SPREAD

    def advice(self, deal: Callable[[], CaravanseraiState], seed: bytes) -> Move | None:
        """Return the placement of mcts; None within a placement and for answers, where it does not search."""
        state = deal()
        if state.decision in (Decision.STEAL_FROM, Decision.SEED_GOOD) or state.laid:
            return None
        tree, looks = Tree(state.clone, CaravanseraiJudgement(self.paths(state)), SETTINGS), count()
        tree.grow(lambda: next(looks) / EFFORT)
        return tree.best()


def completions(state: CaravanseraiState) -> list[Move]:
    """Return ways to complete the placement that has begun, the best first by what the caravan then promises.

    From each first step a few are found by the sensible policy; the same for the same position.
    """
    seat, stream = state.seat_to_act, Stream(sha256(state.digest()).digest())
    last = NEVER < state.trigger < state.round
    found: dict[Move, int] = {}
    for action in state.legal_actions():
        for _ in range(TRIES):
            after, steps = state.clone(), [action]
            after.apply(action)
            while kind_of(steps[-1]) != CAMEL_STEP and after.seat_to_act == seat:
                steps.append(sensible_action(after, stream))
                after.apply(steps[-1])
            found[tuple(steps)] = promise(after, seat, last=last)
    return sorted(found, key=lambda steps: -found[steps])[:COMPLETIONS]


def promise(state: CaravanseraiState, seat: int, *, last: bool) -> int:
    """Return what the caravan of a seat promises after its turn."""
    head, goods = state.cells[seat][-1], sum(state.goods_of(seat))
    room = (state.setup.tables.near[head] & ~state.occupied).bit_count()
    return worth(len(state.cells[seat]), goods, state.camels[seat], room, last=last)


JUDGE: Final = CaravanseraiJudge()
