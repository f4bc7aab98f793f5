"""Errors of commands: messages and exit codes."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import Final, cast

import grpc
import typer

from arena.cli.framework.output import err, printable
from arena.cli.framework.signals import Interrupted
from arena.core.errors import ArenaError, ErrorReason
from arena.core.tokens import redact
from arena.sdk.tls import why_no_connection
from arena.wire.error_info import DETAILS_KEY, error_info
from engine.game import GameError

_OPTIONS: Final = {"seat_counts": "--seats", "forbid_same_owner": "--forbid-same-owner"}
"""Options by the name of their field, where the two differ."""


class CommandExit(IntEnum):
    """The exit codes of commands (docs/cli.md)."""

    OK = 0
    FAILED = 1
    """Refused by the arena, or failed."""
    USAGE = 2
    """The command line was not understood."""
    NOT_REPLAYED = 3
    """A log is complete, but was not replayed because another rules version is installed."""
    UNREACHABLE = 4
    """No arena answers at the address."""
    NOT_BETTER = 5
    """`arena compare`: the new version is not better."""
    UNDECIDED = 6
    """`arena compare`: it is still undecided whether the new version is better."""


class CliError(Exception):
    """An error of a command: a message and the exit code."""

    def __init__(self, sentence: str, code: CommandExit = CommandExit.FAILED) -> None:
        """Keep the message, which states the problem and the remedy."""
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code


@contextmanager
def report_errors(
    place: Callable[[], str] = lambda: "the address", token_file: Callable[[], Path | None] = lambda: None
) -> Iterator[None]:
    """Exit with one sentence on stderr and an exit code if a command fails inside.

    `place`: returns the arena's address; `token_file`: returns the local arena's token file, if it was used.
    """
    try:
        yield
    except Interrupted as interrupted:
        raise typer.Exit(128 + interrupted.number) from None
    except CliError as error:
        _fail(error)
    except grpc.RpcError as error:
        _fail(describe_rpc_error(error, place(), token_file()))
    except (ArenaError, GameError) as error:
        _fail(CliError(str(error)))
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        what = error.strerror or str(error)
        _fail(CliError(f"{error.filename}: {what}." if error.filename else f"{what}."))


@contextmanager
def server_packages(extra: str = "server") -> Iterator[None]:
    """Turn an import error for want of the packages of an extra into a CliError."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in {"arena", "engine"}:
            raise
        raise CliError(
            f"This command needs the package {error.name}, which is not installed. "
            f"Run `pip install '.[{extra}]'` in a checkout of the arena."
        ) from error


def describe_rpc_error(error: grpc.RpcError, place: str, token_file: Path | None = None) -> CliError:
    """Return the error for a status of the arena at this place.

    `token_file`: the local arena's token file, if its token was used.
    """
    call = call_of(error)
    code = call.code()
    from_arena = any(key == DETAILS_KEY for key, _ in call.trailing_metadata() or ())
    details = (call.details() or "").strip() or f"The arena returned {code.name}."
    if code is grpc.StatusCode.UNAVAILABLE and not from_arena:
        why = why_no_connection(details)
        return CliError(
            f"Connection to {place} failed: {why}."
            if why is not None
            else f"No arena answers at {place}. {_remedy(place)}",
            CommandExit.UNREACHABLE,
        )
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return CliError(
            "The arena did not answer in time. Try again, or check its log.", CommandExit.UNREACHABLE
        )
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return CliError(f"The server does not support this call ({details}). Is it an arena?")
    reason, named = error_info(call.trailing_metadata())
    if (option := _OPTIONS.get(named.get("field", ""))) is not None:
        details = details.replace(named["field"], option)
    if reason == ErrorReason.TOKEN_MISSING.value:
        details = f"The arena at {place} requires a token. Use --token or ARENA_TOKEN."
    elif reason == ErrorReason.TOKEN_INVALID.value and token_file is not None:
        details = (
            f"The token in {token_file} is not valid: it was revoked, or its user was disabled or lost rights. "
            f"{token_recovery(token_file)}"
        )
    return CliError(f"{details} ({reason})" if reason else details)


def _remedy(place: str) -> str:
    """Return what to do if no arena answers there."""
    address = place.partition(" ")[0]
    if not address.startswith("unix:") and re.search(r":\d+$", address) is None:
        return f"The address has no port: use for example {address}:7450."
    return "Start one with `arena serve`, or name another with --server."


def token_recovery(token_file: Path) -> str:
    """Return how the operator of a local arena gets a new organiser token."""
    return f"Remove {token_file} and restart the arena: it writes a new organiser token."


def call_of(error: grpc.RpcError) -> grpc.Call:
    """Return the finished call with its status: gRPC raises both in one object."""
    return cast(grpc.Call, error)


def print_error(sentence: str) -> None:
    """Print an error on stderr, with tokens redacted."""
    err().print(
        f"arena: {redact(printable(sentence))}", style="red", markup=False, highlight=False, soft_wrap=True
    )


def _fail(error: CliError) -> None:
    print_error(error.sentence)
    raise typer.Exit(int(error.code)) from error
