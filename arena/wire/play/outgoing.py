"""Messages to a bot, each as a serialised ServerMessage."""

from collections.abc import Sequence
from functools import cache
from typing import Final, assert_never

from arena.codecs.codec import Codec, codec_for
from arena.codecs.serialized import embedded
from arena.codecs.shared_messages import evidence_messages, seat_ending_message, time_control_message
from arena.core.referee.effects import IgnoreReason
from arena.core.units import NS_PER_MS, ms_up
from arena.runner.history import Happening, SeatActed, SeatForfeited
from arena.runner.match_runner import READY_WITHIN_MS
from arena.sessions import outgoing
from arena.sessions.decision_window import Asked
from arena.sessions.handshake import Preferences
from arena.v1 import ending_pb2, happening_pb2, play_pb2
from arena.wire.fields import same
from arena.wire.game_catalogue import GameCatalogue
from arena.wire.messages.match import match_message
from arena.wire.play.frames import packed_actions, typed_actions
from arena.wire.play.texts import action_notations, position_text
from arena.wire.resource_names import bot_name, ladder_name, match_name, tournament_name, version_name
from engine.randomness import commitment
from engine.registry import GAMES

_ACTION: Final = happening_pb2.SeatAction.ACTION_FIELD_NUMBER
_HAPPENING: Final = happening_pb2.Happening


def happening_bytes(happening: Happening, codec: Codec) -> bytes:
    """Return a serialised `arena.v1.Happening`."""
    if isinstance(happening, SeatActed):
        acted = _who_acted(happening.seat, by_default=happening.by_default)
        action = embedded(_ACTION, codec.encode_action(happening.action))
        return embedded(_HAPPENING.ACTION_FIELD_NUMBER, acted + action)
    if isinstance(happening, SeatForfeited):
        forfeited = happening_pb2.SeatForfeited(
            seat=happening.seat, termination=ending_pb2.Termination.ValueType(happening.termination.value)
        )
        return embedded(_HAPPENING.FORFEITED_FIELD_NUMBER, forfeited.SerializeToString())
    return embedded(_HAPPENING.EVENT_FIELD_NUMBER, codec.encode_event(happening))


@cache
def _who_acted(seat: int, *, by_default: bool) -> bytes:
    """Return all fields of a SeatAction but the action."""
    return happening_pb2.SeatAction(seat=seat, by_default=by_default).SerializeToString()


_CATALOGUE: Final = GameCatalogue(GAMES, codec_for)

_KIND: Final = play_pb2.ServerMessage


def encode_message(message: outgoing.Outgoing, preferences: Preferences) -> bytes:
    """Return the message as a serialised ServerMessage, in the form that the bot prefers."""
    match message:
        case Asked():
            return embedded(_KIND.DECISION_FIELD_NUMBER, _decision(message, preferences))
        case outgoing.News():
            codec = codec_for(message.game)
            number = play_pb2.MatchNews.HAPPENED_FIELD_NUMBER
            body = play_pb2.MatchNews(assignment=message.assignment).SerializeToString()
            return embedded(_KIND.MATCH_NEWS_FIELD_NUMBER, body + _happened(number, message.happened, codec))
        case outgoing.Offered():
            return embedded(_KIND.ASSIGNED_FIELD_NUMBER, _assigned(message))
        case outgoing.Started():
            return embedded(_KIND.MATCH_STARTED_FIELD_NUMBER, _started(message))
        case outgoing.Closed():
            return embedded(_KIND.DECISION_CLOSED_FIELD_NUMBER, _closed(message))
        case outgoing.Ended():
            return embedded(_KIND.MATCH_ENDED_FIELD_NUMBER, _ended(message))
        case _:
            return _plain(message).SerializeToString()


def _plain(
    message: outgoing.Withdrawn
    | outgoing.Ignored
    | outgoing.SeatOver
    | outgoing.Warned
    | outgoing.Draining
    | outgoing.Goodbye,
) -> play_pb2.ServerMessage:
    match message:
        case outgoing.Withdrawn():
            withdrawn = play_pb2.Withdrawn(**same(message, "assignment", "sentence"))
            return play_pb2.ServerMessage(withdrawn=withdrawn)
        case outgoing.Ignored():
            return play_pb2.ServerMessage(answer_ignored=_ignored(message))
        case outgoing.SeatOver():
            ended = play_pb2.SeatEnded(
                assignment=message.assignment, ending=seat_ending_message(message.ending)
            )
            return play_pb2.ServerMessage(seat_ended=ended)
        case outgoing.Warned():
            code = play_pb2.Warning.Code.ValueType(message.code.value)
            warning = play_pb2.Warning(code=code, **same(message, "assignment", "sentence"))
            return play_pb2.ServerMessage(warning=warning)
        case outgoing.Draining():
            return play_pb2.ServerMessage(draining=play_pb2.Draining(within_ms=message.within_ms))
        case outgoing.Goodbye():
            goodbye = play_pb2.Goodbye(
                code=play_pb2.Goodbye.Code.ValueType(message.code.value),
                **same(message, "reason", "sentence", "come_back", "come_back_after_ms"),
            )
            return play_pb2.ServerMessage(goodbye=goodbye)
        case _:
            assert_never(message)


