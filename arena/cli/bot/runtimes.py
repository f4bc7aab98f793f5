"""`arena bot runtimes`: what the programs of submitted bots can use on the arena's machine."""

from typing import Final

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.output import Columns, table_of
from arena.v1 import submission_pb2


def _state(runtime: submission_pb2.Runtime) -> str:
    if runtime.unavailable:
        return f"not available: {runtime.unavailable}"
    return f"no builds: {runtime.no_builds}" if runtime.no_builds else "works"


_RUNTIMES: Final[Columns[submission_pb2.Runtime]] = {
    "runtime": lambda each: each.name,
    "version": lambda each: each.version,
    "added": lambda each: "by the organiser" if each.added else "",
    "~state": _state,
}


def list_runtimes(context: CommandContext) -> None:
    """List the runtimes that a bot.toml can name, with their versions."""
    with context.connect() as arena:
        found = arena.submissions.ListRuntimes(submission_pb2.ListRuntimesRequest())
    context.show(found, lambda: table_of(_RUNTIMES, found.runtimes))
