"""Who plays the next group of a ladder, and that nobody waits for ever. docs/matchmaking.md."""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.core.pairing.matchmaker import Candidate, Matchmaker, PairingRules, wait_bound, waiting_bound
from arena.scheduling.queue_report import queue_order
from engine.randomness import Stream

ANY = PairingRules(seat_counts=(2,), same_owner=True)


def a_stream(number: int) -> Stream:
    return Stream(hashlib.sha256(b"%d" % number).digest())


def a_candidate(bot: str, points: float = 1500, uncertainty: float = 60, *, waited: int = 0) -> Candidate:
    return Candidate(
        bot=bot,
        owner=bot,
        rating_milli=round(1000 * points),
        uncertainty_milli=round(1000 * uncertainty),
        waited=waited,
        free=1,
        running_groups=0,
    )


@dataclass
class Ladder:
    """A ladder on which groups are made one after another; nothing is played."""

    bots: list[Candidate]
    rules: PairingRules = ANY
    groups: list[tuple[str, ...]] = field(default_factory=list)
    """Newest first."""

    def make_group(self, is_free: Callable[[Candidate], bool] = lambda _: True) -> tuple[str, ...] | None:
        """One more group of the bots that are free; the others keep waiting."""
        now = [each if is_free(each) else replace(each, free=0) for each in self.bots]
        chosen = Matchmaker(now, self.groups, self.rules).choose_group(a_stream(len(self.groups)))
        if chosen is not None:
            self.groups.insert(0, chosen)
            self.bots = [
                replace(each, waited=0 if each.bot in chosen else each.waited + 1) for each in self.bots
            ]
        return chosen


def drawn(candidates: Sequence[Candidate], rules: PairingRules = ANY, draws: int = 300) -> Counter[str]:
    """How often each bot is chosen, over many streams."""
    return Counter(
        bot
        for number in range(draws)
        for bot in Matchmaker(candidates, [], rules).choose_group(a_stream(number)) or ()
    )


@settings(max_examples=60)
@given(
    uncertainties=st.lists(st.integers(20, 686), min_size=2, max_size=9),
    owners=st.lists(st.integers(0, 7), min_size=9, max_size=9),
    seat_counts=st.sampled_from([(2,), (2, 3, 4), (4,), (3,), (2, 3, 4, 5, 6), (6,), (2, 6)]),
    same_owner=st.booleans(),
    data=st.data(),
)
def test_a_bot_that_is_always_free_is_passed_over_by_at_most_the_promised_number_of_groups(
    uncertainties: list[int],
    owners: list[int],
    seat_counts: tuple[int, ...],
    same_owner: bool,
    data: st.DataObject,
) -> None:
    bots = [
        replace(
            a_candidate(f"bot-{i}", 1000 + 120 * i, uncertainty),
            owner=str(owners[i]),
            running_groups=i % 3,
        )
        for i, uncertainty in enumerate(uncertainties)
    ]
    ladder = Ladder(bots, PairingRules(seat_counts, same_owner))
    always = data.draw(st.integers(1, 2 ** len(bots) - 1))
    bound = waiting_bound(len(bots))
    for _ in range(60):
        away = data.draw(st.integers(0, 2 ** len(bots) - 1)) & ~always
        ladder.make_group(lambda each, away=away: not away >> int(each.bot[4:]) & 1)  # type: ignore[misc]
        assert all(each.waited <= bound for each in ladder.bots if always >> int(each.bot[4:]) & 1)


@settings(max_examples=60)
@given(waits=st.lists(st.integers(0, 12), min_size=2, max_size=7), data=st.data())
def test_however_long_a_bot_has_waited_already_it_is_in_one_of_the_promised_next_groups(
    waits: list[int], data: st.DataObject
) -> None:
    bots = [a_candidate(f"bot-{i}", uncertainty=20 + i, waited=wait) for i, wait in enumerate(waits)]
    ladder = Ladder(bots)
    patient = data.draw(st.integers(0, len(bots) - 1))
    bound = wait_bound(len(bots), waits[patient])
    for _ in range(bound):
        away = data.draw(st.integers(0, 2 ** len(bots) - 1)) & ~(1 << patient)
        while ladder.make_group(lambda each, away=away: not away >> int(each.bot[4:]) & 1) is None:  # type: ignore[misc]
            away = 0
    assert any(f"bot-{patient}" in group for group in ladder.groups)


def test_a_bot_that_was_in_the_last_group_waits_for_as_many_as_the_longest_wait_and_its_own() -> None:
    assert [wait_bound(4, waited) for waited in (0, 1, 3, 4, 9)] == [8, 7, 5, 4, 4]
    assert wait_bound(21, 0) == waiting_bound(21) + 1


