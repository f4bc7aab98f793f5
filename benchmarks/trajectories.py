"""How fast `arena simulate --trajectories` writes matches, in one process: python -m benchmarks.trajectories

Prints for each game and policy the plies per second of processor time: played alone, and written as Parquet and as JSON
lines. Of several runs the fastest counts, since other programs on the machine only slow one down; starting Python and
importing libraries is left out.
"""

import argparse
import shutil
import tempfile
import time
from pathlib import Path
from typing import Final

import pyarrow.parquet  # so that no run has to import it

from arena.cli.simulate.data_set import write_data_set
from arena.cli.simulate.simulation import Plan, Policy, play_all
from arena.dataset.schema import DataFormat
from engine.registry import GAMES
from engine.state import BUILD

FORMATS: Final = (None, DataFormat.PARQUET, DataFormat.JSONL)
MATCHES: Final = 300


def plies_per_second(plan: Plan, matches: int, data_format: DataFormat | None, folder: Path) -> float:
    """Return the plies that are played, and written if there is a format, in a second of processor time."""
    target = folder / "trajectories"
    shutil.rmtree(target, ignore_errors=True)
    began = time.process_time()
    chunks = play_all(plan, matches, jobs=1, record=data_format is not None)
    if data_format is not None:
        chunks = write_data_set(chunks, plan, target, data_format)
    plies = sum(match.plies for chunk in chunks for match in chunk.played)
    return plies / (time.process_time() - began)


def main() -> None:
    """Measure all games and policies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs: int = parser.parse_args().runs
    print(f"engine: {BUILD}; pyarrow {pyarrow.__version__}; best of {runs}")
    print(f"{'game':<14}{'seats':>5}  {'policy':<10}{'played':>10}{'parquet':>10}{'jsonl':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for game, rules in GAMES.items():
            for policy in Policy:
                plan = Plan(game, rules.spec.max_seats, (), policy, bytes(32))
                best = [
                    max(plies_per_second(plan, MATCHES, each, Path(folder)) for _ in range(runs))
                    for each in FORMATS
                ]
                shown = "".join(f"{speed:>10,.0f}" for speed in best)
                print(f"{game:<14}{rules.spec.max_seats:>5}  {policy.value:<10}{shown}", flush=True)


if __name__ == "__main__":
    main()
