"""Messages of bots, checked: `hello`, and answers as actions."""

from dataclasses import dataclass
from typing import Final

from google.protobuf.message import DecodeError

from arena.codecs.codec import codec_for
from arena.codecs.shared_messages import evaluation_of
from arena.core.errors import ErrorReason, FailedPreconditionError, InvalidArgumentError, invalid_field
from arena.core.evaluation import Evaluation
from arena.core.referee.referee import Refused
from arena.sessions.handshake import Capacity, Preferences
from arena.sessions.seat import AssignedSeat
from arena.v1 import play_pb2
from arena.wire.play.frames import FRAME_MESSAGES
from engine.game import UnreadableActionError
from engine.registry import GAMES

PROTOCOL: Final = 1
"""The protocol version that this arena speaks."""

MOST_MATCHES: Final = 1_000

PING_S: Final = 15
"""Seconds between two pings, unless the bot has no match and accepts more."""

_MOST_IDLE_PING_S: Final = 300

_VERSION_LENGTH: Final = 64
_LANGUAGE_LENGTH: Final = 32


@dataclass(frozen=True)
class Introduction:
    """A checked `hello`."""

    version: str
    language: str
    games: dict[str, frozenset[int]]
    """Rules versions by game id; an empty set means all."""
    capacity: Capacity
    preferences: Preferences
    resume_token: str
    claim: bool
    idle_ping_s: int
    """Seconds between two pings while the session has no match."""


def read_frame(data: bytes) -> play_pb2.PlayRequest:
    """Parse a frame.

    Raises InvalidArgumentError (MALFORMED_MESSAGE): the frame cannot be read or holds too many messages.
    """
    try:
        request = play_pb2.PlayRequest.FromString(data)
    except DecodeError as error:
        raise InvalidArgumentError(
            ErrorReason.MALFORMED_MESSAGE, "The frame is no arena.v1.PlayRequest: its bytes cannot be parsed."
        ) from error
    if len(request.messages) > FRAME_MESSAGES:
        raise InvalidArgumentError(
            ErrorReason.MALFORMED_MESSAGE,
            f"The frame holds {len(request.messages)} messages; at most {FRAME_MESSAGES} are allowed.",
        )
    return request


def read_hello(hello: play_pb2.Hello) -> Introduction:
    """Check a `hello`.

    Raises:
        FailedPreconditionError: VERSION_UNSUPPORTED, no protocol version or game in common.
        InvalidArgumentError: FIELD_INVALID, the version label is too long or not printable.
    """
    if not hello.lowest_protocol <= PROTOCOL <= hello.highest_protocol:
        raise FailedPreconditionError(
            ErrorReason.VERSION_UNSUPPORTED,
            f"The bot speaks protocol {hello.lowest_protocol} to {hello.highest_protocol}, this arena {PROTOCOL}: "
            "set hello.lowest_protocol and hello.highest_protocol so that they include it.",
            supported=str(PROTOCOL),
        )
    return Introduction(
        version=_label(hello.bot_version, "bot_version", _VERSION_LENGTH) or "1",
        language=_label(hello.language, "language", _LANGUAGE_LENGTH),
        games=_games(hello),
        capacity=read_capacity(hello.capacity) if hello.HasField("capacity") else Capacity(),
        preferences=read_preferences(hello.preferences),
        resume_token=hello.resume_token,
        claim=hello.claim,
        idle_ping_s=min(max(PING_S, hello.idle_ping_s), _MOST_IDLE_PING_S),
    )


def _label(text: str, field: str, longest: int) -> str:
    if len(text) > longest or not text.isprintable() or "/" in text:
        raise invalid_field(
            f"hello.{field}", f'hello.{field} must be at most {longest} printable characters without "/".'
        )
    return text.strip()


def _games(hello: play_pb2.Hello) -> dict[str, frozenset[int]]:
    games = {support.game: frozenset(support.rules_versions) for support in hello.games}
    known = {
        game: versions
        for game, versions in games.items()
        if game in GAMES and (not versions or GAMES[game].spec.rules_version in versions)
    }
    if not known:
        supported = ", ".join(
            f"{id_} (rules version {game.spec.rules_version})" for id_, game in GAMES.items()
        )
        raise FailedPreconditionError(
            ErrorReason.VERSION_UNSUPPORTED,
            f"The bot names no game and rules version that this arena runs; it runs {supported}.",
            supported=supported,
        )
    return known


def read_capacity(message: play_pb2.Capacity) -> Capacity:
    """Return how much the bot takes on, within the allowed range."""
    return Capacity(min(message.matches, MOST_MATCHES), min(message.open_decisions, MOST_MATCHES))


def read_preferences(message: play_pb2.Preferences) -> Preferences:
    """Return how the bot wants to be asked; a form of a newer protocol counts as the default."""
    form = message.legal_actions
    return Preferences(
        typed_actions=form not in (play_pb2.LEGAL_ACTIONS_FORM_PACKED, play_pb2.LEGAL_ACTIONS_FORM_NONE),
        packed_actions=form == play_pb2.LEGAL_ACTIONS_FORM_PACKED,
        full_view=message.view != play_pb2.VIEW_FORM_EVENTS,
        live=message.live,
        text=message.text,
    )


def read_answer(answer: play_pb2.Answer, seat: AssignedSeat) -> tuple[int, ...] | Refused:
    """Return the actions of an answer, or why it cannot be read."""
    match answer.WhichOneof("choice"):
        case "index":
            return seat.index(answer.decision, answer.index)
        case "action":
            try:
                return codec_for(seat.setup.game).decode_action(answer.action, seat.match.state)
            except UnreadableActionError as error:
                return Refused(str(error).rstrip("."))
        case _:
            return Refused("the answer holds neither an index nor an action: the bot chose nothing")


def read_evaluation(answer: play_pb2.Answer, seat: AssignedSeat) -> Evaluation | None:
    """Return the evaluation in an answer; None if there is none. Raises ValueError, a sentence part: out of bounds."""
    if not answer.HasField("evaluation"):
        return None
    return evaluation_of(answer.evaluation, len(seat.setup.seats))
