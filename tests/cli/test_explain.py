"""Why a match came out as it did: from its log, or from what the arena says while there is none to read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.codecs.codec import codec_for
from arena.core import verdicts
from arena.core.match import MatchResult, MatchState, SeatResult
from arena.match_log.reader import read_log
from arena.v1 import ending_pb2, match_pb2
from tests.cli.programs import ROOT
from tests.match_log.matches import caravan_setup, logged
from tests.match_log.test_explain import CONTROL, a_ply

LOGS = ROOT / "tests" / "data" / "logs"
FORFEITS = LOGS / "caravan-4-seats-with-forfeits.arenalog"
VOID = LOGS / "worked-example.arenalog"


def a_match(**fields: Any) -> match_pb2.Match:
    """Match 17, finished with a log unless told otherwise."""
    usual: dict[str, Any] = {
        "name": "matches/17",
        "group": "g5",
        "state": match_pb2.MATCH_STATE_FINISHED,
        "log": "ab" * 32,
    }
    return match_pb2.Match(**(usual | fields))


def a_seat(bot: str, termination: str, sentence: str, **fields: Any) -> match_pb2.MatchSeat:
    """A seat that has ended."""
    ending = ending_pb2.SeatEnding(
        termination=ending_pb2.Termination.Value(f"TERMINATION_{termination}"), sentence=sentence
    )
    return match_pb2.MatchSeat(bot=f"bots/{bot}", ending=ending, **fields)


@pytest.fixture
def show(fake, ask):
    """The output of a command about a match that the arena shows so, its log being this file."""

    def show_it(match: match_pb2.Match, *command: str, log: Path = FORFEITS) -> str:
        fake.answers |= {
            "GetMatch": match_pb2.GetMatchResponse(match=match),
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
    match = a_match(
        state=match_pb2.MATCH_STATE_ABORTED,
        void_reason="Void by the arena's fault: the disk was full.",
        replayed_as="matches/21",
        log="",
        seats=[a_seat("greedy", "NORMAL", sentence), a_seat("mcts", "NORMAL", sentence)],
    )

    told = show(match, "explain", "17")

    again = "It is played again as match 21."
    assert told.splitlines()[0] == f"Match 17 has no result: {match.void_reason} {again}"
    assert f"Seat 0 (greedy): {sentence}" in told
    document = json.loads(show(match, "explain", "17", "--format", "json"))
    assert (document["seats"], document["state"], document["replayed_as"]) == (None, "ABORTED", "matches/21")


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
