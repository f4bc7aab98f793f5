"""The knockout of two seats: who loses a tie is out."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.pairing.formats.bracket_tree import (
    LoserOf,
    Seed,
    TreeState,
    TreeTie,
    WinnerOf,
    bracket_size,
    play_tree,
    seed_order,
)
from arena.core.pairing.formats.plan import Bracket, History, NextRound, PlanSize
from arena.core.pairing.formats.progress import BotProgress, bracket_progress
from arena.core.pairing.formats.single_round import check_enough, check_groups
from arena.core.pairing.formats.ties import EXTRA_GROUPS, BracketTie

SEATS = 2


@dataclass(frozen=True, slots=True)
class Knockout:
    """Ties of two bots, each of up to `best_of` groups; the best seeds have the byes of the first round."""

    best_of: int = 1
    third_place: bool = False

    def check(self, entrants: Sequence[str]) -> None:
        """Check that there is a final; see Format."""
        check_enough(len(entrants), 2, "A knockout")
        check_groups((self._ties(len(entrants))) * self.best_of, SEATS)

    def expected_size(self, entrants: int) -> PlanSize:
        """Return the size; see Format."""
        steps = bracket_size(entrants).bit_length() - 1
        return tie_size(self._ties(entrants), steps, self.best_of)

    def next_round(self, history: History) -> NextRound:
        """Return the groups of the ties that are undecided; see Format."""
        return self._state(history).next_round(history.entrants)

    def ranking(self, history: History) -> tuple[tuple[str, ...], ...]:
        """Rank by how far a bot has come; those that lost in the same round share the rank; see Format.

        Bots that are still in share the first rank; so do those in the final and, after them, in the tie for the
        third place. Who withdrew before the first round comes last.
        """
        state = self._state(history)
        return rank_by_exit(history, state, _exits(state))

    def progress(self, history: History) -> dict[str, BotProgress]:
        """Return the newest tie of each entrant, and whether it is eliminated; see Progressive."""
        state = self._state(history)
        return bracket_progress(history, state.reached(), _exits(state))

    def ties(self, history: History) -> tuple[BracketTie, ...]:
        """Return all ties of the bracket, decided or not."""
        return self._state(history).ties()

    def _state(self, history: History) -> TreeState:
        return play_tree(
            knockout_tree(len(history.entered(1)), third_place=self.third_place), history, self.best_of
        )

    def _ties(self, entrants: int) -> int:
        return entrants - 1 + (self.third_place and entrants >= 4)


def _exits(state: TreeState) -> dict[str, tuple[int, int]]:
    """Return the bots that were eliminated, with the step in which they were, and 1 for the third place, else 0."""
    third: tuple[str, ...] = ()
    lost: dict[str, tuple[int, int]] = {}
    for place, result in state.results.items():
        tie = state.tree[place]
        if tie.bracket is Bracket.THIRD_PLACE:
            third = result.order[:1]
        else:
            lost.update(dict.fromkeys(result.order[1:], (tie.step, 0)))
    lost.update({bot: (lost[bot][0], 1) for bot in third})
    return lost


def tie_size(ties: int, steps: int, best_of: int) -> PlanSize:
    """Return the size of so many ties, if no bot is missing."""
    least, most = best_of // 2 + 1, best_of + EXTRA_GROUPS
    rounds_most = best_of - least + 1 + EXTRA_GROUPS
    return PlanSize(
        rounds=(steps, steps * rounds_most),
        groups=(ties * least, ties * most),
        matches=(ties * least * SEATS, ties * most * SEATS),
    )


def rank_by_exit(
    history: History, state: TreeState, lost: dict[str, tuple[int, int]]
) -> tuple[tuple[str, ...], ...]:
    """Rank entrants by when they were out, the latest first, before them those that are not, after them the absent."""
    still_in = tuple(bot for bot in state.seeds if bot not in lost)
    exits = sorted(set(lost.values()), reverse=True)
    ranks = [still_in, *(tuple(bot for bot in state.seeds if lost.get(bot) == each) for each in exits)]
    ranks.append(tuple(bot for bot in history.entrants if bot not in set(state.seeds)))
    return tuple(rank for rank in ranks if rank)


def knockout_tree(entrants: int, *, third_place: bool = False) -> list[TreeTie]:
    """Return the tree of a knockout: no tie for fewer than two entrants."""
    size = bracket_size(entrants)
    if size < 2:
        return []
    tree: list[TreeTie] = []
    order = seed_order(size)
    feeding: list[Seed | WinnerOf | LoserOf] = [Seed(number) for number in order]
    level = 1
    while len(feeding) > 1:
        pairs = list(zip(feeding[::2], feeding[1::2], strict=True))
        bracket = Bracket.FINAL if len(pairs) == 1 else Bracket.WINNERS
        first = len(tree)
        for pair in pairs:
            number = 1 if bracket is Bracket.FINAL else len(tree) + 1
            tree.append(TreeTie(number, bracket, level, level, pair))
        feeding = [WinnerOf(place) for place in range(first, first + len(pairs))]
        level += 1
    if third_place and entrants >= 4:
        semi_finals = (LoserOf(len(tree) - 3), LoserOf(len(tree) - 2))
        tree.append(TreeTie(1, Bracket.THIRD_PLACE, level - 1, level - 1, semi_finals))
    return tree
