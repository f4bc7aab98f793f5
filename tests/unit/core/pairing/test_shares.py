"""Hosted bots that share places for their programs have even shares of the match groups. docs/matchmaking.md."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.pairing.matchmaker import Candidate, Matchmaker, PairingRules
from arena.core.pairing.shares import DUE, GROUP, MOST_BEHIND, Places, Shares, groups_until
from arena.scheduling.queue_report import queue_order
from tests.unit.core.pairing.test_matchmaker import ANY, a_candidate, a_stream, chosen

ROUNDING = Fraction(1, 1_000)
"""Of balances, which are whole millionths of a group, over a hundred groups."""


@dataclass
class Ladder:
    """Hosted bots on a few places; groups are made as long as there is room, and end in any order."""

    bots: int
    places: int
    rules: PairingRules
    at_once: int
    """Groups that a bot plays at once."""
    owners: int = 99
    open: list[tuple[str, ...]] = field(default_factory=list)
    groups: list[tuple[str, ...]] = field(default_factory=list)
    """Newest first."""
    told: dict[str, int] = field(default_factory=dict)
    """How far each is behind, as the candidates of the next look are told."""

    def __post_init__(self) -> None:
        self.names = [f"bot{number:02}" for number in range(self.bots)]
        self.behind = dict.fromkeys(self.names, Fraction(0))
        """As docs/matchmaking.md has it."""
        self.worst = Fraction(0)
        self._in_by: dict[str, int] = {}
        """In the group of which number a bot is at the latest, if it could play in each."""

    def candidates(self) -> list[Candidate]:
        playing = Counter(bot for group in self.open for bot in group)
        last = {bot: number for number, group in enumerate(reversed(self.groups), 1) for bot in group}
        return [
            replace(
                a_candidate(bot, 1500 + place, 60 + 100 * (place % 3)),
                owner=str(place % self.owners),
                waited=len(self.groups) - last.get(bot, 0),
                free=self.at_once - playing[bot],
                running_groups=playing[bot],
                behind=self.told.get(bot, 0),
            )
            for place, bot in enumerate(self.names)
        ]

    def make(self) -> int:
        """All groups that can be made at this moment; how many those are."""
        now, made = Matchmaker(self.candidates(), self.groups, self.rules), 0
        while True:
            warm = {bot for group in self.open for bot in group}
            cold = frozenset(self.names) - warm
            places = Places(self.places - len(warm), cold)
            group = now.choose_group(a_stream(len(self.groups)), () if places.left else cold, places)
            if group is None:
                self.told = now.behind()
                return made
            assert len(cold.intersection(group)) <= places.left
            self.note(group, now.behind())
            now.made(group, matches=1)
            made += 1

    def note(self, group: tuple[str, ...], told: dict[str, int]) -> None:
        """Make the group and update the balances by the words of the documentation. `told`: the balances before."""
        number, playing = len(self.groups) + 1, Counter(bot for each in self.open for bot in each)
        could = {bot for bot in self.names if playing[bot] < self.at_once}
        for bot in could:
            latest = number - 1 + groups_until(told[bot], self.bots, len(group))
            self._in_by.setdefault(bot, latest)
        for bot in set(self.names) - could | set(group):
            self._in_by.pop(bot, None)
        if len(self.rules.seat_counts) == 1 and self.rules.same_owner:
            assert all(latest > number for latest in self._in_by.values())
        # Rounding decides whether a bot that is full has its claim once it is exactly one group behind.
        claiming = {bot for bot in self.names if told[bot] < DUE} | could
        for bot in claiming:
            self.behind[bot] += Fraction(len(group), len(claiming))
        for bot in group:
            self.behind[bot] -= 1
        self.worst = max(self.worst, *self.behind.values())
        self.open.append(group)
        self.groups.insert(0, group)

    def play(self, groups: int, ends: Sequence[int]) -> None:
        """So many groups are made, or a few more. `ends`: which of those that are open ends next, again and again."""
        for step in range(10 * groups):
            if not self.make() and not self.open:
                raise AssertionError(f"nobody plays after {len(self.groups)} groups")
            if len(self.groups) >= groups:
                return
            self.open.pop(ends[step % len(ends)] % len(self.open))


ladders = st.builds(
    lambda seats, more, places, at_once: Ladder(
        places + more, places, PairingRules((seats,), same_owner=True), at_once
    ),
    seats=st.integers(2, 4),
    more=st.integers(1, 9),
    places=st.integers(4, 9),
    at_once=st.integers(1, 5),
)
orders = st.lists(st.integers(0, 30), min_size=1, max_size=30)
"""Among them those in which always the newest, or the oldest, group ends first."""


@settings(max_examples=20, deadline=None)
@given(ladder=ladders, ends=orders)
def test_no_bot_falls_more_than_two_groups_behind_whatever_ends_first(
    ladder: Ladder, ends: list[int]
) -> None:
    ladder.play(60, ends)
    assert ladder.worst <= 2 + ROUNDING


@settings(max_examples=20, deadline=None)
@given(
    kind=st.sampled_from([((2, 3, 4), 99), ((2, 6), 99), ((2,), 2), ((2,), 3), ((3,), 4), ((4,), 6)]),
    at_once=st.integers(1, 4),
    ends=orders,
)
def test_with_several_seat_counts_or_owners_kept_apart_it_is_less_than_half_a_group_more(
    kind: tuple[tuple[int, ...], int], at_once: int, ends: list[int]
) -> None:
    seat_counts, owners = kind
    ladder = Ladder(12, 6, PairingRules(seat_counts, same_owner=owners == 99), at_once, owners)
    ladder.play(60, ends)
    assert ladder.worst < Fraction(5, 2)


def test_shares_are_not_kept_where_an_owner_has_too_many_bots_that_may_not_meet() -> None:
    bots = counted(*(replace(a_candidate(f"bot-{number}"), owner=str(max(2, number))) for number in range(6)))
    apart = PairingRules((2,), same_owner=False)
    assert len(Matchmaker(bots, [], apart).behind()) == 6
    more = [replace(each, owner="2") if each.bot == "bot-3" else each for each in bots]
    assert Matchmaker(more, [], apart).behind() == {}
    assert len(Matchmaker(more, [], ANY).behind()) == 6


def test_balances_are_those_of_the_documentation() -> None:
    ladder = Ladder(12, 6, ANY, 3)
    ladder.play(100, [3, 1, 4, 1, 5])
    assert ladder.told == {
        bot: pytest.approx(float(behind * GROUP), abs=1_000) for bot, behind in ladder.behind.items()
    }


def test_programs_that_run_meet_each_other_until_a_bot_is_a_group_behind() -> None:
    ladder = Ladder(12, 6, ANY, 9)
    ladder.make()
    played = {bot for group in ladder.groups for bot in group}
    assert len(played) == ladder.places
    assert len(ladder.groups) > ladder.places
    assert 1 < max(ladder.behind.values()) < 2


def some_shares(*groups: float | None) -> Shares:
    """Of bots that are so many groups behind; the mean is 0."""
    return Shares([None if each is None else round(each * GROUP) for each in groups])


def mask(*bots: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Of six bots those at these places."""
    return np.isin(np.arange(6), bots)


