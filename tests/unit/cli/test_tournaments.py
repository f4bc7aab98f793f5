"""What the commands of tournaments print, and what `arena tournament export` writes."""

import csv
import io
import json

import pytest

from tests.unit.cli.screens import Screens, check_screens

CUP = """tournament {
  name: "tournaments/cup" format: FORMAT_KNOCKOUT game: "caravan" rules_version: 1 seats: 2 state: STATE_RUNNING
  bots: ["bots/ann", "bots/bob", "bots/cid"] current_round: 2 pairings: 2 matches: 4 ended_matches: 2
  parameters { best_of: 1 challengers: 1 advance: 1 third_place: true seeding: SEEDING_DRAWN } seeded_by: "ladders/main"
  withdrawals { bot: "bots/cid" after_round: 1 } visibility: VISIBILITY_LIVE seed_policy: SEED_POLICY_DERIVED
}"""
ROUNDS = """
  rounds { number: 1 pairings: 1 ended_pairings: 1 byes: "bots/ann" create_time { seconds: 1795254000 } }
  rounds { number: 2 pairings: 1 create_time { seconds: 1795254600 } }
"""
TIES = """
  ties { bracket: BRACKET_WINNERS level: 1 number: 1 stage: 1
    end: END_BYE places { bot: "bots/ann" rank: 1 } places {} }
  ties {
    bracket: BRACKET_WINNERS level: 1 number: 2 stage: 1 ended_pairings: 1 end: END_POINTS
    places { bot: "bots/bob" points_milli: 1000 rank: 1 } places { bot: "bots/cid" rank: 2 }
  }
  ties { bracket: BRACKET_FINAL level: 2 number: 1 stage: 1 places { bot: "bots/ann" } places { bot: "bots/bob" } }
"""
PAIRINGS = """
  pairings {
    number: 1 round: 1 bots: ["bots/cid", "bots/bob"] group: "g7" matches: ["matches/1", "matches/2"] ended: true
    stage: 1
    bracket: BRACKET_WINNERS table: 2 game: 1
    results { bot: "bots/cid" score_milli: 500 pairs: 2 } results { bot: "bots/bob" score_milli: 1500 pairs: 2 }
  }
  pairings {
    number: 2 round: 2 bots: ["bots/ann", "bots/bob"] group: "g8" stage: 1 bracket: BRACKET_FINAL table: 1 game: 1
  }
"""
TABLE = """
  standings { rank: 1 bot: "bots/bob" score_milli: 1500 pairs: 2 matches: 2 firsts: 2 }
  standings { rank: 2 bot: "bots/c|d" score_milli: 500 pairs: 2 matches: 2 withdrawn: true }
  rows { bot: "bots/bob" cells {} cells { score_milli: 1500 matches: 2 } }
  rows { bot: "bots/c|d" cells { score_milli: 500 matches: 2 } cells {} }
"""
PLANNED = """
  tournament {
    name: "tournaments/cup" format: FORMAT_SWISS game: "caravan" seats: 2 bots: ["bots/ann", "bots/bob", "bots/cid"]
    time_control { seat_limit_ms: 60000 secret_pad_ms: 1 }
  }
  pairings { number: 1 round: 1 bots: ["bots/ann", "bots/bob"] table: 1 } byes: "bots/cid"
  size { fewest_rounds: 2 most_rounds: 2 fewest_pairings: 2 most_pairings: 4 fewest_matches: 4 most_matches: 8 }
"""
ANSWERS = {
    "GetTournament": CUP,
    "ListRounds": ROUNDS,
    "GetBracket": TIES,
    "ListPairings": PAIRINGS,
    "GetCrosstable": TABLE,
}
EXPORTS = ("standings", "crosstable", "bracket", "schedule")
SCREENS: Screens = {
    "tournaments/shown": {
        "show": ("tournament show cup", ANSWERS),
        "pairings": ("tournament pairings cup", ANSWERS),
        "standings": ("tournament standings cup", ANSWERS),
        "dry run": (
            "tournament create cup --bots ann,bob,cid --kind swiss --dry-run",
            {"CreateTournament": PLANNED},
        ),
    },
    "tournaments/exported": {
        f"{what} as {form}": (f"tournament export cup --what {what} --format {form}", ANSWERS)
        for what in EXPORTS
        for form in ("table", "csv", "markdown")
    },
    "tournaments/refused_stages": {
        text: (f"tournament create cup --bots a,b --kind stages --stage {text}", {})
        for text in ("chess", "swiss,rounds=x", "swiss,colour=red", "swiss,third_place=no")
    },
}


@pytest.mark.parametrize("name", SCREENS)
def test_what_is_printed_of_the_answer(fake, ask, name):
    check_screens(name, SCREENS, fake, ask)


@pytest.mark.parametrize("what", EXPORTS)
def test_every_row_of_an_export_has_all_columns(fake, ask, what):
    fake.answers |= ANSWERS
    export = ("tournament", "export", "cup", "--what", what, "--format")
    rows = list(csv.reader(io.StringIO(ask(*export, "csv").stdout)))
    assert len({len(row) for row in rows}) == 1 < len(rows)
    lines = ask(*export, "markdown").stdout.splitlines()
    assert len(lines) == len(rows) + 1
    assert {line.replace("\\|", "").count("|") for line in lines} == {len(rows[0]) + 1}


@pytest.mark.parametrize(
    ("what", "field", "count"),
    [("standings", "standings", 2), ("bracket", "ties", 3), ("schedule", "pairings", 2)],
)
def test_an_export_as_json_has_the_fields_of_the_protocol(fake, ask, what, field, count):
    fake.answers |= ANSWERS
    document = json.loads(ask("tournament", "export", "cup", "--what", what, "--format", "json").stdout)
    assert len(document[field]) == count
