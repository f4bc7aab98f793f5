"""Declaration of commands with their shared options: the arena, the token, the format."""

import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, Concatenate, Final, ParamSpec, TypeVar

import grpc
import typer
from google.protobuf.message import Message
from rich.console import RenderableType
from typer.core import TyperCommand

from arena.cli.framework.command_tree import PlainGroup, without_flag_types
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CliError, report_errors
from arena.cli.framework.new_announcements import NewAnnouncements
from arena.cli.framework.output import Format, print_message, print_note, show
from arena.cli.framework.target import (
    ADDRESS_VARIABLE,
    DEFAULT_DATA,
    TOKEN_VARIABLE,
    Target,
    check_data_folder,
)

P = ParamSpec("P")
M = TypeVar("M", bound=Message)

TYPED_TOKEN: Final = (
    "Warning: other users of this machine can read a token on the command line, and it stays in the shell's "
    f"history. Use {TOKEN_VARIABLE} or a file instead."
)
"""A program cannot reliably hide its command line."""

NO_OPTIONS: Final[Mapping[str, object]] = {}


@dataclass(frozen=True, slots=True)
class CommandContext:
    """The arena and output format of a command."""

    target: Target
    format: Format
    announcements: NewAnnouncements = field(default_factory=NewAnnouncements)

    def connect(self) -> ArenaClient:
        """Connect to the arena.

        Raises CliError: there is no arena, the token file cannot be read, or the token would be sent unencrypted.
        """
        token = self.target.secret()
        if token is not None:
            self.target.check_secrecy()
        return ArenaClient(self.target.address(), token, self.target.tls(), closing=self.announcements.fetch)

    def describe_address(self) -> str:
        """Return the address, with the environment variable that named it."""
        named = self.target.server is not None and self.target.server == os.environ.get(ADDRESS_VARIABLE)
        return f"{self.target.address()} ({ADDRESS_VARIABLE})" if named else self.target.address()

    def show(
        self, message: Message, draw: Callable[[], RenderableType], more: Mapping[str, object] = NO_OPTIONS
    ) -> None:
        """Print the message as JSON, or what `draw` returns as a table. `more`: further fields of the JSON."""
        if self.format is Format.JSON:
            print_message(message, more)
        else:
            show(draw())

    def call(self, fetch: Callable[[ArenaClient], M], draw: Callable[[M], RenderableType]) -> M:
        """Fetch a message from the arena and print it as JSON or as drawn."""
        with self.connect() as arena:
            message = fetch(arena)
        self.show(message, lambda: draw(message))
        return message

    def describe(self, error: CliError | grpc.RpcError) -> CliError:
        """Return the error as a message with an exit code."""
        if isinstance(error, CliError):
            return error
        from arena.cli.framework.rpc_errors import describe_rpc_error

        return describe_rpc_error(error, self.describe_address())


class PlainCommand(TyperCommand):
    """A command with plain messages for invalid values, whose help shows no type for flags."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, as the help and the parser take them."""
        return without_flag_types(super().get_params(ctx))

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Reword the messages of typer's validator."""
        try:
            return super().make_context(*args, **kwargs)
        except typer.BadParameter as error:
            words = error.message.removeprefix("Value error, ").partition(", unable to parse")[0]
            error.message = words.replace("Input should be", "it must be")
            raise


def group(help: str) -> typer.Typer:
    """Create a command group."""
    return typer.Typer(
        cls=PlainGroup, help=help, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
    )


