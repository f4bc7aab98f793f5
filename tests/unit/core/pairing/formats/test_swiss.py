"""The Swiss system (docs/formats.md), also against py4swiss."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from arena.core.pairing.formats.plan import History, NextRound, PlayedPairing, PlayedRound, RoundPairing
from arena.core.pairing.formats.swiss import Swiss, usual_rounds
from arena.core.pairing.formats.swiss_pairs import SwissBot, swiss_pairs
from arena.core.pairing.formats.swiss_scores import SwissScores, swiss_merit, swiss_scores
from arena.core.pairing.formats.verify import verify_rounds
from tests.unit.core.pairing.formats.dutch import DutchRound, dutch_round
from tests.unit.core.pairing.formats.playing import Mishaps, names, play_out

seeds = st.integers(0, 10**9)


def an_event(seed: int, seats: int = 2, most: int = 40) -> tuple[Swiss, History, list[NextRound]]:
    """Play a drawn tournament: some have withdrawals, no-shows and void groups."""
    random = Random(seed)
    entrants = random.randint(seats + 2, most)
    form = Swiss(seats, random.randint(1, 9))
    mishaps = Mishaps(
        tie=random.choice([0, 30, 60]),
        upset=random.choice([10, 30, 50]),
        withdrawal=random.choice([0, 0, 3]),
        no_show=random.choice([0, 0, 4]),
        void=random.choice([0, 0, 4]),
    )
    history, made = play_out(form, History(names(entrants)), random, mishaps)
    return form, history, made


def rematches(before: SwissScores, pairings: tuple[RoundPairing, ...]) -> int:
    return sum(before.met[one][other] for each in pairings for one, other in combinations(each.bots, 2))


@given(seeds, st.integers(2, 4))
def test_everybody_who_has_not_withdrawn_plays_or_has_a_bye_in_each_round(seed: int, seats: int) -> None:
    form, history, made = an_event(seed, seats)
    for number, each in enumerate(made[:-1], start=1):
        playing = Counter(bot for pairing in each.pairings for bot in pairing.bots)
        playing.update(each.byes)
        assert playing == Counter(history.entered(number))
        assert len(each.byes) == len(history.entered(number)) % seats
        assert [pairing.table for pairing in each.pairings] == list(range(1, len(each.pairings) + 1))
    assert len(made) - 1 <= form.rounds


@given(seeds, st.integers(2, 4))
def test_every_round_follows_from_what_was_known_before_it(seed: int, seats: int) -> None:
    form, history, made = an_event(seed, seats)
    assert verify_rounds(form, history, made) == []


@given(seeds, st.integers(2, 4))
def test_nobody_has_a_second_bye_while_another_has_had_none(seed: int, seats: int) -> None:
    _, history, made = an_event(seed, seats, most=14)
    for number, each in enumerate(made[:-1], start=1):
        byes = swiss_scores(history.before(number), seats).byes
        given_to = [byes[bot] for bot in each.byes]
        others = [byes[bot] for bot in history.entered(number) if bot not in each.byes]
        assert max(given_to, default=0) <= min(others, default=0)


def perfect_pairings(bots: tuple[int, ...]) -> list[list[tuple[int, int]]]:
    """All of them: an oracle without any cleverness."""
    if not bots:
        return [[]]
    first, *rest = bots
    return [
        [(first, other), *more]
        for other in rest
        for more in perfect_pairings(tuple(bot for bot in rest if bot != other))
    ]


@given(st.integers(2, 8), seeds)
def test_there_are_as_few_rematches_as_possible(count: int, seed: int) -> None:
    random = Random(seed)
    met: list[dict[int, int]] = [{} for _ in range(count)]
    for one, other in combinations(range(count), 2):
        if random.randrange(100) < random.choice([30, 60, 90]):
            met[one][other] = met[other][one] = random.randint(1, 3)
    points = sorted((random.randrange(4) * 500 for _ in range(count)), reverse=True)
    bots = [
        SwissBot(
            points[bot], frozenset(met[bot]), met[bot], random.randrange(2), 0, (False,) * 2, (False,) * 2
        )
        for bot in range(count)
    ]
    pairs, bye = swiss_pairs(bots)
    assert sorted(bot for pair in pairs for bot in pair) == [bot for bot in range(count) if bot != bye]

    def cost(pairing: list[tuple[int, int]]) -> int:
        return sum(met[one].get(other, 0) ** 2 for one, other in pairing)

    fewest = min(bot.byes for bot in bots)
    possible = [
        pairing
        for absent in ([None] if count % 2 == 0 else range(count))
        if absent is None or bots[absent].byes == fewest
        for pairing in perfect_pairings(tuple(bot for bot in range(count) if bot != absent))
    ]
    without = [pairing for pairing in possible if not cost(pairing)]
    assert (cost(pairs) == 0) == bool(without)
    if bye is None:
        assert cost(pairs) == min(map(cost, possible))


@given(st.integers(1, 4), seeds)
def test_the_top_score_group_keeps_as_many_pairs_as_the_rest_allows(half: int, seed: int) -> None:
    random, count = Random(seed), 2 * half
    met: list[set[int]] = [set() for _ in range(count)]
    for one, other in combinations(range(count), 2):
        if random.randrange(100) < 40:
            met[one].add(other)
            met[other].add(one)
    points = sorted((random.randrange(3) * 500 for _ in range(count)), reverse=True)
    bots = [
        SwissBot(
            points[bot], frozenset(met[bot]), dict.fromkeys(met[bot], 1), 0, 0, (False,) * 2, (False,) * 2
        )
        for bot in range(count)
    ]
    possible = [
        pairing
        for pairing in perfect_pairings(tuple(range(count)))
        if all(other not in met[one] for one, other in pairing)
    ]
    if not possible:
        return
    pairs, _ = swiss_pairs(bots)

    def inside(pairing: list[tuple[int, int]]) -> int:
        return sum(points[one] == points[other] == points[0] for one, other in pairing)

    assert inside(pairs) == max(map(inside, possible))


def a_bot(
    points: int, *, down: tuple[bool, bool] = (False, False), up: tuple[bool, bool] = (False, False)
) -> SwissBot:
    return SwissBot(points, frozenset(), {}, 0, 0, down, up)


LATELY, BEFORE = (True, False), (False, True)


@pytest.mark.parametrize(
    ("down", "floater"),
    [
        ({}, 2),
        ({2: LATELY}, 1),
        ({2: BEFORE}, 1),
        ({2: BEFORE, 1: LATELY, 0: LATELY}, 2),
        ({2: LATELY, 1: BEFORE, 0: BEFORE}, 1),
    ],
)
def test_the_worst_seed_that_has_not_moved_down_lately_moves_down(
    down: dict[int, tuple[bool, bool]], floater: int
) -> None:
    bots = [a_bot(1000, down=down.get(place, (False, False))) for place in range(3)]
    pairs, _ = swiss_pairs([*bots, a_bot(500)])
    assert (floater, 3) in pairs


@pytest.mark.parametrize(
    ("up", "opponent"),
    [
        ({}, 1),
        ({1: LATELY}, 2),
        ({1: BEFORE}, 2),
        ({1: LATELY, 2: BEFORE, 3: LATELY}, 2),
        ({1: LATELY, 2: LATELY, 3: LATELY}, 1),
    ],
)
def test_who_moves_down_meets_the_best_that_has_not_been_met_from_above_lately(
    up: dict[int, tuple[bool, bool]], opponent: int
) -> None:
    bots = [a_bot(500, up=up.get(place, (False, False))) for place in range(1, 4)]
    pairs, _ = swiss_pairs([a_bot(1000), *bots])
    assert (0, opponent) in pairs


def gaps(points: dict[str, int], pairs: frozenset[frozenset[str]]) -> Counter[tuple[int, ...]]:
    """Count the pairs of each two scores: those within a score group, and the floaters."""
    return Counter(tuple(sorted(points[bot] for bot in pair)) for pair in pairs)


def compare(history: History, made: NextRound, dutch: DutchRound | None) -> bool | None:
    """Check what both must agree on; return whether the pairs are equal, None if the rules differ.

    The rules differ where the edition of py4swiss joins the last two brackets, which that of 2026 does not, and where
    the bye is not given to the fewest points, as that of 2026 asks for.
    """
    before = swiss_scores(history, 2)
    byes_used_up = len(made.byes) == 1 and before.byes[made.byes[0]] > 0
    assert (rematches(before, made.pairings) > 0 or byes_used_up) == (dutch is None)
    if dutch is None:
        return None
    bye = made.byes[0] if made.byes else None
    assert (bye is None) == (dutch.bye is None)
    if bye is not None and dutch.bye is not None:
        assert before.points[bye] <= before.points[dutch.bye]
        assert before.byes[bye] == 0
    pairs = frozenset(frozenset(each.bots) for each in made.pairings)
    if dutch.collapsed or bye is not None:
        return None
    assert gaps(before.points, pairs) == gaps(before.points, dutch.pairs)
    return pairs == dutch.pairs


@given(seeds)
def test_score_groups_floaters_and_rematches_are_those_of_py4swiss(seed: int) -> None:
    _, history, made = an_event(seed)
    same = []
    for number, each in enumerate(made[:-1], start=1):
        before = history.before(number)
        same.append(compare(before, each, dutch_round(before)))
    event(f"equal pair by pair in all comparable rounds: {False not in same}")


@pytest.mark.parametrize("entrants", [8, 9, 22, 40])
def test_the_first_two_rounds_are_those_of_py4swiss_pair_by_pair(entrants: int) -> None:
    history, made = play_out(Swiss(2, 2), History(names(entrants)), Random(entrants), Mishaps(tie=0))
    for number in (1, 2):
        dutch = dutch_round(history.before(number))
        assert dutch is not None
        assert dutch.pairs == {frozenset(each.bots) for each in made[number - 1].pairings}
        assert dutch.bye == next(iter(made[number - 1].byes), None)


@given(seeds)
def test_tables_of_four_meet_as_new_bots_while_there_are_enough(seed: int) -> None:
    form = Swiss(4, 4)
    history, made = play_out(form, History(names(64)), Random(seed))
    for number, each in enumerate(made[:-1], start=1):
        assert rematches(swiss_scores(history.before(number), 4), each.pairings) == 0


def test_the_ranking_of_a_small_tournament_is_the_one_computed_by_hand() -> None:
    def won(winner: str, loser: str) -> PlayedPairing:
        return PlayedPairing(RoundPairing((winner, loser)), (2000, 0), (2, 2), (False, False))

    history = History(
        tuple("abcde"),
        (
            PlayedRound((won("a", "c"), won("b", "d")), ("e",)),
            PlayedRound((won("a", "b"), won("e", "c")), ("d",)),
        ),
    )
    scores = swiss_scores(history, 2)
    # Buchholz: a met c and b; e had a bye, which counts its own 2, and met c; b met d and a; d met b, and had a bye.
    assert scores.points == {"a": 2000, "b": 1000, "c": 0, "d": 1000, "e": 2000}
    assert [swiss_merit(scores, bot, 2)[1:3] for bot in "aebdc"] == [
        (1000, 1000),
        (2000, 2000),
        (2000, 3000),
        (1000, 2000),
        (2000, 4000),
    ]
    assert Swiss(2, 2).ranking(history) == (("e",), ("a",), ("b",), ("d",), ("c",))


def test_a_group_that_a_bot_missed_is_won_by_the_other_and_is_no_meeting() -> None:
    missed = PlayedPairing(RoundPairing(("a", "b")), (0, 0), (0, 0), (False, True))
    void = PlayedPairing(RoundPairing(("c", "d")), (0, 0), (0, 0), (False, False))
    deserted = PlayedPairing(RoundPairing(("e", "f")), (0, 0), (0, 0), (True, True))
    scores = swiss_scores(History(tuple("abcdef"), (PlayedRound((missed, void, deserted)),)), 2)
    assert scores.points == {"a": 1000, "b": 0, "c": 500, "d": 500, "e": 0, "f": 0}
    assert not any(scores.met.values())
    assert scores.byes == Counter({"a": 1})


def test_the_usual_number_of_rounds_leaves_one_undefeated() -> None:
    assert [usual_rounds(count, 2) for count in (2, 3, 4, 5, 64, 65)] == [1, 2, 2, 3, 6, 7]
    assert usual_rounds(64, 4) == 3


@pytest.mark.parametrize("mishap", [(0, 1), (1, 0)])
def test_the_order_in_which_results_come_in_does_not_matter(mishap: tuple[int, int]) -> None:
    form = Swiss(2, 3)
    history, made = play_out(form, History(names(4)), Random(0))
    first = history.rounds[0]
    turned = replace(first, pairings=tuple(first.pairings[place] for place in mishap))
    assert form.next_round(replace(history, rounds=(turned,))) == made[1]