@given(
    candidates=st.lists(st.tuples(st.integers(0, 9), st.integers(20, 686), st.booleans()), max_size=7),
    number=st.integers(0, 50),
)
@example(candidates=[(2, 20, True), (2, 686, True)], number=0)  # Both are overdue, of one more is known.
@example(candidates=[(2, 20, True), (2, 686, True)], number=1)
def test_the_queue_is_led_by_a_bot_that_may_be_the_next_anchor(
    candidates: list[tuple[int, int, bool]], number: int
) -> None:
    bots = [
        replace(a_candidate(f"bot-{i}", uncertainty=uncertainty, waited=waited), free=int(free))
        for i, (waited, uncertainty, free) in enumerate(candidates)
    ]
    order = queue_order(bots)
    assert sorted(order) == [each.bot for each in bots if each.free]
    chosen = Matchmaker(bots, [], ANY).choose_group(a_stream(number))
    if chosen is not None:
        first, drawn = (next(each for each in bots if each.bot == bot) for bot in (order[0], chosen[0]))
        if first.waited >= len(order):  # Overdue: only the longest wait counts.
            assert drawn.waited == first.waited
        else:
            assert drawn.waited < len(order)
            assert _need(first) == _need(drawn)


def _need(bot: Candidate) -> int:
    return bot.uncertainty_milli * (1 + bot.waited)


def test_the_queue_puts_who_has_waited_too_long_before_who_is_least_known() -> None:
    bots = [a_candidate("ant", uncertainty=686), a_candidate("bee", waited=4), a_candidate("cat", waited=5)]
    bots += [a_candidate("dog", uncertainty=686), replace(a_candidate("elk", waited=9), free=0)]
    assert queue_order(bots) == ("cat", "bee", "ant", "dog")


def test_even_a_bot_of_which_all_is_known_is_not_starved_by_a_crowd_of_new_ones() -> None:
    crowd = [a_candidate(f"new-{i}", 2500, 686) for i in range(20)]
    ladder = Ladder([a_candidate("old", 1000, 1), *crowd])
    longest = 0
    for _ in range(300):
        ladder.make_group()
        longest = max(longest, ladder.bots[0].waited)
    assert 0 < longest <= waiting_bound(21)


def test_the_bot_that_has_waited_longest_comes_first_once_it_waits_for_as_many_groups_as_there_are_bots() -> (
    None
):
    bots = [a_candidate("ant", uncertainty=686), a_candidate("bee", waited=4), a_candidate("cat", waited=5)]
    bots += [a_candidate("dog", uncertainty=686)]
    assert {Matchmaker(bots, [], ANY).choose_group(a_stream(i))[0] for i in range(20)} == {"cat"}  # type: ignore[index]


def test_a_new_bot_comes_before_one_that_is_known() -> None:
    bots = [a_candidate("ant"), a_candidate("new", uncertainty=686), a_candidate("bee"), a_candidate("cat")]
    assert all((Matchmaker(bots, [], ANY).choose_group(a_stream(i)) or ("",))[0] == "new" for i in range(20))


def test_of_two_that_are_equally_known_the_one_that_waits_comes_first() -> None:
    bots = [a_candidate("ant"), a_candidate("bee", waited=1), a_candidate("cat")]
    assert all((Matchmaker(bots, [], ANY).choose_group(a_stream(i)) or ("",))[0] == "bee" for i in range(20))


def test_of_two_that_are_equally_known_the_one_with_a_running_group_comes_later() -> None:
    bots = [replace(a_candidate("ant"), running_groups=1), a_candidate("bee")]
    assert all((Matchmaker(bots, [], ANY).choose_group(a_stream(i)) or ("",))[0] == "bee" for i in range(20))


def test_equal_needs_are_drawn() -> None:
    bots = [a_candidate(bot) for bot in ("ant", "bee", "cat")]
    anchors = Counter((Matchmaker(bots, [], ANY).choose_group(a_stream(i)) or ("",))[0] for i in range(300))
    assert len(anchors) == 3
    assert min(anchors.values()) > 60


def test_a_near_rating_is_likelier_than_a_far_one_and_a_far_one_still_comes() -> None:
    bots = [a_candidate("anchor", 1500, waited=1), a_candidate("near", 1550), a_candidate("far", 2100)]
    counts = drawn(bots)
    assert counts["near"] > 3 * counts["far"] > 0


def test_for_a_new_bot_every_opponent_is_as_near_as_any_other() -> None:
    bots = [a_candidate("new", 1500, 686), a_candidate("one", 1550), a_candidate("other", 2100)]
    counts = drawn(bots)
    assert 0.7 < counts["one"] / counts["other"] < 1.4


def test_an_opponent_met_lately_is_less_likely() -> None:
    bots = [a_candidate("anchor", waited=1), a_candidate("old"), a_candidate("fresh")]
    met = [("old", "anchor")] * 2
    counts = Counter(Matchmaker(bots, met, ANY).choose_group(a_stream(i)) for i in range(300))
    assert counts[("anchor", "fresh")] > 4 * counts[("anchor", "old")] > 0


