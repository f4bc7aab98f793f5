"""`arena compare`: play two versions of a bot until one of two hypotheses about them is accepted."""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.framework.commands import command, only_command
from arena.cli.framework.errors import server_packages
from arena.cli.framework.names import pairs, seed_of, sprt_numbers
from arena.cli.framework.output import Format
from arena.cli.play.participants import ME, Participant, parse_participants
from arena.cli.rules import (
    FIRST_GAME,
    ClockValues,
    GameOption,
    OptionValues,
    clock_rules,
    clock_values,
    game_named,
    print_warnings,
)
from arena.cli.suites import SuiteOption, suite_named
from arena.core.clock.clock_fit import check_clock_fits, clock_warnings
from arena.core.suites import Suite
from engine.game import Game
from engine.randomness import SEED_BYTES

if TYPE_CHECKING:
    from arena.core.sequential.sprt import Hypotheses

app = only_command()

_SPRT: Final = "0,20"
_MATCHES: Final = 10_000
_RISK: Final = 0.05
_MOST_JOBS: Final = 256


NewArgument = Annotated[
    str,
    typer.Argument(
        metavar="NEW",
        help="The new version: a command in quotes, 'python new.py', a sample bot, or a folder with a prompt.",
    ),
]
OldArgument = Annotated[str, typer.Argument(metavar="OLD", help="The old version, likewise.")]
AgainstOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BOT",
        help="An opponent of both; repeatable. Default: none, and NEW and OLD play against each other.",
    ),
]
SeatsOption = Annotated[
    int | None,
    typer.Option(metavar="N", help="Seats of a match. Default: one more than opponents, at least 2."),
]
SprtOption = Annotated[
    str, typer.Option(metavar="ELO0,ELO1", help="Stop when NEW is ELO1 points better, or only ELO0.")
]
AlphaOption = Annotated[
    float, typer.Option(metavar="RISK", help="The risk to call NEW better that is only ELO0 better.")
]
BetaOption = Annotated[float, typer.Option(metavar="RISK", help="The risk to miss that NEW is ELO1 better.")]
MatchesOption = Annotated[
    int, typer.Option(metavar="N", min=1, help="Stop after so many matches, in whole groups.")
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, max=_MOST_JOBS, help="Matches at once. Default: one for each processor."
    ),
]
SeedOption = Annotated[
    str | None, typer.Option(metavar="HEX", help="64 hex digits, from which all set-ups follow.")
]
StateOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The file of the results. Default: ./compare-TIME.jsonl."),
]


@command(app, "compare", example="arena compare 'python new.py' 'python old.py' --against greedy")
def compare_bots(
    new: NewArgument,
    old: OldArgument,
    game: GameOption = FIRST_GAME,
    against: AgainstOption = None,
    seats: SeatsOption = None,
    sprt: SprtOption = _SPRT,
    alpha: AlphaOption = _RISK,
    beta: BetaOption = _RISK,
    matches: MatchesOption = _MATCHES,
    jobs: JobsOption = None,
    seed: SeedOption = None,
    suite: SuiteOption = None,
    option: OptionValues = None,
    clock: ClockValues = None,
    state: StateOption = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue with the results in --state.")] = False,
    format: Annotated[Format, typer.Option(help="Output format.")] = Format.TABLE,
) -> None:
    """Find out whether a new version of a bot is better than the old one: on this machine, without an account.

    The exit code is 0 if it is, 5 if it is not, and 6 if that is still undecided.
    """
    with server_packages():
        from arena.cli.compare.comparison import Comparison, run_comparison
        from arena.cli.compare.state_file import opened_state
        from arena.server.service_log import only_errors
    if resume and state is None:
        raise typer.BadParameter("name the file of the results with --state.", param_hint="--resume")
    rules = game_named(game, "--game")
    participants = _participants(new, old, against or (), game)
    line_up = _line_up(rules, seats, len(participants) - 2)
    values = rules.options(line_up, pairs(option or (), "--option"))
    control = clock_rules(clock_values(clock))
    check_clock_fits(control)
    print_warnings([*_same_program(participants), *clock_warnings(control, rules, {line_up: values})])
    comparison = Comparison(
        game=game,
        options=values,
        time_control=control,
        participants=participants,
        seats=line_up,
        hypotheses=_hypotheses(sprt, alpha, beta),
        seed=secrets.token_bytes(SEED_BYTES) if seed is None else seed_of(seed),
        suite=_suite(suite, seed, game, line_up),
    )
    if matches < comparison.plan.group_size:
        raise typer.BadParameter(
            f"a group has {comparison.plan.group_size} matches here, so at least as many are needed.",
            param_hint="--matches",
        )
    only_errors()
    # The hex digits distinguish comparisons that began in the same second.
    path = state or Path(f"compare-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}.jsonl")
    with opened_state(path, resume=resume) as results:
        if seed is None and results.seed is not None:
            comparison = replace(comparison, seed=results.seed)
        results.begin(comparison.described())
        code = run_comparison(comparison, results, matches=matches, jobs=jobs or _processors(), format=format)
    raise typer.Exit(int(code))


def _participants(new: str, old: str, against: Sequence[str], game: str) -> tuple[Participant, ...]:
    """Return the entrants; a bot that is given twice is one opponent. Raises BadParameter."""
    texts = [new, old, *dict.fromkeys(against)]
    arguments = ["NEW", "OLD", *["--against"] * (len(texts) - 2)]
    for text, argument in zip(texts, arguments, strict=True):
        if text == ME:
            raise typer.BadParameter("a person cannot be compared: name programs.", param_hint=argument)
    return parse_participants(texts, game, arguments=arguments)


def _same_program(participants: Sequence[Participant]) -> Iterator[str]:
    """Yield a warning if the new and the old version are started by the same command."""
    new, old = participants[:2]
    if new.command == old.command:
        yield (
            f"NEW and OLD are the same program, {shlex.join(new.command)}: any difference that is found is chance. "
            "Keep a copy of the old version to compare with."
        )


def _suite(named: str | None, seed: str | None, game: str, seats: int) -> Suite | None:
    """Return the suite. Raises BadParameter, CliError or InvalidArgumentError: it cannot be read, or does not fit."""
    if named is None:
        return None
    if seed is not None:
        raise typer.BadParameter(
            "a suite has the seeds of its own; leave one of the two out.", param_hint="--seed"
        )
    suite = suite_named(named)
    suite.check_fits(game, seats)
    return suite


def _line_up(game: Game, seats: int | None, opponents: int) -> int:
    """Return the number of seats. Raises BadParameter: the game has no such matches."""
    spec = game.spec
    least = max(2, spec.min_seats)
    wanted = max(least, opponents + 1) if seats is None else seats
    if spec.max_seats < 2:
        raise typer.BadParameter(f"{spec.title} has one seat: there is no opponent.", param_hint="--game")
    if not least <= wanted <= spec.max_seats:
        why = "" if seats is not None else f" With {opponents} opponents, give --seats: they play in turn."
        raise typer.BadParameter(
            f"{wanted} seats: matches of {spec.title} have {least} to {spec.max_seats} here.{why}",
            param_hint="--seats",
        )
    return wanted


def _hypotheses(text: str, alpha: float, beta: float) -> Hypotheses:
    """Parse --sprt. Raises BadParameter."""
    from arena.core.sequential.sprt import Hypotheses

    return Hypotheses(*sprt_numbers(text, alpha, beta), alpha, beta)


def _processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
