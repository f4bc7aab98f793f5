"""Who plays the next group of a ladder, and that nobody waits for ever. docs/matchmaking.md."""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate
from math import comb, isqrt

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.core.pairing.matchmaker import Candidate, Matchmaker, PairingRules, wait_bound, waiting_bound
from arena.core.rating.expected_score import MILLIONTHS, expected_score
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


NEW = a_candidate("ant", uncertainty=686)


def chosen(
    bots: Sequence[Candidate],
    rules: PairingRules = ANY,
    recent: Sequence[tuple[str, ...]] = (),
    *,
    number: int = 0,
) -> tuple[str, ...] | None:
    """Return the group of these bots that is chosen by this stream."""
    return Matchmaker(bots, recent, rules).choose_group(a_stream(number))


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
    group = chosen(bots, number=number)
    if group is not None:
        first, drawn = (next(each for each in bots if each.bot == bot) for bot in (order[0], group[0]))
        if first.waited >= len(order):  # Overdue: only the longest wait counts.
            assert drawn.waited == first.waited
        else:
            assert drawn.waited < len(order)
            assert _need(first) == _need(drawn)


def _need(bot: Candidate) -> int:
    return bot.uncertainty_milli * (1 + bot.waited)


def test_the_queue_puts_overdue_bots_before_the_least_known_one() -> None:
    bots = [a_candidate("ant", uncertainty=686), a_candidate("bee", waited=4), a_candidate("cat", waited=5)]
    bots += [a_candidate("dog", uncertainty=686), replace(a_candidate("elk", waited=9), free=0)]
    assert queue_order(bots) == ("cat", "bee", "ant", "dog")


def test_the_longest_wait_comes_first_once_it_is_for_as_many_groups_as_there_are_bots() -> None:
    bots = [
        NEW,
        a_candidate("bee", waited=4),
        a_candidate("cat", waited=5),
        a_candidate("dog", uncertainty=686),
    ]
    assert {(chosen(bots, number=number) or ("",))[0] for number in range(20)} == {"cat"}


def test_an_opponent_met_lately_is_less_likely() -> None:
    bots = [a_candidate("anchor", waited=1), a_candidate("old"), a_candidate("fresh")]
    met = [("old", "anchor")] * 2
    counts = Counter(chosen(bots, recent=met, number=number) for number in range(300))
    assert counts[("anchor", "fresh")] > 4 * counts[("anchor", "old")] > 0


@pytest.mark.parametrize(("bots", "seat_counts", "spread"), [(6, (2, 3, 4), 4), (8, (2, 3, 4, 5, 6), 6)])
def test_the_seat_counts_of_a_ladder_get_about_equally_many_matches_and_everybody_meets_everybody(
    bots: int, seat_counts: tuple[int, ...], spread: int
) -> None:
    ladder = Ladder(
        [a_candidate(f"bot-{i}") for i in range(bots)], PairingRules(seat_counts, same_owner=True)
    )
    for _ in range(64):
        ladder.make_group()
    matches = Counter(dict.fromkeys(seat_counts, 0))
    for group in ladder.groups:
        matches[len(group)] += len(group)
    assert max(matches.values()) - min(matches.values()) <= spread
    met = {frozenset((one, other)) for group in ladder.groups for one in group for other in group}
    assert len(met) == bots + comb(bots, 2)


def test_with_too_few_bots_for_the_larger_tables_the_smaller_ones_are_used() -> None:
    rules = PairingRules((2, 3, 4), same_owner=True)
    bots = [a_candidate("ant"), a_candidate("bee")]
    recent = [("ant", "bee")] * 50
    assert sorted(chosen(bots, rules, recent) or ()) == ["ant", "bee"]


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
    assert chosen(bots) is None


def test_a_bot_that_others_always_have_is_waited_for_once_it_was_passed_over_too_often() -> None:
    """docs/matchmaking.md: what ladders and tournaments share."""
    free = [a_candidate("ant"), a_candidate("bee")]
    busy = replace(a_candidate("cat", waited=waiting_bound(3)), free=0)
    assert chosen([*free, busy]) is None
    for other in (
        replace(busy, waited=busy.waited - 1),
        replace(busy, running_groups=1),
        replace(busy, willing=False),
    ):
        assert chosen([*free, other]) is not None
    assert (chosen([*free, replace(busy, free=1)]) or ("",))[0] == "cat"


def test_a_board_is_for_all_that_are_willing_once_they_have_room() -> None:
    """docs/matchmaking.md, "Boards"."""
    cat, ant, rules = a_candidate("cat"), a_candidate("ant"), PairingRules((1,), same_owner=True)
    full = replace(a_candidate("bee"), free=0)
    assert Matchmaker([cat, ant], (), rules).choose_board() == ("ant", "cat")
    assert Matchmaker([cat, full, ant], (), rules).choose_board() is None
    assert Matchmaker([], (), rules).choose_board() is None


