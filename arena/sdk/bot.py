"""The base class of a bot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Generic

from typing_extensions import TypeVar

from arena.sdk.match import Clock, Match, ObservationT, OptionsT, Result
from arena.v1 import happening_pb2, play_pb2

ActionT = TypeVar("ActionT", default=Any)
ListedT = TypeVar("ListedT", default=ActionT)
"""What the list of legal actions holds: the game's actions, or ints."""


class LegalActions(Enum):
    """The form in which the legal actions come; the numbers of proto/arena/v1/play.proto."""

    TYPED = 1
    """The game's own action messages."""
    PACKED = 2
    """Ints in the game's packing, which its rules page documents; the form for search bots."""
    NONE = 3
    """None at all: the bot knows the rules and answers with action messages."""


class View(Enum):
    """The form in which the position comes; the numbers of proto/arena/v1/play.proto."""

    FULL = 1
    """The whole position with each decision."""
    EVENTS = 2
    """No position; the bot follows `happened` from `Match.view` on."""


@dataclass(frozen=True, slots=True)
class Plays:
    """A game the bot plays, bound to rules versions."""

    game: str
    rules_versions: tuple[int, ...] = ()
    """Empty means whatever the arena has."""


Games = tuple[str | Plays, ...]
"""What `Bot.games` holds."""


class Bot(Generic[ObservationT, ActionT, OptionsT, ListedT]):
    """A bot in one match: the sdk makes an object of the class, without arguments, for every match it plays.

    `arena.sdk.<game>.Bot` is this class with the types of one game. Without types, as here, a bot plays any games.

    The class attributes say how the bot wants to be asked. The methods of one object never overlap, and with
    `open_decisions` 1 all methods of all objects are called from one thread.
    """

    name: ClassVar[str] = ""
    """Shown in this program's own messages, the class's name if empty. The arena goes by the token."""
    version: ClassVar[str] = "1"
    """The bot's own version label, at most 64 characters. A changed label is a new bot version."""
    games: ClassVar[Games] = ()
    """The games it plays, at least one."""
    matches: ClassVar[int] = 1
    """How many matches it takes on at once, 1 to 1000."""
    open_decisions: ClassVar[int] = 1
    """How many decisions it thinks about at once, each in a thread of its own, 1 to 1000."""
    legal_actions: ClassVar[LegalActions] = LegalActions.TYPED
    view: ClassVar[View] = View.FULL
    live: ClassVar[bool] = False
    """Whether `on_match_news` is called for what happens between its own decisions."""
    language: ClassVar[str] = "python"
    """For standings, at most 32 characters."""

    match: Match[ObservationT, OptionsT]
    """The match this object plays."""
    happened: Sequence[happening_pb2.Happening] = ()
    """What happened since this seat's last decision, as far as this seat may see it; for `choose` and `on_match_ended`.

    Its own last action is not repeated, but what that caused is.
    """
    write_debug: Callable[[str], None] | None = None
    """The function that `debug` calls; set by the runner."""
    write_evaluation: Callable[[Sequence[float], str, Sequence[float]], None] | None = None
    """The function that `set_evaluation` calls; set by the runner."""
    give_up: Callable[[], None] | None = None
    """The function that `resign` calls; set by the runner."""
    waits: Callable[[], bool] | None = None
    """The function that `is_open` calls; set by the runner."""

    def is_open(self) -> bool:
        """Return whether the arena still waits for the answer that `choose` is looking for.

        It does not once the time is over, or the match has ended without it: then what `choose` returns is not sent.
        """
        return self.waits is None or self.waits()

    def choose(
        self, observation: ObservationT, legal_actions: Sequence[ListedT], clock: Clock
    ) -> int | ActionT:
        """Return the choice: an index into `legal_actions`, one of its messages, or any action message of the game.

        `observation` is the message Observation of the game's own .proto; None with View.EVENTS.
        `legal_actions` holds the game's own action messages, or ints with LegalActions.PACKED.
        An exception costs the decision, not the match: docs/bots/python.md.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method choose")

    def on_match_started(self, match: Match[ObservationT, OptionsT]) -> None:
        """Handle the start of the match, and again, with `match.comeback`, a return after a lost connection."""

    def on_decision_closed(self, closed: play_pb2.DecisionClosed) -> None:
        """Handle a decision that was taken from this seat: a default action was played and a strike given."""

    def on_match_news(self, happened: Sequence[happening_pb2.Happening]) -> None:
        """Handle what happened since the last news or decision; called between decisions, only with `live`."""

    def on_match_ended(self, match: Match[ObservationT, OptionsT], result: Result[ObservationT]) -> None:
        """Handle the end of the match; nothing is called after it."""

    def on_match_lost(self, match: Match[ObservationT, OptionsT]) -> None:
        """Handle a match that is not this bot's any more without its result; nothing is called after it.

        It has ended while the program was not connected, or the arena does not know it any more.
        """

    def debug(self, text: str) -> None:
        """Keep a line with the running decision for the bot's owner alone; 4 KiB each, 256 KiB a match."""
        if self.write_debug is not None:
            self.write_debug(text)

    def set_evaluation(
        self, scores: Sequence[float] = (), line: str = "", *, final_scores: Sequence[float] = ()
    ) -> None:
        """Send what the bot expects along with the answer of the running decision; called from `choose`.

        It is private until the match log can be read, and changes nothing else. The last call of a decision counts.
        What is out of bounds is not sent, and a message of the program says so.

        `scores`: by seat, 0 to 1: the mean over the pairs with each other seat, 1 for a better placing, 1/2 for the
        same, 0 for a worse one. Empty in a match of one seat. `line`: for people, at most 200 bytes; the rest is cut.
        `final_scores`: by seat, in points of the game: the measure for a match of one seat.
        """
        if self.write_evaluation is not None:
            self.write_evaluation(scores, line, final_scores)

    def resign(self) -> None:
        """Resign this seat: a forfeit. The return value of `choose` does not count after it."""
        if self.give_up is not None:
            self.give_up()


class PackedBot(Bot[ObservationT, ActionT, OptionsT, int]):
    """A bot whose `legal_actions` are ints in the game's packing: the form for search bots."""

    legal_actions: ClassVar[LegalActions] = LegalActions.PACKED
