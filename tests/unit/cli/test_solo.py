"""Solo ladders and matches of one seat, as people see them: docs/cli.md."""

from __future__ import annotations

import json

import pytest

from arena.cli.simulate.commands import summarise
from arena.cli.simulate.simulation import Plan, Policy, SimulatedMatch
from arena.games.caravanserai.v1 import caravanserai_pb2
from arena.v1 import ending_pb2, games_pb2, ladder_pb2, match_pb2
from tests.unit.cli.screens import check_screen, words

NEW = ladder_pb2.Standing(bot="bots/new", language="go", solo=ladder_pb2.SoloStanding())
STANDINGS = ladder_pb2.ListStandingsResponse(
    standings=[
        ladder_pb2.Standing(
            rank=1,
            bot="bots/planner",
            matches=9,
            language="python",
            solo=ladder_pb2.SoloStanding(
                bot_version="bots/planner/versions/2",
                adjusted_score_milli=31_456,
                uncertainty_milli=1_204,
                mean_score_milli=30_500,
                boards=8,
                best_score=46,
                level="Great camel driver",
            ),
        ),
        ladder_pb2.Standing(
            rank=2,
            bot="bots/quitter",
            matches=1,
            forfeits=1,
            solo=ladder_pb2.SoloStanding(adjusted_score_milli=-500, boards=1),
        ),
        NEW,
    ]
)


def test_the_standings_of_a_solo_ladder_are_by_adjusted_score_and_fit_80_columns(fake, ask, monkeypatch):
    fake.answers["ListStandings"] = STANDINGS

    wide = ask("ladder", "standings", "alone")
    monkeypatch.setenv("COLUMNS", "80")
    narrow = ask("ladder", "standings", "alone")

    assert max(map(len, narrow.stdout.splitlines())) <= 80
    check_screen("solo/standings", {"wide": wide, "80 columns": narrow})


def test_programs_get_all_of_it(fake, ask):
    fake.answers["ListStandings"] = STANDINGS

    lines = json.loads(ask("ladder", "standings", "alone", "--format", "json").stdout)["standings"]

    assert lines[0]["solo"]["adjusted_score_milli"] == 31_456
    assert "uncertainty_milli" not in lines[1]["solo"]


def test_a_solo_ladder_says_that_it_is_one(fake, ask):
    expert = games_pb2.GameOptions(caravanserai=caravanserai_pb2.Options(expert=True))
    fake.answers["GetLadder"] = ladder_pb2.GetLadderResponse(
        ladder=ladder_pb2.Ladder(name="ladders/alone", game="caravanserai", seat_counts=[1], options=[expert])
    )

    fake.answers["ListMatches"] = match_pb2.ListMatchesResponse()

    check_screen("solo/ladder", ask("ladder", "show", "alone"))


@pytest.fixture
def solo_match(fake):
    """The arena knows one match of one seat."""
    match = match_pb2.Match(name="matches/17", game="caravanserai", log="ab" * 32)
    match.state = match_pb2.MATCH_STATE_FINISHED
    match.seats.add(bot="bots/planner", placing=1)
    match.seats[0].ending.termination = ending_pb2.TERMINATION_NORMAL
    fake.answers["GetMatch"] = match_pb2.GetMatchResponse(match=match)
    return match


def test_a_match_of_one_seat_has_a_level(fake, ask, solo_match):
    solo_match.ending, solo_match.seats[0].score, solo_match.seats[0].level = "STUCK", 26, "Camel driver"
    fake.answers["GetMatch"] = match_pb2.GetMatchResponse(match=solo_match)

    shown = words(ask("match", "show", "17").stdout)

    assert "level Camel driver" in shown
    assert "match explain" not in shown


@pytest.mark.parametrize("ending", ["FORFEIT", "STUCK"])
def test_a_bot_that_has_forfeited_alone_is_told_where_to_read_why(fake, ask, solo_match, ending):
    """Also where its last strike brought the game to its end."""
    solo_match.ending = ending
    solo_match.seats[0].ending.termination = ending_pb2.TERMINATION_RESIGNATION
    solo_match.seats[0].ending.sentence = "The bot resigned at decision 3."
    fake.answers["GetMatch"] = match_pb2.GetMatchResponse(match=solo_match)

    shown = words(ask("match", "show", "17").stdout)

    assert f"0 planner 1 {'-' if ending == 'FORFEIT' else '0'} RESIGNATION 0 0.00 0" in shown
    assert "`arena match explain 17`" in shown


def test_simulations_of_one_seat_count_levels_and_places_nobody(run):
    result = run("simulate", "caravanserai", "--seats", "1", "--matches", "30", "--seed", "00" * 32)
    lines = [words(line) for line in result.stdout.splitlines() if words(line)]

    assert any(line.startswith("scores ") for line in lines)
    assert "first places" not in result.stdout
    rows = lines[lines.index("level matches share") + 1 :]
    assert rows[-1].startswith("none ")
    assert sum(int(row.split()[-3]) for row in rows) == 30


def test_levels_are_counted_from_the_best_down():
    """S43."""
    plan = Plan("caravanserai", 1, (), Policy.SENSIBLE, bytes(32))
    played = [SimulatedMatch("STUCK", 60, (score,), (1,)) for score in (24, 30, 25, 29, 45)]

    assert list(summarise(plan, played, seconds=1.0).levels.items()) == [
        ("Chief of the 5 tribes", 1),
        ("Great camel driver", 1),
        ("Camel driver", 2),
        ("", 1),
    ]


def test_a_game_without_levels_shows_none(run):
    result = run("simulate", "caravan", "--seats", "2", "--matches", "2", "--format", "json")

    assert json.loads(result.stdout)["levels"] == {}
