"""`arena match watch`, against an arena that answers from a script: a real match, cut where the test wants it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest

from arena.codecs.codec import codec_for
from arena.codecs.serialized import embedded
from arena.match_log.reader import read_log
from arena.runner.spectator_view import SpectatorFrame, recorded_view_of
from arena.v1 import ending_pb2, match_pb2
from arena.wire.play.outgoing import happening_bytes
from tests.unit.cli.conftest import Run
from tests.unit.cli.fake_arena import FakeArena, Refusal
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


def test_a_match_is_shown_turn_by_turn_to_its_end(fake: FakeArena, ask: Run) -> None:
    fake.answers["WatchMatch"] = [*frames(1, len(SCENES)), the_end(len(SCENES))]
    shown = ask("match", "watch", "17", "--from-start")
    assert shown.exit_code == 0, shown.output
    check_screen("watch", shown)
    [request] = fake.requests("WatchMatch")
    assert (request.name, request.cursor, request.from_start) == ("matches/17", 0, True)


def test_after_a_break_it_goes_on_where_it_was(fake: FakeArena, ask: Run) -> None:
    unreachable = Refusal(grpc.StatusCode.UNAVAILABLE, "the cable is out")
    answers: Iterator[list[Response] | Refusal] = iter(
        [frames(1, 5), unreachable, [*frames(6, 10)], [the_end(10)]]
    )
    fake.answers["WatchMatch"] = lambda request: next(answers)
    shown = ask("match", "watch", "17", "--from-start")
    assert shown.exit_code == 0, shown.output
    assert [request.cursor for request in fake.requests("WatchMatch")] == [0, 5, 5, 10]
    assert len(shown.stderr.splitlines()) == 2
    turns = [line for line in shown.stdout.splitlines() if line.startswith("Turn") and " · " in line]
    assert len(turns) == len(set(turns)) > 2


@pytest.mark.parametrize(
    ("code", "exit_code"), [(grpc.StatusCode.FAILED_PRECONDITION, 1), (grpc.StatusCode.UNAVAILABLE, 4)]
)
def test_what_is_refused_at_once_is_not_tried_again(
    fake: FakeArena, ask: Run, code: grpc.StatusCode, exit_code: int
) -> None:
    fake.answers["WatchMatch"] = Refusal(code, "Match 17 cannot be watched yet.")
    shown = ask("match", "watch", "17")
    assert shown.exit_code == exit_code
    assert len(fake.requests("WatchMatch")) == 1


def test_without_a_name_it_is_the_newest_match_in_play(fake: FakeArena, ask: Run) -> None:
    running = match(match_pb2.MATCH_STATE_RUNNING)
    answers = iter([match_pb2.ListMatchesResponse(), match_pb2.ListMatchesResponse(matches=[running])])
    fake.answers["ListMatches"] = lambda request: next(answers)
    fake.answers["WatchMatch"] = [*frames(1, 3), the_end(3)]
    shown = ask("match", "watch")
    assert shown.exit_code == 0, shown.output
    assert len(shown.stderr.splitlines()) == 1
    assert fake.requests("WatchMatch")[0].name == "matches/17"


SEALED = Refusal(grpc.StatusCode.FAILED_PRECONDITION, "Match 17 cannot be watched yet.", "WATCH_SEALED")


def listings(
    *ended: match_pb2.Match,
) -> Callable[[match_pb2.ListMatchesRequest], match_pb2.ListMatchesResponse]:
    """Return an answer to ListMatches in which matches 19 and 17 are running."""
    running = [match_pb2.Match(name=f"matches/{number}") for number in (19, 17)]
    return lambda request: match_pb2.ListMatchesResponse(
        matches=running if request.state == match_pb2.MATCH_STATE_RUNNING else ended
    )


def test_without_a_name_a_sealed_match_is_passed_over(fake: FakeArena, ask: Run) -> None:
    fake.answers["ListMatches"] = listings()
    shows: dict[str, list[Response] | Refusal] = {
        "matches/19": SEALED,
        "matches/17": [*frames(1, 3), the_end(3)],
    }
    fake.answers["WatchMatch"] = lambda request: shows[request.name]
    shown = ask("match", "watch")
    assert shown.exit_code == 0, shown.output
    assert shown.stderr == ""


def test_where_all_matches_in_play_are_sealed_the_newest_that_is_not_is_shown(
    fake: FakeArena, ask: Run
) -> None:
    """A match that has ended has no log to show while its group is sealed."""
    ended = [match_pb2.Match(name="matches/16"), match_pb2.Match(name="matches/15", log="ab" * 32)]
    fake.answers["ListMatches"] = listings(*ended)
    shows: dict[str, list[Response] | Refusal] = {"matches/15": [*frames(1, 3), the_end(3)]}
    fake.answers["WatchMatch"] = lambda request: shows.get(request.name, SEALED)
    shown = ask("match", "watch")
    assert shown.exit_code == 0, shown.output
    assert [request.name for request in fake.requests("WatchMatch")] == [
        f"matches/{number}" for number in (19, 17, 15)
    ]
    assert "15" in shown.stderr


def test_where_nothing_can_be_watched_it_waits_until_something_can(fake: FakeArena, ask: Run) -> None:
    """The group ends while it waits, and with it what seals its matches."""
    ended = [match_pb2.Match(name="matches/15", log="ab" * 32)]
    running, over = listings(), listings(*ended)
    looks: list[match_pb2.ListMatchesRequest] = []

    def list_matches(request: match_pb2.ListMatchesRequest) -> match_pb2.ListMatchesResponse:
        looks.append(request)
        return (running if len(looks) < 4 else over)(request)

    shows: dict[str, list[Response] | Refusal] = {"matches/15": [*frames(1, 3), the_end(3)]}
    fake.answers["ListMatches"] = list_matches
    fake.answers["WatchMatch"] = lambda request: shows.get(request.name, SEALED)
    shown = ask("match", "watch")
    assert shown.exit_code == 0, shown.output
    assert words(shown.stderr).count("waiting for") == 1
    assert [request.name for request in fake.requests("WatchMatch")] == [
        f"matches/{number}" for number in (19, 17, 15)
    ]


def test_a_match_that_is_named_is_no_other(fake: FakeArena, ask: Run) -> None:
    fake.answers["WatchMatch"] = SEALED
    assert ask("match", "watch", "17").exit_code == 1
    assert len(fake.requests("WatchMatch")) == 1


def test_a_match_that_has_not_begun_is_waited_for(fake: FakeArena, ask: Run) -> None:
    pending = Response(match=match(match_pb2.MATCH_STATE_PENDING))
    fake.answers["WatchMatch"] = [pending, *frames(1, 2), the_end(2)]
    shown = ask("match", "watch", "17")
    assert shown.exit_code == 0
    assert "Match 17" in shown.stderr
    assert "Turn 1 · greedy" in shown.stdout


def test_an_unknown_game_is_named(fake: FakeArena, ask: Run) -> None:
    strange = frames(1, 1)
    strange[0].match.game = "sandstorm"
    fake.answers["WatchMatch"] = strange
    shown = ask("match", "watch", "17")
    assert shown.exit_code == 1
    assert '"sandstorm"' in shown.stderr