def test_bots_of_one_owner_meet_only_where_the_ladder_allows_it() -> None:
    bots = [replace(a_candidate(bot), owner="one") for bot in ("ant", "bee")]
    apart = PairingRules((2,), same_owner=False)
    assert chosen(bots, apart) is None
    assert chosen(bots) is not None
    assert all(
        "cat" in (chosen([*bots, a_candidate("cat")], apart, number=number) or ()) for number in range(30)
    )


@given(st.permutations(range(6)), st.integers(0, 1000))
def test_the_choice_depends_on_the_stream_and_not_on_the_order_of_the_candidates(
    order: list[int], number: int
) -> None:
    bots = [a_candidate(f"bot-{i}", 1500 + 30 * i, waited=i % 2) for i in range(6)]
    rules = PairingRules((3,), same_owner=True)
    expected = chosen(bots, rules, number=number)
    assert chosen([bots[i] for i in order], rules, number=number) == expected
    assert expected is not None
    assert len(set(expected)) == 3


BOTS = 9

candidates = st.builds(
    Candidate,
    bot=st.just(""),
    owner=st.sampled_from("pqrst"),
    rating_milli=st.integers(500_000, 2_500_000),
    uncertainty_milli=st.sampled_from((60_000, 150_000, 686_000)),
    waited=st.integers(0, 3 * BOTS),
    free=st.integers(-1, 4),
    running_groups=st.integers(0, 3),
    willing=st.booleans(),
)

fields = st.lists(candidates, min_size=2, max_size=BOTS).map(
    lambda found: [
        replace(each, bot=f"b{number}", willing=each.willing or each.free > 0)
        for number, each in enumerate(found)
    ]
)


def after(before: Sequence[Candidate], group: Sequence[str]) -> list[Candidate]:
    """Return the candidates once the group is made and its matches wait."""
    return [
        replace(each, waited=0, free=each.free - len(group), running_groups=each.running_groups + 1)
        if each.bot in group
        else replace(each, waited=each.waited + 1)
        for each in before
    ]


@settings(max_examples=60, deadline=None)
@given(found=fields, same_owner=st.booleans(), number=st.integers(0, 99), held=st.sets(st.just("b0")))
def test_one_look_gives_the_groups_of_many(
    found: list[Candidate], same_owner: bool, number: int, held: set[str]
) -> None:
    rules = PairingRules((2, 3), same_owner)
    field, recent = Matchmaker(found, (), rules), list[tuple[str, ...]]()
    for step in range(4):
        seen = [replace(each, free=0) if each.bot in held else each for each in found]
        group = field.choose_group(a_stream(number + step), held)
        assert group == chosen(seen, rules, recent, number=number + step)
        if group is None:
            break
        field.made(group, matches=len(group))
        found, recent = after(found, group), [group, *recent]


def drawn_as_documented(free: Sequence[Candidate], stream: Stream) -> tuple[str, str]:
    """Two bots by the words of docs/matchmaking.md, which nobody overdue, no group before and equals leave out."""
    ordered = sorted(free, key=lambda each: each.bot)
    needs = [
        Fraction(each.uncertainty_milli * (1 + each.waited), 1 + each.running_groups) for each in ordered
    ]
    neediest = [each for each, need in zip(ordered, needs, strict=True) if need == max(needs)]
    anchor = neediest[stream.uniform(len(neediest))]
    others = [each for each in ordered if each is not anchor]
    weights = []
    for each in others:
        doubt = isqrt(each.uncertainty_milli**2 + anchor.uncertainty_milli**2)
        expected = expected_score(max(0, abs(each.rating_milli - anchor.rating_milli) - doubt))
        closeness = expected * (MILLIONTHS - expected) // MILLIONTHS
        weights.append(1 + closeness * (1 + min(each.waited, 7)) // (1 + each.running_groups))
    ticket = stream.uniform(sum(weights))
    opponent = next(each for each, end in zip(others, accumulate(weights), strict=True) if ticket < end)
    return anchor.bot, opponent.bot


@settings(max_examples=60, deadline=None)
@given(found=fields, number=st.integers(0, 99))
def test_a_pair_is_drawn_as_the_page_on_matchmaking_says(found: list[Candidate], number: int) -> None:
    free = [replace(each, free=1, willing=True, waited=each.waited % len(found)) for each in found]
    assert chosen(free, number=number) == drawn_as_documented(free, a_stream(number))
