"""The sample bots by language: `python -m sample_bots.languages build` builds those whose tools are there.

A language other than Python is a folder with an executable `build`, which makes `bin/greedy` and `bin/random`. If a
tool that it needs is missing it says so on standard error, `needs NAME: how to install it`, and exits with 69
(EX_UNAVAILABLE of sysexits.h).
"""

import argparse
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent
BOTS: Final = ("greedy", "random")
"""The sample bots that every language has."""
COMMON_GAME: Final = "caravan"
"""The game that `greedy` plays in every language."""
TOOL_IS_MISSING: Final = 69
_SIDE_BY_SIDE: Final = 2
"""Builds at once. Most have stretches in which they use a single processor."""
_SLOWEST: Final = ("rust", "cpp", "java")
"""What takes longest begins first."""


class Outcome(Enum):
    """How a build went."""

    BUILT = "built"
    SKIPPED = "skipped"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class Build:
    """A build that is over."""

    outcome: Outcome
    said: str
    """What it wrote: the tools it needs, if it was skipped."""
    seconds: float


@dataclass(frozen=True, slots=True)
class Language:
    """A language that sample bots are written in."""

    name: str
    """Its folder, and what its bots say in `Hello.language`."""

    @property
    def folder(self) -> Path:
        """Where its bots are."""
        return ROOT / self.name

    def bots(self, game: str) -> tuple[str, ...]:
        """Those that play a game: in Python some for every game, in other languages those of `COMMON_GAME` alone."""
        if self.name == "python":
            return ("random", *sorted(path.stem for path in (self.folder / game).glob("*.py")))
        return BOTS if game == COMMON_GAME else ()

    def program(self, bot: str, game: str = COMMON_GAME) -> tuple[str, ...]:
        """Return the command that starts one of `bots`."""
        if self.name == "python":
            own = "random_bot.py" if bot == "random" else f"{game}/{bot}.py"
            return (sys.executable, str(self.folder / own))
        return (str(self.folder / "bin" / bot),)

    def is_built(self) -> bool:
        """Return whether all of its bots can be started."""
        return all(Path(self.program(bot)[-1]).is_file() for bot in BOTS)

    def build(self) -> Build:
        """Build its bots; return how that ended, and why if they cannot be built."""
        if self.name == "python":
            return Build(Outcome.BUILT, "", 0.0)
        started = time.monotonic()
        done = subprocess.run(
            [self.folder / "build"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        seconds = time.monotonic() - started
        if done.returncode == TOOL_IS_MISSING:
            return Build(Outcome.SKIPPED, done.stdout, seconds)
        good = done.returncode == 0 and self.is_built()
        return Build(Outcome.BUILT if good else Outcome.FAILED, done.stdout, seconds)


LANGUAGES: Final = tuple(Language(name) for name in ("python", "go", "typescript", "rust", "java", "cpp"))


def build_all(languages: Sequence[Language]) -> int:
    """Build side by side and print in turn how each ended; return 1 if one failed, not if one was skipped."""
    outcomes = []
    with ThreadPoolExecutor(_SIDE_BY_SIDE) as pool:
        slowest_first = sorted(languages, key=lambda language: language.name not in _SLOWEST)
        begun = {language: pool.submit(language.build) for language in slowest_first}
        for language in languages:
            build = begun[language].result()
            outcomes.append(build.outcome)
            print(f"{language.name:<11} {_told(build)}", flush=True)
            if build.outcome is not Outcome.BUILT:
                print("".join(f"    {line}\n" for line in build.said.splitlines()), end="", flush=True)
    return int(Outcome.FAILED in outcomes)


def _told(build: Build) -> str:
    match build.outcome:
        case Outcome.BUILT:
            return f"built in {build.seconds:.0f} s" if build.seconds else "needs no build"
        case Outcome.SKIPPED:
            return "skipped; install what it needs, then run this again:"
        case Outcome.FAILED:
            return f"FAILED after {build.seconds:.0f} s; it said:"


def demo_bots(languages: Sequence[Language]) -> list[str]:
    """Return the bots that are built, each as `NAME=COMMAND`, the form in which `arena demo --bot` takes it."""
    return [
        f"{bot}-{language.name}={shlex.join(language.program(bot))}"
        for bot in BOTS
        for language in languages
        if language.is_built()
    ]


def main() -> None:
    """Build, or play a ladder of all languages."""
    parser = argparse.ArgumentParser(prog="sample_bots.languages", description=__doc__.partition("\n")[0])
    what = parser.add_subparsers(dest="what", required=True)
    building = what.add_parser("build", help="build the sample bots whose tools are there")
    building.add_argument("language", nargs="*", type=_language, help="only these (default: all)")
    playing = what.add_parser("ladder", help="one ladder of all that are built")
    playing.add_argument("argument", nargs="*", help="for `arena demo`, behind --")
    given = parser.parse_args()
    if given.what == "build":
        raise SystemExit(build_all(given.language or LANGUAGES))
    raise SystemExit(play_ladder(given.argument))


def _language(name: str) -> Language:
    """Return the language of this name. Raises ArgumentTypeError."""
    for language in LANGUAGES:
        if language.name == name:
            return language
    there_are = ", ".join(language.name for language in LANGUAGES)
    raise argparse.ArgumentTypeError(f"there are no bots in {name!r}; there are some in {there_are}")


def play_ladder(arguments: Sequence[str]) -> int:
    """Play a ladder of everything that is built; its exit code is that of `arena demo`."""
    missing = [language.name for language in LANGUAGES if not language.is_built()]
    if missing:
        print(f"Without {', '.join(missing)}: not built, `make bots` says why.", flush=True)
    bots = [f"--bot={bot}" for bot in demo_bots(LANGUAGES)]
    command = [sys.executable, "-m", "arena.cli.app", "demo", "--data", "data/polyglot", *bots, *arguments]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    main()
