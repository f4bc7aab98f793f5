"""How far bots have come, counted from the rounds that were played (docs/formats.md, ranking)."""

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.core.pairing.formats.all_meet import RoundRobin
from arena.core.pairing.formats.double_elimination import DoubleElimination
from arena.core.pairing.formats.knockout import Knockout
from arena.core.pairing.formats.plan import Bracket, Format, History, Withdrawal
from arena.core.pairing.formats.progress import BotProgress, ProgressStatus, progress_of
from arena.core.pairing.formats.seeding import DrawnSeeding
from arena.core.pairing.formats.stages import Stage, Stages
from arena.core.pairing.formats.swiss import Swiss
from arena.core.pairing.formats.table_knockout import TableKnockout
from arena.core.pairing.formats.ties import EXTRA_GROUPS
from tests.unit.core.pairing.formats.playing import SECRET, Mishaps, names, play_out

USUAL = Mishaps(upset=45)
IN, OUT = ProgressStatus.IN, ProgressStatus.OUT

sizes = st.integers(2, 33)
seeds = st.integers(0, 10**9)


def at_every_round(form: Format, bots: int, seed: int, mishaps: Mishaps) -> list[History]:
    """Play a tournament to its end; return its history before each round and at the end."""
    history, _ = play_out(form, History(names(bots), secret=SECRET), Random(seed), mishaps)
    return [history.before(number) for number in range(1, len(history.rounds) + 2)]


def losses(history: History) -> Counter[str]:
    """Count the ties of one group that each bot has lost; the one for the third place is left out."""
    scores: dict[tuple[Bracket, int], list[tuple[str, int]]] = {}
    groups = Counter[tuple[Bracket, int]]()
    for played in (played for each in history.rounds for played in each.pairings):
        tie = played.pairing.bracket, played.pairing.table
        before = scores.get(tie, [(bot, 0) for bot in played.pairing.bots])
        scores[tie] = [(bot, sum_ + own) for (bot, sum_), own in zip(before, played.score_milli, strict=True)]
        groups[tie] += 1
    lost = Counter[str]()
    for tie, ((better, one), (worse, other)) in scores.items():
        if tie[0] is not Bracket.THIRD_PLACE and (one != other or groups[tie] == 1 + EXTRA_GROUPS):
            lost[better if other > one else worse] += 1
    return lost


@given(sizes, seeds, st.booleans())
def test_of_a_knockout_are_out_those_that_have_lost_and_where_they_lost(
    bots: int, seed: int, third_place: bool
) -> None:
    for history in at_every_round(Knockout(third_place=third_place), bots, seed, USUAL):
        progress, lost = progress_of(Knockout(third_place=third_place), history), losses(history)
        assert {bot for bot, each in progress.items() if each.status is OUT} == set(lost)
        if (
            not bots & (bots - 1) and not third_place
        ):  # without byes a bot has played each round until its own
            for bot, each in progress.items():
                ties = {
                    played.pairing.table if played.pairing.bracket is Bracket.WINNERS else 0
                    for round_ in history.rounds
                    for played in round_.pairings
                    if bot in played.pairing.bots
                }
                assert len(ties) <= each.level <= len(ties) + 1
                assert each.level == len(ties) or bot not in lost


@given(sizes, seeds)
def test_of_a_double_elimination_are_out_those_that_have_lost_twice_and_once_they_are_among_the_losers(
    bots: int, seed: int
) -> None:
    histories = at_every_round(DoubleElimination(), bots, seed, USUAL)
    for history in histories:
        progress, lost = progress_of(DoubleElimination(), history), losses(history)
        assert {bot for bot, each in progress.items() if each.status is OUT} == {
            bot for bot, count in lost.items() if count == 2
        }
        for bot, each in progress.items():
            expected = {0: Bracket.WINNERS}.get(lost[bot], Bracket.LOSERS)
            assert each.bracket in (expected, Bracket.FINAL)
    end = histories[-1]
    groups = (played.pairing for each in end.rounds for played in each.pairings)
    finals = {group.table for group in groups if group.bracket is Bracket.FINAL}
    at_end = progress_of(DoubleElimination(), end).values()
    assert {each.level for each in at_end if each.bracket is Bracket.FINAL} == {max(finals)}


