"""What the kit tells a bot is what an arena would tell it."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from google.protobuf.message import Message

from arena.conformance.bot_connection import BotConnection
from arena.conformance.bot_process import MOST_BYTES, shorten
from arena.conformance.bot_seat import BotSeat
from arena.conformance.scenarios.answers import as_from_a_newer_arena
from arena.conformance.scripted_match import ScriptedMatch, short_options
from arena.conformance.transcript import KEPT, Transcript
from arena.conformance.verdict import NotTriedError, UnmetError
from arena.drawings.drawing import drawing_for
from arena.games.caravan.v1 import caravan_pb2
from arena.v1 import games_pb2, match_pb2, play_pb2
from engine.game import Game


class Silent:
    """A connection on which nothing is said: what a seat needs of it to put messages together."""

    def __init__(self, **preferences: object) -> None:
        self.hello = play_pb2.Hello(preferences=play_pb2.Preferences(**preferences))  # type: ignore[arg-type]


def a_seat(game: Game, *, place: int = 0, **preferences: object) -> BotSeat:
    match = ScriptedMatch(game, 1, seats=max(2, game.spec.min_seats), own=(place,))
    return BotSeat(cast(BotConnection, Silent(**preferences)), match, seat=place, assignment=5)


def questions(seat: BotSeat) -> Iterator[play_pb2.Decision]:
    """All decisions of a match in which the seat always answers with the last action of the list."""
    while seat.match.next_seat() is not None:
        decision = seat.question()
        yield decision
        last = len(seat.match.state.legal_actions()) - 1
        seat.take(play_pb2.Answer(assignment=5, decision=decision.decision, index=last))


def test_of_a_program_that_writes_without_end_not_everything_is_kept(tmp_path: Path) -> None:
    log = tmp_path / "program.log"
    shorten(log)
    for size, left in ((MOST_BYTES, MOST_BYTES), (MOST_BYTES + 1, 0)):
        log.write_bytes(bytes(size))
        shorten(log)
        assert log.stat().st_size == left


def test_a_short_match_is_over_soon_and_has_a_result(game: Game) -> None:
    """A game that no option bounds goes on as long as it does: in Caravanserai with 124 questions to this seat."""
    seat = a_seat(game)
    is_bounded = seat.match.options != game.options(seat.match.seats, {})

    asked = list(questions(seat))
    record = seat.ended().match

    assert [decision.decision for decision in asked] == list(range(1, len(asked) + 1))
    assert record.state == match_pb2.MATCH_STATE_FINISHED
    assert min(each.placing for each in record.seats) == 1
    assert len(asked) <= (60 if is_bounded else 150)
    with pytest.raises(NotTriedError, match="matches are short"):
        seat.question()


def test_the_usual_options_are_kept_but_for_the_one_that_bounds_a_match(game: Game) -> None:
    seats = game.spec.max_seats
    usual, short = game.options(seats, {}), short_options(game, seats)
    before, after = game.option_values(usual), game.option_values(short)

    assert len([name for name in before if before[name] != after[name]]) <= 1
    assert game.max_plies(seats, short) <= game.max_plies(seats, usual)


def test_a_match_that_is_broken_off_is_void(game: Game) -> None:
    record = a_seat(game).ended().match

    assert record.state == match_pb2.MATCH_STATE_ABORTED
    assert record.void_reason
    assert not any(each.placing for each in record.seats)


def test_a_seat_receives_what_others_did_and_never_its_own_actions(game: Game) -> None:
    seat = a_seat(game, place=1)

    actors = [
        happening.action.seat
        for decision in questions(seat)
        for happening in decision.happened
        if happening.HasField("action")
    ]

    assert actors
    assert seat.seat not in actors


@pytest.mark.parametrize("form", ["TYPED", "PACKED", "NONE"])
def test_list_and_position_come_in_the_form_that_the_bot_prefers(game: Game, form: str) -> None:
    view = "EVENTS" if form == "NONE" else "FULL"
    seat = a_seat(game, legal_actions=f"LEGAL_ACTIONS_FORM_{form}", view=f"VIEW_FORM_{view}")

    decision = next(questions(seat))
    listed = list(seat.match.state.legal_actions())

    assert decision.HasField("view") == (view == "FULL")
    assert len(decision.legal_actions) == (len(listed) if form == "TYPED" else 0)
    assert list(decision.packed_legal_actions) == (listed if form == "PACKED" else [])


@pytest.mark.parametrize("form", ["TYPED", "PACKED", "NONE"])
def test_a_bot_that_asks_for_text_receives_the_position_and_the_notation_of_what_is_listed(
    game: Game, form: str
) -> None:
    seat = a_seat(game, text=True, legal_actions=f"LEGAL_ACTIONS_FORM_{form}")

    decision = next(questions(seat))
    state = seat.match.state

    assert decision.position_text == drawing_for(game.spec.id).draw(state.observe(seat.seat)).plain
    assert list(decision.legal_action_notations) == (
        [] if form == "NONE" else [state.format_action(action) for action in state.legal_actions()]
    )


def test_a_comeback_sends_the_position_of_the_last_decision_and_its_answer(game: Game) -> None:
    seat = a_seat(game)
    asked = questions(seat)
    first = next(asked)

    assert not seat.started(comeback=True).answers
    next(asked)
    open_one = seat.started(comeback=True)
    seat.take(play_pb2.Answer(assignment=5, decision=2, index=0))
    answered = seat.started(comeback=True)

    assert open_one.view != first.view
    assert not open_one.answers
    assert answered.view == open_one.view
    assert [given.decision for given in answered.answers] == [2]
    assert len(answered.answers[0].actions) == 1


def test_an_answer_that_does_not_count_is_named(game: Game) -> None:
    seat = a_seat(game)
    listed = len(next(questions(seat)).legal_actions)

    with pytest.raises(UnmetError, match=f"is index {listed}, but {listed} actions were listed"):
        seat.take(play_pb2.Answer(assignment=5, decision=1, index=listed))
    with pytest.raises(UnmetError, match="not of this game"):
        seat.take(play_pb2.Answer(assignment=5, decision=1, action=games_pb2.Action()))


def test_an_action_of_the_list_is_taken_in_its_typed_form(game: Game) -> None:
    seat = a_seat(game)
    decision = next(questions(seat))
    before = seat.match.state.digest()

    seat.take(play_pb2.Answer(assignment=5, decision=1, action=decision.legal_actions[-1]))

    assert seat.match.state.digest() != before


def known(message: Message) -> bytes:
    message.DiscardUnknownFields()
    return message.SerializeToString(deterministic=True)


def test_a_frame_of_a_newer_arena_says_the_same_without_its_unknown_fields(game: Game) -> None:
    seat = a_seat(game)
    bodies = [
        play_pb2.ServerMessage(decision=next(questions(seat))),
        play_pb2.ServerMessage(match_ended=seat.ended()),
    ]
    frame = play_pb2.PlayResponse(messages=bodies)

    as_from_a_newer_arena(frame)
    heard = play_pb2.PlayResponse.FromString(frame.SerializeToString())

    assert frame.ByteSize() > sum(body.ByteSize() for body in bodies) + 500
    kept = [message for message in heard.messages if message.WhichOneof("kind") is not None]
    assert len(heard.messages) > len(kept)
    assert [known(message) for message in kept] == [known(body) for body in bodies]


def test_no_message_makes_a_line_of_the_transcript_endless() -> None:
    transcript = Transcript()
    transcript.note(play_pb2.ClientMessage(hello=play_pb2.Hello(software="x" * 100_000)))
    transcript.note(play_pb2.ClientMessage(hello=play_pb2.Hello(software="x" * 10_000)))

    lines = transcript.lines()

    assert [line.startswith("> hello {") and ' software: "xxx' in line for line in lines] == [True, True]
    assert max(map(len, lines)) < 600


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (play_pb2.ClientMessage(pong=play_pb2.Pong()), "> pong { id: 0 }"),
        (play_pb2.ClientMessage(capacity=play_pb2.Capacity()), "> capacity { matches: 0 open_decisions: 0 }"),
        (
            play_pb2.ClientMessage(answer=play_pb2.Answer(assignment=1, index=0)),
            "> answer { assignment: 1 decision: 0 index: 0 }",
        ),
        (
            play_pb2.ClientMessage(answer=play_pb2.Answer(decision=2)),
            "> answer { assignment: 0 decision: 2 }",
        ),
        (
            play_pb2.ServerMessage(draining=play_pb2.Draining()),
            "< draining { within_ms: 0 }",
        ),
        (
            play_pb2.ClientMessage(
                answer=play_pb2.Answer(
                    action=games_pb2.Action(caravan=caravan_pb2.Action(place=caravan_pb2.Place()))
                )
            ),
            "> answer { assignment: 0 decision: 0 action { caravan { place { to_square: 0 } } } }",
        ),
        (
            play_pb2.ServerMessage(match_started=play_pb2.MatchStarted()),
            "< match_started { assignment: 0 comeback: false }",
        ),
        (
            play_pb2.ServerMessage(warning=play_pb2.Warning(assignment=1)),
            '< warning { code: CODE_UNSPECIFIED assignment: 1 sentence: "" }',
        ),
    ],
)
def test_the_transcript_shows_fields_with_their_default_value_and_not_what_is_not_set(
    message: play_pb2.ClientMessage | play_pb2.ServerMessage, line: str
) -> None:
    transcript = Transcript()
    transcript.note(message)

    assert transcript.lines() == (line,)


def test_the_transcript_keeps_the_last_messages_and_names_what_is_long(game: Game) -> None:
    transcript = Transcript()
    for number in range(KEPT):
        transcript.note(play_pb2.ClientMessage(pong=play_pb2.Pong(id=number)))
    transcript.note(play_pb2.ServerMessage(decision=next(questions(a_seat(game)))))
    transcript.note("the connection is cut")

    lines = transcript.lines()

    assert len(lines) == KEPT
    assert lines[0] == "> pong { id: 2 }"
    assert lines[-2].startswith("< decision { assignment: 5 decision: 1 ")
    assert "legal_actions (" in lines[-2]
    assert len(lines[-2]) < 250
    assert lines[-1] == "* the connection is cut"
