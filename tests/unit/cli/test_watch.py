"""`arena match watch`, against an arena that answers from a script: a real match, cut where the test wants it."""

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import grpc
import pytest
from typer.testing import Result

from arena.codecs.codec import codec_for
from arena.codecs.serialized import embedded
from arena.match_log.reader import read_log
from arena.runner.spectator_view import SpectatorFrame, recorded_view_of
from arena.v1 import ending_pb2, match_pb2
from arena.wire.play.outgoing import happening_bytes
from tests.unit.cli.conftest import Run
from tests.unit.cli.fake_arena import Answer, FakeArena, Refusal
from tests.unit.cli.screens import check_screen, words

LOG = read_log((Path(__file__).parents[2] / "data" / "logs" / "caravan-2-seats.arenalog").read_bytes())
SCENES = recorded_view_of(LOG).frames()
Response = match_pb2.WatchMatchResponse


def match(state: match_pb2.MatchState.ValueType, sentence: str = "") -> match_pb2.Match:
    """Match 17."""
    ending = ending_pb2.SeatEnding(sentence=sentence)
    seats = [
        match_pb2.MatchSeat(bot=f"bots/{holder.bot}", ending=ending if sentence else None)
        for holder in LOG.setup.seats
    ]
    return match_pb2.Match(name="matches/17", game="caravan", state=state, seats=seats)


def response(cursor: int, frame: SpectatorFrame) -> Response:
    """Return a frame as an arena sends it."""
    codec = codec_for("caravan")
    happened = [
        embedded(Response.HAPPENED_FIELD_NUMBER, happening_bytes(each, codec)) for each in frame.happened
    ]
    view = embedded(Response.VIEW_FIELD_NUMBER, codec.encode_observation(frame.observation))
    message = Response.FromString(view + b"".join(happened))
    message.cursor = cursor
    return message


def frames(first: int, last: int) -> list[Response]:
    """Return the responses with the cursors `first` to `last`."""
    told = [response(number, SCENES[number - 1]) for number in range(first, last + 1)]
    told[0].match.CopyFrom(match(match_pb2.MATCH_STATE_RUNNING))
    return told


def the_end(cursor: int) -> Response:
    """Return the last response."""
    ended = match(match_pb2.MATCH_STATE_FINISHED, "It was a good match.")
    return Response(cursor=cursor, match=ended, ended=True)


SEALED = Refusal(grpc.StatusCode.FAILED_PRECONDITION, "Match 17 cannot be watched yet.", "WATCH_SEALED")
SHORT = [*frames(1, 3), the_end(3)]
LOGGED = match_pb2.Match(name="matches/15", log="ab" * 32)
Watch = Callable[..., tuple[Result, list[str]]]


@pytest.fixture
def watch(fake: FakeArena, ask: Run) -> Watch:
    """Return a function that watches a match with scripted answers of WatchMatch, and returns the matches asked for."""

    def watch_it(*words: str, by_match: Mapping[str, Answer] | None = None) -> tuple[Result, list[str]]:
        if by_match is not None:
            fake.answers["WatchMatch"] = lambda request: by_match.get(request.name, SEALED)
        shown = ask("match", "watch", *words)
        return shown, [request.name for request in fake.requests("WatchMatch")]

    return watch_it


def test_a_match_is_shown_turn_by_turn_to_its_end(fake: FakeArena, watch: Watch) -> None:
    fake.answers["WatchMatch"] = [*frames(1, len(SCENES)), the_end(len(SCENES))]
    shown, _ = watch("17", "--from-start")
    assert shown.exit_code == 0, shown.output
    check_screen("watch", shown)
    [request] = fake.requests("WatchMatch")
    assert (request.name, request.cursor, request.from_start) == ("matches/17", 0, True)


def test_after_a_break_it_continues_where_it_was(fake: FakeArena, watch: Watch) -> None:
    unreachable = Refusal(grpc.StatusCode.UNAVAILABLE, "the cable is out")
    answers: Iterator[Answer] = iter([frames(1, 5), unreachable, [*frames(6, 10)], [the_end(10)]])
    fake.answers["WatchMatch"] = lambda request: next(answers)
    shown, _ = watch("17", "--from-start")
    assert shown.exit_code == 0, shown.output
    assert [request.cursor for request in fake.requests("WatchMatch")] == [0, 5, 5, 10]
    assert len(shown.stderr.splitlines()) == 2
    turns = [line for line in shown.stdout.splitlines() if line.startswith("Turn") and " · " in line]
    assert len(turns) == len(set(turns)) > 2


@pytest.mark.parametrize(
    ("answer", "exit_code"),
    [
        (Refusal(grpc.StatusCode.FAILED_PRECONDITION, "Match 17 cannot be watched yet."), 1),
        (Refusal(grpc.StatusCode.UNAVAILABLE, "Match 17 cannot be watched yet."), 4),
        (SEALED, 1),
    ],
)
def test_a_named_match_that_is_refused_at_once_is_not_tried_again(
    fake: FakeArena, watch: Watch, answer: Refusal, exit_code: int
) -> None:
    fake.answers["WatchMatch"] = answer
    shown, asked = watch("17")
    assert (shown.exit_code, asked) == (exit_code, ["matches/17"])


