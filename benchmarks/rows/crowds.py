"""P13: thousands of bots connected and hundreds of matches at once, on one server."""

from typing import Final

from benchmarks.crowded import Crowded, Size, crowded
from benchmarks.measuring.figures import per_second, significant
from benchmarks.measuring.goals import at_most
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.spread import Spread, spread
from benchmarks.processes.crowd import TroubleError, crowd
from benchmarks.rows.row import Bench

_SIZES: Final = (Size(500, 50), Size(1_000, 100), Size(5_000, 500))
"""By scale."""

_WINDOWS_S: Final = (5.0, 5.0, 10.0)
_MS_PER_S: Final = 1e3
_MB: Final = 1e6


def at_once(bench: Bench) -> Measured:
    """Begin all matches, then play them to their end by bots that answer at once; whatever goes wrong counts."""
    size, window_s = bench.effort.sized(*_SIZES), bench.effort.sized(*_WINDOWS_S)
    try:
        with bench.arena("arena") as arena, crowd() as bots:
            return _told(size, window_s, crowded(arena, bots, size, window_s))
    except TroubleError as error:
        return broken_off(size, error)


def broken_off(size: Size, error: TroubleError) -> Measured:
    """Return the goals as missed: the arena failed bots before all matches had even begun."""
    what = f"{size.matches} matches: bots let down before all had begun"
    line = Line("P13", what, f"{error.count:,}", f"of {size.bots:,}", _one(error.count), at_most(0, 0, ""))
    return Measured((line,), (f"P13: {error}",))


def _told(size: Size, window_s: float, went: Crowded) -> Measured:
    window = went.window
    remark = (
        f"P13: {size.bots:,} bots are connected. Rate and waits are of {window_s:g} s with all matches in play, at "
        f"{significant(window.cpu_us)} us of the server's processor time a decision and "
        f"{significant(went.playing_bytes / _MB)} MB of its own memory. The matches took {significant(went.begin_s)} s "
        f"to begin. In all, the loop stood still {went.stalls:g} times, for {significant(went.stalled_s)} s together "
        f"(gaps of its heartbeat over 20 ms), the longest {significant(went.longest_lag_s * _MS_PER_S)} ms."
    )
    lines = (
        _count(f"{size.matches} matches: lost", went.lost, went.plies),
        _count(f"{size.matches} matches: late", went.late + len(went.troubles), went.plies),
        Line("P13", f"{size.matches} matches: rate", per_second(window.rate), "", _one(window.rate)),
        *(_wait(size, percent, window.wait_ms(percent)) for percent in (50, 95, 99)),
    )
    return Measured(lines, (remark, *(f"P13: {trouble}" for trouble in went.troubles[:3])))


def _wait(size: Size, percent: int, wait: float) -> Line:
    return Line(
        "P13", f"{size.matches} matches: p{percent} of wait", f"{significant(wait)} ms", "", _one(wait)
    )


def _count(what: str, count: float, of: int) -> Line:
    return Line("P13", what, f"{count:g}", f"of {of:,}", _one(count), at_most(0, 0, ""))


def _one(value: float) -> Spread:
    """Measured once: it is the sum of many."""
    return spread([value])