def only_command() -> typer.Typer:
    """Create the app of a command that belongs to no group."""
    return typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def command(app: typer.Typer, name: str, *, example: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Declare a command that needs no arena."""

    def declare(function: Callable[P, None]) -> Callable[P, None]:
        @wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> None:
            with report_errors():
                function(*args, **kwargs)

        app.command(name, cls=PlainCommand, epilog=f"Example: {example}")(run)
        return function

    return declare


def arena_command(
    app: typer.Typer,
    name: str,
    *,
    example: str,
    formats: bool = True,
    more: Mapping[str, object] = NO_OPTIONS,
) -> Callable[
    [Callable[Concatenate[CommandContext, P], None]], Callable[Concatenate[CommandContext, P], None]
]:
    """Declare a command that calls an arena; its first parameter is the CommandContext.

    `name`: empty for what the group itself does without a command of its own. `formats`: whether it has --format.
    `more`: further options by parameter; None is their default.
    """

    def declare(
        function: Callable[Concatenate[CommandContext, P], None],
    ) -> Callable[Concatenate[CommandContext, P], None]:
        parameters = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        own = [each for each in parameters if each.kind is not each.VAR_KEYWORD]
        shared = _SHARED | _FORMAT if formats else _SHARED

        @wraps(function)
        def run(ctx: typer.Context, **values: Any) -> None:
            context = _context(ctx, {name: values.pop(name) for name in shared})
            if ctx.invoked_subcommand is not None:
                ctx.find_root().obj = context.target
                return
            names = partial(_names, ctx)
            with report_errors(context.describe_address, context.target.local_token_file, names):
                try:
                    function(context, **values)  # type: ignore[call-arg]
                finally:
                    context.announcements.show()

        run.__signature__ = _signature(own, {**more, **shared})  # type: ignore[attr-defined]
        if name:
            app.command(name, cls=PlainCommand, epilog=f"Example: {example}")(run)
        else:
            app.callback(invoke_without_command=True, no_args_is_help=False, epilog=f"Example: {example}")(
                run
            )
        return function

    return declare


def _option(metavar: str, sentence: str, check: Callable[..., object] | None = None) -> Any:
    return typer.Option(metavar=metavar, help=sentence, rich_help_panel="Arena", callback=check)


_SHARED: Final[dict[str, object]] = {
    "server": Annotated[
        str | None,
        _option(
            "ADDRESS",
            "host:port or unix:///path. Default: ARENA_ADDRESS, the local arena, or the one you joined.",
        ),
    ],
    "token": Annotated[
        str | None,
        _option(
            "TOKEN|FILE",
            "A token or its file. Default: ARENA_TOKEN, else your account's or the local arena's.",
        ),
    ],
    "data": Annotated[
        Path | None,
        _option(
            "DIR",
            f"The local arena's data folder. Default: ARENA_DATA, else ./{DEFAULT_DATA}.",
            check_data_folder,
        ),
    ],
    "tls_ca": Annotated[
        str | None,
        _option("FILE", "Encrypt, and trust the authorities in this PEM file. Default: ARENA_TLS_CA."),
    ],
}
"""The options of every command that calls an arena."""

_FORMAT: Final[dict[str, object]] = {
    "format": Annotated[Format | None, typer.Option("--format", help="Output format. Default: table.")]
}


def _context(ctx: typer.Context, given: dict[str, Any]) -> CommandContext:
    """Merge the options after the command with those before it and in the environment."""
    before: Target = ctx.find_root().obj
    target = Target(**{name: given[name] or getattr(before, name) for name in _SHARED})
    if target.token_was_typed():
        print_note(TYPED_TOKEN)
    return CommandContext(target, given.get("format") or Format.TABLE)


def _names(ctx: typer.Context) -> dict[str, str]:
    """Return the arguments and options as the help names them, by these names in lower case without dashes."""
    shown = [
        max(each.opts, key=len) if each.param_type_name == "option" else each.metavar or each.name or ""
        for each in ctx.command.params
    ]
    return {name.strip("-.[]").replace("-", "_").lower(): name for name in shown}


def _signature(own: list[inspect.Parameter], shared: dict[str, object]) -> inspect.Signature:
    """Return the signature that typer reads options and arguments from."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature(
        [
            inspect.Parameter("ctx", keyword, annotation=typer.Context),
            *(parameter.replace(kind=keyword) for parameter in own),
            *(
                inspect.Parameter(name, keyword, annotation=kind, default=None)
                for name, kind in shared.items()
            ),
        ]
    )
