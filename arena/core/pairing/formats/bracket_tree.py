"""A bracket of ties of two bots: which seeds, winners and losers meet in each, and how far it has come.

A round of the bracket, a *step*, begins when all ties of the step before are decided; it takes as many rounds of the
tournament as its longest tie.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from arena.core.pairing.formats.plan import Bracket, History, NextRound, PlayedPairing, RoundPairing
from arena.core.pairing.formats.ties import BracketTie, TieEnd, TieResult, decide, tie_points


@dataclass(frozen=True, slots=True)
class Seed:
    """The entrant with this seed, from 1; nobody if there are fewer."""

    number: int


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """The winner of the tie with this place in the tree."""

    tie: int


@dataclass(frozen=True, slots=True)
class LoserOf:
    """The loser of the tie with this place in the tree; nobody if it had a bye."""

    tie: int


@dataclass(frozen=True, slots=True)
class TreeTie:
    """A tie of the tree."""

    number: int
    """Within its bracket, from 1."""
    bracket: Bracket
    level: int
    """Its round within the bracket, from 1."""
    step: int
    sources: tuple["Seed | WinnerOf | LoserOf", "Seed | WinnerOf | LoserOf"]
    needed_after: int | None = None
    """The place of the tie whose second bot must have won for this one to be played."""


def seed_order(size: int) -> list[int]:
    """Return the seeds of a bracket of `size`, a power of two, from top to bottom: 1 and 2 can meet only in the final.

    The usual bracket, for example 1 8 4 5 2 7 3 6: whoever meets has seeds of the sum `size + 1` in the first round,
    and in every later one if the better seeds win.
    """
    order = [1]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    return order


def bracket_size(entrants: int) -> int:
    """Return the least power of two that is not below the number of entrants."""
    return 1 << max(0, entrants - 1).bit_length()


@dataclass(slots=True)
class TreeState:
    """The ties of a tree before one round of a tournament."""

    tree: Sequence[TreeTie]
    seeds: tuple[str, ...]
    """The entrants that take part, best seed first."""
    best_of: int
    results: dict[int, TieResult] = field(default_factory=dict)
    """By place in the tree."""
    groups: dict[tuple[Bracket, int], list[PlayedPairing]] = field(default_factory=dict)
    """By bracket and number of the tie."""
    due: dict[int, int] = field(default_factory=dict)
    """The groups that the undecided ties of this step play next, by place in the tree."""
    byes: list[str] = field(default_factory=list)
    """Bots that came by a bye into the step that begins now."""
    steps: list[list[int]] = field(init=False)
    """The ties, by place in the tree, of each step that is not complete."""

    def __post_init__(self) -> None:
        """Group the ties by step."""
        numbers = sorted({tie.step for tie in self.tree})
        self.steps = [[at for at, tie in enumerate(self.tree) if tie.step == number] for number in numbers]

    def bots(self, tie: TreeTie) -> list[str] | None:
        """Return who is in the tie, best seed first; None if a tie before it is undecided."""
        found: list[str] = []
        for source in tie.sources:
            if (order := self._come_from(source)) is None:
                return None
            found.extend(order)
        return sorted(found, key=self.seeds.index)

    def _come_from(self, source: Seed | WinnerOf | LoserOf) -> tuple[str, ...] | None:
        """Return the bot of this source, or none of it; None if the tie that decides it is undecided."""
        if isinstance(source, Seed):
            return self.seeds[source.number - 1 : source.number]
        if (before := self.results.get(source.tie)) is None:
            return None
        return before.order[:1] if isinstance(source, WinnerOf) else before.order[1:]

    def reached(self) -> dict[str, tuple[Bracket, int]]:
        """Return bracket and level of the newest tie of each bot, also one whose other bot is not known yet."""
        found: dict[str, tuple[Bracket, int]] = {}
        for place, tie in enumerate(self.tree):
            if tie.needed_after is not None:
                result = self.results.get(place)
                if tie.needed_after not in self.results or (result and result.end is TieEnd.NOT_NEEDED):
                    continue
            for source in tie.sources:
                found.update(dict.fromkeys(self._come_from(source) or (), (tie.bracket, tie.level)))
        return found

    def settle(self, entered: Collection[str]) -> None:
        """Decide what can be decided by bots that have not withdrawn, and set what is due and the byes."""
        self.due, self.byes = {}, []
        while self.steps:
            for place in self.steps[0]:
                if place not in self.results:
                    self._settle(place, self.tree[place], entered)
            if self.due:
                return
            self.steps.pop(0)

    def _settle(self, place: int, tie: TreeTie, entered: Collection[str]) -> None:
        bots = self.bots(tie)
        if bots is None:
            raise ValueError(f"tie {tie.number} of {tie.bracket.name} is before a tie that it depends on")
        if tie.needed_after is not None:
            first, one = self.results[tie.needed_after], self.tree[tie.needed_after].sources[0]
            if isinstance(one, WinnerOf) and first.order[:1] == self.results[one.tie].order[:1]:
                self.results[place] = TieResult(first.order, TieEnd.NOT_NEEDED)
                return
        if len(bots) < 2:
            self.results[place] = TieResult(tuple(bots), TieEnd.BYE)
            self.byes.extend(bot for bot in bots if bot in entered)
            return
        outcome = decide(bots, self.groups.get((tie.bracket, tie.number), ()), entered, best_of=self.best_of)
        if isinstance(outcome, TieResult):
            self.results[place] = outcome
        else:
            self.due[place] = outcome

    def next_round(self, order_of_entry: Sequence[str]) -> NextRound:
        """Return the pairings that are due, and the byes."""
        entry = {bot: place for place, bot in enumerate(order_of_entry)}
        pairings: list[RoundPairing] = []
        for place, more in self.due.items():
            tie = self.tree[place]
            bots = tuple(sorted(self.bots(tie) or (), key=entry.__getitem__))
            played = len(self.groups.get((tie.bracket, tie.number), ()))
            pairings.extend(
                RoundPairing(bots, bracket=tie.bracket, table=tie.number, game=played + game)
                for game in range(1, more + 1)
            )
        return NextRound(
            tuple(pairings), tuple(sorted(set(self.byes), key=entry.__getitem__)) if pairings else ()
        )

    def ties(self) -> tuple[BracketTie, ...]:
        """Return all ties for those who show the bracket, in the order of the tree."""
        return tuple(self._view(place, tie) for place, tie in enumerate(self.tree))

    def _view(self, place: int, tie: TreeTie) -> BracketTie:
        groups = self.groups.get((tie.bracket, tie.number), [])
        known = self.bots(tie) or []
        points = tie_points(known, groups)
        padded = (*known, None, None)[:2]
        return BracketTie(
            number=tie.number,
            bracket=tie.bracket,
            level=tie.level,
            bots=padded,
            points_milli=tuple(points[bot] if bot is not None else 0 for bot in padded),
            groups=len(groups),
            result=self.results.get(place),
        )


def play_tree(tree: Sequence[TreeTie], history: History, best_of: int) -> TreeState:
    """Return the state of the tree after all rounds of the history.

    Round by round, so that a tie is decided by those who had withdrawn by then.
    """
    state = TreeState(tree, history.entered(1), best_of)
    for number in range(1, len(history.rounds) + 2):
        state.settle(set(history.entered(number)))
        if number <= len(history.rounds):
            _record(state, history.rounds[number - 1].pairings)
    return state


def _record(state: TreeState, groups: Iterable[PlayedPairing]) -> None:
    for played in groups:
        state.groups.setdefault((played.pairing.bracket, played.pairing.table), []).append(played)
