"""P1 to P4: the arena with everything on, over bare gRPC with the same bytes, transport, streams and bots."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Final

from benchmarks.floors.script import SEATS, Script
from benchmarks.measuring.figures import microseconds, per_second, significant
from benchmarks.measuring.goals import Goal, at_least, at_most
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.pairs import interleaved
from benchmarks.measuring.spread import ratios, spread
from benchmarks.processes.arena import RunningArena
from benchmarks.processes.worker import Worker
from benchmarks.rows.row import Bench
from benchmarks.rows.samples import Pairs, Sample, middles, ratio
from benchmarks.rows.table_of_play import Shape, Side, floor, playing, record

_RATE: Final = at_least(0.85, 0.92)
_CPU: Final = at_most(1.35, 1.20)
_MEDIAN_WAIT: Final = at_most(1.20, 1.10)
_TAIL: Final = at_most(2.5, 2.0)
_BATCHED: Final = at_least(4, 6)

_GRPC: Final = "benchmarks.floors.grpc_echo"
_SOCKET: Final = "benchmarks.floors.socket_echo"
_ONE: Final = Shape("one", bots=2, matches_each=1)
_SIXTEEN: Final = Shape("sixteen", bots=32, matches_each=1)
_FRAMES: Final = Shape("frames", bots=2, matches_each=32)
"""Half of the matches wait for each bot: a frame has 16 decisions if they all come together."""


def one_match(bench: Bench) -> Measured:
    """Return one match at a time, against E; with everything also against a bare socket and JSON over HTTP."""
    with _both(bench, _ONE, streams=SEATS) as (arena, echo, script):
        pairs = _pairs(bench, arena, echo)
        beside = _beside(bench, arena, script) if bench.effort.everything else ()
    lines = (
        _rate("P1", "1 match, over E", pairs, _in_play, _RATE),
        *beside,
        _cpu("P2", "1 match: CPU a decision", pairs),
        *_waits(pairs),
    )
    return Measured(lines, (_bytes("1 match", pairs), _pauses(pairs)))


def _beside(bench: Bench, arena: Side, script: Script) -> tuple[Line, ...]:
    """Return what has no goal: a match over a bare socket, and over JSON by HTTP."""
    with floor(_SOCKET, "socket", script, bench.scratch, SEATS) as bare:
        on_socket = _pairs(bench, arena, bare)
    with _http(bench, script) as ask_by_http:
        by_http = interleaved(partial(arena.measure, bench.effort.seconds), ask_by_http, bench.effort.pairs)
    return (_rate("P1", "1 match, over bare socket", on_socket, _in_play, None), _over_http(by_http))


def sixteen_matches(bench: Bench) -> Measured:
    """Sixteen matches at once, each seat a stream of its own; pauses between matches count."""
    with _both(bench, _SIXTEEN, streams=_SIXTEEN.bots) as (arena, echo, _):
        pairs = _pairs(bench, arena, echo)
    lines = (
        _rate("P1", "16 matches, over E", pairs, lambda each: each.per_second, _RATE),
        _cpu("P2", "16 matches: CPU a decision", pairs),
    )
    return Measured(lines, (_bytes("16 matches", pairs),))


def frames(bench: Bench) -> Measured:
    """Many matches on each of two streams, so that frames fill, over E with a stream for each seat of 16 matches."""
    with _both(bench, _FRAMES, streams=_SIXTEEN.bots) as (arena, echo, _):
        pairs = _pairs(bench, arena, echo)
    line = _rate(
        "P4", "32 matches on 2 streams, over E unbatched", pairs, lambda each: each.per_second, _BATCHED
    )
    return Measured((line,), (_bytes("32 matches on 2 streams", pairs),))


@contextmanager
def _both(bench: Bench, shape: Shape, *, streams: int) -> Iterator[tuple[Side, Side, Script]]:
    with ExitStack() as stack:
        arena: RunningArena = stack.enter_context(bench.arena(shape.name))
        script = record(arena)
        ours = stack.enter_context(playing(arena, shape))
        yield ours, stack.enter_context(floor(_GRPC, "unix", script, bench.scratch, streams)), script


@contextmanager
def _http(bench: Bench, script: Script) -> Iterator[Callable[[], float]]:
    """Measure the decisions a second of JSON over HTTP."""
    file = bench.scratch / "http.json"
    script.save(file)
    with ExitStack() as stack:
        bot = stack.enter_context(Worker("benchmarks.floors.http_bot"))
        port = str(bot.answer())
        asker = stack.enter_context(Worker("benchmarks.floors.http_asker", str(file), port))

        def measure() -> float:
            answer = asker.ask("play", seconds=bench.effort.seconds)
            return float(answer["decisions"] / answer["seconds"])

        yield measure


def _pairs(bench: Bench, ours: Side, theirs: Side) -> Pairs:
    seconds = bench.effort.seconds
    return interleaved(partial(ours.measure, seconds), partial(theirs.measure, seconds), bench.effort.pairs)


def _in_play(each: Sample) -> float:
    return each.in_play


def _waits(pairs: Pairs) -> tuple[Line, Line]:
    """Return what one match waits for the arena: the median, and the worst."""
    ours, theirs = middles(pairs, lambda each: each.p50_us)
    tail = spread(each.p99_us for each, _ in pairs).middle
    middle = ratio(pairs, lambda each: each.p50_us)
    worst = spread(each.p99_us / each.p50_us for each, _ in pairs)
    return (
        Line("P3", "1 match: p50", microseconds(ours), microseconds(theirs), middle, _MEDIAN_WAIT),
        Line("P3", "1 match: p99 over own p50", microseconds(tail), microseconds(ours), worst, _TAIL),
    )


def _over_http(pairs: Sequence[tuple[Sample, float]]) -> Line:
    ours = spread(each.in_play for each, _ in pairs).middle
    theirs = spread(rate for _, rate in pairs).middle
    measured = ratios([(each.in_play, rate) for each, rate in pairs])
    return Line("P1", "1 match, over HTTP + JSON", per_second(ours), per_second(theirs), measured)


def _pauses(pairs: Pairs) -> str:
    share = 1 - spread(each.per_second / each.in_play for each, _ in pairs).middle
    tail = spread(echo.p99_us / echo.p50_us for _, echo in pairs).middle
    return (
        f"1 match: the arena is between matches for {share:.0%} of the time; P1 and P3 leave that out, P2 does not. "
        f"E's own p99 is {significant(tail)}x its p50."
    )


def _rate(
    goal_id: str, what: str, pairs: Pairs, figure: Callable[[Sample], float], goal: Goal | None
) -> Line:
    ours, theirs = middles(pairs, figure)
    return Line(goal_id, what, per_second(ours), per_second(theirs), ratio(pairs, figure), goal)


def _cpu(goal_id: str, what: str, pairs: Pairs) -> Line:
    ours, theirs = middles(pairs, lambda each: each.cpu_us)
    measured = ratio(pairs, lambda each: each.cpu_us)
    return Line(goal_id, what, microseconds(ours), microseconds(theirs), measured, _CPU)


def _bytes(what: str, pairs: Pairs) -> str:
    ours = pairs[-1][0]
    return (
        f"{what}: {significant(ours.legal_actions)} legal actions and {significant(ours.frame_bytes)} bytes a frame in "
        f"the mean, {significant(ours.per_frame)} decisions in a frame."
    )
