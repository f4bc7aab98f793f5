"""What callers can make the arena keep and compute, driven to its bounds beside an honest match (docs/limits.md).

All of it together takes at most 64 MiB of the arena's memory, and costs the honest bots nothing. How late the arena's
heartbeat came meanwhile is recorded and not asserted: it says as much about the machine
(`--log-cli-level=info` shows it).
"""

import logging
import re
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import grpc
import pytest

from arena.server.limits import MESSAGE_BYTES, STREAMS
from arena.v1 import ending_pb2, game_pb2, game_pb2_grpc, match_pb2, play_pb2, time_control_pb2, token_pb2
from tests.system.e2e.metrics import metrics_url
from tests.system.play import wire
from tests.system.play.arena_process import WAIT_S, ArenaProcess
from tests.system.play.conftest import BotFactory
from tests.system.play.pushing import Pusher
from tests.system.play.test_match import SHORT, answer_everything

_log = logging.getLogger(__name__)

MOST_MIB = 64
LIST_GAMES = "/arena.v1.GameService/ListGames"
LIST_MATCHES = "/arena.v1.MatchService/ListMatches"
UPLOAD = "/arena.v1.SubmissionService/UploadArchive"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
PLAY = "/arena.v1.PlayService/Play"
FAIR = time_control_pb2.TimeControl(
    per_decision_ms=20_000, bank_ms=0, strikes=2, absence_ms=30_000, hold_ms=5_000, seat_limit_ms=86_400_000
)


class Honest:
    """Two bots that play one match after the other until `finish`, and at least one.

    Refused calls are made again a second later.
    """

    def __init__(self, arena: ArenaProcess) -> None:
        self._bots = BotFactory(arena)
        self._stop = threading.Event()
        self._ended: list[match_pb2.Match] = []
        self._failed: list[BaseException] = []
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        try:
            while not (self._stop.is_set() and self._ended):
                try:
                    bots = self._bots.table(2, options=SHORT, matches=1, time_control=FAIR)
                except grpc.RpcError as error:
                    if error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                        raise
                    time.sleep(1)  # as the refusal of a busy arena asks
                else:
                    self._ended.append(answer_everything(bots)[0].match)
                self._bots.close()
                self._bots = BotFactory(self._bots.arena)
        except BaseException as error:  # noqa: BLE001 - told by `finish`, on the thread of the test
            self._failed.append(error)

    def finish(self) -> None:
        """Check that the match in play is the last one, and nobody has lost anything in any of them."""
        self._stop.set()
        self._thread.join(4 * WAIT_S)
        self._bots.close()
        assert not self._failed, self._failed
        assert self._ended
        for match in self._ended:
            assert match.state == match_pb2.MATCH_STATE_FINISHED
            assert [seat.strikes for seat in match.seats] == [0, 0]
            assert {seat.ending.termination for seat in match.seats} == {ending_pb2.TERMINATION_NORMAL}


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    with ArenaProcess(
        tmp_path_factory.mktemp("limits") / "data", "--metrics-port", "0", alone=True
    ) as process:
        Honest(process).finish()  # what is loaded and compiled for the first match is no caller's doing
        yield process


@pytest.fixture
def check_held(arena: ArenaProcess, before: int) -> Callable[[str], None]:
    """Record what the arena holds, and check that it is within the bound."""

    def check(what: str) -> None:
        more, lag = resident_mib(arena) - before, longest_lag_s(arena)
        _log.info("%s: %d MiB more, heartbeat up to %.3f s late", what, more, lag)
        assert more <= MOST_MIB

    return check


@pytest.fixture(scope="module")
def before(arena: ArenaProcess) -> int:
    """Return the arena's memory before anything was tried: all of it together is bounded."""
    return resident_mib(arena)


@pytest.fixture(autouse=True)
def _match_beside(arena: ArenaProcess, before: int) -> Iterator[None]:
    honest = Honest(arena)
    yield
    honest.finish()


