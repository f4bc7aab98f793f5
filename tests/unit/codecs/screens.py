"""What the tests of all codecs share: messages as text, complaints about bad ones, events in words."""

from collections.abc import Callable, Iterable

import pytest
from google.protobuf.text_format import Parse

from arena.codecs.codec import Codec
from arena.v1 import games_pb2
from engine.game import Event, State, UnreadableActionError


def rows(table: str) -> list[str]:
    """Return the lines of a table."""
    return table.strip().splitlines()


def an_action(game: str, text: str) -> games_pb2.Action:
    return Parse(f"{game} {{ {text} }}", games_pb2.Action())


def answers(codec: Codec, state: State, table: str) -> str:
    """Return each answer with its action in the notation of the rules; written again, it is the same message."""
    told = []
    for text in rows(table):
        message = an_action(codec.game.spec.id, text)
        [packed] = codec.decode_action(message, state)
        assert games_pb2.Action.FromString(codec.encode_action(packed)) == message
        told.append(f"{text} => {state.format_action(packed)}")
    return "\n".join(told)


def refusals(read: Callable[[str], object], texts: Iterable[str]) -> str:
    """Read bad messages and return each with the complaint about it."""
    told = []
    for text in texts:
        with pytest.raises(UnreadableActionError) as raised:
            read(text)
        told.append(f"{text} => {raised.value}")
    return "\n".join(told)


def bad_answers(codec: Codec, state: State, table: str) -> str:
    game = codec.game.spec.id
    return refusals(lambda text: codec.decode_action(an_action(game, text), state), ["", *rows(table)])


def bad_observations(codec: Codec, observation: object, table: str) -> str:
    """`table`: what is merged into the observation."""
    encoded = codec.encode_observation(observation)

    def read(text: str) -> None:
        message = games_pb2.Observation.FromString(encoded)
        message.MergeFrom(Parse(f"{codec.game.spec.id} {{ {text} }}", games_pb2.Observation()))
        codec.decode_observation(message)

    return refusals(read, rows(table))


def bad_events(codec: Codec, table: str) -> str:
    game = codec.game.spec.id
    return refusals(
        lambda text: codec.decode_event(Parse(f"{game} {{ {text} }}", games_pb2.GameEvent())),
        ["", *rows(table)],
    )


def in_words(codec: Codec, events: Iterable[Event]) -> str:
    """Return the sentences of events, which come back from the wire."""
    told = []
    for event in events:
        assert codec.decode_event(games_pb2.GameEvent.FromString(codec.encode_event(event))) == event
        told.append(codec.describe_event(event))
    return "\n".join(told)
