"""Errors of commands: messages and exit codes."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import typer

from arena.cli.framework.output import err, printable
from arena.cli.framework.signals import Interrupted
from arena.core.errors import ArenaError
from arena.core.tokens import redact
from engine.game import GameError

if TYPE_CHECKING:
    import grpc


_OPTIONS: Final = {"seat_counts": "--seats", "forbid_same_owner": "--forbid-same-owner"}
"""Options by the name of their field, where the two differ."""

_CLOCK: Final = "time_control."


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
    """`arena compare`, `arena gate`: the new version is not better."""
    UNDECIDED = 6
    """`arena compare`, `arena gate`: it is still undecided whether the new version is better."""


class CliError(Exception):
    """An error of a command: a message and the exit code."""

    def __init__(self, sentence: str, code: CommandExit = CommandExit.FAILED) -> None:
        """Keep the message, which states the problem and the remedy."""
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code


@contextmanager
def report_errors(
    place: Callable[[], str] = lambda: "the address",
    token_file: Callable[[], Path | None] = lambda: None,
    names: Callable[[], Mapping[str, str]] = dict,
) -> Iterator[None]:
    """Exit with one sentence on stderr and an exit code if a command fails inside.

    `place`: returns the arena's address; `token_file`: returns the local arena's token file, if it was used; `names`:
    returns the names of the command's arguments and options, as for `with_option`.
    """
    try:
        yield
    except Interrupted as interrupted:
        raise typer.Exit(128 + interrupted.number) from None
    except CliError as error:
        _fail(error)
    except ArenaError as error:
        _fail(CliError(with_option(str(error), error.metadata.get("field", ""), names())))
    except GameError as error:
        _fail(CliError(str(error)))
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        what = error.strerror or str(error)
        _fail(CliError(f"{error.filename}: {what}." if error.filename else f"{what}."))
    except _rpc_error() as error:
        from arena.cli.framework.rpc_errors import describe_rpc_error

        _fail(describe_rpc_error(error, place(), token_file(), names()))


def _rpc_error() -> type["grpc.RpcError"]:
    """Return the class; imported only when something was raised, since grpc takes a third of the start of a command."""
    import grpc

    return grpc.RpcError


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


def with_option(sentence: str, field: str, names: Mapping[str, str]) -> str:
    """Return a sentence about a field with the name of the argument or option that it comes from, if there is one.

    `names`: of the command's arguments and options as its help has them, by these names in lower case without dashes.
    """
    if (option := _OPTIONS.get(field)) is not None:
        return sentence.replace(field, option)
    if field.startswith(_CLOCK) and "clock" in names:
        return sentence.replace(_CLOCK, "--clock ")
    last = field.rpartition(".")[2]
    option = names.get(last) or names.get(last.removesuffix("_id"))
    return sentence if option is None else re.sub(rf"^{re.escape(field)}\b", option, sentence)


def token_recovery(token_file: Path) -> str:
    """Return how the operator of a local arena gets a new organiser token."""
    return f"Remove {token_file} and restart the arena: it writes a new organiser token."


def call_of(error: "grpc.RpcError") -> "grpc.Call":
    """Return the finished call with its status: gRPC raises both in one object."""
    return cast("grpc.Call", error)


def print_error(sentence: str) -> None:
    """Print an error on stderr, with tokens redacted."""
    err().print(
        f"arena: {redact(printable(sentence))}", style="red", markup=False, highlight=False, soft_wrap=True
    )


def _fail(error: CliError) -> None:
    print_error(error.sentence)
    raise typer.Exit(int(error.code)) from error
