"""`arena match watch`: a match as spectators see it, while it is played."""

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Final

import grpc

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CliError, CommandExit, call_of
from arena.cli.framework.names import resource
from arena.cli.framework.output import err, out, plain, print_line
from arena.cli.framework.signals import interruptible
from arena.cli.log.reading import known_codec
from arena.cli.match_data import find_matches, match_filter
from arena.cli.viewer import Viewer
from arena.codecs.codec import Codec
from arena.core.errors import ErrorReason
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import seat_names
from arena.runner.spectator_view import SpectatorFrame
from arena.v1 import match_pb2
from arena.wire.error_info import error_info
from arena.wire.happenings import read_happening
from arena.wire.wording import seat_sentences, short

PATIENCE_SECONDS: Final = 60.0
"""How long to retry a broken connection, in seconds."""

_SEALED: Final = "All matches in play share seeds and are sealed until their groups have ended"

_PASSING: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
"""Status codes worth a retry."""


def watch(
    context: CommandContext, name: str | None, ladder: str | None, *, from_start: bool, pace: float
) -> None:
    """Show the match of this name, or the newest of the ladder that can be shown, and print its result."""
    with interruptible(), context.connect() as arena:
        choices = iter([resource("matches", name)]) if name is not None else _newest(arena, ladder)
        last = _show_first_unsealed(
            choices, lambda match: show_responses(_responses(arena, match, from_start=from_start), pace)
        )
    for sentence in [last.void_reason, *seat_sentences(last)]:
        if sentence:
            print_line(sentence)
    if last.log:
        print_line(f"To see it again, with thinking times: `arena log show {short(last.name)}`.")


def _newest(arena: ArenaClient, ladder: str | None) -> Iterator[str]:
    """Yield the matches in play, newest first; if all are sealed, the newest finished one that can be shown.

    Wait for a match if there is none.
    """
    printed, tried = "", set[str]()
    while True:
        running = [match.name for match in _found(arena, ladder, match_pb2.MATCH_STATE_RUNNING)]
        yield from (name for name in running if name not in tried)
        tried |= {*running}
        finished = _found(arena, ladder, match_pb2.MATCH_STATE_FINISHED) if running else ()
        over = next((match.name for match in finished if match.log), None)
        if over is not None and over not in tried:
            tried.add(over)
            err().print(plain(f"{_SEALED}; showing match {short(over)} instead."), highlight=False)
            yield over
        waits = "No match is in play that can be shown now; waiting for the next one."
        if running:
            waits = f"{_SEALED}; waiting for one that is not."
        if waits != printed:
            err().print(waits, highlight=False)
            printed = waits
        time.sleep(0.5)


def _found(
    arena: ArenaClient, ladder: str | None, state: match_pb2.MatchState.ValueType
) -> Sequence[match_pb2.Match]:
    return find_matches(arena, match_filter(ladder, state=state), limit=50).matches


def _show_first_unsealed(choices: Iterator[str], show: Callable[[str], match_pb2.Match]) -> match_pb2.Match:
    """Show the first match that is not sealed. Raises RpcError if all are sealed."""
    match = next(choices)
    while True:
        try:
            return show(match)
        except grpc.RpcError as error:
            if error_info(call_of(error).trailing_metadata())[0] != ErrorReason.WATCH_SEALED.value:
                raise
            following = next(choices, None)
            if following is None:
                raise
            match = following


def _responses(arena: ArenaClient, match: str, *, from_start: bool) -> Iterator[match_pb2.WatchMatchResponse]:
    """Yield the responses, read in a thread of its own. Raises RpcError if retrying is pointless."""
    ready: queue.SimpleQueue[match_pb2.WatchMatchResponse | Exception] = queue.SimpleQueue()

    def read() -> None:
        try:
            for response in _read_responses(arena, match, from_start=from_start):
                ready.put(response)
        except Exception as error:  # noqa: BLE001 - raised again in the main thread
            ready.put(error)

    threading.Thread(target=read, daemon=True).start()
    while True:
        response = ready.get()
        if isinstance(response, Exception):
            raise response
        yield response
        if response.ended:
            return


def _read_responses(
    arena: ArenaClient, match: str, *, from_start: bool
) -> Iterator[match_pb2.WatchMatchResponse]:
    """Yield the responses of WatchMatch over several connections."""
    request = match_pb2.WatchMatchRequest(name=match, from_start=from_start)
    received, received_before = time.monotonic(), False
    pause, printed = 0.2, False
    while True:
        try:
            for response in arena.matches.WatchMatch(request):
                received, received_before, pause, printed = time.monotonic(), True, 0.2, False
                request.cursor = response.cursor
                yield response
                if response.ended:
                    return
        except grpc.RpcError as error:
            in_vain = not received_before or time.monotonic() - received > PATIENCE_SECONDS
            if in_vain or call_of(error).code() not in _PASSING:
                raise
        if time.monotonic() - received > PATIENCE_SECONDS:
            raise CliError("The connection to the arena keeps breaking.", CommandExit.UNREACHABLE)
        if not printed:
            err().print(plain("Connection lost. Reconnecting."), highlight=False)
            printed = True
        time.sleep(pause)
        pause = min(2 * pause, 5.0)


def show_responses(responses: Iterable[match_pb2.WatchMatchResponse], pace: float) -> match_pb2.Match:
    """Show all responses and return the match as the last one has it. Raises CliError if its game is unknown."""
    match = match_pb2.Match()
    viewer: Viewer | None = None
    observation: object = None
    with ExitStack() as stack:
        for response in responses:
            if response.HasField("match"):
                match = response.match
                if match.state == match_pb2.MATCH_STATE_PENDING:
                    waits = f"Match {short(match.name)} has not begun. It is waiting for its bots."
                    err().print(plain(waits), highlight=False)
            if response.HasField("view"):
                codec = known_codec(f"Match {short(match.name)}", match.game)
                viewer = viewer or stack.enter_context(_match_viewer(match, codec, pace))
                happened = tuple(read_happening(each, codec, observation) for each in response.happened)
                observation = codec.decode_observation(response.view)
                viewer.show(SpectatorFrame(happened, observation))
        if viewer is not None:
            viewer.end()
    return match


def _match_viewer(match: match_pb2.Match, codec: Codec, pace: float) -> Viewer:
    """Print a title line and return what shows the match."""
    names = seat_names(short(seat.bot) for seat in match.seats)
    text = f"Match {short(match.name)}: {codec.game.spec.title}, {' against '.join(names)}"
    out().print(plain(text), style="bold", highlight=False)
    return Viewer(out(), drawing_for(match.game), names, pace=pace)
