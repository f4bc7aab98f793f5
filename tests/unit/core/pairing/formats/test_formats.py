"""What holds for every format of the registry, and the parameters that choose one (docs/formats.md)."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import ErrorReason, FailedPreconditionError, InvalidArgumentError
from arena.core.match import SeedPolicy
from arena.core.pairing.formats.formats import format_of
from arena.core.pairing.formats.parameters import FormatParameters, Seeding, StageParameters
from arena.core.pairing.formats.plan import (
    Bracket,
    Format,
    History,
    NextRound,
    PlayedPairing,
    PlayedRound,
    Withdrawal,
)
from arena.core.pairing.formats.stages import Stages
from arena.core.pairing.formats.ties import ties_of
from arena.core.pairing.formats.verify import verify_rounds
from arena.core.pairing.round_robin import round_robin
from arena.core.seeds import drawn_seeding
from arena.core.tournaments import TournamentFormat as Kind
from tests.unit.core.pairing.formats.playing import SECRET, Mishaps, names, play_out

TROUBLE = Mishaps(withdrawal=6, no_show=6, void=6)

POOLS_THEN_KNOCKOUT = FormatParameters(
    stages=(
        StageParameters(Kind.ROUND_ROBIN, pools=3, qualifiers=2),
        StageParameters(Kind.KNOCKOUT, FormatParameters(best_of=3, third_place=True)),
    )
)
THREE_STAGES = FormatParameters(
    seeding=Seeding.DRAWN,
    stages=(
        StageParameters(Kind.KNOCKOUT, pools=2, qualifiers=4),
        StageParameters(Kind.SWISS, FormatParameters(rounds=3), 2, 3, SeedPolicy.SHARED),
        StageParameters(Kind.DOUBLE_ELIMINATION, seed_policy=SeedPolicy.DERIVED),
    ),
)
CASES = [
    (Kind.ROUND_ROBIN, 2, FormatParameters(rounds=2)),
    (Kind.ROUND_ROBIN, 3, FormatParameters()),
    (Kind.GAUNTLET, 2, FormatParameters(challengers=2)),
    (Kind.GAUNTLET, 4, FormatParameters(challengers=3, rounds=2)),
    (Kind.SWISS, 2, FormatParameters(rounds=5)),
    (Kind.SWISS, 3, FormatParameters(seeding=Seeding.DRAWN)),
    (Kind.KNOCKOUT, 2, FormatParameters(best_of=3, third_place=True)),
    (Kind.KNOCKOUT, 4, FormatParameters(advance=2)),
    (Kind.DOUBLE_ELIMINATION, 2, FormatParameters(seeding=Seeding.DRAWN)),
    (Kind.STAGES, 2, POOLS_THEN_KNOCKOUT),
    (Kind.STAGES, 2, THREE_STAGES),
]
every_case = pytest.mark.parametrize(
    ("kind", "seats", "parameters"), CASES, ids=[f"{kind.name}-{seats}" for kind, seats, _ in CASES]
)
seeds = st.integers(0, 10**9)


@every_case
@given(entrants=st.integers(10, 16), seed=seeds)
def test_with_mishaps_every_format_ends_ranks_everybody_and_can_be_recomputed(
    kind: Kind, seats: int, parameters: FormatParameters, entrants: int, seed: int
) -> None:
    form = format_of(kind, seats, parameters)
    early = (Withdrawal(names(entrants)[entrants // 2], 0),)
    history, made = play_out(form, History(names(entrants), (), early, SECRET), Random(seed), TROUBLE)
    assert verify_rounds(form, history, made) == []
    entry = {bot: place for place, bot in enumerate(history.entrants)}
    for number, each in enumerate(made, start=1):
        there = set(history.entered(number))
        for pairing in each.pairings:
            assert len(set(pairing.bots)) == seats
            assert there.issuperset(pairing.bots)
            assert list(pairing.bots) == sorted(pairing.bots, key=entry.__getitem__)
        assert there.issuperset(each.byes)
        keys = Counter(
            (pairing.stage, pairing.pool, pairing.bracket, pairing.table, pairing.game)
            for pairing in each.pairings
        )
        assert not keys or max(keys.values()) == 1
        ranks = form.ranking(history.before(number))
        assert sorted(bot for rank in ranks for bot in rank) == sorted(history.entrants)


@every_case
@given(entrants=st.integers(10, 16), seed=seeds)
def test_the_expected_size_holds_what_is_played(
    kind: Kind, seats: int, parameters: FormatParameters, entrants: int, seed: int
) -> None:
    form = format_of(kind, seats, parameters)
    form.check(names(entrants))
    size = form.expected_size(entrants)
    _, made = play_out(form, History(names(entrants), secret=SECRET), Random(seed))
    groups = sum(len(each.pairings) for each in made)
    assert size.rounds[0] <= len(made) - 1 <= size.rounds[1]
    assert size.groups[0] <= groups <= size.groups[1]
    assert size.matches[0] <= groups * seats <= size.matches[1]


@every_case
def test_too_few_bots_are_refused(kind: Kind, seats: int, parameters: FormatParameters) -> None:
    with pytest.raises(FailedPreconditionError) as caught:
        format_of(kind, seats, parameters).check(names(1))
    assert caught.value.reason is ErrorReason.TOO_FEW_BOTS


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in {Kind.STAGES, Kind.GATE}])
def test_a_plan_of_too_many_matches_is_refused(kind: Kind) -> None:
    rounds = (
        FormatParameters()
        if kind in {Kind.KNOCKOUT, Kind.DOUBLE_ELIMINATION}
        else FormatParameters(rounds=100)
    )
    with pytest.raises(FailedPreconditionError) as caught:
        format_of(kind, 2, rounds).check(names(10_000))
    assert caught.value.reason is ErrorReason.PLAN_TOO_LARGE


@given(st.integers(2, 12), st.integers(2, 3), st.integers(1, 2))
def test_a_round_robin_is_the_old_plan_in_its_order(entrants: int, seats: int, rounds: int) -> None:
    bots = names(entrants + 1)
    form = format_of(Kind.ROUND_ROBIN, seats, FormatParameters(rounds=rounds))
    planned = form.next_round(History(bots)).pairings
    assert [each.bots for each in planned] == [
        each.bots for each in round_robin(bots, seats=seats, rounds=rounds)
    ]


@given(st.integers(1, 4), st.integers(2, 4), st.integers(0, 12), st.integers(1, 3))
def test_in_a_gauntlet_each_challenger_meets_each_bot_of_the_field_equally_often_and_no_challenger(
    challengers: int, seats: int, more: int, rounds: int
) -> None:
    bots = names(challengers + seats - 1 + more)
    form = format_of(Kind.GAUNTLET, seats, FormatParameters(challengers=challengers, rounds=rounds))
    met = Counter(
        pair for each in form.next_round(History(bots)).pairings for pair in combinations(each.bots, 2)
    )
    field = bots[challengers:]
    assert not any(met[pair] for pair in combinations(bots[:challengers], 2))
    assert len({met[challenger, bot] for challenger in bots[:challengers] for bot in field}) == 1
    if seats == 2:
        assert met[bots[0], field[0]] == rounds


def test_drawn_seeds_follow_from_the_secret_alone() -> None:
    bots = names(16)
    form = format_of(Kind.KNOCKOUT, 2, FormatParameters(seeding=Seeding.DRAWN))
    first = form.next_round(History(bots, secret=SECRET))
    seeds = drawn_seeding(SECRET, bots)
    assert {frozenset(each.bots) for each in first.pairings} == {
        frozenset((seeds[place], seeds[15 - place])) for place in range(8)
    }
    assert form.next_round(History(bots, secret=bytes(32))) != first


def play_stages(entrants: int) -> tuple[Format, History, list[NextRound]]:
    form = format_of(Kind.STAGES, 2, POOLS_THEN_KNOCKOUT)
    as_seeded = Mishaps(tie=0, upset=0)
    return form, *play_out(form, History(names(entrants), secret=SECRET), Random(3), as_seeded)


def test_pools_are_dealt_by_a_snake_and_their_best_meet_in_the_finals() -> None:
    form, history, made = play_stages(12)
    bots = names(12)
    pools = {
        pool: {bot for each in made[0].pairings if each.pool == pool for bot in each.bots}
        for pool in (1, 2, 3)
    }
    assert pools[1] == {bots[0], bots[5], bots[6], bots[11]}
    assert {each.stage for each in made[0].pairings} == {1}
    assert {each.stage for made_round in made[1:] for each in made_round.pairings} == {2}
    finals = {bot for each in made[1:] for pairing in each.pairings for bot in pairing.bots}
    assert finals == {bots[place] for place in (0, 1, 2, 3, 4, 5)}
    assert made[1].byes == (bots[0], bots[1])
    assert form.ranking(history)[:2] == ((bots[0],), (bots[1],))
    assert len(form.ranking(history)[-1]) == 3  # the last of each pool


def test_who_withdraws_before_the_finals_is_replaced_by_the_next_of_the_pool() -> None:
    form, history, made = play_stages(12)
    bots = names(12)
    gone = replace(history, rounds=history.rounds[:1], withdrawals=(Withdrawal(bots[0], 1),))
    second = form.next_round(gone)
    playing = {bot for each in second.pairings for bot in each.bots} | set(second.byes)
    assert playing == {bots[place] for place in (1, 2, 3, 4, 5, 6)}
    assert made[1] != second


def test_a_withdrawal_in_the_finals_changes_nothing_of_the_stage_before() -> None:
    form, history, made = play_stages(12)
    assert isinstance(form, Stages)
    late = replace(history, withdrawals=(Withdrawal(names(12)[1], 2),))
    assert verify_rounds(form, replace(late, rounds=late.rounds[:2]), made[:2]) == []


def test_the_ties_of_a_stage_carry_its_number() -> None:
    form, history, _ = play_stages(12)
    assert isinstance(form, Stages)
    assert {(tie.stage, tie.pool) for tie in form.ties(history)} == {(2, 0)}
    assert {tie.bracket for tie in form.ties(history)} == {
        Bracket.WINNERS,
        Bracket.FINAL,
        Bracket.THIRD_PLACE,
    }


def test_the_ties_of_drawn_seeds_are_those_that_are_played() -> None:
    form = format_of(Kind.KNOCKOUT, 2, FormatParameters(seeding=Seeding.DRAWN))
    history = History(names(8), secret=SECRET)
    first = {frozenset(each.bots) for each in form.next_round(history).pairings}
    assert {frozenset(tie.bots) for tie in ties_of(form, history) if tie.level == 1} == first
    assert ties_of(format_of(Kind.SWISS, 2), history) == ()


def test_a_first_stage_with_drawn_seeds_shows_its_ties() -> None:
    drawn = StageParameters(Kind.KNOCKOUT, FormatParameters(seeding=Seeding.DRAWN), qualifiers=2)
    form = format_of(Kind.STAGES, 2, FormatParameters(stages=(drawn, StageParameters(Kind.KNOCKOUT))))
    history = History(names(8), secret=SECRET)
    first = {frozenset(each.bots) for each in form.next_round(history).pairings}
    assert {frozenset(tie.bots) for tie in ties_of(form, history) if tie.level == 1} == first


def test_in_a_round_robin_the_direct_encounter_separates_equal_scores() -> None:
    scores: dict[tuple[str, ...], tuple[int, int]] = {
        ("a", "b"): (500, 1500),
        ("a", "c"): (1500, 500),
        ("a", "d"): (1500, 500),
        ("b", "c"): (2000, 0),
        ("b", "d"): (0, 2000),
        ("c", "d"): (2000, 0),
    }  # a and b have 3500 each, c and d 2500
    form, bots = format_of(Kind.ROUND_ROBIN, 2), tuple("abcd")
    groups = tuple(
        PlayedPairing(each, scores[each.bots], (2, 2), (False, False))
        for each in form.next_round(History(bots)).pairings
    )
    assert form.ranking(History(bots, (PlayedRound(groups),))) == (("b",), ("a",), ("c",), ("d",))


@pytest.mark.parametrize("parameters", [FormatParameters(), *(parameters for _, _, parameters in CASES)])
def test_parameters_survive_their_canonical_text(parameters: FormatParameters) -> None:
    text = parameters.to_json()
    assert FormatParameters.from_json(text) == parameters
    assert FormatParameters.from_json(text).to_json() == text


def test_the_canonical_text_has_only_what_was_chosen() -> None:
    assert FormatParameters().to_json() == "{}"
    assert FormatParameters(rounds=3, seeding=Seeding.DRAWN).to_json() == '{"rounds":3,"seeding":"drawn"}'


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("no", "parameters"),
        ("[]", "parameters"),
        ('{"round":1}', "parameters.round"),
        ('{"rounds":"1"}', "parameters.rounds"),
        ('{"rounds":true}', "parameters.rounds"),
        ('{"third_place":1}', "parameters.third_place"),
        ('{"seeding":"best"}', "parameters.seeding"),
        ('{"seeding":[]}', "parameters.seeding"),
        ('{"stages":{}}', "parameters.stages"),
        ('{"stages":[{"format":"chess"}]}', "parameters.stages[0].format"),
        ('{"stages":[{"format":"swiss","seed_policy":"fixed"}]}', "parameters.stages[0].seed_policy"),
        ('{"stages":[{"format":"swiss","seed_policy":[]}]}', "parameters.stages[0].seed_policy"),
        ('{"stages":[{"format":"swiss","parameters":{"x":1}}]}', "parameters.stages[0].parameters.x"),
        ("[" * 100_000, "parameters"),
    ],
)
def test_a_text_that_is_none_names_the_wrong_field(text: str, field: str) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        FormatParameters.from_json(text)
    assert caught.value.metadata["field"] == field


@pytest.mark.parametrize(
    ("kind", "seats", "parameters", "field"),
    [
        (Kind.ROUND_ROBIN, 2, FormatParameters(best_of=3), "best_of"),
        (Kind.SWISS, 2, FormatParameters(challengers=2), "challengers"),
        (Kind.SWISS, 2, FormatParameters(rounds=-1), "rounds"),
        (Kind.KNOCKOUT, 2, FormatParameters(best_of=0), "best_of"),
        (Kind.KNOCKOUT, 2, FormatParameters(advance=2), "advance"),
        (Kind.KNOCKOUT, 3, FormatParameters(third_place=True), "third_place"),
        (Kind.GAUNTLET, 2, FormatParameters(challengers=0), "challengers"),
        (Kind.DOUBLE_ELIMINATION, 3, FormatParameters(), "seats"),
        (Kind.STAGES, 2, FormatParameters(), "stages"),
        (
            Kind.STAGES,
            2,
            FormatParameters(
                stages=(StageParameters(Kind.SWISS, qualifiers=4), StageParameters(Kind.SWISS, pools=2))
            ),
            "stages",
        ),
        (
            Kind.STAGES,
            2,
            FormatParameters(
                stages=(StageParameters(Kind.STAGES, qualifiers=2), StageParameters(Kind.SWISS))
            ),
            "stages",
        ),
        (
            Kind.STAGES,
            2,
            FormatParameters(stages=(StageParameters(Kind.SWISS), StageParameters(Kind.SWISS))),
            "stages[0].qualifiers",
        ),
    ],
)
def test_a_parameter_that_the_format_does_not_have_or_allow_is_refused(
    kind: Kind, seats: int, parameters: FormatParameters, field: str
) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        format_of(kind, seats, parameters)
    assert caught.value.reason is ErrorReason.FIELD_INVALID
    assert caught.value.metadata["field"] == field
