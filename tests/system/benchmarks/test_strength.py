"""What `make strength` plays, prints and promises."""

from collections import Counter
from itertools import count

import pytest
import typer

from arena.cli import sample_bots
from arena.core.clock.time_control import TimeControl
from arena.sdk import Plays
from benchmarks.strength_contest import bot_class, contest_of, kind_of
from benchmarks.strength_matches import Fixture, Played, fixtures, play
from benchmarks.strength_report import Groups, meeting, promises_of, ranked

SECRET = bytes(range(32))
CARAVAN = contest_of("caravan")
CARAVANSERAI = contest_of("caravanserai")
MATCHES_PER_ROUND = 3 * 2 + 2 * 3 + 2 * 4
"""Three line-ups of two bots, two of three, two of four; as many matches as seats in each."""


def match(fixture: Fixture, order: str, *, late: int = 0) -> Played:
    """Return the match, as it ends if the bots finish in this order, best first, given as their first letters."""
    placings = tuple(
        1 + sum(order.index(other[0]) < order.index(bot[0]) for other in fixture.bots) for bot in fixture.bots
    )
    nobody = (0,) * len(fixture.bots)
    return Played(fixture, placings, nobody, ((1.0, 2.0),) * len(placings), (late, *nobody[1:]))


def history(order: str, *, late: int = 0) -> list[Played]:
    """Ten groups of each line-up, in which all matches ended in this order."""
    return [match(fixture, order, late=late) for fixture in fixtures(CARAVAN, SECRET, 10)]


def verdicts(matches: list[Played]) -> dict[str, bool]:
    return {promise.claim: promise.holds for promise in promises_of(CARAVAN, matches)}


def test_every_bot_has_every_seat_of_its_line_up_once_a_group() -> None:
    planned = list(fixtures(CARAVAN, SECRET, 2))
    assert len(planned) == 2 * MATCHES_PER_ROUND
    seats = Counter(
        (fixture.group, seat, bot) for fixture in planned for seat, bot in enumerate(fixture.bots)
    )
    assert set(seats.values()) == {1}
    assert len(seats) == 2 * sum(len(bots) ** 2 for bots in CARAVAN.line_ups)


def test_a_seed_repeats_all_matches_and_another_one_changes_every_bag() -> None:
    assert list(fixtures(CARAVAN, SECRET, 1)) == list(fixtures(CARAVAN, SECRET, 1))
    seeds = [fixture.seed for secret in (SECRET, bytes(32)) for fixture in fixtures(CARAVAN, secret, 1)]
    assert len(set(seeds)) == 2 * MATCHES_PER_ROUND


def test_a_match_in_time_is_the_bots_own() -> None:
    fixture = Fixture("caravan", 0, ("greedy", "random"), bytes(32))
    played = play(fixture, TimeControl(), now=count().__next__)
    assert played.late == (0, 0)
    assert played.placings == (1, 2)
    assert {time for times in played.thought_ms for time in times} == {1e-6}


def test_a_late_bot_plays_the_default_action() -> None:
    """C18 and C21: everybody passes, so nobody scores and the match ends without progress, after 20 turns each."""
    second = 1_000_000_000
    played = play(
        Fixture("caravan", 0, ("greedy", "random"), bytes(32)),
        TimeControl(per_decision_ms=100, bank_ms=0),
        now=count(step=second).__next__,
    )
    assert played.scores == (0, 0)
    assert played.late == (20, 20)


def test_the_order_that_is_promised_passes() -> None:
    assert set(verdicts(history("mpgr")).values()) == {True}


def test_each_broken_promise_fails_alone() -> None:
    assert verdicts(history("mpgr", late=1))["no decision comes late"] is False
    assert verdicts(history("pmgr"))["mcts is not below planner"] is False
    assert verdicts(history("mgpr"))["planner is above greedy"] is False
    assert verdicts(history("mprg"))["greedy is above random"] is False


def test_a_bot_that_is_weak_with_one_seat_count_alone_is_below() -> None:
    matches = [
        match(fixture, "mpgr" if len(fixture.bots) < 4 else "pmgr")
        for fixture in fixtures(CARAVAN, SECRET, 10)
    ]
    assert verdicts(matches)["mcts is not below planner"] is False


def test_meetings_are_counted_by_seat_count() -> None:
    matches = [
        match(Fixture("caravan", 0, ("mcts", "planner"), SECRET), "mp"),
        match(Fixture("caravan", 0, ("planner", "mcts"), SECRET), "pm"),
        match(Fixture("caravan", 1, ("greedy", "planner", "mcts"), SECRET), "mpg"),
    ]
    assert meeting(matches, "mcts", "planner", 2) == "1-1"
    assert meeting(matches, "mcts", "planner", 3) == "1-0"
    level = Played(matches[0].fixture, (1, 1), (0, 0), ((), ()), (0, 0))
    assert meeting([*matches, level], "mcts", "planner", 2) == "1-1, 1 level"


