"""Between the messages of `arena.v1` that hold any game's, and the game's own messages in them."""

from collections.abc import Sequence
from typing import Any, Final, overload

from google.protobuf.message import Message

from arena.v1 import games_pb2, play_pb2

_ONEOF = "game"

GAMES: Final = tuple(field.name for field in games_pb2.Action.DESCRIPTOR.oneofs_by_name[_ONEOF].fields)
"""The ids of all games whose messages this sdk has: for a bot that plays whatever there is."""


def game_of(
    message: object, kind: type[games_pb2.Observation | games_pb2.Action], game: str | None = None
) -> str:
    """Return the game's id of one of its own messages. `kind`: the message of `arena.v1` that it belongs into.

    Raises TypeError: it is something else, or of another game than `game`.
    """
    for field in kind.DESCRIPTOR.oneofs_by_name[_ONEOF].fields:
        fits = isinstance(message, Message) and message.DESCRIPTOR is field.message_type
        if fits and game in {None, field.name}:
            return field.name
    needed = f"The {kind.DESCRIPTOR.name} of {game or 'a game'}"
    given = message.DESCRIPTOR.full_name if isinstance(message, Message) else type(message).__name__
    raise TypeError(f"{needed} is needed, not {given}.")


def inner(message: Message) -> Any:
    """Return the game's own message in an Observation, Action, GameOptions or GameEvent; None if there is none."""
    field = message.WhichOneof(_ONEOF)
    return None if field is None else getattr(message, field)


class TypedActions(Sequence[Any]):
    """Legal actions as the game's own messages, unwrapped when they are looked at."""

    __slots__ = ("_actions", "_field")

    def __init__(self, actions: Sequence[games_pb2.Action], game: str) -> None:
        """`game`: the game's id, which is the name of its field in the wire's messages."""
        self._actions = actions
        self._field = game

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._actions)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        """Return the action at a place of the list, or a list of those in a slice."""
        if isinstance(index, slice):
            return [getattr(action, self._field) for action in self._actions[index]]
        return getattr(self._actions[index], self._field)


def legal_actions_of(decision: play_pb2.Decision, game: str) -> Sequence[Any]:
    """Return the decision's legal actions: ints if they came packed, else the game's own messages (none: empty)."""
    if decision.packed_legal_actions:
        return decision.packed_legal_actions
    return TypedActions(decision.legal_actions, game)


def write_choice(answer: play_pb2.Answer, choice: object, *, listed: int, game: str) -> None:
    """Write what `choose` returned into the answer: an index, the game's own action or an `arena.v1.Action`.

    `listed`: the length of the list of legal actions.

    Raises:
        ValueError: an index outside of the list.
        TypeError: something else than these three, or another game's action.
    """
    if isinstance(choice, games_pb2.Action):
        answer.action.CopyFrom(choice)
    elif isinstance(choice, Message):
        getattr(answer.action, game).CopyFrom(choice)
    elif isinstance(choice, int) and not isinstance(choice, bool):
        if not 0 <= choice < listed:
            raise ValueError(f"choose() returned the index {choice}, but {listed} actions are listed.")
        answer.index = choice
    else:
        raise TypeError(f"choose() returned {choice!r}; it must return an index or an action message.")
