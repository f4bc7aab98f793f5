"""What `arena event` prints: problems of a file, the plan, and each change as it is made."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import text_format
from google.protobuf.timestamp_pb2 import Timestamp

from arena.v1 import ladder_pb2, match_pb2, tournament_pb2
from arena.wire.messages.tournament_format import parameters_message, parameters_of
from tests.unit.cli.conftest import Run
from tests.unit.cli.fake_arena import FakeArena, Refusal
from tests.unit.cli.screens import check_screen

FILE = """
[entrants]
all = ["ann", "bob", "cid", "dan"]

[ladder.first]
title = "First division"
game = "caravan"
seats = [2]
bots = ["ann", "bob"]
anchors = { bob = 1500.5 }
state = "running"

[ladder.second]
game = "caravan"
hidden = true

[season.first]
lower = ["second"]
swap = 1

[tournament.open]
title = "The open"
game = "caravan"
format = "stages"
bots = "all"
seeded_by = "main"
visibility = "sealed"
state = "running"
[[tournament.open.stages]]
format = "swiss"
rounds = 3
pools = 2
qualifiers = 1
[[tournament.open.stages]]
format = "knockout"
best_of = 3

[tournament.openings]
game = "caravan"
bots = "all"
suite = "caravan-2"
withdrawn = ["dan"]
"""
WRONG = """
[ladder.main]
game = "caravan"
titel = "Main"
[tournament.cup]
game = "caravan"
bots = ["a", "b"]
format = "stages"
stages = [{ format = "swiss", best_of = 3 }, { format = "knockout", rounds = 2 }]
[tournament.open]
game = "caravan"
bots = ["a", "b"]
format = "knockot"
withdrawn = ["c"]
"""


def missing(_: object) -> Refusal:
    return Refusal(grpc.StatusCode.NOT_FOUND, "No such thing.", "X_NOT_FOUND")


def created_ladder(request: ladder_pb2.CreateLadderRequest) -> ladder_pb2.CreateLadderResponse:
    ladder = ladder_pb2.Ladder(name=f"ladders/{request.ladder_id}", game=request.game)
    return ladder_pb2.CreateLadderResponse(ladder=ladder, warnings=["A match may take a day."])


def planned(request: tournament_pb2.CreateTournamentRequest) -> tournament_pb2.CreateTournamentResponse:
    answer = tournament_pb2.CreateTournamentResponse(warnings=["A match may take an hour."])
    answer.tournament.CopyFrom(
        tournament_pb2.Tournament(
            name=f"tournaments/{request.tournament_id}",
            format=request.format,
            game=request.game,
            bots=request.bots,
            seats=2,
            parameters=parameters_message(parameters_of(request.parameters, 0)),
        )
    )
    if request.HasField("suite"):
        given = tournament_pb2.TournamentSuite(name=request.suite.name, sha256=bytes(32), entries=256)
        answer.tournament.suite.CopyFrom(given)
    text_format.Parse(
        """pairings { number: 1 round: 1 bots: ["bots/ann", "bots/dan"] stage: 1 pool: 1 }
        pairings { number: 2 round: 1 bots: ["bots/bob", "bots/cid"] stage: 1 pool: 2 }
        size {
          fewest_rounds: 5 most_rounds: 9 fewest_pairings: 8 most_pairings: 12 fewest_matches: 16 most_matches: 24
        }""",
        answer,
    )
    return answer


def matches(_: object) -> match_pb2.ListMatchesResponse:
    """Return two matches an hour."""
    played = (
        match_pb2.Match(
            game="caravan", start_time=Timestamp(seconds=start), end_time=Timestamp(seconds=start + 1_800)
        )
        for start in (1_795_254_000, 1_795_255_800)
    )
    return match_pb2.ListMatchesResponse(matches=played)


@pytest.fixture
def event(fake: FakeArena, ask: Run, tmp_path: Path) -> Callable[..., Any]:
    """Return a function that runs `arena event COMMAND FILE ARGS...` on an arena with bots and nothing else."""
    fake.answers |= {
        "GetLadder": missing,
        "GetTournament": missing,
        "GetBot": "",
        "GetOwnToken": "token { role: ROLE_ORGANISER }",
        "ListBotStandings": "",
        "CreateTournament": planned,
        "CreateLadder": created_ladder,
        "ListMatches": matches,
    }
    of_ladders = ("RenameLadder", "SetLadderHidden", "JoinLadder", "SetLadderAnchor", "RunLadder")
    of_tournaments = ("RenameTournament", "WithdrawFromTournament", "RunTournament")
    fake.answers |= dict.fromkeys((*of_ladders, *of_tournaments), "")

    def run(command: str, text: str, *args: str) -> Any:
        (tmp_path / "spring.toml").write_text(text.removeprefix("\n"))
        return ask("event", command, "spring.toml", *args)

    return run


def test_what_is_printed_of_a_file_its_plan_and_its_changes(event: Callable[..., Any]) -> None:
    plan, applied = event("plan", FILE), event("apply", FILE, "--yes")
    check_screen("event", {"wrong": event("plan", WRONG), "plan": plan, "apply": applied})
    assert applied.stdout.startswith(plan.stdout), "the difference is printed before anything changes"


def test_warnings_of_creations_are_in_the_document_of_apply_once(event: Callable[..., Any]) -> None:
    document = json.loads(event("apply", FILE, "--yes", "--format", "json").stdout)
    assert [each["subject"] for each in document["warnings"]] == [
        "tournaments/open",  # bots without a rating
        "tournaments/open",  # the arena's own, known from the plan
        "tournaments/openings",
        "ladders/first",
        "ladders/second",
    ]


def test_a_change_that_fails_says_how_many_were_made(event: Callable[..., Any], fake: FakeArena) -> None:
    fake.answers["JoinLadder"] = Refusal(
        grpc.StatusCode.FAILED_PRECONDITION, "No room.", "SHARED_SEED_REFUSED"
    )
    failed = event("apply", FILE, "--yes")
    assert failed.exit_code == 1
    assert "enter ladders/first: ann failed; 2 of 13 changes were made" in failed.stderr
    assert fake.requests("RunLadder") == []


ONE = '[tournament.cup]\ngame = "caravan"\nbots = ["ann", "bob"]\n'


@pytest.mark.parametrize(("state", "begins"), [("PLANNED", True), ("FINISHED", False)])
def test_apply_says_which_tournaments_have_not_begun_and_plan_which_have_ended(
    event: Callable[..., Any], fake: FakeArena, state: str, begins: bool
) -> None:
    fake.answers["GetTournament"] = (
        f'tournament {{ name: "tournaments/cup" game: "caravan" format: FORMAT_ROUND_ROBIN state: STATE_{state} '
        'seats: 2 rounds: 1 bots: ["bots/ann", "bots/bob"] matches: 2 ended_matches: 2 }'
    )
    assert ("arena tournament run cup" in event("apply", ONE, "--yes").stdout) is begins
    assert ("tournaments/cup: finished." in event("plan", ONE).stdout) is not begins


@pytest.mark.parametrize(
    ("token", "may"),
    [
        ("role: ROLE_OWNER", False),
        ("role: ROLE_ORGANISER", True),
        ("role: ROLE_ORGANISER scopes: SCOPE_READ", False),
        ("role: ROLE_ORGANISER scopes: SCOPE_ORGANISE", True),
    ],
)
def test_plan_warns_whose_token_may_not_make_the_changes(
    event: Callable[..., Any], fake: FakeArena, token: str, may: bool
) -> None:
    fake.answers["GetOwnToken"] = f"token {{ {token} }}"
    text = '[ladder.main]\ngame = "caravan"\n'
    planned = event("plan", text, "--format", "json")
    assert planned.exit_code == 0
    subjects = [each["subject"] for each in json.loads(planned.stdout)["warnings"]]
    assert subjects == ([] if may else ["ladders/main"])
