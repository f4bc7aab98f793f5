"""Knockouts and double eliminations of 2 to 64 entrants (docs/formats.md)."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.pairing.formats.bracket_tree import seed_order
from arena.core.pairing.formats.double_elimination import DoubleElimination
from arena.core.pairing.formats.knockout import Knockout
from arena.core.pairing.formats.plan import Bracket, History, PlayedPairing, RoundPairing, Withdrawal
from arena.core.pairing.formats.table_knockout import TableKnockout, snake
from arena.core.pairing.formats.ties import EXTRA_GROUPS, TieEnd, TieResult, decide
from arena.core.pairing.formats.verify import verify_rounds
from tests.unit.core.pairing.formats.playing import SECRET, Mishaps, a_played, names, play_out

AS_SEEDED = Mishaps(tie=0, upset=0)
TROUBLE = Mishaps(withdrawal=8, no_show=8, void=8)

sizes = st.integers(2, 64)
seeds = st.integers(0, 10**9)


def group(bots: tuple[str, ...], scores: tuple[int, ...], absent: tuple[bool, ...] = ()) -> PlayedPairing:
    pairs = sum(scores) // 500
    return PlayedPairing(RoundPairing(bots), scores, (pairs,) * len(bots), absent or (False,) * len(bots))


WON, LOST, DRAWN = (
    group(("a", "b"), (2000, 0)),
    group(("a", "b"), (500, 1500)),
    group(("a", "b"), (1000, 1000)),
)
VOID = group(("a", "b"), (0, 0))
B_ABSENT = group(("a", "b"), (0, 0), (False, True))
NOBODY = group(("a", "b"), (0, 0), (True, True))


@pytest.mark.parametrize(
    ("best_of", "groups", "expected"),
    [
        (1, [], 1),
        (2, [], 2),
        (3, [], 2),
        (5, [], 3),
        (5, [WON, WON, LOST], 1),
        (5, [WON, LOST, DRAWN], 2),
        (3, [WON, WON], TieResult(("a", "b"), TieEnd.POINTS)),
        (3, [WON, LOST], 1),
        (3, [WON, DRAWN], 1),
        (3, [WON, LOST, LOST], TieResult(("b", "a"), TieEnd.POINTS)),
        (2, [WON, LOST], TieResult(("a", "b"), TieEnd.SCORE)),
        (1, [DRAWN], 1),
        (1, [DRAWN] * EXTRA_GROUPS, 1),
        (1, [DRAWN, DRAWN, LOST], TieResult(("b", "a"), TieEnd.POINTS)),
        (1, [DRAWN] * (1 + EXTRA_GROUPS), TieResult(("a", "b"), TieEnd.SEED)),
        (1, [VOID], 1),
        (1, [VOID] * (1 + EXTRA_GROUPS), TieResult(("a", "b"), TieEnd.SEED)),
        (1, [B_ABSENT], TieResult(("a", "b"), TieEnd.POINTS)),
        (3, [B_ABSENT, B_ABSENT], TieResult(("a", "b"), TieEnd.POINTS)),
        (3, [NOBODY], TieResult(("a", "b"), TieEnd.SEED)),
        (3, [LOST, NOBODY], TieResult(("b", "a"), TieEnd.POINTS)),
    ],
)
def test_a_tie_ends_as_soon_as_nothing_can_change(
    best_of: int, groups: list[PlayedPairing], expected: TieResult | int
) -> None:
    assert decide(("a", "b"), groups, {"a", "b"}, best_of=best_of) == expected


def test_who_withdraws_from_a_tie_loses_it_whatever_has_been_played() -> None:
    assert decide(("a", "b"), [WON], {"b"}, best_of=3) == TieResult(("b", "a"), TieEnd.WALKOVER)


def test_of_a_table_those_go_on_that_have_more_points_then_score() -> None:
    first = group(("a", "b", "c", "d"), (0, 500, 1000, 4500))
    assert decide(("a", "b", "c", "d"), [first], {"a", "b", "c", "d"}, best_of=1, advance=2) == TieResult(
        ("d", "c", "b", "a"), TieEnd.POINTS
    )


def test_the_best_seeds_can_meet_only_at_the_end() -> None:
    assert seed_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]  # the usual bracket of eight


@given(sizes, st.sampled_from([1, 3]), st.booleans(), seeds)
def test_a_knockout_ends_with_one_winner_and_every_loser_out(
    entrants: int, best_of: int, third_place: bool, seed: int
) -> None:
    form = Knockout(best_of, third_place)
    history, made = play_out(form, History(names(entrants)), Random(seed))
    ties = form.ties(history)
    assert all(tie.result is not None for tie in ties)
    losses = Counter(
        tie.result.order[1]
        for tie in ties
        if tie.result and len(tie.result.order) == 2 and tie.bracket is not Bracket.THIRD_PLACE
    )
    ranks = form.ranking(history)
    assert sorted(losses) == sorted(set(names(entrants)) - set(ranks[0]))
    assert set(losses.values()) == {1}
    assert len(ranks[0]) == len(ranks[1]) == 1
    if third_place and entrants >= 4:
        assert len(ranks[2]) == len(ranks[3]) == 1
    byes = Counter(bot for each in made for bot in each.byes)
    assert byes == Counter(names(entrants)[: len(seed_order(1 << (entrants - 1).bit_length())) - entrants])


@given(sizes, st.sampled_from([1, 3]), seeds)
def test_a_double_elimination_takes_two_losses_to_be_out(entrants: int, best_of: int, seed: int) -> None:
    form = DoubleElimination(best_of)
    history, _ = play_out(form, History(names(entrants)), Random(seed))
    losses = Counter(
        tie.result.order[1]
        for tie in form.ties(history)
        if tie.result and len(tie.result.order) == 2 and tie.result.end is not TieEnd.NOT_NEEDED
    )
    (winner,), (second,) = form.ranking(history)[:2]
    assert losses[winner] <= 1
    assert all(losses[bot] == 2 for bot in names(entrants) if bot != winner)
    assert losses[second] == 2
    byes: Counter[str] = Counter()
    for tie in form.ties(history):
        if tie.result and tie.result.end is TieEnd.BYE:
            byes.update((tie.bracket, bot) for bot in tie.result.order)  # type: ignore[misc]
    assert not byes or max(byes.values()) == 1


@pytest.mark.parametrize("form", [Knockout(), Knockout(3, third_place=True), DoubleElimination()])
@pytest.mark.parametrize("entrants", range(2, 65))
def test_if_the_better_seed_always_wins_the_ranking_is_the_seeding(
    form: Knockout | DoubleElimination, entrants: int
) -> None:
    history, made = play_out(form, History(names(entrants)), Random(0), AS_SEEDED)
    ranked = [bot for rank in form.ranking(history) for bot in rank]
    assert ranked[:2] == list(names(entrants)[:2])
    size = form.expected_size(entrants)
    groups = sum(len(each.pairings) for each in made)
    assert size.rounds[0] == len(made) - 1
    assert size.groups[0] == groups
    assert size.matches[0] == 2 * groups


@pytest.mark.parametrize("entrants", [8, 15, 16, 23, 32, 41, 48, 64])
def test_in_the_losers_bracket_nobody_meets_again_before_the_last_four_rounds(entrants: int) -> None:
    form = DoubleElimination()
    for seed in range(4):
        history, _ = play_out(form, History(names(entrants)), Random(seed), Mishaps(tie=0, upset=50))
        met: Counter[frozenset[str]] = Counter()
        levels = max(tie.level for tie in form.ties(history) if tie.bracket is Bracket.LOSERS)
        for tie in form.ties(history):
            pair = frozenset(bot for bot in tie.bots if bot)
            if tie.bracket is Bracket.LOSERS and tie.level < levels - 3 and len(pair) == 2:
                assert not met[pair], f"{tie}"
            met[pair] += 1


@given(
    sizes,
    st.sampled_from([Knockout(), Knockout(3, third_place=True), DoubleElimination(), DoubleElimination(2)]),
    seeds,
)
def test_a_bracket_with_withdrawals_no_shows_and_void_groups_ends_and_can_be_recomputed(
    entrants: int, form: Knockout | DoubleElimination, seed: int
) -> None:
    history, made = play_out(form, History(names(entrants)), Random(seed), TROUBLE)
    assert verify_rounds(form, history, made) == []
    for number, each in enumerate(made, start=1):
        entered = set(history.entered(number))
        playing = Counter(bot for pairing in each.pairings if pairing.game for bot in set(pairing.bots))
        assert set(playing) <= entered
        ties = {(pairing.bracket, pairing.table): pairing.bots for pairing in each.pairings}
        assert max(Counter(bot for bots in ties.values() for bot in bots).values(), default=1) == 1
    ranked = [bot for rank in form.ranking(history) for bot in rank]
    assert sorted(ranked) == sorted(names(entrants))
    assert len(form.ranking(history)[0]) == 1


@pytest.mark.parametrize("form", [Knockout(), DoubleElimination()])
@pytest.mark.parametrize("gone_after", range(6))
def test_a_favourite_that_withdraws_after_any_round_loses_the_rest_and_changes_nothing_before(
    form: Knockout | DoubleElimination, gone_after: int
) -> None:
    bots = names(16)
    before = History(bots, withdrawals=(Withdrawal(bots[0], gone_after),), secret=SECRET)
    history, made = play_out(form, before, Random(1), AS_SEEDED)
    assert all(bots[0] not in pairing.bots for each in made[gone_after:] for pairing in each.pairings)
    assert verify_rounds(form, history, made) == []
    finals_begin = 3 if form == Knockout() else 6  # rounds before the grand final
    assert form.ranking(history)[0] == ((bots[0],) if gone_after > finals_begin else (bots[1],))


def test_both_finalists_gone_leaves_the_better_seed_as_winner() -> None:
    bots = names(4)
    gone = (Withdrawal(bots[0], 1), Withdrawal(bots[1], 1))
    history, made = play_out(Knockout(), History(bots, withdrawals=gone), Random(1), AS_SEEDED)
    assert len(made) == 2
    assert Knockout().ranking(history)[0] == (bots[0],)


@given(st.integers(3, 5), st.integers(1, 4), st.integers(1, 2), st.integers(0, 60), seeds)
def test_a_knockout_of_tables_ends_with_one_final(
    seats: int, advance: int, best_of: int, more: int, seed: int
) -> None:
    entrants = names(seats + more)
    form = TableKnockout(seats, best_of, min(advance, seats - 1))
    history, made = play_out(form, History(entrants), Random(seed))
    assert verify_rounds(form, history, made) == []
    assert all(len(pairing.bots) == seats for each in made for pairing in each.pairings)
    finals = [tie for tie in form.ties(history) if tie.bracket is Bracket.FINAL]
    assert len(finals) == 1
    assert [(bot,) for bot in (finals[0].result or TieResult((), TieEnd.BYE)).order] == list(
        form.ranking(history)[:seats]
    )
    size = form.expected_size(len(entrants))
    assert size.rounds[0] <= len(made) - 1 <= size.rounds[1]
    assert size.groups[0] <= sum(len(each.pairings) for each in made) <= size.groups[1]


@given(st.integers(3, 4), st.integers(0, 60), seeds)
def test_a_knockout_of_tables_with_mishaps_ends_and_can_be_recomputed(
    seats: int, more: int, seed: int
) -> None:
    form = TableKnockout(seats, 2, 2)
    history, made = play_out(form, History(names(seats + more)), Random(seed), TROUBLE)
    assert verify_rounds(form, history, made) == []
    ranked = [bot for rank in form.ranking(history) for bot in rank]
    assert sorted(ranked) == sorted(names(seats + more))


def test_in_a_knockout_of_tables_the_best_seeds_without_one_get_the_byes() -> None:
    bots = names(7)
    form = TableKnockout(4, 1, 2)
    _, made = play_out(form, History(bots), Random(3), AS_SEEDED)
    assert [each.byes for each in made] == [bots[:3], (bots[3],), (), ()]


def test_a_snake_deals_equally_strong_tables() -> None:
    assert snake(["1", "2", "3", "4", "5", "6"], 2) == [("1", "4", "5"), ("2", "3", "6")]


def test_a_tournament_verified_against_other_rounds_shows_the_round_that_differs() -> None:
    form = Knockout()
    history, made = play_out(form, History(names(8)), Random(5))
    other = a_played(RoundPairing(("x", "y")), Random(0)).pairing
    changed = [*made]
    changed[1] = type(made[1])((other, *made[1].pairings[1:]), made[1].byes)
    assert [each.round for each in verify_rounds(form, history, changed)] == [2]