ALL = mask(*range(6))


def test_the_mean_is_that_of_the_bots_that_are_counted_now() -> None:
    shares = some_shares(3, None, 1, 2, None, 2)
    assert shares.behind.tolist() == [GROUP, 0, -GROUP, 0, 0, 0]
    assert shares.due.tolist() == mask(0).tolist()


def test_a_group_is_claimed_by_all_that_could_play_and_paid_by_its_bots() -> None:
    shares = some_shares(0, 0, 0, 0, None, None)
    shares.made([0, 1], ALL)
    assert shares.behind.tolist() == [-GROUP // 2, -GROUP // 2, GROUP // 2, GROUP // 2, 0, 0]
    shares.made([4, 5], ALL)  # of others alone
    assert shares.behind.tolist() == [-GROUP // 2, -GROUP // 2, GROUP // 2, GROUP // 2, 0, 0]


def test_a_bot_that_is_full_has_its_claim_until_it_is_due_and_the_others_share_without_it() -> None:
    shares = some_shares(0.5, 1, -0.5, -0.5, -0.5, 0)
    shares.made([2, 3], mask(2, 3, 4, 5))
    assert shares.behind[1] == GROUP
    assert shares.behind[0] == GROUP // 2 + 2 * GROUP // 5
    shares.made([2, 3], mask(1, 2, 3, 4, 5))
    assert shares.behind[1] == GROUP + 2 * GROUP // 6


def test_no_group_is_made_without_a_bot_that_it_would_put_too_far_behind() -> None:
    shares = some_shares(1.8, 1.2, 0, -1, -1, -1)
    assert shares.pressing(ALL, ALL, 2) == [0]
    assert shares.pressing(mask(1, 2, 3, 4, 5), ALL, 2) == []
    assert some_shares(1.6, 0, 0, 0, -0.8, -0.8).pressing(ALL, ALL, 2) == []


def test_bots_come_so_early_that_those_before_them_in_the_row_do_not_make_them_late() -> None:
    piled = some_shares(1.5, 1.5, 1.5, -1.5, -1.5, -1.5)
    assert piled.pressing(ALL, ALL, 2) == [0]  # one of the three: then the other two are in time
    assert piled.pressing(ALL, mask(2, 3, 4), 2) == [2]
    assert some_shares(1.6, 1.6, 1.6, 1.6, -3.2, -3.2).pressing(ALL, ALL, 2) == [0, 1]


def test_so_many_bots_that_are_ahead_make_way_as_are_due_and_find_no_place_but_few_at_once() -> None:
    shares = some_shares(1, 1, 1, -2, -1, 0)
    cold = mask(0, 1, 2)
    assert shares.yielding(cold, 0, 2).tolist() == mask(3, 4).tolist()
    assert shares.yielding(cold, 2, 2).tolist() == mask(3).tolist()
    assert not shares.yielding(cold, 3, 2).any()
    assert not some_shares(0.9, 0, 0, 0, 0, -0.9).yielding(cold, 0, 2).any()


def counted(*bots: Candidate) -> list[Candidate]:
    """Hosted bots whose shares are even so far."""
    return [replace(each, behind=each.behind or 0) for each in bots]


def of_many(change: Callable[[Candidate], Candidate]) -> list[Candidate]:
    return counted(*(change(a_candidate(f"bot-{number}")) for number in range(6)))


def test_two_that_met_often_wait_for_others_instead_of_meeting_again() -> None:
    bots = of_many(lambda each: replace(each, free=int(each.bot in ("bot-0", "bot-1"))))
    met = [("bot-0", "bot-1")] * 2 + [("bot-0", "bot-2"), ("bot-1", "bot-2")]
    assert chosen(bots, ANY, met[1:]) is not None
    assert chosen(bots, ANY, met) is None
    assert chosen([replace(each, behind=None) for each in bots], ANY, met) is not None
    more = [replace(each, free=1) if each.bot == "bot-2" else each for each in bots]
    assert "bot-2" in (chosen(more, ANY, met) or ())


def test_bots_of_one_owner_do_not_count_as_other_possible_opponents() -> None:
    bots = of_many(lambda each: replace(each, owner="one" if each.bot != "bot-0" else "other"))
    met = [("bot-0", f"bot-{number}") for number in range(1, 6)] * 3
    assert chosen(bots, PairingRules((2,), same_owner=False), met) is not None


def test_bots_that_are_due_come_before_bots_that_have_waited_or_are_less_known() -> None:
    bots = [
        a_candidate("ant", uncertainty=686),
        a_candidate("bee", waited=9),
        replace(a_candidate("cat"), behind=2 * DUE),
        replace(a_candidate("dog"), behind=DUE),
        replace(a_candidate("elk"), behind=-3 * DUE),
    ]
    assert queue_order(counted(*bots)) == ("cat", "dog", "bee", "ant", "elk")
    for number in range(20):
        assert chosen(counted(*bots), number=number) == ("cat", "dog")


def test_a_bot_that_connects_by_itself_is_passed_over_by_no_more_groups_than_promised() -> None:
    bots = counted(
        replace(a_candidate("cat"), behind=MOST_BEHIND), replace(a_candidate("dog"), behind=-MOST_BEHIND)
    )
    guest = a_candidate("guest", waited=3)
    assert chosen([*bots, guest]) == ("guest", "cat")
    assert queue_order([*bots, guest])[0] == "guest"
