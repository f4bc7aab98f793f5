"""P5, P6, P7 and P11: the rules alone, driven from Python on one core, over other engines and over themselves."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.environments import MissingError
from benchmarks.measuring.figures import microseconds, per_second, significant
from benchmarks.measuring.goals import Goal, at_least, at_most
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.pairs import interleaved
from benchmarks.measuring.spread import ratios, spread
from benchmarks.processes.worker import Worker
from benchmarks.rows.row import Bench
from engine.registry import GAMES

_GAMES: Final = tuple(GAMES)
_FIRST: Final = _GAMES[0]
"""Goals beyond those of all games are for this one."""
_US_PER_S: Final = 1e6
_OURS: Final = "benchmarks.engines.ours"
_CHESS: Final = "open_spiel chess"
_HEX: Final = "open_spiel hex 11"
_PYTHON_CHESS: Final = "python-chess"
_PEERS: Final = {
    _CHESS: ("benchmarks.peers.open_spiel_games", "chess"),
    _HEX: ("benchmarks.peers.open_spiel_games", "hex(board_size=11)"),
    _PYTHON_CHESS: ("benchmarks.peers.python_chess_games",),
}


@dataclass(frozen=True, slots=True)
class Speed:
    """An engine in one stretch."""

    per_second: float
    """Plies a second of processor time."""
    legal_actions: float
    """In the mean; 0 in playouts, where nobody counts them."""


def interpreted(bench: Bench) -> Measured:
    """P5: all games as plain Python over chess of open_spiel, the first one also over that of python-chess.

    With everything, all games over both.
    """
    goals = {(_FIRST, _CHESS): at_least(1.0, 1.3), (_FIRST, _PYTHON_CHESS): at_least(6, 9)}
    return _over_peers(bench, "P5", None, goals)


def compiled(bench: Bench) -> Measured:
    """P6: all games as a wheel has them over chess of open_spiel, the first one also over hex.

    With everything, all games over both, and their playouts over those of chess.
    """
    python = bench.environments.compiled()
    goals = {(game, _CHESS): at_least(1.0, 1.5) for game in _GAMES}
    goals |= {(_FIRST, _CHESS): at_least(2.5, 3.8), (_FIRST, _HEX): at_least(0.8, 1.1)}
    measured = _over_peers(bench, "P6", python, goals)
    playouts = _playouts_over_chess(bench, python) if bench.effort.everything else ()
    return Measured((*measured.lines, *playouts), measured.remarks)


def _playouts_over_chess(bench: Bench, python: Path) -> Iterator[Line]:
    their_python = bench.environments.engines()
    for game in _GAMES:
        with _ours(game, python) as ours, Worker(*_PEERS[_CHESS], python=their_python) as theirs:
            pairs = interleaved(
                partial(_playout, ours, bench), partial(_playout, theirs, bench), bench.effort.pairs
            )
        yield _line("P6", f"{game}, playouts, over {_CHESS}", pairs, at_least(1.0, 1.5))


def gained(bench: Bench) -> Measured:
    """P7: the compiled engine over the plain one, the same matches ply by ply, and the same playouts."""
    python = bench.environments.compiled()
    lines = []
    for game in _GAMES:
        with _ours(game, python) as ours, _ours(game, None) as plain:
            for what, how in (("", _play), (" playouts,", _playout)):
                pairs = interleaved(partial(how, ours, bench), partial(how, plain, bench), bench.effort.pairs)
                lines.append(_line("P7", f"{game},{what} over plain Python", pairs, at_least(3, 4)))
    return Measured(tuple(lines))


def clones(bench: Bench) -> Measured:
    """P11: a clone over one list of legal actions with its ply, in plain Python and, if there is one, compiled."""
    pythons: dict[str, Path | None] = {"plain": None}
    with suppress(MissingError):  # P6 and P7 say why
        pythons["compiled"] = bench.environments.compiled()
    return Measured(
        tuple(_clone_line(bench, game, how, python) for how, python in pythons.items() for game in _GAMES)
    )


def _over_peers(
    bench: Bench, goal_id: str, python: Path | None, goals: dict[tuple[str, str], Goal]
) -> Measured:
    peers = dict.fromkeys(peer for _, peer in goals)
    their_python = bench.environments.engines()
    lines: list[Line] = []
    listed: dict[str, float] = {}
    for place, peer in enumerate(peers):
        for game in _GAMES:
            if place and not bench.effort.everything and (game, peer) not in goals:
                continue
            with _ours(game, python) as ours, Worker(*_PEERS[peer], python=their_python) as theirs:
                pairs = interleaved(
                    partial(_play, ours, bench), partial(_play, theirs, bench), bench.effort.pairs
                )
            lines.append(_line(goal_id, f"{game}, over {peer}", pairs, goals.get((game, peer))))
            listed |= {game: pairs[-1][0].legal_actions, peer: pairs[-1][1].legal_actions}
    means = ", ".join(f"{name} {significant(mean)}" for name, mean in listed.items())
    return Measured(tuple(lines), (f"{goal_id}: legal actions in the mean: {means}.",))


@contextmanager
def _ours(game: str, python: Path | None) -> Iterator[Worker]:
    """Our engine: that of the wheel in an environment, or (None) the plain one of the checkout."""
    with Worker(_OURS, game, python=python) as ours:
        if python is None and ours.ask("kind") != "plain":
            raise MissingError(
                "the environment of the project has a compiled engine, and plain Python is to be measured"
            )
        yield ours


def _play(engine: Worker, bench: Bench) -> Speed:
    answer = engine.ask("play", seconds=bench.effort.cpu_seconds)
    return Speed(answer["plies"] / answer["cpu_s"], answer["legal_actions"] / answer["plies"])


def _playout(engine: Worker, bench: Bench) -> Speed:
    answer = engine.ask("playout", seconds=bench.effort.cpu_seconds)
    return Speed(answer["plies"] / answer["cpu_s"], 0)


def _line(goal_id: str, what: str, pairs: Sequence[tuple[Speed, Speed]], goal: Goal | None) -> Line:
    rates = [(ours.per_second, theirs.per_second) for ours, theirs in pairs]
    ours = spread(rate for rate, _ in rates).middle
    theirs = spread(rate for _, rate in rates).middle
    return Line(goal_id, what, per_second(ours), per_second(theirs), ratios(rates), goal)


def _clone_line(bench: Bench, game: str, how: str, python: Path | None) -> Line:
    with _ours(game, python) as engine:

        def one_clone() -> float:
            answer = engine.ask("clone", seconds=bench.effort.cpu_seconds)
            return float(answer["cpu_s"] / answer["clones"] * _US_PER_S)

        def one_ply() -> float:
            return _US_PER_S / _play(engine, bench).per_second

        pairs = interleaved(one_clone, one_ply, bench.effort.pairs)
    return Line(
        "P11",
        f"{game}, {how}: clone over list + ply",
        microseconds(spread(clone for clone, _ in pairs).middle),
        microseconds(spread(ply for _, ply in pairs).middle),
        ratios(pairs),
        at_most(0.3, 0.1),
    )
