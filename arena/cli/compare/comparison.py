"""One comparison from its first match to its verdict."""

import os
import shlex
import sys
import time
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from arena.cli.compare.faults import FaultTally
from arena.cli.compare.play_matches import MatchSeries, Rules, SetUp
from arena.cli.compare.standing import Standing, StandingDisplay
from arena.cli.compare.state_file import PlayedMatch, StateFile
from arena.cli.framework.errors import CliError, CommandExit
from arena.cli.framework.output import Format, err, plain, print_json, print_line, show
from arena.cli.framework.signals import Interrupted, run_interruptible
from arena.cli.play.participants import Participant, llm_files
from arena.core.clock.time_control import TimeControl
from arena.core.match import SuitePlace
from arena.core.pairing.comparison import ComparisonMatch, ComparisonPlan, ComparisonTally, derived_seed
from arena.core.sequential.sprt import Hypotheses, Verdict
from arena.core.suites import Suite
from engine.registry import GAMES

_EXITS: Final = {
    Verdict.BETTER: CommandExit.OK,
    Verdict.NOT_BETTER: CommandExit.NOT_BETTER,
    Verdict.UNDECIDED: CommandExit.UNDECIDED,
}

_HASH_DIGITS: Final = 16


@dataclass(frozen=True)
class Comparison:
    """What is compared, and how. All results follow from it, as far as the bots are deterministic."""

    game: str
    options: object
    """The game's own Options."""
    time_control: TimeControl
    participants: tuple[Participant, ...]
    """By entrant: the new bot, the old one, the opponents."""
    seats: int
    hypotheses: Hypotheses
    seed: bytes
    """32 bytes; the set-ups of all groups follow from it, unless they are from a suite."""
    suite: Suite | None = None
    """The set-ups of the groups, in order; each is played once."""

    @cached_property
    def plan(self) -> ComparisonPlan:
        """Who plays in which group."""
        return ComparisonPlan(self.seats, len(self.participants) - 2)

    def set_up_of(self, group: int) -> SetUp:
        """Return the set-up of a group."""
        if self.suite is None:
            return SetUp(derived_seed(self.seed, group))
        entry = self.suite.entries[group]
        return SetUp(entry.seed, SuitePlace(self.suite.name, self.suite.sha256, entry.id))

    def groups(self, matches: int) -> int:
        """Return how many groups are played at most, in so many matches."""
        groups = matches // self.plan.group_size
        return groups if self.suite is None else min(groups, len(self.suite.entries))

    def described(self) -> dict[str, Any]:
        """Return what the results depend on as a JSON object; of the programs, the files that their commands name."""
        game, test = GAMES[self.game], self.hypotheses
        commands = [shlex.join(each.command) for each in self.participants]
        return {
            "game": self.game,
            "rules_version": game.spec.rules_version,
            "seats": self.seats,
            "options": game.option_values(self.options),
            "clock": asdict(self.time_control),
            "new": commands[0],
            "old": commands[1],
            "against": commands[2:],
            "files": {file: _hash(Path(file)) for each in self.participants for file in _files(each)},
            "sprt": [test.elo0, test.elo1, test.alpha, test.beta],
            "seed": self.seed.hex(),
            "suite": None if self.suite is None else self.suite.sha256,
        }


class ComparisonRun:
    """The matches of a comparison as they are played."""

    def __init__(self, comparison: Comparison, state: StateFile, *, matches: int) -> None:
        """Take the matches in the state file. `matches`: at most so many are played, in whole groups.

        Raises CliError: one of them is not of this comparison.
        """
        self._comparison = comparison
        self._state = state
        self._plan = comparison.plan
        self._groups = comparison.groups(matches)
        self._tally = ComparisonTally(self._plan, comparison.hypotheses, self._groups)
        self._faults = FaultTally(len(comparison.participants))
        self._played_now = 0
        self._began = time.monotonic()
        for line, played in enumerate(state.played, start=2):
            seats = {
                len(each) for each in (played.placings, played.endings, played.strikes, played.exceptions)
            }
            if (
                not 0 <= played.place < self._plan.group_size
                or played.group < 0
                or seats != {comparison.seats}
            ):
                raise CliError(f"{state.path} is damaged: line {line} is no match of this comparison.")
            self._count(self._plan.group(played.group)[played.place], played)
        self._tally.settle()

    async def play(self, jobs: int) -> None:
        """Play what is left and show the standing. Raises CliError: a program cannot play, or the arena failed."""
        comparison = self._comparison
        rules = Rules(
            comparison.game,
            comparison.options,
            comparison.time_control,
            comparison.participants,
            comparison.seats,
            comparison.set_up_of,
            self._state.path.with_suffix(".faults"),
        )
        self._began = time.monotonic()
        if self._tally.over:
            return
        with StandingDisplay() as display:

            def on_played(match: ComparisonMatch, played: PlayedMatch) -> bool:
                self._state.add(played)
                self._count(match, played)
                self._played_now += 1
                self._tally.settle()
                if display.is_due:
                    display.show(self.standing)
                return self._tally.over

            await MatchSeries(rules, self._faults, jobs=jobs).play(self._tally.left(), on_played)

    @property
    def standing(self) -> Standing:
        """What is known now."""
        test = self._tally.test
        return Standing(
            tuple(each.bot for each in self._comparison.participants),
            self._plan,
            self._groups,
            self._comparison.hypotheses,
            test.verdict,
            test.estimate(),
            self._faults,
            played=len(self._state.played) + self._played_now,
            seconds=time.monotonic() - self._began,
            played_now=self._played_now,
        )

    def _count(self, match: ComparisonMatch, played: PlayedMatch) -> None:
        self._tally.add(match, played.finished())
        self._faults.add(match.entrants, played)


