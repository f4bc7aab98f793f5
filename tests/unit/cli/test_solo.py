"""Solo ladders and matches of one seat, as people see them: docs/cli.md."""

import json

import pytest

from arena.cli.simulate.commands import Plan, Policy, SimulatedMatch, summarise
from tests.unit.cli.screens import check_screen, words

STANDINGS = """
    standings {
      rank: 1 bot: "bots/planner" matches: 9 language: "python"
      solo {
        bot_version: "bots/planner/versions/2" adjusted_score_milli: 31456 uncertainty_milli: 1204
        mean_score_milli: 30500 boards: 8 best_score: 46 level: "Great camel driver"
      }
    }
    standings {
      rank: 2 bot: "bots/quitter" matches: 1 forfeits: 1 solo { adjusted_score_milli: -500 boards: 1 }
    }
    standings { bot: "bots/new" language: "go" solo {} }
"""


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
    ladder = (
        'name: "ladders/alone" game: "caravanserai" seat_counts: 1 options { caravanserai { expert: true } }'
    )
    fake.answers |= {"GetLadder": f"ladder {{ {ladder} }}", "ListMatches": ""}

    check_screen("solo/ladder", ask("ladder", "show", "alone"))


def a_solo_match(ending: str, termination: str, seat: str = "") -> str:
    return f"""
        match {{
          name: "matches/17" game: "caravanserai" log: "{"ab" * 32}" state: MATCH_STATE_FINISHED ending: "{ending}"
          seats {{ bot: "bots/planner" placing: 1 {seat} ending {{ termination: TERMINATION_{termination} }} }}
        }}
    """


def test_a_match_of_one_seat_has_a_level(fake, ask):
    fake.answers["GetMatch"] = a_solo_match("STUCK", "NORMAL", 'score: 26 level: "Camel driver"')

    shown = words(ask("match", "show", "17").stdout)

    assert "level Camel driver" in shown
    assert "match explain" not in shown


@pytest.mark.parametrize("ending", ["FORFEIT", "STUCK"])
def test_a_bot_that_has_forfeited_alone_is_pointed_to_its_explanation(fake, ask, ending):
    """Also where its last strike brought the game to its end."""
    fake.answers["GetMatch"] = a_solo_match(ending, "RESIGNATION")

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
