"""What a match on this machine begins from: a seed, an entry of a suite, or a ply of another match's log."""

import secrets
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import typer

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.errors import CliError
from arena.cli.framework.names import pairs, seed_of
from arena.cli.log.reading import read_match
from arena.cli.match_data import LogSource, fetch_log
from arena.cli.suites import suite_named
from arena.codecs.codec import Codec
from arena.core.match import Continuation, MatchState, SuitePlace
from arena.drawings.wording import counted
from arena.match_log.checks.check import Status
from arena.match_log.checks.replay import replay
from arena.match_log.reader import MatchLog
from engine.game import Game


@dataclass(frozen=True, slots=True)
class Beginning:
    """The position that a match begins from."""

    seed: bytes
    """32 bytes."""
    options: object
    """The game's own Options."""
    sentence: str
    """Where it comes from, for people."""
    suite: SuitePlace | None = None
    continued_from: Continuation | None = None
    given: tuple[int, ...] = ()
    """The actions of the other match up to the position."""


@dataclass(frozen=True, slots=True)
class BeginningRequest:
    """The options that choose the beginning, as they were typed."""

    seed: str | None
    suite: str | None
    entry: str | None
    match: str | None
    """A match, or the file of its log."""
    ply: int | None
    options: tuple[str, ...]


def beginning(context: CommandContext, game: Game, bots: Sequence[str], asked: BeginningRequest) -> Beginning:
    """Return what the options choose.

    Raises CliError, BadParameter or InvalidArgumentError, if they exclude each other or what they name does not fit.
    """
    _check_together(asked)
    if asked.match is not None and asked.ply is not None:
        return _from_ply(game, bots, fetch_log(context, asked.match), asked.ply)
    if asked.suite is not None:
        return _from_suite(game, bots, asked.options, asked.suite, asked.entry)
    return _from_seed(game, bots, asked.options, asked.seed)


def _check_together(asked: BeginningRequest) -> None:
    given = {
        "--from": asked.match is not None,
        "--ply": asked.ply is not None,
        "--suite": asked.suite is not None,
        "--entry": asked.entry is not None,
        "--seed": asked.seed is not None,
        "--option": bool(asked.options),
    }
    for name, needs in (("--from", "--ply"), ("--ply", "--from"), ("--entry", "--suite")):
        if given[name] and not given[needs]:
            raise typer.BadParameter(f"it needs {needs}.", param_hint=name)
    for name, other in (
        *(("--from", each) for each in ("--suite", "--seed", "--option")),
        ("--suite", "--seed"),
    ):
        if given[name] and given[other]:
            raise typer.BadParameter(f"{name} settles it already: use only one of the two.", param_hint=other)


def _from_seed(game: Game, bots: Sequence[str], options: Sequence[str], seed: str | None) -> Beginning:
    """Return the set-up of a seed; without one, of a random seed. Raises CliError or BadParameter."""
    chosen = secrets.token_bytes(32) if seed is None else seed_of(seed)
    repeat = "; use it with --seed to repeat the draws" if seed is None else ""
    return Beginning(chosen, _options_of(game, bots, options), f"Seed {chosen.hex()}{repeat}.")


def _from_suite(
    game: Game, bots: Sequence[str], options: Sequence[str], named: str, entry_id: str | None
) -> Beginning:
    """Return the set-up of an entry of a suite; without an id, of a random one.

    Raises CliError, BadParameter, or InvalidArgumentError: the suite is for another game or number of seats, or has no
    such entry.
    """
    chosen_options = _options_of(game, bots, options)
    suite = suite_named(named)
    suite.check_fits(game.spec.id, len(bots))
    entry = secrets.choice(suite.entries) if entry_id is None else suite.entry(entry_id)
    repeat = f"; use --entry {entry.id} to repeat it" if entry_id is None else ""
    return Beginning(
        entry.seed,
        chosen_options,
        f"Suite {suite.name}, SHA-256 {suite.sha256}, entry {entry.id}: seed {entry.seed.hex()}{repeat}.",
        suite=SuitePlace(suite.name, suite.sha256, entry.id),
    )


def _from_ply(game: Game, bots: Sequence[str], source: LogSource, ply: int) -> Beginning:
    """Return the position of a match before this ply, which is the first to be decided anew.

    Raises CliError: the log is not of a finished match of this game, with these rules and as many seats, that has this
    ply; or it does not follow from the rules.
    """
    log, codec = read_match(source)
    _check_fits(log, codec, game, len(bots), source.title)
    if ply >= len(log.plies):
        raise CliError(
            f"{source.title} has {counted(len(log.plies), 'ply', 'plies')}, numbered from 0, and none to play on from "
            f"at {ply}. Choose --ply {len(log.plies) - 1} or less."
        )
    check = replay(log, game).check
    if check.status is not Status.OK:
        raise CliError(f"{source.title} is not what the rules make of its seed: {check.sentence}")
    continued = Continuation(log.name, ply)
    return Beginning(
        log.setup.seed,
        log.setup.options,
        f"Played on from ply {ply} of match {log.setup.match}, log {log.name}.",
        continued_from=continued,
        given=tuple(record.action for record in log.plies[:ply]),
    )


def _check_fits(log: MatchLog, codec: Codec, game: Game, bots: int, title: str) -> None:
    setup, spec = log.setup, codec.game.spec
    if setup.game != game.spec.id:
        raise CliError(f"{title} is a match of {setup.game}, not of {game.spec.id}. Name that game.")
    if setup.rules_version != spec.rules_version:
        raise CliError(
            f"{title} follows version {setup.rules_version} of the rules of {spec.id}, but version "
            f"{spec.rules_version} is installed. Use the version of the software that wrote it: {log.origin.software}."
        )
    if log.result.state is not MatchState.FINISHED:
        raise CliError(
            f"{title} is void ({log.result.void_reason.rstrip('.')}), and nobody plays on from a void match. Choose a "
            "finished one."
        )
    if len(setup.seats) != bots:
        raise CliError(
            f"{title} has {counted(len(setup.seats), 'seat')}, but {counted(bots, 'bot')} are named. Name as many bots "
            "as it has seats, by seat."
        )


def _options_of(game: Game, bots: Sequence[str], given: Sequence[str]) -> object:
    """Return the options of the match. Raises CliError: there are too few bots for it."""
    spec = game.spec
    if len(bots) < spec.min_seats:
        raise CliError(
            f"{spec.title} has {spec.min_seats} to {spec.max_seats} seats, and each needs a bot: name "
            f"{spec.min_seats} or more, for example `arena play {spec.id} {shlex.quote(bots[0])} random`."
        )
    return game.options(len(bots), pairs(given, "--option"))
