"""Responses of WatchMatch as scenes, and shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

from arena.cli.framework.errors import CliError
from arena.cli.framework.output import err, out, plain, short
from arena.cli.viewer import Viewer
from arena.codecs.codec import Codec, codec_for
from arena.core.endings.terminations import Termination
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import seat_names
from arena.runner.history import Happening, SeatActed, SeatForfeited
from arena.runner.spectator_view import SpectatorFrame
from arena.v1 import happening_pb2, match_pb2
from engine.randomness import SEED_BYTES, Stream


def show_responses(responses: Iterable[match_pb2.WatchMatchResponse], pace: float) -> match_pb2.Match:
    """All of them are shown; the match as the last one has it.

    Raises:
        CliError: the match is of a game that is not known here.
    """
    match = match_pb2.Match()
    frames: _Frames | None = None
    with ExitStack() as stack:
        for response in responses:
            if response.HasField("match"):
                match = response.match
                _wait(match)
            if response.HasField("view"):
                frames = frames or stack.enter_context(_scenes(match, pace))
                frames.show(response)
        if frames is not None:
            frames.viewer.end()
    return match


class _Frames:
    """Responses read against the position before them."""

    def __init__(self, codec: Codec, viewer: Viewer) -> None:
        self.viewer = viewer
        self._codec = codec
        self._view: object = None

    def show(self, response: match_pb2.WatchMatchResponse) -> None:
        """The response has a view."""
        happened = tuple(_happening(each, self._codec, self._view) for each in response.happened)
        self._view = self._codec.decode_observation(response.view)
        self.viewer.show(SpectatorFrame(happened, self._view))


@contextmanager
def _scenes(match: match_pb2.Match, pace: float) -> Iterator[_Frames]:
    """What shows the match, under a line that says who plays."""
    codec = _codec(match)
    names = seat_names(short(seat.bot) for seat in match.seats)
    text = f"Match {short(match.name)}: {codec.game.spec.title}, {' against '.join(names)}"
    out().print(plain(text), style="bold", highlight=False)
    with Viewer(out(), drawing_for(match.game), names, pace=pace) as viewer:
        yield _Frames(codec, viewer)


def _wait(match: match_pb2.Match) -> None:
    if match.state == match_pb2.MATCH_STATE_PENDING:
        err().print(
            plain(f"Match {short(match.name)} has not begun; it waits for its bots."), highlight=False
        )


def _codec(match: match_pb2.Match) -> Codec:
    try:
        return codec_for(match.game)
    except KeyError:
        raise CliError(
            f'Match {short(match.name)} is of "{match.game}", a game that this software does not know: '
            "install a version that does."
        ) from None


def _happening(message: happening_pb2.Happening, codec: Codec, before: object) -> Happening:
    match message.WhichOneof("kind"):
        case "action":
            state = codec.game.from_observation(before, Stream(bytes(SEED_BYTES)))
            [action] = codec.decode_action(message.action.action, state)
            return SeatActed(message.action.seat, action, message.action.by_default)
        case "forfeited":
            return SeatForfeited(message.forfeited.seat, Termination(message.forfeited.termination))
        case _:
            return codec.decode_event(message.event)
