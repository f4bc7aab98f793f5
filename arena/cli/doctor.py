"""`arena doctor`: check an arena and its machine."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import grpc
import typer

from arena.cli.framework.commands import CommandContext, arena_command, only_command
from arena.cli.framework.errors import CliError, CommandExit, call_of, server_packages, token_recovery
from arena.cli.framework.output import Format, plain, print_json, progress_bar, show, table
from arena.cli.framework.target import Target
from arena.cli.serve import RuntimesOption
from arena.v1 import game_pb2, ladder_pb2

app = only_command()

_ANSWER_SECONDS = 5.0
_POLL_SECONDS = 0.1
_TOKEN_CODES = (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED)
"""Of calls that are refused because of the token."""
_STYLES = {"ok": "[green]ok[/green]", "warn": "[yellow]warn[/yellow]", "fail": "[bold red]fail[/bold red]"}

Line = dict[str, str]
"""A finding for JSON: check, level, says, do."""


@arena_command(app, "doctor", example="arena doctor --data data --deep")
def examine_arena(
    context: CommandContext,
    deep: Annotated[bool, typer.Option("--deep", help="Replay every log, not only a sample.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port the arena would use.")] = 7450,
    keep_free: Annotated[int, typer.Option(metavar="MB", min=0, help="As for `arena serve`.")] = 200,
    runtimes: RuntimesOption = None,
    wait: Annotated[
        int | None,
        typer.Option(
            metavar="SECONDS",
            min=0,
            help="First wait until the arena takes calls, at most so long; then check only the connection.",
        ),
    ] = None,
) -> None:
    """Check machine, data folder and connection; fail if something is broken. With --server: only the connection."""
    if wait is not None:
        if deep:
            raise typer.BadParameter(
                "--wait checks only the connection; leave out --deep.", param_hint="--wait"
            )
        _wait(context, wait)
    lines: list[Line] = []
    if context.target.server is None and wait is None:
        lines += _local(context.target, port, keep_free, runtimes, deep=deep)
    lines += _connection(context)  # last, so that an arena that is just starting has the time to answer
    if context.format is Format.JSON:
        print_json({"findings": lines})
    else:
        drawn = table(("", "check", "found"), ())
        for line in lines:
            advice = f"\n-> {plain(line['do'])}" if line["do"] else ""
            drawn.add_row(_STYLES[line["level"]], plain(line["check"]), plain(line["says"]) + advice)
        show(drawn)
    broken = [line["check"] for line in lines if line["level"] == "fail"]
    if broken:
        raise CliError(f"Failed checks: {', '.join(broken)}.")


def _wait(context: CommandContext, seconds: int) -> None:
    """Return once the arena answers that it serves.

    Raises CliError: UNREACHABLE, it has not within this time; or it refuses in a way that no waiting will change.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            with context.connect() as arena:
                if arena.is_serving(_ANSWER_SECONDS):
                    return
            found = f"The arena at {context.describe_address()} is closing"
        except (CliError, grpc.RpcError) as error:
            described = context.describe(error)
            if described.code is not CommandExit.UNREACHABLE:
                raise described from None
            found = described.sentence.rstrip(".")
        if time.monotonic() >= deadline:
            raise CliError(f"{found}. Waited {seconds} s.", CommandExit.UNREACHABLE)
        time.sleep(_POLL_SECONDS)


def _local(target: Target, port: int, keep_free: int, runtimes: Path | None, *, deep: bool) -> Iterator[Line]:
    with server_packages():
        from arena.server.maintenance.doctor import examine
        from arena.server.settings import Settings
        from arena.server.software import software
    with progress_bar(unit="logs") as bar:
        task = bar.add_task("examining", total=None)
        settings = Settings(data=target.data, port=port, keep_free_mb=keep_free, runtimes=runtimes)

        def progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        for finding in examine(settings, deep=deep, progress=progress, software=software()):
            yield _line(finding.check, finding.level.value, finding.says, finding.do)


def _connection(context: CommandContext) -> Iterator[Line]:
    """Check whether an arena answers, and whether it accepts the token."""
    try:
        arena = context.connect()
    except CliError as error:
        # That no arena is running on the local folder is no failure.
        level = "warn" if context.target.server is None and error.code is CommandExit.UNREACHABLE else "fail"
        yield _line("connection", level, error.sentence)
        return
    with arena:
        try:
            games = arena.games.ListGames(game_pb2.ListGamesRequest(), timeout=_ANSWER_SECONDS).games
            serving = arena.is_serving(_ANSWER_SECONDS)
        except grpc.RpcError as error:
            says = context.describe(error).sentence
            yield _line("connection", "fail", says, "Check that it is running, and its address.")
            return
        titles = ", ".join(game.title for game in games)
        says = f"{context.describe_address()} answers, with {titles}"
        if serving:
            yield _line("connection", "ok", f"{says}.")
        else:
            yield _line("connection", "warn", f"{says}, and is closing: it begins no match.")
        try:
            arena.ladders.ListLadders(ladder_pb2.ListLaddersRequest(page_size=1), timeout=_ANSWER_SECONDS)
        except grpc.RpcError as error:
            own = context.target.local_token_file()
            do = "Use --token with a valid token of an owner or organiser."
            do = do if own is None else token_recovery(own)
            is_of_token = call_of(error).code() in _TOKEN_CODES
            yield _line("token", "fail", context.describe(error).sentence, do if is_of_token else "")
            return
        yield _line("token", "ok", "The arena accepts the token.")


def _line(check: str, level: str, says: str, do: str = "") -> Line:
    return {"check": check, "level": level, "says": says, "do": do}