def listings(*ended: match_pb2.Match, running_later: int = 0) -> Callable[..., match_pb2.ListMatchesResponse]:
    """Return an answer to ListMatches: matches 19 and 17 run, after so many listings without one."""
    running = [match_pb2.Match(name=f"matches/{number}") for number in (19, 17)]
    empty = iter([True] * running_later)

    def answer(request: match_pb2.ListMatchesRequest) -> match_pb2.ListMatchesResponse:
        found = running if request.state == match_pb2.MATCH_STATE_RUNNING else ended
        return match_pb2.ListMatchesResponse(matches=() if next(empty, False) else found)

    return answer


def test_without_a_name_it_is_the_newest_match_in_play(fake: FakeArena, watch: Watch) -> None:
    fake.answers["ListMatches"] = listings(running_later=1)
    shown, asked = watch(by_match={"matches/19": SHORT})
    assert (shown.exit_code, asked) == (0, ["matches/19"])
    assert len(shown.stderr.splitlines()) == 1


def test_without_a_name_a_sealed_match_is_passed_over(fake: FakeArena, watch: Watch) -> None:
    fake.answers["ListMatches"] = listings()
    shown, asked = watch(by_match={"matches/17": SHORT})
    assert (shown.exit_code, asked) == (0, ["matches/19", "matches/17"])
    assert shown.stderr == ""


def test_if_all_matches_in_play_are_sealed_the_newest_finished_one_with_a_log_is_shown(
    fake: FakeArena, watch: Watch
) -> None:
    """A match that has ended has no log to show while its group is sealed."""
    fake.answers["ListMatches"] = listings(match_pb2.Match(name="matches/16"), LOGGED)
    shown, asked = watch(by_match={"matches/15": SHORT})
    assert (shown.exit_code, asked) == (0, ["matches/19", "matches/17", "matches/15"])
    assert "15" in shown.stderr


def test_if_no_match_can_be_watched_it_waits_until_one_can(fake: FakeArena, watch: Watch) -> None:
    """The group ends while it waits, and its matches are no longer sealed."""
    looks = iter([listings()] * 3)

    def list_matches(request: match_pb2.ListMatchesRequest) -> match_pb2.ListMatchesResponse:
        return next(looks, listings(LOGGED))(request)

    fake.answers["ListMatches"] = list_matches
    shown, asked = watch(by_match={"matches/15": SHORT})
    assert (shown.exit_code, asked) == (0, ["matches/19", "matches/17", "matches/15"])
    assert words(shown.stderr).count("waiting for") == 1


def test_a_match_that_has_not_begun_is_waited_for(fake: FakeArena, watch: Watch) -> None:
    fake.answers["WatchMatch"] = [Response(match=match(match_pb2.MATCH_STATE_PENDING)), *SHORT]
    shown, _ = watch("17")
    assert shown.exit_code == 0
    assert "Match 17" in shown.stderr
    assert "Turn 1 · greedy" in shown.stdout


def test_an_unknown_game_is_named(fake: FakeArena, watch: Watch) -> None:
    strange = frames(1, 1)
    strange[0].match.game = "sandstorm"
    fake.answers["WatchMatch"] = strange
    shown, _ = watch("17")
    assert shown.exit_code == 1
    assert '"sandstorm"' in shown.stderr


TOO_FEW = "1 of its bots are connected and not paused, and a match needs 2"


def ladder(state: str, finished: int = 0, running: int = 0, waiting_for: str = "") -> str:
    counts = f"finished_matches: {finished} running_matches: {running} remaining_matches: 7"
    return f'ladder {{ name: "ladders/main" state: STATE_{state} {counts} waiting_for: "{waiting_for}" }}'


def test_the_reason_why_a_ladder_waits_is_printed_once_if_it_lasts(fake, ask):
    reasons = ["", "a moment", "", TOO_FEW, TOO_FEW, TOO_FEW]
    stages = [ladder("RUNNING", waiting_for=reason) for reason in reasons] + [ladder("PAUSED")] * 2
    fake.answers |= {"GetLadder": lambda _: stages.pop(0), "RunLadder": ""}

    result = ask("ladder", "run", "main", "--matches", "2", "--wait")

    assert result.exit_code == 0, result.output
    assert result.stderr == f"Waiting: {TOO_FEW}.\n"


def test_waiting_ends_when_the_ladder_has_paused_and_its_last_match_is_over(fake, ask):
    stages = [
        *(ladder("RUNNING", 5, running) for running in (0, 2)),
        *(ladder("PAUSED", finished, running) for finished, running in ((6, 1), (7, 0), (7, 0))),
    ]
    fake.answers |= {"GetLadder": lambda _: stages.pop(0), "RunLadder": ""}

    result = ask("ladder", "run", "main", "--matches", "2", "--wait")

    assert result.exit_code == 0, result.output
    assert stages == []
    assert "7 finished, 0 running" in result.stdout
    assert fake.texts("RunLadder") == ['name: "ladders/main" matches: 2']


def test_an_interrupted_wait_names_the_command_that_pauses_the_ladder(fake, ask):
    looks = iter(range(100))

    def show(_: object) -> str:
        if next(looks) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return ladder("RUNNING")

    fake.answers |= {"GetLadder": show, "RunLadder": ""}

    result = ask("ladder", "run", "main", "--matches", "9", "--wait")

    assert result.exit_code == 130
    assert "7 matches" in result.stderr
    assert "arena ladder pause main" in result.stderr
    assert fake.requests("PauseLadder") == []