@pytest.mark.parametrize("game", [contest.game for contest in (CARAVAN, CARAVANSERAI)])
def test_a_contest_names_bots_that_there_are_and_all_of_them(game: str) -> None:
    contest = contest_of(game)
    assert set(contest.bots) == set(sample_bots.names(game))
    played = {kind_of(name) for line_up in contest.line_ups for name in line_up}
    promised = {
        bot
        for pairs in (contest.above, contest.above_compiled, contest.above_at_every_table, contest.not_below)
        for pair in pairs
        for bot in pair
    }
    assert played == promised == set(contest.bots)
    for name in contest.bots:
        games = [
            each.game if isinstance(each, Plays) else each for each in bot_class(game, f"{name}-2").games
        ]
        assert game in games


def test_a_second_bot_of_a_kind_counts_for_its_kind() -> None:
    bots = ("greedy", "planner", "greedy-2", "planner-2")
    match = Played(Fixture("caravanserai", 0, bots, SECRET), (4, 1, 2, 3), (0, 0, 0, 0), ((),) * 4, (0,) * 4)
    assert meeting([match], "planner", "greedy", 4) == "3-1"


def test_in_solo_all_bots_play_the_same_boards_and_are_not_ranked() -> None:
    alone = [fixture for fixture in fixtures(CARAVANSERAI, SECRET, 2) if len(fixture.bots) == 1]
    assert len({fixture.seed for fixture in alone}) == 2
    assert Counter(fixture.bots for fixture in alone) == {(bot,): 2 for bot in CARAVANSERAI.bots}
    assert ranked([Played(alone[0], (1,), (30,), ((),), (0,))]) == []


def test_a_group_is_reported_when_its_last_match_has_ended() -> None:
    pair = [("mcts", "planner"), ("planner", "mcts")]
    planned = [Fixture("caravan", group, bots, SECRET) for group in (0, 1) for bots in pair]
    groups = Groups(planned)
    told = [
        groups.line_of(match(planned[which], order)) for which, order in ((0, "mp"), (2, "mp"), (3, "pm"))
    ]
    told.append(groups.line_of(match(planned[1], "mp")))
    assert told[:2] == ["", ""]
    assert [line.partition(" placing: ")[::2] for line in told[2:]] == [
        ("Match group 1 of 2: mean", "mcts 1.5, planner 1.5."),
        ("Match group 2 of 2: mean", "mcts 1.0, planner 2.0."),
    ]


def test_a_group_of_solo_matches_is_reported_by_scores() -> None:
    planned = [Fixture("caravanserai", 0, (bot,), SECRET) for bot in ("random", "greedy")]
    groups = Groups(planned)
    told = [
        groups.line_of(Played(each, (1,), (score,), ((1.0,),), (0,)))
        for each, score in zip(planned, (9, 30), strict=True)
    ]
    assert told[1].endswith(" score: greedy 30.0, random 9.0.")


def test_a_promise_for_every_table_fails_if_it_fails_at_one() -> None:
    claim = "planner is above greedy with every number of seats"
    everywhere = [match(fixture, "mpgr") for fixture in fixtures(CARAVANSERAI, SECRET, 10)]
    assert {promise.claim: promise.holds for promise in promises_of(CARAVANSERAI, everywhere)}[claim]
    not_at_six = [
        match(fixture, "mpgr" if len(fixture.bots) < 6 else "mgpr")
        for fixture in fixtures(CARAVANSERAI, SECRET, 10)
    ]
    assert not {promise.claim: promise.holds for promise in promises_of(CARAVANSERAI, not_at_six)}[claim]


def test_a_contest_among_some_bots_has_their_line_ups_and_promises_alone() -> None:
    duel = CARAVANSERAI.among(["planner", "mcts"])
    assert {kind_of(name) for line_up in duel.line_ups for name in line_up} == {"planner", "mcts"}
    assert (duel.bots, duel.above, duel.has_solo) == (("planner", "mcts"), (), False)
    assert duel.above_compiled == (("mcts", "planner"),)
    with pytest.raises(typer.BadParameter, match="only random"):
        CARAVANSERAI.among(["random"])


def test_a_game_without_a_contest_is_refused_by_name() -> None:
    with pytest.raises(typer.BadParameter, match="chess"):
        contest_of("chess")


def test_a_plan_is_played_to_its_end_and_earns_time_for_each_of_its_actions() -> None:
    fixture = Fixture("caravanserai", 0, ("greedy", "greedy-2"), bytes(32))
    played = play(fixture, TimeControl(), now=count().__next__)
    assert played.late == (0, 0)
    assert max(played.scores) > 14
    assert len(played.thought_ms[0]) < 60


def test_what_needs_the_compiled_engine_is_promised_of_it_alone() -> None:
    claim, matches = "mcts is above planner", history("mpgr")
    found = {
        compiled: {each.claim: each.holds for each in promises_of(CARAVAN, matches, compiled=compiled)}
        for compiled in (True, False)
    }
    assert found[True] == {**found[False], claim: True}
    assert claim not in found[False]


def test_a_contest_has_the_time_control_of_its_file_and_the_rest_as_on_a_ladder() -> None:
    assert CARAVAN.control == CARAVANSERAI.control == TimeControl(per_decision_ms=2000)
