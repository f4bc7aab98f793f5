"""`arena log verify`: which logs are verified, and by which keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import grpc
import typer

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CliError, CommandExit, call_of, print_error
from arena.cli.framework.names import resource
from arena.cli.framework.output import progress_bar
from arena.cli.match_data import (
    KEY_SUFFIX,
    LogSource,
    as_file,
    find_matches,
    log_of,
    log_of_match,
    match_filter,
    read,
)
from arena.drawings.wording import counted
from arena.v1 import match_pb2
from arena.wire.error_info import error_info

if TYPE_CHECKING:
    from arena.cli.log.verification import Verifier

KeyOption = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="The arena's public key. Default: the keys it publishes."),
]


def verify_logs(
    context: CommandContext,
    targets: Annotated[
        list[str] | None, typer.Argument(metavar="MATCH|FILE...", help="Matches, or log files.")
    ] = None,
    ladder: Annotated[
        str | None, typer.Option("--ladder", help="Every finished match of this ladder.")
    ] = None,
    tournament: Annotated[
        str | None, typer.Option("--tournament", help="Every finished match of this tournament.")
    ] = None,
    key: KeyOption = None,
    source: Annotated[
        Path | None,
        typer.Option("--source", metavar="FILE", help="The log of the match that they play on from."),
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option(
            "--suite", metavar="FILE|NAME", help="With --tournament: the suite that it is played on."
        ),
    ] = None,
) -> None:
    """Verify logs - chain, signature, seed, clocks, placings - and replay the matches by the rules.

    Of a tournament also every round: pairings, byes and seats, recomputed from the results and the published secret;
    on a suite also that each match was played on its entry.
    """
    from arena.cli.log.reading import read_match
    from arena.cli.log.verification import print_verdicts, prove_tournament, worst
    from arena.cli.suites import suite_named

    asked = (match_filter(ladder), match_filter(tournament=tournament))
    events = [which for which in asked if which.ListFields()]
    if not targets and not events:
        raise typer.BadParameter("name matches or files, or use --ladder or --tournament.")
    if suite is not None and tournament is None:
        raise typer.BadParameter("name the tournament that is played on it.", param_hint="--suite")
    of_tournament = None if suite is None else suite_named(suite)
    verdicts, missing, pruned = [], list[str](), 0
    with _verifier(context, targets or (), events, key) as (verifier, logs), progress_bar(unit="logs") as bar:
        verifier.source = None if source is None else read_match(read(source))[0]
        for is_listed, fetch in bar.track(logs, description="verifying"):
            try:
                log = fetch()
            except (CliError, grpc.RpcError) as error:
                known = context.describe(error)
                if known.code is CommandExit.UNREACHABLE:
                    raise
                if is_listed and _is_pruned(error):
                    pruned += 1
                else:
                    missing.append(known.sentence)
            else:
                verdicts.append(verifier.verify(log))
        proof = (
            None
            if tournament is None
            else prove_tournament(verifier, resource("tournaments", tournament), of_tournament)
        )
    print_verdicts(context.format, verdicts, complete=not missing, proof=proof)
    skipped = [f"Skipped {counted(pruned, 'log')} that the organiser has pruned."] if pruned else []
    for sentence in [*skipped, *missing]:
        print_error(sentence)
    refuted = proof is not None and proof.failed
    if code := CommandExit.FAILED if missing or refuted else worst(verdicts):
        raise typer.Exit(int(code))


def _is_pruned(error: Exception) -> bool:
    """Return whether the organiser has removed the log."""
    return isinstance(error, grpc.RpcError) and "pruned" in error_info(call_of(error).trailing_metadata())[1]


@contextmanager
def _verifier(
    context: CommandContext,
    targets: Sequence[str],
    events: Sequence[match_pb2.ListMatchesRequest],
    key: Path | None,
) -> Iterator[tuple[Verifier, list[tuple[bool, Callable[[], LogSource]]]]]:
    """Yield a verifier, and whether each log is one of an event, with a function that fetches it.

    With a key and only files, no arena is needed.
    """
    from arena.cli.log.verification import Verifier

    files = {target: as_file(target) for target in targets}
    if key is not None and not events and None not in files.values():
        yield Verifier.of_file(key), [(False, partial(read, path)) for path in files.values() if path]
        return
    with _key_suggested(key, files.values(), context), context.connect() as arena:
        verifier = Verifier.of_arena(arena) if key is None else Verifier(Verifier.of_file(key).keys, arena)
        logs: list[tuple[bool, Callable[[], LogSource]]] = [
            (False, partial(log_of, arena, target) if path is None else partial(read, path))
            for target, path in files.items()
        ]
        for event in events:
            logs += [(True, partial(log_of_match, arena, match)) for match in with_logs(arena, event)]
        yield verifier, logs


@contextmanager
def _key_suggested(key: Path | None, files: Iterable[Path | None], context: CommandContext) -> Iterator[None]:
    """Suggest --key if no arena answers inside: with a key, files verify without one."""
    try:
        yield
    except (CliError, grpc.RpcError) as error:
        known = context.describe(error)
        if key is not None or known.code is not CommandExit.UNREACHABLE:
            raise
        beside = (path.with_suffix(KEY_SUFFIX) for path in files if path is not None)
        name = next((str(path) for path in beside if path.exists()), "FILE")
        raise CliError(
            f"{known.sentence} To verify log files without an arena, use --key {name}.", known.code
        ) from error


def with_logs(arena: ArenaClient, which: match_pb2.ListMatchesRequest) -> list[match_pb2.Match]:
    """Return the finished matches whose log can be read, oldest first."""
    which.state = match_pb2.MATCH_STATE_FINISHED
    found = find_matches(arena, which, limit=0)
    return [match for match in reversed(found.matches) if match.log]
