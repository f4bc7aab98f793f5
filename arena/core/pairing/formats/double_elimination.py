"""Double elimination: who loses two ties is out.

Losers of the winners' bracket drop into the losers' bracket, whose winner meets the undefeated bot in the grand final.
If the undefeated bot loses it, both have lost once, and a second tie, the *reset*, decides.
"""

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
from arena.core.pairing.formats.knockout import SEATS, rank_by_exit, tie_size
from arena.core.pairing.formats.plan import Bracket, History, NextRound, PlanSize
from arena.core.pairing.formats.progress import BotProgress, bracket_progress
from arena.core.pairing.formats.single_round import check_enough, check_groups
from arena.core.pairing.formats.ties import BracketTie

_Source = Seed | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True)
class DoubleElimination:
    """Winners, losers, grand final with reset; each tie of up to `best_of` groups of two bots."""

    best_of: int = 1

    def check(self, entrants: Sequence[str]) -> None:
        """Check that there is a final; see Format."""
        check_enough(len(entrants), 2, "A double elimination")
        check_groups((2 * len(entrants) - 1) * self.best_of, SEATS)

    def expected_size(self, entrants: int) -> PlanSize:
        """Return the size; see Format."""
        steps = max(tie.step for tie in double_elimination_tree(entrants))
        least = tie_size(2 * entrants - 2, steps - 1, self.best_of)
        most = tie_size(2 * entrants - 1, steps, self.best_of)
        return PlanSize(
            rounds=(least.rounds[0], most.rounds[1]),
            groups=(least.groups[0], most.groups[1]),
            matches=(least.matches[0], most.matches[1]),
        )

    def next_round(self, history: History) -> NextRound:
        """Return the groups of the ties that are undecided; see Format."""
        return self._state(history).next_round(history.entrants)

    def ranking(self, history: History) -> tuple[tuple[str, ...], ...]:
        """Rank by when a bot lost for the second time; those of the same round of the losers share the rank.

        Bots that are still in share the first rank; see Format.
        """
        state = self._state(history)
        return rank_by_exit(history, state, _exits(state))

    def progress(self, history: History) -> dict[str, BotProgress]:
        """Return the newest tie of each entrant, and whether it is eliminated; see Progressive."""
        state = self._state(history)
        return bracket_progress(history, state.reached(), _exits(state))

    def ties(self, history: History) -> tuple[BracketTie, ...]:
        """Return all ties of the brackets, decided or not."""
        return self._state(history).ties()

    def _state(self, history: History) -> TreeState:
        return play_tree(double_elimination_tree(len(history.entered(1))), history, self.best_of)


def _exits(state: TreeState) -> dict[str, tuple[int, int]]:
    """Return the bots that have lost twice, with the step in which they did, and 0."""
    lost: dict[str, tuple[int, int]] = {}
    for place, result in state.results.items():
        tie = state.tree[place]
        if tie.bracket is Bracket.LOSERS or tie.needed_after is not None:
            lost.update(dict.fromkeys(result.order[1:], (tie.step, 0)))
    return lost


def double_elimination_tree(entrants: int) -> list[TreeTie]:
    """Return the tree of a double elimination: no tie for fewer than two entrants.

    Losers drop into the other half of the bracket than those whom they or their opponents have met: up to 64 entrants
    no two meet again before the last four rounds of the losers' bracket.
    """
    size = bracket_size(entrants)
    if size < 2:
        return []
    tree: list[TreeTie] = []
    winners: list[_Source] = [Seed(number) for number in seed_order(size)]
    losers: list[_Source] = []
    level = losers_level = 0
    while len(winners) > 1:
        level += 1
        places = _add(tree, Bracket.WINNERS, level, winners)
        winners = [WinnerOf(place) for place in places]
        dropped: list[_Source] = [LoserOf(place) for place in places]
        if level > 1:
            dropped = _crossed(dropped, level)
            losers_level += 1
            mixed = [each for pair in zip(losers, dropped, strict=True) for each in pair]
            losers = [WinnerOf(place) for place in _add(tree, Bracket.LOSERS, losers_level, mixed)]
        else:
            losers = dropped
        if len(losers) > 1:
            losers_level += 1
            losers = [WinnerOf(place) for place in _add(tree, Bracket.LOSERS, losers_level, losers)]
    step = max(tie.step for tie in tree) + 1
    final = len(tree)
    tree.append(TreeTie(1, Bracket.FINAL, 1, step, (winners[0], losers[0])))
    tree.append(TreeTie(2, Bracket.FINAL, 2, step + 1, (winners[0], losers[0]), needed_after=final))
    return tree


def _add(tree: list[TreeTie], bracket: Bracket, level: int, feeding: Sequence[_Source]) -> range:
    """Add the ties of one round of a bracket, and return their places. Losers play one step after the winners."""
    number = sum(tie.bracket is bracket for tie in tree)
    step = level if bracket is Bracket.WINNERS else level + 1
    first = len(tree)
    pairs = zip(feeding[::2], feeding[1::2], strict=True)
    tree.extend(TreeTie(number + k, bracket, level, step, pair) for k, pair in enumerate(pairs, start=1))
    return range(first, len(tree))


def _crossed(dropped: Sequence[_Source], level: int) -> list[_Source]:
    """Return the losers of a round of winners in the order in which they enter: reversed, halves swapped, or both."""
    half = len(dropped) // 2
    swapped = [*dropped[half:], *dropped[:half]]
    return [swapped[::-1], list(dropped[::-1]), swapped][(level - 1) % 3]