def test_among_equals_everybody_meets_everybody() -> None:
    ladder = Ladder([a_candidate(f"bot-{i}") for i in range(6)])
    for _ in range(60):
        ladder.make_group()
    meetings = Counter(frozenset(group) for group in ladder.groups)
    assert len(meetings) == 15
    assert max(meetings.values()) <= 8


def test_the_seat_counts_of_a_ladder_get_about_equally_many_matches() -> None:
    ladder = Ladder([a_candidate(f"bot-{i}") for i in range(6)], PairingRules((2, 3, 4), same_owner=True))
    for _ in range(64):
        ladder.make_group()
    matches = Counter(dict.fromkeys((2, 3, 4), 0))
    for group in ladder.groups:
        matches[len(group)] += len(group)
    assert max(matches.values()) - min(matches.values()) <= 4


def test_tables_of_two_to_six_get_about_equally_many_matches_and_everybody_meets_everybody() -> None:
    rules = PairingRules((2, 3, 4, 5, 6), same_owner=True)
    ladder = Ladder([a_candidate(f"bot-{i}") for i in range(8)], rules)
    for _ in range(64):
        ladder.make_group()
    matches = Counter(dict.fromkeys(rules.seat_counts, 0))
    for group in ladder.groups:
        matches[len(group)] += len(group)
    assert max(matches.values()) - min(matches.values()) <= 6
    met = {frozenset((one, other)) for group in ladder.groups for one in group for other in group}
    assert len(met) == 8 + 28


def test_with_too_few_bots_for_the_larger_tables_the_smaller_ones_are_used() -> None:
    rules = PairingRules((2, 3, 4), same_owner=True)
    bots = [a_candidate("ant"), a_candidate("bee")]
    recent = [("ant", "bee")] * 50
    assert sorted(Matchmaker(bots, recent, rules).choose_group(a_stream(0)) or ()) == ["ant", "bee"]


@pytest.mark.parametrize(
    "bots",
    [
        [],
        [a_candidate("ant")],
        [a_candidate("ant"), replace(a_candidate("bee"), free=0)],
        [a_candidate("ant"), replace(a_candidate("bee"), free=-1)],
    ],
)
def test_with_too_few_free_bots_there_is_no_group(bots: list[Candidate]) -> None:
    assert Matchmaker(bots, [], ANY).choose_group(a_stream(0)) is None


def test_a_bot_that_others_always_have_is_waited_for_once_it_was_passed_over_too_often() -> None:
    """docs/matchmaking.md: what ladders and tournaments share."""
    free = [a_candidate("ant"), a_candidate("bee")]
    busy = replace(a_candidate("cat", waited=waiting_bound(3)), free=0)
    assert Matchmaker([*free, busy], [], ANY).choose_group(a_stream(0)) is None
    for other in (
        replace(busy, waited=busy.waited - 1),
        replace(busy, running_groups=1),
        replace(busy, willing=False),
    ):
        assert Matchmaker([*free, other], [], ANY).choose_group(a_stream(0)) is not None
    assert (Matchmaker([*free, replace(busy, free=1)], [], ANY).choose_group(a_stream(0)) or ("",))[
        0
    ] == "cat"


def test_a_board_is_for_all_that_are_willing_once_they_have_room() -> None:
    """docs/matchmaking.md, "Boards"."""
    cat, ant = a_candidate("cat"), a_candidate("ant")
    full = replace(a_candidate("bee"), free=0)
    assert Matchmaker([cat, ant], (), PairingRules((1,), same_owner=True)).choose_board() == ("ant", "cat")
    assert Matchmaker([cat, full, ant], (), PairingRules((1,), same_owner=True)).choose_board() is None
    assert Matchmaker([], (), PairingRules((1,), same_owner=True)).choose_board() is None


def test_bots_of_one_owner_meet_only_where_the_ladder_allows_it() -> None:
    bots = [replace(a_candidate(bot), owner="one") for bot in ("ant", "bee")]
    apart = PairingRules((2,), same_owner=False)
    assert Matchmaker(bots, [], apart).choose_group(a_stream(0)) is None
    assert Matchmaker(bots, [], ANY).choose_group(a_stream(0)) is not None
    counts = drawn([*bots, a_candidate("cat")], apart)
    assert counts["cat"] == 300


@given(st.permutations(range(6)), st.integers(0, 1000))
def test_the_choice_depends_on_the_stream_and_not_on_the_order_of_the_candidates(
    order: list[int], number: int
) -> None:
    bots = [a_candidate(f"bot-{i}", 1500 + 30 * i, waited=i % 2) for i in range(6)]
    rules = PairingRules((3,), same_owner=True)
    expected = Matchmaker(bots, [], rules).choose_group(a_stream(number))
    assert Matchmaker([bots[i] for i in order], [], rules).choose_group(a_stream(number)) == expected
    assert expected is not None
    assert len(set(expected)) == 3
