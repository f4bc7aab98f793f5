"""Train a bot for Caravan by self-play, and export it as a submission.

Example: python -m arena.research.caravan.training train learned
"""

import argparse
import os
import shutil
import signal
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Final

from arena.research.caravan.training.bot import WEIGHTS, read_network

try:
    from arena.research.caravan.training.training_run import Plan, TrainingError, TrainingRun
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    sys.exit(
        f"The package {error.name} is not installed. Run `pip install '.[research]'` in a checkout of the arena."
    )

ROUNDS: Final = 80
ROUNDS_VARIABLE: Final = "TRAINING_ROUNDS"
MATCHES_VARIABLE: Final = "TRAINING_MATCHES"
"""The environment variables that give other numbers, for a trial of all commands."""

_MANIFEST: Final = """command = ["python", "bot.py"]
games = ["caravan"]
runtime = "python"
"""


def train(given: argparse.Namespace) -> None:
    """Train to the last round and print each. Raises TrainingError."""
    run = TrainingRun(given.folder, Plan(given.seed, given.seats, given.matches))
    done = run.progress.rounds
    if done >= given.rounds:
        print(f"The training has had {done} rounds already: a higher --rounds continues it.")
    elif done:
        print(f"Continuing after round {done}.", flush=True)
    signal.signal(signal.SIGINT, _interrupt_once)
    try:
        for line in run.run(given.rounds, given.workers):
            print(line, flush=True)
    except KeyboardInterrupt:
        raise TrainingError(
            f"Stopped after round {run.progress.rounds}: the same command continues."
        ) from None
    except BrokenProcessPool:
        raise TrainingError(
            f"A worker process was killed, after round {run.progress.rounds}: the same command continues."
        ) from None
    print(f"The weights are in {given.folder / WEIGHTS}.")


def _interrupt_once(_number: int, _frame: object) -> None:
    """End the training; further Ctrl-C must not interrupt how it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def export(given: argparse.Namespace) -> None:
    """Make the folder of a submission. Raises TrainingError."""
    here = Path(__file__).parent
    weights: Path = (given.weights or here) / WEIGHTS
    try:
        read_network(weights)
    except FileNotFoundError:
        raise TrainingError(f"There is no {weights}: train first, or name another folder.") from None
    except (ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{weights} has no weights of this program ({error!r}): train anew.") from None
    try:
        given.bot.mkdir(parents=True)
    except FileExistsError:
        raise TrainingError(f"{given.bot} is there already: name another folder, or remove it.") from None
    shutil.copy(weights, given.bot / WEIGHTS)
    shutil.copy(here / "bot.py", given.bot)
    (given.bot / "bot.toml").write_text(_MANIFEST, encoding="utf-8")
    print(f"{given.bot} is ready for `arena bot submit`.")


def main() -> None:
    """Run the command that was given."""
    parser = argparse.ArgumentParser(
        "arena.research.caravan.training", description=__doc__.partition("\n")[0]
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    of_train = commands.add_parser("train", help="train, or continue an interrupted training")
    of_train.add_argument("folder", type=Path, help="where checkpoint and weights are written")
    of_train.add_argument(
        "--rounds",
        type=_positive,
        default=os.environ.get(ROUNDS_VARIABLE, str(ROUNDS)),
        help=f"rounds of self-play and learning in all (default: {ROUNDS_VARIABLE}, else {ROUNDS})",
    )
    of_train.add_argument(
        "--matches",
        type=_positive,
        default=os.environ.get(MATCHES_VARIABLE, str(Plan.matches)),
        help=f"of a round (default: {MATCHES_VARIABLE}, else {Plan.matches})",
    )
    of_train.add_argument(
        "--seats", type=int, choices=(2, 3, 4), default=Plan.seats, help="of a match (default: %(default)s)"
    )
    of_train.add_argument("--seed", type=_not_negative, default=Plan.seed, help="default: %(default)s")
    of_train.add_argument(
        "--workers", type=_positive, default=2, help="processes that play matches (default: %(default)s)"
    )
    of_train.set_defaults(command=train)
    of_export = commands.add_parser("export", help="make a folder for `arena bot submit`")
    of_export.add_argument("bot", type=Path, help="the folder to make; it must not be there yet")
    of_export.add_argument(
        "--from",
        dest="weights",
        metavar="FOLDER",
        type=Path,
        help="the folder of a training (default: the weights that come with this program)",
    )
    of_export.set_defaults(command=export)
    given = parser.parse_args()
    try:
        given.command(given)
    except TrainingError as error:
        sys.exit(f"arena.research.caravan.training: {error}")
    except OSError as error:
        sys.exit(f"arena.research.caravan.training: {error.filename}: {error.strerror}. Name another folder.")


def _positive(text: str) -> int:
    number = _not_negative(text)
    if number == 0:
        raise argparse.ArgumentTypeError("at least 1 is needed, not 0")
    return number


def _not_negative(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"a whole number from 0 on is needed, not {text!r}")
    return number


if __name__ == "__main__":
    main()
