"""Why a match came out as it did: from its log, or from what the arena says while there is none to read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest

from arena.codecs.codec import codec_for
from arena.core.endings import verdicts
from arena.core.match import MatchResult, MatchState, SeatResult
from arena.drawings.wording import counted
from arena.match_log.reader import read_log
from arena.match_report.trades import trades
from arena.v1 import bot_pb2, ending_pb2, ladder_pb2, match_pb2, token_pb2, tournament_pb2
from tests.cli.fake_arena import Refusal
from tests.cli.programs import ROOT
from tests.match_log import trading
from tests.match_log.matches import caravan_setup, logged
from tests.match_log.test_explain import CONTROL, a_ply

LOGS = ROOT / "tests" / "data" / "logs"
FORFEITS = LOGS / "caravan-4-seats-with-forfeits.arenalog"
VOID = LOGS / "worked-example.arenalog"
WHY = "why the disk was full"
SOURCES = (match_pb2.DebugLine.SOURCE_MESSAGE, match_pb2.DebugLine.SOURCE_STDOUT)
BOTS = {
    "bots/greedy": bot_pb2.Bot(name="bots/greedy"),
    "bots/mcts": bot_pb2.Bot(name="bots/mcts", connections=1),
    "bots/ant": bot_pb2.Bot(
        name="bots/ant",
        paused="its version is benched",
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
    """A seat that has ended."""
    ending = ending_pb2.SeatEnding(
        termination=ending_pb2.Termination.Value(f"TERMINATION_{termination}"),
        fault=fault,
        sentence=sentence,
        evidence=[ending_pb2.Evidence(fact=fact, value=value) for fact, value in (evidence or {}).items()],
    )
    return match_pb2.MatchSeat(bot=f"bots/{bot}", ending=ending, **fields)


@pytest.fixture
def show(fake, ask):
    """The output of a command about a match that the arena shows so, its log being this file."""

    def show_it(
        match: match_pb2.Match,
        *command: str,
        log: Path = FORFEITS,
        replay: match_pb2.Match | None = None,
        lines: list[match_pb2.DebugLine] | None = None,
    ) -> str:
        if lines is not None:
            fake.answers["ListDebugLines"] = match_pb2.ListDebugLinesResponse(lines=lines)
        fake.answers |= {
            "GetMatch": lambda request: match_pb2.GetMatchResponse(
                match=match if request.name == match.name else replay
            ),
            "GetBot": lambda request: bot_pb2.GetBotResponse(bot=BOTS[request.name]),
            "DownloadMatchLog": [match_pb2.DownloadMatchLogResponse(chunk=log.read_bytes())],
        }
        result = ask("match", *command)
        assert result.exit_code == 0, result.output
        return str(result.stdout)

    return show_it


def test_a_lost_match_is_explained_decision_by_decision_from_its_log(show, run):
    told = show(a_match(), "explain", "17")

    assert told == run("log", "explain", str(FORFEITS)).stdout
    lines = told.splitlines()
    assert lines[0] == "Match 17 ended after 330 plies in 100.94 s: FINAL_DELIVERY"
    fault = "not connected, which counts as its own fault: where its program ended, what that wrote says why"
    assert f"Seat 2, planner, version v2: placing 4 of 4, DISCONNECT, {fault}" in lines
    assert "  decision 71 (ply 253): not legal: it could not be read; strike 1, 2 allowed" in lines
    missed = (
        "  decision 92 (ply 328): missed: 60.65 s used, 7.61 s allowed, bank was 6.60 s; strike 2, 2 allowed"
    )
    assert missed in lines
    assert "  connection lost at 4.98 s, did not come back" in lines


def test_the_clock_names_a_pad_where_there_is_one(run, tmp_path):
    seats = (SeatResult(1, 0, verdicts.last_standing(2), 1, 0, 0, 0),) * 2
    result = MatchResult(MatchState.FINISHED, "LAST_STANDING", 1, seats, 10**9, "", bytes(8))

    def clock(pad_ms: int) -> str:
        setup = replace(caravan_setup(2), time_control=replace(CONTROL, secret_pad_ms=pad_ms))
        log = logged(setup, (a_ply(0, 1, 100),), result, set_up=(), codec=codec_for("caravan"))
        (tmp_path / "pad.arenalog").write_bytes(log.data)
        return str(run("log", "explain", "pad.arenalog").stdout.split("Seat 0")[0])

    assert "secret_pad_ms 20" in clock(20)
    assert "secret_pad_ms" not in clock(0)


def test_near_misses_are_told_with_their_share_of_the_limit(run, tmp_path):
    setup = replace(caravan_setup(2), time_control=CONTROL)
    seats = (SeatResult(1, 0, verdicts.last_standing(2), 1, 0, 0, 0),) * 2
    result = MatchResult(MatchState.FINISHED, "LAST_STANDING", 1, seats, 10**9, "", bytes(8))
    log = logged(setup, (a_ply(0, 1, 3_800),), result, set_up=(), codec=codec_for("caravan"))
    (tmp_path / "near.arenalog").write_bytes(log.data)

    told = run("log", "explain", "near.arenalog").stdout

    assert "  decision 1 (ply 0): a near miss, 3.80 s of 4.00 s (95%)" in told.splitlines()


def test_programs_get_every_decision_with_its_clock(show):
    document = json.loads(show(a_match(), "explain", "17", "--format", "json"))

    log = read_log(FORFEITS.read_bytes())
    seat = document["seats"][2]
    assert (document["match"], seat["termination"], seat["fault"]) == ("matches/17", "DISCONNECT", "NETWORK")
    assert len(seat["decisions"]) == len({ply.decision for ply in log.plies if ply.seat == 2} - {0})
    assert seat["absences"][0]["back_ms"] is None
    assert document["seats"][0]["strikes"] == [71, 92]
    assert seat["think_ms"]["p50"] <= seat["think_ms"]["p95"] <= seat["think_ms"]["max"]


def test_a_void_match_says_why_and_as_which_it_is_played_again(show):
    sentence = "The match is void by the arena's fault."
    why: dict[str, Any] = {"fault": ending_pb2.FAULT_ARENA, "evidence": {"why": "the disk was full"}}
    match = a_match(
        state=match_pb2.MATCH_STATE_ABORTED,
        void_reason="Void by the arena's fault: the disk was full.",
        replayed_as="matches/21",
        log="",
        rated=True,
        seed_commitment=b"first",
        seats=[a_seat("greedy", "NORMAL", sentence, **why), a_seat("mcts", "NORMAL", sentence, **why)],
    )
    replay = a_match(name="matches/21", attempt=1, seed_commitment=b"second")

    told = show(match, "explain", "17", replay=replay)

    again = "It is played again as match 21."
    assert told.splitlines()[0] == f"Match 17 has no result: {match.void_reason} {again}"
    assert "Match 21 plays it again on a fresh seed, and counts in its place." in told
    assert "It counts for no rating, and nobody is charged with it" in told
    assert ["Seat 0, greedy: no placing, void", sentence, f"  evidence: {WHY}"] == told.splitlines()[4:7]
    document = json.loads(show(match, "explain", "17", "--format", "json", replay=replay))
    assert (document["state"], document["replayed_as"]) == ("ABORTED", "matches/21")
    assert document["replay"] == {"match": "matches/21", "attempt": 1, "same_seed": False}
    assert document["explained"][0] == f"Match 17 has no result: {match.void_reason} {again}"
    assert [seat["evidence"] for seat in document["seats"]] == [{"why": "the disk was full"}] * 2
    same = a_match(name="matches/21", attempt=0, seed_commitment=match.seed_commitment)
    assert "on the same seed, which its group shares" in show(match, "explain", "17", replay=same)


def test_a_void_match_with_a_log_is_explained_from_it_too(show):
    match = a_match(
        state=match_pb2.MATCH_STATE_ABORTED, void_reason="Void by the arena's fault: the disk was full."
    )

    told = show(match, "explain", "17", log=VOID)

    assert "It is not played again." in told
    assert "Seat 0, greedy, version v0: no placing, void" in told
    assert "NORMAL" not in told


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (match_pb2.MATCH_STATE_PENDING, "Match 17 has not begun: it waits for its bots."),
        (match_pb2.MATCH_STATE_RUNNING, "Match 17 is being played; it is explained when it has ended."),
        (match_pb2.MATCH_STATE_FINISHED, "sealed until all matches of group g5 have ended"),
    ],
)
def test_a_match_without_a_log_to_read_says_where_it_stands(show, state, sentence):
    assert sentence in show(a_match(state=state, log=""), "explain", "17")


@pytest.mark.parametrize("policy", [match_pb2.SEED_POLICY_SHARED, match_pb2.SEED_POLICY_DERIVED])
@pytest.mark.parametrize("where", ["ladder", "tournament"])
def test_a_running_match_is_offered_to_spectators_only_where_its_group_shares_no_seed(
    fake, show, policy, where
):
    ladder = ladder_pb2.Ladder(seed_policy=policy)
    tournament = tournament_pb2.Tournament(seed_policy=policy)
    fake.answers["GetLadder"] = ladder_pb2.GetLadderResponse(ladder=ladder)
    fake.answers["GetTournament"] = tournament_pb2.GetTournamentResponse(tournament=tournament)
    match = a_match(state=match_pb2.MATCH_STATE_RUNNING, log="", **{where: f"{where}s/main"})

    told = show(match, "explain", "17")

    shared = policy == match_pb2.SEED_POLICY_SHARED
    assert ("match watch" not in told) is shared
    assert (
        "Its group shares one seed, so it can be watched when the whole group has ended." in told
    ) is shared


def test_a_lost_match_points_to_its_explanation(show):
    seats = [a_seat("greedy", "NORMAL", "First.", placing=1), a_seat("mcts", "NORMAL", "Second.", placing=2)]
    pointer = "`arena match explain 17` tells more."

    assert show(a_match(seats=seats), "show", "17").splitlines()[-1] == pointer
    assert pointer not in show(a_match(seats=seats, log=""), "show", "17")


def test_a_seat_of_a_void_match_did_not_end_by_the_rules(show):
    seats = [a_seat("greedy", "NORMAL", "Void."), a_seat("mcts", "DISCONNECT", "Away.")]
    match = a_match(state=match_pb2.MATCH_STATE_ABORTED, seats=seats, replayed_as="matches/21")

    told = show(match, "show", "17")

    assert "NORMAL" not in told
    assert [word for word in ("void", "DISCONNECT", "as match 21") if word not in told] == []


def test_a_match_that_has_not_begun_names_who_keeps_it_waiting(show):
    seats = [match_pb2.MatchSeat(bot=bot) for bot in BOTS]
    match = a_match(state=match_pb2.MATCH_STATE_PENDING, log="", seats=seats, ladder="ladders/main")

    told = show(match, "explain", "17").splitlines()

    assert told[1:3] == ["greedy is not connected.", "ant is paused: its version is benched."]
    assert told[3] == "`arena ladder queue main` shows who waits for what."
    assert "Seat 2, ant" in told
    document = json.loads(show(match, "explain", "17", "--format", "json"))
    assert document["waits_for"][0] == {"bot": "bots/greedy", "why": "is not connected"}
    assert document["seats"][0]["termination"] is None


@pytest.mark.parametrize("state", [match_pb2.MATCH_STATE_ABORTED, match_pb2.MATCH_STATE_NO_CONTEST])
def test_a_match_that_is_not_played_again_says_so_and_what_the_organiser_can_do(show, state):
    left = state == match_pb2.MATCH_STATE_ABORTED
    match = a_match(state=state, log="", void_reason="Nobody was left.", left_to_organiser=left)

    told = show(match, "explain", "17")

    assert ("arena match replay 17" in told) is left
    assert ("It is not played again." in told) is not left
    assert "It was not rated." in told


def test_a_match_that_never_began_because_a_bot_is_benched_names_the_bench_and_took_no_rating_back(show):
    benched = {"benched": "its version is benched: it failed 5 times in a row"}
    seats = [
        a_seat("ant", "DISCONNECT", "Never began.", fault=ending_pb2.FAULT_BOT, evidence=benched),
        a_seat("mcts", "NORMAL", "Never began.", fault=ending_pb2.FAULT_OPPONENT, evidence={"began": "no"}),
    ]
    match = a_match(state=match_pb2.MATCH_STATE_NO_CONTEST, log="", rated=True, seats=seats)

    told = show(match, "explain", "17")

    assert "`arena bot show ant` says why it is benched and when it is tried again" in told
    assert [word for word in ("See on its machine", "clock", "void", "taken back") if word in told] == []
    assert "It counts for no rating, whoever was away; who that was stands below." in told.splitlines()
    assert "Seat 0, ant: no placing, DISCONNECT, the bot's own fault" in told.splitlines()
    assert "nobody is charged" not in told
    assert "Seat 1, mcts: no placing, no contest" in told.splitlines()
    assert "no contest" in show(match, "show", "17")


def never_began(why):
    """A match that was given up because of ant, for this reason."""
    seat = a_seat("ant", "DISCONNECT", "Never began.", fault=ending_pb2.FAULT_BOT, evidence=why)
    return a_match(state=match_pb2.MATCH_STATE_NO_CONTEST, log="", seats=[seat])


def test_a_match_that_never_began_because_an_owner_is_shut_out_names_no_bench(show):
    why = {"owner": "its owner is shut out"}
    told = show(never_began(why), "explain", "17")

    assert "what to do: Its owner may not play here now: ask the organiser." in told
    assert "benched and when" not in told


def test_what_fresh_programs_alone_may_play_and_never_began_says_what_can_be_done(show):
    why = {"absent_min": "10", "hosted": "no"}
    told = show(never_began(why), "explain", "17")

    assert "Have the arena run it (`arena bot host ant --newest`)" in told
    assert [word for word in ("benched", "away or paused", "shut out") if word in told] == []


def test_a_match_that_never_began_because_of_an_organiser_sends_to_him(show):
    why = {"organiser": "its version was taken out of service by an organiser"}
    told = show(never_began(why), "explain", "17")

    assert "Ask the organiser what was wrong with it; `arena bot show ant`" in told


def test_a_match_that_never_began_because_a_bot_takes_none_of_its_game_says_where_to_look(show):
    why = {"absent_min": "10", "takes": "no"}
    told = show(never_began(why), "explain", "17")

    assert "See which games and rules versions its `hello` names" in told
    assert "away or paused" not in told


@pytest.mark.parametrize(("placings", "taken_back"), [((1, 2), True), ((0, 0), False)])
def test_only_a_void_match_that_had_a_result_took_rating_changes_back(show, placings, taken_back):
    seats = [match_pb2.MatchSeat(bot="bots/ant", placing=placing) for placing in placings]
    match = a_match(state=match_pb2.MATCH_STATE_ABORTED, log="", rated=True, seats=seats)

    assert ("are taken back" in show(match, "explain", "17")) is taken_back


ENDINGS = {
    "MEMORY": (
        {"memory_limit_mib": "256"},
        "limit: 256 MiB for all its processes",
        "`memory_mib` under [limits]",
    ),
    "PIDS": (
        {"pids_limit": "64"},
        "limit: 64 processes and threads",
        "`pids` under [limits] in bot.toml, 1 to 256",
    ),
    "OUTPUT": ({"output_limit_kib": "1024"}, "limit: 1024 KiB of stdout", "what to do: Print less"),
    "FORBIDDEN_CALL": ({"signal": "SIGSYS"}, "limit: `strict = true` in bot.toml", "EPERM"),
    "EXITED": ({"code": "3"}, "what to do: What it printed last", "arena log replay 17 --seat 1"),
    "SIGNALLED": ({"signal": "SIGSEGV"}, "memory that is not its own", "arena log replay 17 --seat 1"),
    "TIME_FORFEIT": ({"cpu_limit_s": "86400"}, "limit: 86400 s of processor time", "never rests"),
}


@pytest.mark.parametrize("termination", ENDINGS)
def test_the_end_of_a_program_says_what_the_limit_is_where_it_stands_and_what_to_do(show, termination):
    """docs/bad_inputs.md rows 35 to 39."""
    evidence, *sentences = ENDINGS[termination]
    lost = a_seat("ant", termination, "Ended.", fault=ending_pb2.FAULT_BOT, evidence=evidence, placing=2)
    match = a_match(log="", seats=[a_seat("greedy", "NORMAL", "Last.", placing=1), lost])

    told = show(match, "explain", "17")

    [fact] = evidence
    assert f"  evidence: {fact} {evidence[fact]}\n" in told
    assert [sentence for sentence in sentences if sentence not in told.replace("\n", " ")] == []
    assert "what it printed: `arena log debug 17`, with a token of the bot's owner" in told
    seat = json.loads(show(match, "explain", "17", "--format", "json"))["seats"][1]
    assert (seat["termination"], seat["evidence"], seat["debug_lines"]) == (termination, evidence, None)
    assert seat["what_to_do"]


def test_its_owner_sees_the_last_lines_of_a_program_that_was_ended(show):
    lines = [
        match_pb2.DebugLine(
            seat=1, decision=number // 2, text=f"line {number}\x1b[0m", source=SOURCES[number % 2]
        )
        for number in range(7)
    ]
    ended = a_seat("ant", "EXITED", "Exited.", fault=ending_pb2.FAULT_BOT, evidence={"code": "1"}, placing=2)
    match = a_match(log="", seats=[a_seat("greedy", "NORMAL", "Last.", placing=1), ended])

    told = show(match, "explain", "17", lines=lines).splitlines()

    place = told.index("  7 debug lines, 3 of them printed by its program: `arena log debug 17 --bot ant`")
    assert [line.strip()[:27] for line in told[place + 1 :]] == [
        "message, decision 1: line 2",
        "stdout, decision 1: line 3\N{REPLACEMENT CHARACTER}",
        "message, decision 2: line 4",
        "stdout, decision 2: line 5\N{REPLACEMENT CHARACTER}",
        "message, decision 3: line 6",
    ]
    said = json.loads(show(match, "explain", "17", "--format", "json", lines=lines))["seats"][1][
        "debug_lines"
    ]
    assert (said["count"], said["printed"], len(said["last"])) == (7, 3, 5)
    assert said["last"][1] == {"decision": 1, "source": "stdout", "text": "line 3\x1b[0m"}


def test_the_caller_is_told_how_to_put_the_decisions_of_his_own_bot_to_his_program(show, fake, monkeypatch):
    monkeypatch.setitem(BOTS, "bots/mcts", bot_pb2.Bot(name="bots/mcts", owner="owners/ann"))
    token = token_pb2.Token(owner="owners/ann")
    fake.answers["GetOwnToken"] = token_pb2.GetOwnTokenResponse(token=token)
    seats = [a_seat("greedy", "NORMAL", "First.", placing=1), a_seat("mcts", "NORMAL", "Second.", placing=2)]

    told = show(a_match(seats=seats), "explain", "17")

    assert '`arena log replay 17 --as mcts --bot "COMMAND"` puts the decisions of mcts' in told


def test_a_loss_by_the_rules_is_told_with_the_margin_the_clock_and_the_defaults(show):
    seats = [a_seat("greedy", "NORMAL", "First.", placing=1), a_seat("mcts", "NORMAL", "Second.", placing=2)]
    told = show(a_match(seats=seats), "explain", "17").splitlines()

    assert (
        "  score 39: 21 less than seat 1 (mcts, 60), 18 less than seat 3 (random, 57), seat 2 (planner) forfeited"
        in told
    )
    assert "  the arena played its default in 2 decisions: 71, 92" in told
    assert "  after its forfeit the arena played 17 defaults for it" in told
    thought = "  thought 1.59 s in 98 decisions, 16 ms each on average, up to 2% of what one allowed; "
    assert f"{thought}its bank was never below 3.00 s" in told
    assert "`arena log replay 17 --as BOT --bot" in told[-1]
    seat = json.loads(show(a_match(), "explain", "17", "--format", "json"))["seats"][0]
    assert (seat["score"], seat["behind_best"], seat["strike_count"]) == (39, 21, 2)


@pytest.mark.parametrize(
    ("code", "reason"),
    [(grpc.StatusCode.DATA_LOSS, "STORAGE"), (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_REQUIRED")],
)
def test_lines_that_cannot_be_read_take_nothing_from_the_explanation(show, fake, code, reason):
    fake.answers["ListDebugLines"] = Refusal(code, "That is why.", reason)

    told = show(a_match(), "explain", "17").splitlines()

    assert told[0].startswith("Match 17 ended after 330 plies")
    assert told[-1] == "Its debug lines could not be read: That is why."


@pytest.mark.parametrize("reason", ["NOT_OWNER", "ROLE_REQUIRED"])
def test_who_owns_no_bot_in_a_match_is_not_bothered_with_lines(show, fake, reason):
    fake.answers["ListDebugLines"] = Refusal(grpc.StatusCode.PERMISSION_DENIED, "Not yours.", reason)

    assert "debug line" not in show(a_match(), "explain", "17")


def test_the_trades_of_a_match_and_their_balance_are_told_so_that_collusion_shows(run, tmp_path):
    path = tmp_path / "trades.arenalog"
    path.write_bytes(trading.played(trading.lively(Random(3)), 2_000))
    found = trades(read_log(path.read_bytes()), trading.CODEC.game) or ()

    told = run("log", "explain", str(path)).stdout.splitlines()

    accepted, gifts = (
        sum(each.exchange.accepted for each in found),
        [each.gift for each in found if each.gift],
    )
    start = told.index(f"Trades: {len(found)} offers, {accepted} accepted, {counted(len(gifts), 'gift')}")
    assert gifts
    lines = [line for line in told[start:] if line.startswith("  turn")]
    assert len(lines) == len(found)
    names = ("ant", "bee", "cat")
    giver, taker = gifts[0]
    assert f"a gift of {names[giver]} to {names[taker]}" in " ".join(told)
    balance = told[told.index("Balance of the trades") :]
    assert [line for line in balance if line.startswith("  ant and bee: ")]
    document = json.loads(run("log", "explain", str(path), "--format", "json").stdout)
    assert [each["ply"] for each in document["trades"]] == [each.ply for each in found]
    sums = document["trade_balance"]["seats"]
    assert sum(seat["gifts_given"] for seat in sums) == sum(seat["gifts_got"] for seat in sums) == len(gifts)


def test_a_match_without_offers_says_nothing_of_trades(show):
    assert "Trades" not in show(a_match(), "explain", "17")
    assert json.loads(show(a_match(), "explain", "17", "--format", "json"))["trades"] == []