def run_comparison(
    comparison: Comparison, state: StateFile, *, matches: int, jobs: int, format: Format
) -> CommandExit:
    """Play the comparison, print its result and return its verdict as an exit code."""
    run = ComparisonRun(comparison, state, matches=matches)
    new, old, *others = (each.bot for each in comparison.participants)
    how = f"both against {', '.join(others)}" if others else "against each other"
    before = f"; {len(state.played)} matches were played before" if state.played else ""
    _note(f"Comparing {new} with {old} in {comparison.game}, {comparison.seats} seats, {how}{before}.")
    suite = comparison.suite
    from_where = (
        f"Seed: {comparison.seed.hex()}" if suite is None else f"Suite: {suite.name}, SHA-256 {suite.sha256}"
    )
    _note(f"Results: {state.path}. {from_where}.")
    try:
        run_interruptible(lambda: run.play(jobs))
    except Interrupted:
        _note(
            f"Stopped; no process is left running. To continue: the same command, --state {state.path} --resume."
        )
        raise
    standing = run.standing
    if format is Format.JSON:
        print_json(standing.document() | {"state": str(state.path), "comparison": comparison.described()})
    else:
        show(standing.draw())
        print_line(verdict_sentence(standing, new, old))
        if standing.verdict is Verdict.UNDECIDED:
            print_line(_how_to_continue(comparison, standing, state.path))
        for bot, name in zip(standing.faults.bots, standing.names, strict=True):
            if bot.logs:
                print_line(f"See what went wrong with {name}: arena log explain {bot.logs[0]}")
    return _EXITS[standing.verdict]


def _note(sentence: str) -> None:
    err().print(plain(sentence), highlight=False, soft_wrap=True)


def verdict_sentence(standing: Standing, new: str, old: str) -> str:
    """Return what a test has decided, for readers who do not know the test."""
    test = standing.hypotheses
    if standing.verdict is Verdict.UNDECIDED:
        return f"Undecided: {standing.played} matches do not tell whether {new} is better than {old}."
    if standing.verdict is Verdict.BETTER:
        how = "is better than" if test.elo1 > 0 else f"is not {-test.elo0:g} Elo worse than"
        accepted, rejected, risk = test.elo1, test.elo0, test.alpha
    else:
        how = "is worse than" if test.elo1 <= 0 else "is not better than"
        if test.elo0 > 0:
            how = f"is not {test.elo1:g} Elo better than"
        accepted, rejected, risk = test.elo0, test.elo1, test.beta
    return (
        f"{new} {how} {old}. The results fit a difference of {accepted:g} Elo clearly better than one of {rejected:g}; "
        f"if it were {rejected:g}, the test would say the same in {100 * risk:g} % of all comparisons."
    )


def _how_to_continue(comparison: Comparison, standing: Standing, state: Path) -> str:
    if comparison.suite is not None and standing.groups == len(comparison.suite.entries):
        return (
            f"All set-ups of {comparison.suite.name} were played; compare on a longer suite, or without one."
        )
    return f"To continue: the same command, --state {state} --resume, with a larger --matches."


def _files(participant: Participant) -> list[str]:
    """Return the files that the words of a command name, without Python itself; of a folder with a prompt its files."""
    named = [word for word in participant.command if word != sys.executable]
    return [each for word in named for each in ([word] if os.path.isfile(word) else llm_files(word))]  # noqa: PTH113


def _hash(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()[:_HASH_DIGITS]