def _decision(message: Asked, preferences: Preferences) -> bytes:
    question = message.question
    game = message.seat.setup.game
    codec = codec_for(game)
    parts = [
        play_pb2.Decision(
            assignment=message.seat.assignment,
            decision=question.decision,
            per_decision_ms=question.per_decision_ms,
            bank_ms=question.bank_ms,
            increment_ms=question.increment_ms,
            time_left_ms=message.time_left_ms,
            seat_time_left_ms=question.seat_time_left_ms,
        ).SerializeToString()
    ]
    if preferences.full_view:
        view = codec.encode_observation(question.observation)
        parts.append(embedded(play_pb2.Decision.VIEW_FIELD_NUMBER, view))
    if preferences.packed_actions:
        parts.append(packed_actions(question.legal_actions))
    elif preferences.typed_actions:
        parts.append(typed_actions(game, question.legal_actions))
    if preferences.text:
        parts.append(position_text(game, question.observation))
        if preferences.lists_actions:
            parts.append(action_notations(message.seat.setup, question.legal_actions))
    parts.append(_happened(play_pb2.Decision.HAPPENED_FIELD_NUMBER, question.happened, codec))
    return b"".join(parts)


def _happened(number: int, happened: Sequence[Happening], codec: Codec) -> bytes:
    return b"".join([embedded(number, happening_bytes(each, codec)) for each in happened])


def _assigned(message: outgoing.Offered) -> bytes:
    setup = message.setup
    return play_pb2.Assigned(
        assignment=message.assignment,
        match=match_name(setup.match),
        ladder=ladder_name(setup.ladder) if setup.ladder else "",
        tournament=tournament_name(setup.tournament) if setup.tournament else "",
        **same(setup, "game", "rules_version", "rated"),
        options=codec_for(setup.game).encode_options(setup.options),
        seats=len(setup.seats),
        seat=message.seat,
        time_control=time_control_message(setup.time_control),
        seed_commitment=commitment(setup.seed),
        ready_within_ms=READY_WITHIN_MS,
    ).SerializeToString()


def _started(message: outgoing.Started) -> bytes:
    codec = codec_for(message.setup.game)
    body = play_pb2.MatchStarted(
        assignment=message.assignment,
        participants=[
            play_pb2.Participant(bot=bot_name(seat.bot), bot_version=version_name(seat.bot, seat.version))
            for seat in message.setup.seats
        ],
        comeback=message.answers is not None,
    ).SerializeToString()
    view = codec.encode_observation(message.observation)
    answers = [
        embedded(play_pb2.MatchStarted.ANSWERS_FIELD_NUMBER, _given(decision, actions, codec))
        for decision, actions in message.answers or ()
    ]
    return b"".join([body, embedded(play_pb2.MatchStarted.VIEW_FIELD_NUMBER, view), *answers])


def _given(decision: int, actions: Sequence[int], codec: Codec) -> bytes:
    body = play_pb2.GivenAnswer(decision=decision).SerializeToString()
    number = play_pb2.GivenAnswer.ACTIONS_FIELD_NUMBER
    return body + b"".join([embedded(number, codec.encode_action(action)) for action in actions])


def _closed(message: outgoing.Closed) -> bytes:
    closed = message.closed
    body = play_pb2.DecisionClosed(
        assignment=message.assignment,
        **same(closed, "decision", "strikes", "strikes_allowed", "sentence"),
        cause=play_pb2.DecisionClosed.Cause.Value(f"CAUSE_{closed.cause.name}"),
        late_ms=ms_up(closed.late_ns),
        bank_ms=closed.bank_ns // NS_PER_MS,
        evidence=evidence_messages(closed.evidence),
    ).SerializeToString()
    played = codec_for(message.game).encode_action(closed.action)
    return body + embedded(play_pb2.DecisionClosed.PLAYED_FIELD_NUMBER, played)


def _ignored(message: outgoing.Ignored) -> play_pb2.AnswerIgnored:
    ignored = message.ignored
    late_ms = ms_up(ignored.late_ns)
    return play_pb2.AnswerIgnored(
        assignment=message.assignment,
        decision=ignored.decision,
        reason=play_pb2.AnswerIgnored.Reason.ValueType(ignored.reason.value),
        late_ms=late_ms,
        sentence=_IGNORED[ignored.reason].format(decision=ignored.decision, late_ms=late_ms),
    )


_IGNORED: Final = {
    IgnoreReason.LATE: "Decision {decision} was closed {late_ms} ms before this answer came.",
    IgnoreReason.REPEATED: "Decision {decision} was answered before; the first answer counts.",
    IgnoreReason.UNKNOWN: "There is no such assignment, or decision {decision} was not asked yet.",
}


def _ended(message: outgoing.Ended) -> bytes:
    report = match_message(message.over.report, _CATALOGUE)
    codec = codec_for(message.game)
    body = play_pb2.MatchEnded(assignment=message.assignment, match=report).SerializeToString()
    if message.over.observation is not None:
        view = codec.encode_observation(message.over.observation)
        body += embedded(play_pb2.MatchEnded.VIEW_FIELD_NUMBER, view)
    return body + _happened(play_pb2.MatchEnded.HAPPENED_FIELD_NUMBER, message.over.happened, codec)
