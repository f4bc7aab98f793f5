"""Solo ladders and matches of one seat, as people see them: docs/cli.md."""

import json

import pytest

from tests.unit.cli.fake_arena import Answer
from tests.unit.cli.screens import Screens, check_answers, check_screen

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


def a_solo_match(ending: str, termination: str, seat: str = "") -> tuple[str, dict[str, Answer]]:
    match = f"""
        match {{
          name: "matches/17" game: "caravanserai" log: "{"ab" * 32}" state: MATCH_STATE_FINISHED ending: "{ending}"
          seats {{ bot: "bots/planner" placing: 1 {seat} ending {{ termination: TERMINATION_{termination} }} }}
        }}
    """
    return "match show 17", {"GetMatch": match}


LADDER = 'name: "ladders/alone" game: "caravanserai" seat_counts: 1 options { caravanserai { expert: true } }'
SCREENS: Screens = {
    "solo/ladder": {"": ("ladder show alone", {"GetLadder": f"ladder {{ {LADDER} }}", "ListMatches": ""})},
    "solo/matches": {
        "a level": a_solo_match("STUCK", "NORMAL", 'score: 26 level: "Camel driver"'),
        "a forfeit": a_solo_match("FORFEIT", "RESIGNATION"),
        "a forfeit with the last strike": a_solo_match("STUCK", "RESIGNATION"),
    },
}


@pytest.mark.parametrize("name", SCREENS)
def test_a_solo_ladder_and_its_matches_are_shown_as_such(fake, ask, name):
    check_answers(name, SCREENS, fake, ask)


def test_the_standings_of_a_solo_ladder_are_by_adjusted_score_and_fit_80_columns(fake, ask, monkeypatch):
    fake.answers["ListStandings"] = STANDINGS

    wide = ask("ladder", "standings", "alone")
    monkeypatch.setenv("COLUMNS", "80")
    narrow = ask("ladder", "standings", "alone")

    assert max(map(len, narrow.stdout.splitlines())) <= 80
    check_screen("solo/standings", {"wide": wide, "80 columns": narrow})


def test_standings_as_json_have_the_fields_that_are_set(fake, ask):
    fake.answers["ListStandings"] = STANDINGS

    lines = json.loads(ask("ladder", "standings", "alone", "--format", "json").stdout)["standings"]

    assert lines[0]["solo"]["adjusted_score_milli"] == 31_456
    assert "uncertainty_milli" not in lines[1]["solo"]
