"""P17: decisions of many matches in one process, over classic games of PettingZoo and Python games of open_spiel."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from benchmarks.measuring.figures import per_second
from benchmarks.measuring.goals import at_least
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.pairs import interleaved
from benchmarks.measuring.spread import ratios, spread
from benchmarks.processes.worker import Worker
from benchmarks.rows.row import Bench, Scale
from engine.registry import GAMES

_OURS: Final = "benchmarks.engines.stepper"
_THEIRS: Final = "benchmarks.peers.pettingzoo_games"
_PYTHON_GAMES: Final = "benchmarks.peers.open_spiel_games"
_MATCHES: Final = 256
_GAMES: Final = tuple(GAMES)
_FIRST: Final = _GAMES[0]


@dataclass(frozen=True, slots=True)
class Peer:
    """A game that somebody else steps."""

    name: str
    module: str
    game: str


_CONNECT_FOUR: Final = Peer("PettingZoo connect_four_v3", _THEIRS, "connect_four_v3")
_CLASSIC: Final = (
    Peer("PettingZoo tictactoe_v3", _THEIRS, "tictactoe_v3"),
    Peer("PettingZoo chess_v6", _THEIRS, "chess_v6"),
)
_OPEN_SPIEL: Final = Peer("open_spiel python_tic_tac_toe", _PYTHON_GAMES, "python_tic_tac_toe")


def many_matches(bench: Bench) -> Measured:
    """P17: the first game over connect four and a game of open_spiel, if it is not quick all games over connect four.

    The first one then also over other classic games, and with observations; with everything, all games.
    """
    everything = bench.effort.everything
    games = _GAMES if everything or bench.effort.scale is not Scale.QUICK else _GAMES[:1]
    lines = []
    for game in games:
        lines.append(_line(bench, game, "step", _CONNECT_FOUR))
        if game == _FIRST or everything:
            lines.append(_line(bench, game, "step", _OPEN_SPIEL))
            if games == _GAMES:
                lines += [_line(bench, game, "step", peer) for peer in _CLASSIC]
                lines.append(_line(bench, game, "observe", _CONNECT_FOUR))
    remark = f"P17: {_MATCHES} matches of two seats side by side, legal actions at random."
    return Measured(tuple(lines), (remark,))


def _line(bench: Bench, game: str, what: str, peer: Peer) -> Line:
    has_goal = what == "step" and peer is not _OPEN_SPIEL
    environments = bench.environments
    python = environments.engines() if peer is _OPEN_SPIEL else environments.pettingzoo()
    with (
        Worker(_OURS, game, str(_MATCHES), python=environments.compiled()) as ours,
        Worker(peer.module, peer.game, python=python) as theirs,
    ):
        pairs = interleaved(_rate(bench, ours, what), _rate(bench, theirs, "play"), bench.effort.pairs)
    mine, other = (spread(pair[side] for pair in pairs).middle for side in (0, 1))
    made = "masks" if what == "step" else "masks and observations"
    return Line(
        "P17",
        f"{game}, {made}, over {peer.name}",
        per_second(mine),
        per_second(other),
        ratios(pairs),
        at_least(10, 20) if has_goal else None,
    )


def _rate(bench: Bench, worker: Worker, what: str) -> Callable[[], float]:
    def rate() -> float:
        answer = worker.ask(what, seconds=bench.effort.cpu_seconds)
        return float(answer["plies"] / answer["cpu_s"])

    return rate
