"""Tables of every size come up on a ladder whose bots become free one after the other. docs/matchmaking.md."""

import heapq
from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from arena.core.pairing.matchmaker import Candidate, PairingRules, waiting_bound
from arena.core.pairing.start_order import PendingMatch, startable
from tests.unit.core.pairing.test_matchmaker import a_candidate, chosen


@dataclass
class PlayedLadder:
    """A ladder on which everything is played: a match takes as long as its number of seats, more or less."""

    capacities: dict[str, int]
    """How many matches each bot takes at once."""
    rules: PairingRules
    random: Random
    groups: list[tuple[str, ...]] = field(default_factory=list)
    """Newest first."""
    waited: Counter[str] = field(default_factory=Counter)
    playing: Counter[str] = field(default_factory=Counter)
    pending: dict[int, tuple[str, ...]] = field(default_factory=dict)
    running: list[tuple[float, int, tuple[str, ...]]] = field(default_factory=list)
    longest_wait: int = 0
    """The most groups in a row made without a bot that was free each time."""
    _matches: int = 0
    _now: float = 0.0

    def play(self, groups: int) -> None:
        """Until so many groups are made."""
        while len(self.groups) < groups:
            self._start()
            while self._make_group():
                self._start()
            self._now, _, bots = heapq.heappop(self.running)
            self.playing.subtract(bots)

    def _start(self) -> None:
        pending = [PendingMatch(match, bots) for match, bots in self.pending.items()]
        free = {bot: most - self.playing[bot] for bot, most in self.capacities.items()}
        for match in startable(pending, free, slots=1_000):
            bots = self.pending.pop(match)
            self.playing.update(bots)
            ends = self._now + len(bots) * self.random.uniform(0.5, 1.5)
            heapq.heappush(self.running, (ends, match, bots))

    def _candidates(self) -> list[Candidate]:
        kept = Counter(bot for bots in self.pending.values() for bot in bots)
        return [
            replace(
                a_candidate(bot, waited=self.waited[bot]),
                free=most - self.playing[bot] - kept[bot],
                willing=most > 0,
            )
            for bot, most in self.capacities.items()
        ]

    def _make_group(self) -> bool:
        candidates = self._candidates()
        group = chosen(candidates, self.rules, self.groups, number=len(self.groups))
        if group is None:
            return False
        self.groups.insert(0, group)
        for candidate in candidates:  # one that has no room is not waiting
            if candidate.free > 0:
                self.waited[candidate.bot] = 0 if candidate.bot in group else self.waited[candidate.bot] + 1
        self.longest_wait = max(self.longest_wait, *self.waited.values())
        for place in range(len(group)):
            self._matches += 1
            self.pending[self._matches] = group[place:] + group[:place]
        return True

    def matches(self, newest: int) -> dict[int, int]:
        """Count the matches by seat count among the newest groups."""
        count = Counter(dict.fromkeys(self.rules.seat_counts, 0))
        for group in self.groups[:newest]:
            count[len(group)] += len(group)
        return dict(count)


MIXED = (2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    "capacities",
    [[4] * 7, [1] * 7, [1] * 6, [1, 1, 2, 4, 4, 4, 8], [1, 8, 8, 8, 8, 8, 8], [1, 4, 4, 4, 4, 4], [6] * 12],
)
def test_every_table_gets_about_equally_many_matches_whatever_room_the_bots_have(
    capacities: list[int],
) -> None:
    bots = {f"bot-{place}": most for place, most in enumerate(capacities)}
    ladder = PlayedLadder(bots, PairingRules(MIXED, same_owner=True), Random(5))
    ladder.play(160)
    matches = ladder.matches(64)
    assert max(matches.values()) - min(matches.values()) <= 18
    assert ladder.longest_wait <= waiting_bound(len(capacities))


def test_a_bot_that_takes_no_matches_any_more_is_not_waited_for() -> None:
    bots = {f"bot-{place}": 2 for place in range(5)} | {"bot-5": 0}
    ladder = PlayedLadder(bots, PairingRules(MIXED, same_owner=True), Random(5))
    ladder.play(100)
    matches = ladder.matches(64)
    assert matches.pop(6) == 0
    assert max(matches.values()) - min(matches.values()) <= 18


@pytest.mark.parametrize(("ahead", "made"), [(10, True), (12, False)])
def test_a_smaller_seat_count_is_played_unless_it_is_too_far_ahead_of_the_one_due(
    ahead: int, made: bool
) -> None:
    bots = [a_candidate(f"bot-{place}") for place in range(6)]
    some_busy = [*bots[:2], *(replace(each, free=0) for each in bots[2:])]
    recent = [("bot-0", "bot-1")] * (ahead // 2)
    rules = PairingRules((2, 6), same_owner=True)
    assert (chosen(some_busy, rules, recent) is not None) is made
    gone = [*bots[:2], *(replace(each, free=0, willing=False) for each in bots[2:])]
    assert chosen(gone, rules, recent) is not None


def test_where_bots_of_one_owner_may_not_meet_a_table_is_due_only_if_there_are_owners_enough() -> None:
    bots = [replace(a_candidate(f"bot-{place}"), owner=f"owner-{place % 2}") for place in range(6)]
    rules = PairingRules((2, 6), same_owner=False)
    assert len(chosen(bots, rules, [("bot-0", "bot-1")] * 30) or ()) == 2