def resident_mib(arena: ArenaProcess) -> int:
    """Return the arena's memory."""
    status = Path(f"/proc/{arena.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) >> 10


def longest_lag_s(arena: ArenaProcess) -> float:
    """How late its heartbeat came at the worst so far."""
    with urllib.request.urlopen(metrics_url(arena), timeout=WAIT_S) as answer:
        text = answer.read().decode()
    return float(re.findall(r"^arena_loop_lag_longest_seconds (\S+)$", text, re.MULTILINE)[0])


def token_of(arena: ArenaProcess, role: token_pb2.Role.ValueType, owner: str) -> str:
    """Make a token, which has been valid once."""
    token = str(arena.tokens.CreateToken(role=role, owner=f"owners/{owner}").secret)
    arena.matches.ListMatches(page_size=1, metadata=bearer(token))
    return token


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata of a call with this token."""
    return (("authorization", f"Bearer {token}"),)


def told(call: Callable[[], bool]) -> bool:
    """Return whether a caller who tries again, as a refusal says, gets an answer in time."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        try:
            return call()
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise
    return False


@pytest.mark.parametrize("acknowledges", [True, False], ids=["acknowledged", "not acknowledged"])
@pytest.mark.parametrize("path", [LIST_GAMES, REFLECTION, PLAY])
def test_incomplete_requests_without_a_token(
    arena: ArenaProcess, check_held: Callable[[str], None], path: str, acknowledges: bool
) -> None:
    with flood(arena, path, acknowledges=acknowledges):
        check_held(f"{path} of strangers")
        with grpc.insecure_channel(arena.tcp) as channel:
            stub = game_pb2_grpc.GameServiceStub(channel)
            assert told(lambda: bool(stub.ListGames(game_pb2.ListGamesRequest(), timeout=WAIT_S).games))


@pytest.mark.parametrize("path", [LIST_MATCHES, UPLOAD])
def test_incomplete_requests_with_a_token(
    arena: ArenaProcess, check_held: Callable[[str], None], path: str
) -> None:
    token = token_of(arena, token_pb2.ROLE_OWNER, f"slow{path[-5:].lower()}")
    other = bearer(token_of(arena, token_pb2.ROLE_SPECTATOR, "reader"))
    with flood(arena, path, token):
        check_held(f"{path} with a token")
        assert told(lambda: bool(arena.matches.ListMatches(metadata=other, timeout=WAIT_S).matches))


def test_incomplete_hellos_of_a_bot(arena: ArenaProcess, check_held: Callable[[str], None]) -> None:
    with flood(arena, PLAY, arena.bot("slow-hello"), connections=4, streams=STREAMS - 16):
        check_held("Play with a bot's token")


def test_a_message_that_is_too_large_is_refused_before_it_has_arrived(
    arena: ArenaProcess, check_held: Callable[[str], None]
) -> None:
    with flood(arena, LIST_GAMES, connections=4, size=MESSAGE_BYTES + 1) as pushed:
        assert all(count < STREAMS * MESSAGE_BYTES for count in pushed)
        check_held("messages that are too large")


@contextmanager
def flood(
    arena: ArenaProcess,
    path: str,
    token: str = "none",
    *,
    connections: int = 5,
    streams: int = STREAMS,
    size: int = MESSAGE_BYTES - 5,
    acknowledges: bool = True,
) -> Iterator[list[int]]:
    """Begin calls with messages of this size on many streams and complete none; yield the bytes of each connection."""
    with ExitStack() as stack:
        pushed = []
        for _ in range(connections):
            pusher = stack.enter_context(Pusher(arena.tcp, acknowledges=acknowledges))
            for number in range(streams):
                pusher.begin(2 * number + 1, path, token, size)
            pushed.append(pusher.push())
        yield pushed


def test_silent_connections(arena: ArenaProcess, check_held: Callable[[str], None]) -> None:
    with ExitStack() as crowd:
        for _ in range(400):
            crowd.enter_context(wire.dial(arena.tcp))
        check_held("400 silent connections")


def test_header_blocks_of_a_megabyte_before_settings_are_acknowledged(
    arena: ArenaProcess, check_held: Callable[[str], None]
) -> None:
    """Row 8: gRPC takes some of them, and the arena refuses those."""
    with ExitStack() as connections:
        for _ in range(4):
            connection = connections.enter_context(wire.Wire(arena.tcp))
            connection.send_bytes(wire.call_with(1, LIST_GAMES, {f"x-{n}": "a" * 100 for n in range(8_000)}))
            ended = next(each for each in connection.frames() if each.kind == wire.Kind.HEADERS)
            assert ended.stream == 1
        check_held("header blocks")


def test_the_most_expensive_calls_repeated_with_a_spectators_token(
    arena: ArenaProcess, check_held: Callable[[str], None]
) -> None:
    token = token_of(arena, token_pb2.ROLE_SPECTATOR, "loop")
    ladder = arena.ladders.ListLadders().ladders[0].name
    ended = arena.matches.ListMatches(state=match_pb2.MATCH_STATE_FINISHED).matches[0]
    bot = ended.seats[0].bot
    calls: list[Callable[[], object]] = [
        lambda: arena.matches.ListMatches(page_size=1_000, metadata=bearer(token), timeout=WAIT_S),
        lambda: arena.ladders.ListStandings(
            name=ladder, page_size=1_000, metadata=bearer(token), timeout=WAIT_S
        ),
        lambda: list(arena.matches.WatchMatch(name=ended.name, metadata=bearer(token), timeout=WAIT_S)),
        lambda: arena.ladders.GetRatingHistory(
            name=ended.ladder, bot=bot, max_points=1_000, metadata=bearer(token), timeout=WAIT_S
        ),
        lambda: arena.ladders.ListBotStandings(bot=bot, metadata=bearer(token), timeout=WAIT_S),
        lambda: arena.bots.GetBotRecord(bot=bot, metadata=bearer(token), timeout=WAIT_S),
    ]

    def repeat(call: Callable[[], object]) -> None:
        for _ in range(40):
            call()

    threads = [threading.Thread(target=repeat, args=(call,)) for call in calls for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check_held("listings, standings, histories and ended matches in a loop")


def test_a_bot_that_opens_sessions_up_to_its_allowance(
    arena: ArenaProcess, check_held: Callable[[str], None]
) -> None:
    token = arena.bot("many-sessions")
    hello = play_pb2.Hello(
        lowest_protocol=1,
        highest_protocol=1,
        bot_version="1",
        games=[play_pb2.GameSupport(game="caravan")],
        capacity=play_pb2.Capacity(matches=1_000),
    )
    frame = play_pb2.PlayRequest(messages=[play_pb2.ClientMessage(hello=hello)]).SerializeToString()
    with ExitStack() as connections:
        for begun in range(0, 200, 50):
            connection = connections.enter_context(wire.Wire(arena.tcp))
            for number in range(50):
                connection.call(2 * number + 1, PLAY, token, frame)
            answered = {each.stream for each in _until(connection, 50)}
            assert len(answered) == 50, begun
        check_held("200 sessions of one token")


def _until(connection: wire.Wire, streams: int) -> Iterator[wire.Frame]:
    """Read frames until each of so many streams has brought data."""
    seen: set[int] = set()
    for frame in connection.frames():
        if frame.kind == wire.Kind.DATA:
            seen.add(frame.stream)
            yield frame
        if len(seen) == streams:
            return