@given(st.sampled_from([3, 4]), st.integers(4, 30), seeds, st.integers(1, 2))
def test_of_a_knockout_of_tables_those_that_are_in_share_the_first_rank(
    seats: int, bots: int, seed: int, advance: int
) -> None:
    form = TableKnockout(seats, advance=advance)
    *before, end = at_every_round(form, bots, seed, Mishaps())
    for history in before:
        progress = progress_of(form, history)
        assert {bot for bot, each in progress.items() if each.status is IN} == set(form.ranking(history)[0])
        newest = max(each.level for each in progress.values())
        assert newest == max(tie.level for tie in form.ties(history))
        assert {progress[bot].level for bot in form.next_round(history).byes} <= {newest}
    assert {each.bracket for bot, each in progress_of(form, end).items() if bot in form.ranking(end)[0]} == {
        Bracket.FINAL
    }


@given(st.integers(2, 20), seeds, st.sampled_from([2, 3]))
def test_points_of_a_swiss_are_those_of_its_groups_and_byes(bots: int, seed: int, seats: int) -> None:
    form = Swiss(seats)
    if bots < seats:
        return
    for history in at_every_round(form, bots, seed, Mishaps(no_show=0)):
        expected = Counter[str]()
        for each in history.rounds:
            for played in each.pairings:
                for bot, own in zip(played.pairing.bots, played.score_milli, strict=True):
                    beaten = sum(own > other for other in played.score_milli)
                    alike = sum(own == other for other in played.score_milli) - 1
                    expected[bot] += 1000 * beaten + 500 * alike
            expected.update(dict.fromkeys(each.byes, 1000 * (seats - 1)))
        progress = progress_of(form, history)
        assert {bot: each.points_milli for bot, each in progress.items()} == {
            bot: expected[bot] for bot in history.entrants
        }
        assert {each.status for each in progress.values()} == {None}


def test_of_stages_are_out_those_that_did_not_advance_and_they_keep_their_points() -> None:
    swiss_and_final = Stages((Stage(Swiss(2, 2), 2, 1), Stage(Knockout(), 1, 0)))
    *_, middle, end = at_every_round(swiss_and_final, 8, 5, USUAL)
    for history in (middle, end):
        progress = progress_of(swiss_and_final, history)
        first = [each for each in progress.values() if each.stage == 1]
        assert [each.status for each in first] == [OUT] * 6
        assert {each.pool for each in first} == {1, 2}
        assert all(each.points_milli is not None and each.bracket is Bracket.NONE for each in first)
        second = {bot: each for bot, each in progress.items() if each.stage == 2}
        assert {(each.bracket, each.level, each.points_milli) for each in second.values()} == {
            (Bracket.FINAL, 1, None)
        }
        champions = {bot for bot, each in second.items() if each.status is IN}
        assert champions == set(swiss_and_final.ranking(history)[0])


def test_a_bot_that_withdraws_is_out_at_once_and_before_the_first_round_it_has_no_tie() -> None:
    bots = names(4)
    gone = History(bots, withdrawals=(Withdrawal(bots[3], 0),))
    for form in (Knockout(), DoubleElimination(), TableKnockout(3), DrawnSeeding(Knockout())):
        progress = progress_of(form, replace(gone, secret=SECRET))
        assert progress[bots[3]] == BotProgress(status=OUT)
        assert {progress[bot].status for bot in bots[:3]} == {IN}
    stages = Stages((Stage(RoundRobin(2, 1), 1, 2), Stage(Knockout(), 1, 0)))
    assert progress_of(stages, gone)[bots[3]] == BotProgress(status=OUT)


def test_a_format_that_eliminates_nobody_and_has_no_points_says_nothing() -> None:
    assert progress_of(RoundRobin(2, 1), History(names(4))) == {}
