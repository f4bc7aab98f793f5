"""What the commands of tournaments print, and what `arena tournament export` writes."""

import csv
import io
import json
import re

import pytest

from arena.v1 import tournament_pb2
from arena.wire.tournament_wording import format_results, seed_lines, visibility_lines
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
  standings {
    rank: 1 bot: "bots/bob" score_milli: 1500 pairs: 2 matches: 2 firsts: 2
    progress { status: STATUS_IN stage: 1 bracket: BRACKET_FINAL level: 2 }
  }
  standings {
    rank: 2 bot: "bots/c|d" score_milli: 500 pairs: 2 matches: 2 withdrawn: true
    progress { status: STATUS_OUT stage: 1 bracket: BRACKET_WINNERS level: 1 }
  }
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
OPEN = """
  tournament {
    name: "tournaments/open" format: FORMAT_SWISS game: "caravan" rules_version: 1 seats: 2 state: STATE_PLANNED
    bots: ["bots/ann", "bots/bob", "bots/cid"]
  }
  size { fewest_rounds: 2 most_rounds: 2 fewest_pairings: 2 most_pairings: 4 fewest_matches: 4 most_matches: 8 }
  first_round { number: 1 round: 1 bots: ["bots/ann", "bots/bob"] table: 1 } first_byes: "bots/cid"
"""
POINTS = """
  standings { rank: 1 bot: "bots/ann" points_milli: 2500 score_milli: 3000 pairs: 4 matches: 4 firsts: 3 }
  standings { rank: 2 bot: "bots/bob" points_milli: 0 score_milli: 1000 pairs: 4 matches: 4 firsts: 1 }
"""
STAGES = """
  standings {
    rank: 1 bot: "bots/ann" points_milli: 1000
    progress { status: STATUS_WON stage: 2 bracket: BRACKET_FINAL level: 1 }
  }
  standings { rank: 2 bot: "bots/bob" progress { status: STATUS_OUT stage: 2 bracket: BRACKET_LOSERS level: 2 } }
  standings { rank: 3 bot: "bots/cid" points_milli: 500 progress { status: STATUS_OUT stage: 1 pool: 2 } }
  standings { rank: 4 bot: "bots/dan" progress { status: STATUS_IN } }
"""
WITHDRAWN = """
  tournament {
    name: "tournaments/cup" format: FORMAT_KNOCKOUT game: "caravan" seats: 2 current_round: 1 state: STATE_RUNNING
    bots: ["bots/ann", "bots/bob"] withdrawals { bot: "bots/bob" after_round: 1 }
  }
"""
WITHDRAWALS = {
    "withdraw": WITHDRAWN + 'open_matches: ["matches/7", "matches/8"] dropped_pairings: 1',
    "withdraw again": WITHDRAWN + "unchanged: true",
}
GATE = """tournament {
  name: "tournaments/gate-1" format: FORMAT_GATE game: "caravan" rules_version: 1 seats: 2 state: STATE_RUNNING
  bots: ["bots/gate-1-candidate", "bots/gate-1-incumbent", "bots/ann", "bots/bob"]
  current_round: 2 pairings: 8 matches: 32 ended_matches: 32 visibility: VISIBILITY_SEALED
  seed_policy: SEED_POLICY_SHARED hosted_only: true seeded_by: "ladders/main"
  parameters {
    best_of: 1 challengers: 1 advance: 1 seeding: SEEDING_ORDER
    gate { elo1_milli: 20000 alpha_milli: 50 beta_milli: 50 set_ups: 500 }
  }
  gate {
    bot: "bots/mine"
    candidate: "bots/mine/versions/cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"
    incumbent: "bots/mine/versions/abababababababababababababababababababababababababababababababab"
    apply: true verdict: VERDICT_UNDECIDED set_ups: 7 llr_milli: [100, 250, 200] lower_milli: -2944 upper_milli: 2944
    elo_milli: 52100 elo_low_milli: -3000 elo_high_milli: 107400 superiority_milli: 968
    candidate_score_milli: 615 incumbent_score_milli: 540 set_ups_left: 130
  }
}"""
DECIDED = GATE.replace("STATE_RUNNING", "STATE_FINISHED").replace("_UNDECIDED", "_BETTER")
LIMITED = GATE.replace("STATE_RUNNING", "STATE_FINISHED").replace("set_ups: 500", "set_ups: 8")
WITHDRAWN = GATE.replace(
    "current_round", 'withdrawals { bot: "bots/gate-1-candidate" after_round: 2 } current_round'
)
NOTHING_YET = "verdict: VERDICT_UNDECIDED lower_milli: -2944 upper_milli: 2944 set_ups_left: 500"
FRESH = re.sub("verdict: .* set_ups_left: 130", NOTHING_YET, GATE, flags=re.DOTALL)
SUITE = 'suite { name: "caravan-2" sha256: "0123456789abcdef0123456789abcdef" entries: 256 }'
ANSWERS = {
    "GetTournament": CUP,
    "ListRounds": ROUNDS,
    "GetBracket": TIES,
    "ListPairings": PAIRINGS,
    "GetCrosstable": TABLE,
}
NO_TIES = {"GetBracket": ""}
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
        "on a suite": (
            "tournament create cup --bots ann,bob,cid --kind swiss --suite caravan-2 --dry-run",
            {"CreateTournament": PLANNED.replace("seats: 2", f"seats: 2 {SUITE}")},
        ),
        "shown on a suite": (
            "tournament show cup",
            ANSWERS | {"GetTournament": CUP.replace("seats: 2", f"seats: 2 {SUITE}")},
        ),
    },
    "tournaments/before_and_after": {
        "show": ("tournament show open", {"GetTournament": OPEN}),
        "points": ("tournament standings open", {"GetCrosstable": POINTS}),
        "stages": ("tournament standings open", {"GetCrosstable": STAGES}),
        "a schedule": ("tournament export open --what schedule", {"ListPairings": "", "ListRounds": ""}),
        "a bracket to come": (
            "tournament export cup --what bracket",
            {"GetTournament": CUP, "GetBracket": ""},
        ),
        "a bracket": ("tournament export open --what bracket", {"GetTournament": OPEN}),
    }
    | {
        name: ("tournament withdraw cup bob", {"WithdrawFromTournament": answer})
        for name, answer in WITHDRAWALS.items()
    },
    "tournaments/exported": {
        f"{what} as {form}": (f"tournament export cup --what {what} --format {form}", ANSWERS)
        for what in EXPORTS
        for form in ("table", "csv", "markdown")
    },
    "tournaments/gate": {
        "show": ("tournament show gate-1", ANSWERS | NO_TIES | {"GetTournament": GATE}),
        "before the first set-up": ("tournament show gate-1", ANSWERS | NO_TIES | {"GetTournament": FRESH}),
        "decided": (
            "tournament show gate-1",
            ANSWERS
            | NO_TIES
            | {"GetTournament": DECIDED.replace("apply: true", "apply: true applied: true")},
        ),
        "ended without a verdict": (
            "tournament show gate-1",
            ANSWERS | NO_TIES | {"GetTournament": GATE.replace("STATE_RUNNING", "STATE_FINISHED")},
        ),
        "the limit was reached": (
            "tournament show gate-1",
            ANSWERS | NO_TIES | {"GetTournament": f"{LIMITED} size {{ fewest_rounds: 1 most_rounds: 33 }}"},
        ),
        "the candidate was withdrawn": (
            "tournament show gate-1",
            ANSWERS | NO_TIES | {"GetTournament": WITHDRAWN.replace("STATE_RUNNING", "STATE_FINISHED")},
        ),
        "withdraw its candidate": (
            "tournament withdraw gate-1 gate-1-candidate",
            {"WithdrawFromTournament": WITHDRAWN},
        ),
    },
    "tournaments/refused_stages": {
        text: (f"tournament create cup --bots a,b --kind stages --stage {text}", {})
        for text in ("chess", "swiss,rounds=x", "swiss,colour=red", "swiss,third_place=no")
    },
    "tournaments/refused_formats": {
        text: (f"tournament create cup --bots a,b {text}", {})
        for text in (
            "--kind stages",
            "--kind stages --stage swiss,best_of=3,qualifiers=2 --stage knockout",
            "--kind stages --stage swiss --stage knockout",
            "--kind stages --stage swiss,qualifiers=2 --stage knockout,pools=2",
            "--kind stages --stage swiss,qualifiers=2,visibility=hidden --stage knockout",
            "--kind swiss --best-of 3",
            "--kind swiss --stage swiss",
            "--kind swiss --seeding drawn --seeded-by main",
            "--kind round-robin --seeding drawn",
            "--kind round-robin --seeded-by main",
            "--kind knockout --best-of 100",
            "--kind knockout --advance 2",
            "--kind knockout --seats 3 --third-place",
            "--kind double-elimination --seats 3",
            "--visibility live --seed-policy shared",
        )
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
    filled = [place for place, cells in enumerate(zip(*rows, strict=True)) if any(cells[1:])]
    columns = {line.replace("\\|", "").count("|") - 1 for line in lines}
    assert len(columns) == 1
    assert len(filled) <= columns.pop() <= len(rows[0])


@pytest.mark.parametrize(
    ("what", "field", "count"),
    [("standings", "standings", 2), ("bracket", "ties", 3), ("schedule", "pairings", 2)],
)
def test_an_export_as_json_has_the_fields_of_the_protocol(fake, ask, what, field, count):
    fake.answers |= ANSWERS
    document = json.loads(ask("tournament", "export", "cup", "--what", what, "--format", "json").stdout)
    assert len(document[field]) == count


def _keys(value: object) -> set[str]:
    """Return all keys at any depth."""
    if isinstance(value, dict):
        return set(value).union(*map(_keys, value.values()))
    return set().union(*map(_keys, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize("what", EXPORTS)
def test_an_export_as_json_names_fields_as_the_proto_files_do(fake, ask, what):
    fake.answers |= ANSWERS
    document = json.loads(ask("tournament", "export", "cup", "--what", what, "--format", "json").stdout)
    assert {key for key in _keys(document) if not re.fullmatch(r"[a-z]+(_[a-z]+)*", key)} == set()


def test_pairings_are_the_same_in_the_schedule_and_alone_with_their_zeros(fake, ask):
    fake.answers |= ANSWERS
    schedule = json.loads(ask("tournament", "export", "cup", "--what", "schedule", "--format", "json").stdout)
    alone = json.loads(ask("tournament", "pairings", "cup", "--format", "json").stdout)
    assert schedule["pairings"] == alone["pairings"]
    assert schedule["rounds"][1]["ended_pairings"] == 0


KINDS = {
    "ROUND_ROBIN": False,
    "CHALLENGE": False,
    "GAUNTLET": False,
    "SWISS": False,
    "KNOCKOUT": True,
    "DOUBLE_ELIMINATION": True,
    "STAGES": False,
    "STAGES parameters { stages { format: FORMAT_SWISS } stages { format: FORMAT_KNOCKOUT } }": True,
}


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
@pytest.mark.parametrize(("kind", "has_one"), KINDS.items())
def test_every_part_of_every_kind_can_be_taken_away_and_a_missing_bracket_is_named(
    fake, ask, kind, has_one, form
):
    fake.answers |= ANSWERS | {
        "GetTournament": f'tournament {{ name: "tournaments/cup" format: FORMAT_{kind} }}'
    }
    for what in EXPORTS:
        result = ask("tournament", "export", "cup", "--what", what, "--format", form)
        if what == "bracket" and not has_one:
            assert (result.exit_code, result.stdout) == (2, "")
            assert "double-elimination" in result.stderr
        else:
            assert result.exit_code == 0
            assert result.stdout


def test_what_is_known_before_the_first_round_is_in_the_json(fake, ask):
    fake.answers |= {"GetTournament": OPEN}
    document = json.loads(ask("tournament", "show", "open", "--format", "json").stdout)
    assert document["name"] == "tournaments/open"
    assert document["size"]["most_rounds"] == 2
    assert [each["bots"] for each in document["first_round"]] == [["bots/ann", "bots/bob"]]
    assert document["first_byes"] == ["bots/cid"]


def test_what_a_withdrawal_came_to_is_in_the_json(fake, ask):
    fake.answers |= {"WithdrawFromTournament": WITHDRAWALS["withdraw"]}
    document = json.loads(ask("tournament", "withdraw", "cup", "bob", "--format", "json").stdout)
    assert document["name"] == "tournaments/cup"
    assert (document["dropped_pairings"], document["unchanged"]) == (1, False)
    assert document["open_matches"] == ["matches/7", "matches/8"]


@pytest.mark.parametrize(
    ("results", "shown"),
    [
        ([(1500, 2, False), (500, 2, False)], "1.5 - 0.5"),
        ([(0, 0, False), (0, 0, True)], "present - absent"),
        ([(0, 0, True), (0, 0, True)], "absent - absent"),
        ([(0, 0, False), (0, 0, False)], "no result"),
        ([], ""),
    ],
)
def test_what_a_pairing_came_to_is_said_also_without_a_result(results, shown):
    fields = ("score_milli", "pairs", "absent")
    messages = [tournament_pb2.PairingResult(**dict(zip(fields, each, strict=True))) for each in results]
    assert format_results(messages) == shown


def test_visibility_and_seeds_have_a_line_for_each_stage_if_the_stages_differ():
    shown = tournament_pb2.Tournament(visibility=tournament_pb2.Tournament.VISIBILITY_SEALED)
    shown.parameters.stages.add()
    shown.parameters.stages.add()
    assert (visibility_lines(shown), len(seed_lines(shown))) == (["sealed"], 1)
    shown.parameters.stages[1].visibility = tournament_pb2.Tournament.VISIBILITY_LIVE
    assert visibility_lines(shown) == ["stage 1: sealed", "stage 2: live"]
    first, second = seed_lines(shown)
    assert "shared" in first
    assert "one per match" in second


def test_what_is_shown_of_a_tournament_with_a_live_stage_names_both(fake, ask):
    stages = "parameters { stages { format: FORMAT_SWISS } stages { visibility: VISIBILITY_LIVE } }"
    fake.answers |= ANSWERS | {
        "GetTournament": f'tournament {{ name: "tournaments/cup" visibility: VISIBILITY_SEALED {stages} }}'
    }
    shown = ask("tournament", "show", "cup").stdout
    assert "stage 1: sealed" in shown
    assert "stage 2: live" in shown
