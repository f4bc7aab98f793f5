"""Why a match came out as it did: from its log, or from what the arena says while there is none to read."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest

from arena.cli.explain.advice import advice
from arena.cli.explain.seat_summary import (
    HOSTED_ENDINGS,
    OwnerDebug,
    SeatOutcome,
    seat_details_document,
    uncaught_exception,
)
from arena.codecs.codec import codec_for
from arena.core.endings import verdicts
from arena.core.endings.verdicts import time_forfeit
from arena.core.evaluation import Evaluation
from arena.core.match import MatchResult, MatchState, SeatResult
from arena.match_log.reader import read_log
from arena.match_report.trades import trades
from arena.server.auth.revocation import DISABLED, EXPIRED, LOWERED, REVOKED
from arena.v1 import bot_pb2, ending_pb2, match_pb2
from tests.checkout import ROOT
from tests.unit.cli.fake_arena import Answer, Refusal
from tests.unit.cli.screens import Screens, check_screen, check_screens
from tests.unit.core.test_verdicts import AWAY, HELD, LATE, NEVER, USED_UP
from tests.unit.match_log import trading
from tests.unit.match_log.matches import caravan_setup, logged
from tests.unit.match_log.test_explain import CONTROL, a_ply

LOGS = ROOT / "tests" / "data" / "logs"
FORFEITS = LOGS / "caravan-4-seats-with-forfeits.arenalog"
VOID = LOGS / "worked-example.arenalog"
SOURCES = (match_pb2.DebugLine.SOURCE_MESSAGE, match_pb2.DebugLine.SOURCE_STDOUT)
BOTS = {
    "bots/greedy": bot_pb2.Bot(name="bots/greedy"),
    "bots/mcts": bot_pb2.Bot(name="bots/mcts", connections=1),
    "bots/ant": bot_pb2.Bot(
        name="bots/ant",
        paused="its version is suspended",
        hosting=bot_pb2.Hosting(mode=bot_pb2.Hosting.MODE_NEWEST),
    ),
}


def a_match(**fields: Any) -> match_pb2.Match:
    """Match 17, finished with a log unless told otherwise."""
    usual: dict[str, Any] = {
        "name": "matches/17",
        "group": "g5",
        "state": match_pb2.MATCH_STATE_FINISHED,
        "log": "ab" * 32,
    }
    return match_pb2.Match(**(usual | fields))


def a_seat(
    bot: str,
    termination: str,
    sentence: str,
    *,
    fault: ending_pb2.Fault.ValueType = ending_pb2.FAULT_NONE,
    evidence: Mapping[str, str] | None = None,
    **fields: Any,
) -> match_pb2.MatchSeat:
    """Return a seat that has ended."""
    ending = ending_pb2.SeatEnding(
        termination=ending_pb2.Termination.Value(f"TERMINATION_{termination}"),
        fault=fault,
        sentence=sentence,
        evidence=[ending_pb2.Evidence(fact=fact, value=value) for fact, value in (evidence or {}).items()],
    )
    return match_pb2.MatchSeat(bot=f"bots/{bot}", ending=ending, **fields)


FIRST_AND_SECOND = [
    a_seat("greedy", "NORMAL", "First.", placing=1),
    a_seat("mcts", "NORMAL", "Second.", placing=2),
]


def of(
    match: match_pb2.Match,
    *,
    log: Path = FORFEITS,
    replay: match_pb2.Match | None = None,
    lines: list[match_pb2.DebugLine] | None = None,
    **others: Answer,
) -> dict[str, Answer]:
    """Return the answers about a match."""
    if lines is not None:
        others["ListDebugLines"] = match_pb2.ListDebugLinesResponse(lines=lines)
    return others | {
        "GetMatch": lambda request: match_pb2.GetMatchResponse(
            match=match if request.name == match.name else replay
        ),
        "GetBot": lambda request: bot_pb2.GetBotResponse(bot=BOTS[request.name]),
        "DownloadMatchLog": [match_pb2.DownloadMatchLogResponse(chunk=log.read_bytes())],
    }


@pytest.fixture
def show(fake, ask):
    """Return a function that runs a command about a match, and returns its output."""

    def show_it(match: match_pb2.Match, *command: str, **answers: Any) -> str:
        fake.answers |= of(match, **answers)
        result = ask("match", *command)
        assert result.exit_code == 0, result.output
        return str(result.stdout)

    return show_it


@pytest.fixture
def one_ply(run, tmp_path):
    """Return a function that explains a match of one ply."""

    def explain_it(used_ms: int, pad_ms: int) -> str:
        seats = (SeatResult(1, 0, verdicts.last_standing(2), 1, 0, 0, 0),) * 2
        result = MatchResult(MatchState.FINISHED, "LAST_STANDING", 1, seats, 10**9, "", bytes(8))
        setup = replace(caravan_setup(2), time_control=replace(CONTROL, secret_pad_ms=pad_ms))
        log = logged(setup, (a_ply(0, 1, used_ms),), result, set_up=(), codec=codec_for("caravan"))
        (tmp_path / "one_ply.arenalog").write_bytes(log.data)
        return str(run("log", "explain", "one_ply.arenalog").stdout)

    return explain_it


def test_the_clock_shows_its_padding(one_ply):
    assert "secret_pad_ms 20" in one_ply(100, pad_ms=20)
    assert "secret_pad_ms" not in one_ply(100, pad_ms=0).split("Seat 0")[0]


def test_near_misses_are_shown_with_their_share_of_the_limit(one_ply):
    told = one_ply(3_800, pad_ms=0)

    assert "decision 1 (ply 0)" in told
    assert "3.80 s of 4.00 s (95%)" in told


def test_what_a_bot_expected_of_its_own_seat_is_told_with_its_decisions(run, tmp_path):
    scores = {1: 620, 2: 135, 3: 400}
    plies = tuple(
        replace(a_ply(0, decision, 10), evaluation=Evaluation((score, 1000 - score)))
        for decision, score in scores.items()
    )
    seats = (SeatResult(1, 0, verdicts.last_standing(2), 3, 0, 0, 0),) * 2
    result = MatchResult(MatchState.FINISHED, "LAST_STANDING", 3, seats, 10**9, "", bytes(8))
    log = logged(caravan_setup(2), plies, result, set_up=(), codec=codec_for("caravan"))
    (tmp_path / "hopeful.arenalog").write_bytes(log.data)
    told = " ".join(str(run("log", "explain", "hopeful.arenalog").stdout).split())
    places = ("first 62 % in decision 1", "lowest 13.5 % in decision 2", "last 40 % in decision 3")
    assert [place in told for place in places] == [True] * 3
    document = json.loads(run("log", "explain", "hopeful.arenalog", "--format", "json").stdout)
    decisions = document["seats"][0]["decisions"]
    assert [each["evaluation"]["scores_per_mille"][0] for each in decisions] == list(scores.values())


def test_programs_get_every_decision_with_its_clock(show):
    document = json.loads(show(a_match(), "explain", "17", "--format", "json"))

    log = read_log(FORFEITS.read_bytes())
    seat = document["seats"][2]
    assert (document["match"], seat["termination"], seat["fault"]) == ("matches/17", "DISCONNECT", "NETWORK")
    assert len(seat["decisions"]) == len({ply.decision for ply in log.plies if ply.seat == 2} - {0})
    assert seat["absences"][0]["back_ms"] is None
    assert document["seats"][0]["strikes"] == [71, 92]
    assert document["trades"] == []
    assert seat["think_ms"]["p50"] <= seat["think_ms"]["p95"] <= seat["think_ms"]["max"]


WHY: dict[str, Any] = {"fault": ending_pb2.FAULT_ARENA, "evidence": {"why": "the disk was full"}}
VOIDED = "The match is void by the arena's fault."
VOIDED_MATCH = a_match(
    state=match_pb2.MATCH_STATE_ABORTED,
    void_reason="Void by the arena's fault: the disk was full.",
    replayed_as="matches/21",
    log="",
    rated=True,
    seed_commitment=b"first",
    seats=[a_seat("greedy", "NORMAL", VOIDED, **WHY), a_seat("mcts", "NORMAL", VOIDED, **WHY)],
)
REPLAY = a_match(name="matches/21", attempt=1, seed_commitment=b"second")
PENDING = a_match(
    state=match_pb2.MATCH_STATE_PENDING,
    log="",
    seats=[match_pb2.MatchSeat(bot=bot) for bot in BOTS],
    ladder="ladders/main",
)
BENCHED = {"benched": "its version is suspended: it failed 5 times in a row"}
NEVER_BEGAN = a_match(
    state=match_pb2.MATCH_STATE_NO_CONTEST,
    log="",
    rated=True,
    seats=[
        a_seat("ant", "DISCONNECT", "Never began.", fault=ending_pb2.FAULT_BOT, evidence=BENCHED),
        a_seat("mcts", "NORMAL", "Never began.", fault=ending_pb2.FAULT_OPPONENT, evidence={"began": "no"}),
    ],
)
HALF_VOID = a_match(
    state=match_pb2.MATCH_STATE_ABORTED,
    seats=[a_seat("greedy", "NORMAL", "Void."), a_seat("mcts", "DISCONNECT", "Away.")],
    replayed_as="matches/21",
)
EXITED = a_match(
    log="",
    seats=[
        a_seat("greedy", "NORMAL", "Last.", placing=1),
        a_seat("ant", "EXITED", "Exited.", fault=ending_pb2.FAULT_BOT, evidence={"code": "1"}, placing=2),
    ],
)
LINES = [
    match_pb2.DebugLine(
        seat=1, decision=number // 2, text=f"line {number}\x1b[0m", source=SOURCES[number % 2]
    )
    for number in range(7)
]


def void(state: Any, *placings: int, **fields: Any) -> tuple[str, dict[str, Answer]]:
    """Return how a void match without a replay is explained."""
    seats = [match_pb2.MatchSeat(bot="bots/ant", placing=placing) for placing in placings]
    return "match explain 17", of(a_match(state=state, log="", rated=True, seats=seats, **fields))


def running(kind: str, policy: str) -> tuple[str, dict[str, Answer]]:
    """Return how a running match of a ladder or tournament with this seed policy is explained."""
    where: dict[str, Any] = {kind: f"{kind}s/main"}
    match = a_match(state=match_pb2.MATCH_STATE_RUNNING, log="", **where)
    policies: dict[str, Any] = {f"Get{kind.title()}": f"{kind} {{ seed_policy: SEED_POLICY_{policy} }}"}
    return "match explain 17", of(match, **policies)


def running_in_stage(stage: int) -> tuple[str, dict[str, Answer]]:
    """Return how a running match of a tournament is explained whose groups are sealed and whose final is live."""
    match = a_match(state=match_pb2.MATCH_STATE_RUNNING, log="", tournament="tournaments/main")
    tournament = """tournament {
      visibility: VISIBILITY_SEALED seed_policy: SEED_POLICY_SHARED
      parameters { stages {} stages { visibility: VISIBILITY_LIVE } }
    }"""
    pairings = f'pairings {{ group: "g4" stage: 1 }} pairings {{ group: "g5" stage: {stage} }}'
    return "match explain 17", of(match, GetTournament=tournament, ListPairings=pairings)


def without_lines(code: grpc.StatusCode, reason: str) -> tuple[str, dict[str, Answer]]:
    """Return how a match is explained whose debug lines cannot be read."""
    return "match explain 17", of(EXITED, ListDebugLines=Refusal(code, "That is why.", reason))


SCREENS: Screens = {
    "explain/running": {
        f"{kind}, {policy}": running(kind, policy)
        for kind in ("ladder", "tournament")
        for policy in ("SHARED", "DERIVED")
    }
    | {f"tournament, stage {stage} of sealed and live": running_in_stage(stage) for stage in (1, 2)},
    "explain/without_lines": {
        reason: without_lines(grpc.StatusCode[code], reason)
        for code, reason in (
            ("DATA_LOSS", "STORAGE"),
            ("PERMISSION_DENIED", "SCOPE_REQUIRED"),
            ("PERMISSION_DENIED", "NOT_OWNER"),
            ("PERMISSION_DENIED", "ROLE_REQUIRED"),
        )
    },
    "explain/void": {
        "a fresh seed": ("match explain 17", of(VOIDED_MATCH, replay=REPLAY)),
        "the same seed": (
            "match explain 17",
            of(VOIDED_MATCH, replay=a_match(name="matches/21", seed_commitment=b"first")),
        ),
        "with a log": (
            "match explain 17",
            of(a_match(state=VOIDED_MATCH.state, void_reason=VOIDED_MATCH.void_reason), log=VOID),
        ),
    },
    "explain/not_replayed": {
        "left to the organiser": void(match_pb2.MATCH_STATE_ABORTED, 0, 0, left_to_organiser=True),
        "no contest": void(match_pb2.MATCH_STATE_NO_CONTEST, 0, 0),
        "with a result before": void(match_pb2.MATCH_STATE_ABORTED, 1, 2),
    },
    "explain/no_log": {
        match_pb2.MatchState.Name(state): ("match explain 17", of(a_match(state=state, log="")))
        for state in (
            match_pb2.MATCH_STATE_PENDING,
            match_pb2.MATCH_STATE_RUNNING,
            match_pb2.MATCH_STATE_FINISHED,
        )
    },
    "explain/pending": {"": ("match explain 17", of(PENDING))},
    "explain/never_began": {"": ("match explain 17", of(NEVER_BEGAN))},
    "explain/debug_lines": {"": ("match explain 17", of(EXITED, lines=LINES))},
    "explain/seats": {
        "lost": ("match show 17", of(a_match(seats=FIRST_AND_SECOND))),
        "lost, without a log": ("match show 17", of(a_match(seats=FIRST_AND_SECOND, log=""))),
        "void": ("match show 17", of(HALF_VOID)),
        "never began": ("match show 17", of(NEVER_BEGAN)),
    },
}


@pytest.mark.parametrize("name", SCREENS)
def test_a_match_is_explained_with_or_without_its_log(fake, ask, name):
    check_screens(name, SCREENS, fake, ask)


def test_programs_get_the_state_of_a_match_without_a_log(show):
    def document(match: match_pb2.Match, **answers: Any) -> Any:
        return json.loads(show(match, "explain", "17", "--format", "json", **answers))

    voided = document(VOIDED_MATCH, replay=REPLAY)
    assert (voided["state"], voided["replayed_as"]) == ("ABORTED", "matches/21")
    assert voided["replay"] == {"match": "matches/21", "attempt": 1, "same_seed": False}
    assert [seat["evidence"] for seat in voided["seats"]] == [{"why": "the disk was full"}] * 2

    pending = document(PENDING)
    assert [each["bot"] for each in pending["waits_for"]] == ["bots/greedy", "bots/ant"]
    assert pending["seats"][0]["termination"] is None

    said = document(EXITED, lines=LINES)["seats"][1]["debug_lines"]
    assert (said["count"], said["printed"], len(said["last"])) == (7, 3, 5)
    assert said["last"][1] == {"decision": 1, "source": "stdout", "text": "line 3\x1b[0m"}


ENDINGS: list[tuple[str, dict[str, str]]] = [
    ("NORMAL", {}),
    ("TIME_FORFEIT", {}),
    *(
        ("TIME_FORFEIT", dict(time_forfeit(miss, 3, 2).evidence))
        for miss in (LATE, NEVER, USED_UP, HELD, AWAY)
    ),
    ("TIME_FORFEIT", {"cpu_limit_s": "86400"}),
    ("TIME_FORFEIT", {"wall_limit_s": "86400"}),
    ("ILLEGAL_ACTION", {}),
    ("RESIGNATION", {}),
    ("DISCONNECT", {"absence_allowed_ms": "10000"}),
    ("DISCONNECT", {"why": "the bot sent garbage"}),
    ("DISCONNECT", {}),
    ("NO_SHOW", {"no_shows": "3"}),
    ("NO_SHOW", {"owner": "its owner is disabled"}),
    ("NO_SHOW", {"organiser": "taken out of service"}),
    ("NO_SHOW", {"benched": "it failed"}),
    ("NO_SHOW", {"absent_min": "10"}),
    ("NO_SHOW", {"absent_min": "10", "takes": "no"}),
    ("NO_SHOW", {"absent_min": "10", "hosted": "no"}),
    ("EXITED", {"code": "0"}),
    ("EXITED", {"code": "3"}),
    *(("SIGNALLED", {"signal": signal}) for signal in ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGFPE", "SIGILL")),
    *(("SIGNALLED", {"signal": signal}) for signal in ("SIGPIPE", "SIGXFSZ", "SIGKILL", "SIGUSR1")),
    ("MEMORY", {"memory_limit_mib": "256"}),
    ("PIDS", {"pids_limit": "64"}),
    ("OUTPUT", {"output_limit_kib": "1024"}),
    ("FORBIDDEN_CALL", {"signal": "SIGSYS"}),
]


@pytest.mark.parametrize(
    ("termination", "evidence"),
    [each for each in ENDINGS if each[0] in HOSTED_ENDINGS or "cpu_limit_s" in each[1]],
    ids=str,
)
def test_the_end_of_a_program_has_its_evidence_and_what_to_do(show, termination, evidence):
    """docs/bad_inputs.md rows 35 to 39."""
    lost = a_seat("ant", termination, "Ended.", fault=ending_pb2.FAULT_BOT, evidence=evidence, placing=2)
    match = a_match(log="", seats=[a_seat("greedy", "NORMAL", "Last.", placing=1), lost])

    told = show(match, "explain", "17")

    [fact] = evidence
    assert f"  evidence: {fact} {evidence[fact]}\n" in told
    assert "`arena log debug 17`" in told
    seat = json.loads(show(match, "explain", "17", "--format", "json"))["seats"][1]
    assert (seat["termination"], seat["evidence"], seat["debug_lines"]) == (termination, evidence, None)
    assert seat["what_to_do"] in told.replace("\n", " ")


def test_the_owner_of_a_bot_sees_how_to_replay_its_decisions(show, fake, monkeypatch):
    monkeypatch.setitem(BOTS, "bots/mcts", bot_pb2.Bot(name="bots/mcts", owner="owners/ann"))
    fake.answers["GetOwnToken"] = 'token { owner: "owners/ann" }'

    told = show(a_match(seats=FIRST_AND_SECOND), "explain", "17")

    assert "log replay 17 --as mcts" in told


def test_a_loss_by_the_rules_has_its_margin_and_strikes(show):
    assert "log replay 17 --as BOT" in show(a_match(seats=FIRST_AND_SECOND), "explain", "17").splitlines()[-1]
    seat = json.loads(show(a_match(), "explain", "17", "--format", "json"))["seats"][0]
    assert (seat["score"], seat["behind_best"], seat["strike_count"]) == (39, 21, 2)


def test_the_trades_of_a_match_and_their_balance_are_shown(run, tmp_path):
    path = tmp_path / "trades.arenalog"
    path.write_bytes(trading.played(trading.lively(Random(3)), 2_000))
    found = trades(read_log(path.read_bytes()), trading.CODEC.game) or ()

    told = run("log", "explain", str(path)).stdout
    document = json.loads(run("log", "explain", str(path), "--format", "json").stdout)

    check_screen("explain/trades", told[told.index("Trades: ") :])
    assert [each["ply"] for each in document["trades"]] == [each.ply for each in found]
    sums, gifts = document["trade_balance"]["seats"], sum(each.gift is not None for each in found)
    assert sum(seat["gifts_given"] for seat in sums) == sum(seat["gifts_got"] for seat in sums) == gifts > 0


@pytest.mark.parametrize("ending", [REVOKED, EXPIRED, DISABLED, LOWERED])
@pytest.mark.parametrize("termination", ["DISCONNECT", "TIME_FORFEIT"])
def test_a_bot_that_lost_its_token_is_advised_to_get_another_one(ending, termination):
    why = ending.sentence.partition(". ")[0]
    evidence = {"connected": "no", "why": why[0].lower() + why[1:], "absence_allowed_ms": "10000"}

    given = advice(termination, evidence)

    assert given is not None
    assert "`arena bot token`" in given.next
    assert ("organiser" in given.next) == (ending in (DISABLED, LOWERED))


def test_the_advice_on_a_log_in_a_file_names_the_file_and_no_match_of_an_arena(run, tmp_path):
    lost = verdicts.illegal_action(1, "no such action", 1, 0)
    seats = tuple(SeatResult(2, 0, ending, 1, 0, 0, 0) for ending in (lost, verdicts.last_standing(2)))
    result = MatchResult(MatchState.FINISHED, "LAST_STANDING", 1, seats, 10**9, "", bytes(8))
    log = logged(caravan_setup(2), (a_ply(0, 1, 5),), result, set_up=(), codec=codec_for("caravan"))
    (tmp_path / "my loss.arenalog").write_bytes(log.data)

    table = run("log", "explain", "my loss.arenalog").stdout
    seat, _ = json.loads(run("log", "explain", "my loss.arenalog", "--format", "json").stdout)["seats"]

    named = "`arena log replay 'my loss.arenalog' --seat 0"
    assert named in table
    assert named in seat["what_to_do"]


def evidence_of(**facts: str) -> dict[str, str]:
    return {"strikes_allowed": "2", "connected": "yes", **facts}


@pytest.mark.parametrize("limit", ["per_decision_ms", "bank_ms", "seat_limit_ms", "hold_ms"])
def test_the_advice_on_a_missed_decision_names_its_limit_even_if_other_facts_are_missing(limit):
    given = advice("TIME_FORFEIT", evidence_of(limit=limit, **{limit: "4711"}))

    assert given is not None
    assert limit in given.limit
    assert "4711" in given.limit
    unknown = advice("TIME_FORFEIT", evidence_of(limit="a limit of the future"))
    assert unknown is not None
    assert "bank" in unknown.limit


def test_the_advice_on_an_illegal_action_has_its_limit_whether_or_not_an_exception_is_known():
    plain, raised = (advice("ILLEGAL_ACTION", evidence_of(), raised=known) for known in (False, True))

    assert plain is not None
    assert raised is not None
    assert plain.limit == raised.limit
    assert "2" in raised.limit
    assert "{" not in raised.limit


def test_every_ending_comes_with_advice():
    """docs/bad_inputs.md rows 35 to 39, and what keeps a match from its beginning."""
    given = {f"{termination} {evidence}": advice(termination, evidence) for termination, evidence in ENDINGS}

    shown = {title: each and f"limit: {each.limit}\nwhat to do: {each.next}" for title, each in given.items()}
    check_screen("advice", {title: text or "none" for title, text in shown.items()})


RAISED = [
    match_pb2.DebugLine(
        seat=1,
        decision=decision,
        text="no action chosen: KeyError: 'tea' (my_bot.py, line 9, in choose)",
        source=match_pb2.DebugLine.SOURCE_EXCEPTION,
    )
    for decision in range(1, 15)
]
STRUCK = a_match(
    log="",
    seats=[
        a_seat("greedy", "NORMAL", "First.", placing=1),
        a_seat("mcts", "ILLEGAL_ACTION", "Illegal.", fault=ending_pb2.FAULT_BOT, placing=2, strikes=14),
    ],
)


@pytest.mark.parametrize("command", ["show", "explain"])
def test_exceptions_are_named_with_their_decisions_to_the_owner_of_the_bot_alone(show, command):
    named = (
        "exception in decisions 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 4 more: no action chosen: KeyError: 'tea'"
    )

    assert named in show(STRUCK, command, "17", lines=RAISED)


@pytest.mark.parametrize("command", ["show", "explain"])
def test_exceptions_are_not_named_to_others(show, command):
    refused = Refusal(grpc.StatusCode.PERMISSION_DENIED, "They are somebody else's.", "NOT_OWNER")

    assert "exception in" not in show(STRUCK, command, "17", ListDebugLines=refused)


def test_the_advice_on_exceptions_is_to_mend_them(show):
    document = json.loads(show(STRUCK, "explain", "17", "--format", "json", lines=RAISED[:1]))

    seat = document["seats"][1]
    assert (seat["termination"], seat["exceptions"][0]["decision"]) == ("ILLEGAL_ACTION", 1)
    assert "Mend" in seat["what_to_do"]


def test_the_exception_that_ended_a_program_is_the_last_one_that_it_printed() -> None:
    source = match_pb2.DebugLine.Source
    printed = [
        "Traceback (most recent call last):",
        '  File "bot.py", line 3, in first',
        "ValueError: first",
        "",
        "During handling of the above exception, another exception occurred:",
        "",
        "Traceback (most recent call last):",
        '  File "bot.py", line 7, in second',
        "KeyError: 'sand'",
        "goodbye",
    ]
    lines = [match_pb2.DebugLine(text=text, source=source.SOURCE_STDERR) for text in printed]
    assert uncaught_exception(lines) == "KeyError: 'sand'"
    assert uncaught_exception(lines[:4]) == "ValueError: first"
    assert uncaught_exception(lines[-1:]) == ""
    sent = [match_pb2.DebugLine(text=text, source=source.SOURCE_MESSAGE) for text in printed]
    assert uncaught_exception(sent) == ""


def test_a_program_that_an_exception_has_ended_is_explained_by_it_to_those_who_see_its_output() -> None:
    printed = ["Traceback (most recent call last):", "  File x", "KeyError: 'sand'"]
    lines = [
        match_pb2.DebugLine(decision=3, text=text, source=match_pb2.DebugLine.SOURCE_STDERR)
        for text in printed
    ]
    exited = SeatOutcome("17", 0, "ant", "1", 2, None, "EXITED", "BOT", "It exited.", ())

    def found(outcome: SeatOutcome, own: OwnerDebug) -> object:
        return seat_details_document(outcome, [outcome], own)["uncaught_exception"]

    assert found(exited, OwnerDebug(tuple(lines))) == "KeyError: 'sand'"
    assert found(exited, OwnerDebug()) is None
    assert found(replace(exited, termination="NORMAL"), OwnerDebug(tuple(lines))) is None
