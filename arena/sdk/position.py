"""A position as text, and its actions in the notation of the game."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic

from arena.sdk.bot import ActionT
from arena.sdk.game_messages import game_of, inner
from arena.sdk.match import ObservationT
from arena.v1 import games_pb2

if TYPE_CHECKING:
    from engine.state import State

# The rules of a game are imported when they are used: most bots, and the command line, need none of them.


class Position(Generic[ObservationT, ActionT]):
    """What a seat sees, as text for people and language models.

    `arena.sdk.<game>.Position` is this class with the types of one game. The first object of a program loads the rules
    of its game, which takes about 0.1 s.
    """

    def __init__(self, observation: ObservationT) -> None:
        """Read an observation: the argument of `choose`, `Match.view` or `Result.view`.

        Raises TypeError: it is not the Observation of a game. Raises ValueError: it is none that an arena sends.
        """
        from arena.codecs.codec import codec_for
        from engine.game import UnreadableActionError

        self._game = game_of(observation, games_pb2.Observation)
        self._codec = codec_for(self._game)
        wire: dict[str, Any] = {self._game: observation}
        try:
            self._observation = self._codec.decode_observation(games_pb2.Observation(**wire))
        except UnreadableActionError as error:
            raise ValueError(str(error)) from None

    def text(self, names: Sequence[str] = ()) -> str:
        """Return the position in lines of at most 80 characters, without colours.

        `names`: the bots by seat, for example `Match.participants`; without them seats are numbers.
        """
        from arena.drawings.drawing import drawing_for

        return drawing_for(self._game).draw(self._observation, names).plain

    def svg(self, names: Sequence[str] = ()) -> str:
        """Return the position as an SVG picture. `names`: as for `text`. A notebook shows it by itself."""
        from arena.pictures.picture import picture_for

        return picture_for(self._game).draw(self._observation, names).svg()

    def _repr_svg_(self) -> str:
        return self.svg()

    def notation(self, action: ActionT | int) -> str:
        """Return an action in the notation of the game's rules; several with ", " between them for a plan.

        `action`: a message of the game, or a legal packed action.

        Raises TypeError: it is something else. Raises ValueError: it is no action in this position.
        """
        from engine.game import UnreadableActionError

        if isinstance(action, int) and not isinstance(action, bool):
            if not self._state.is_legal(action):
                raise ValueError(f"{action} is not a legal packed action of this position.")
            return self._state.format_action(action)
        wire: dict[str, Any] = {game_of(action, games_pb2.Action, self._game): action}
        try:
            actions = self._codec.decode_action(games_pb2.Action(**wire), self._state)
        except UnreadableActionError as error:
            raise ValueError(str(error)) from None
        return ", ".join([self._state.format_action(each) for each in actions])

    def parse(self, notation: str) -> ActionT:
        """Return the action that `notation` returns this text for. It need not be legal in this position.

        Raises ValueError: it is no action of the game; the sentence says how actions are written.
        """
        from engine.game import UnreadableActionError

        try:
            packed = self._state.parse_action(notation)
        except UnreadableActionError as error:
            raise ValueError(str(error)) from None
        action: ActionT = inner(games_pb2.Action.FromString(self._codec.encode_action(packed)))
        return action

    @cached_property
    def _state(self) -> "State":
        """A position that looks like this to the seat; what is hidden is drawn, and no method looks at it."""
        from engine.randomness import SEED_BYTES, Stream

        return self._codec.game.from_observation(self._observation, Stream(bytes(SEED_BYTES)))
