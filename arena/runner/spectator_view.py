"""What the spectators of one match are shown: the same for all of them, put together once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.core.endings.terminations import Termination
from arena.core.match import FORFEIT, MatchSetup, NoteRecord
from arena.core.referee.effects import Played
from arena.match_log.decode import LoggedPly, LoggedSetUp
from arena.match_log.reader import MatchLog
from arena.runner.change_signal import ChangeSignal
from arena.runner.history import Happening, History
from engine.game import SPECTATOR, State
from engine.registry import GAMES


@dataclass(frozen=True, slots=True)
class SpectatorFrame:
    """One step of a match as the public sees it."""

    happened: tuple[Happening, ...]
    observation: object
    """The spectators' view after it: the game's own Observation."""


class SpectatorView:
    """The frames of one match so far.

    Frames are made on demand, by playing the history again, and kept: a match without spectators costs nothing, and one
    with many costs once. A step of which the public sees nothing makes no frame, and none ends with a secret question,
    so their number reveals no secret.
    """

    def __init__(self, setup: MatchSetup, history: History) -> None:
        """`history`: of the match, which continues to write it."""
        self._setup = setup
        self._history = history
        self._seen = 0
        self._until = 0
        """Entries of the history that may be shown by now."""
        self._frames: list[SpectatorFrame] = []
        self._waiting: list[Happening] = []
        """What has happened since the last frame."""
        self.change_signal = ChangeSignal()
        """Notified when there may be new frames, and when it is over."""
        self.over = False
        """Whether no frame will follow: the match has ended and its result is stored, or it does not begin."""
        self._state: State | None = None

    def notify(self) -> None:
        """Note that something has happened in the match; all of it may be shown."""
        self._until = len(self._history)
        self.change_signal.notify()

    def close(self) -> None:
        """Note that no frame will follow."""
        self.over = True
        self.notify()

    def frames(self) -> Sequence[SpectatorFrame]:
        """Return all frames that may be shown so far, the set-up first; empty before the match begins."""
        return self.frames_of(self.behind)

    def frames_of(self, entries: int) -> Sequence[SpectatorFrame]:
        """Return the frames that were made before, and those of at most so many more entries of the history."""
        for _ in range(min(entries, self.behind)):
            self._look_at(self._seen)
            self._seen += 1
        return self._frames

    @property
    def shown(self) -> int:
        """How many entries of the history may be shown by now."""
        return self._until

    @property
    def behind(self) -> int:
        """How many entries of the history may be shown and have no frames yet."""
        return self._until - self._seen

    def _look_at(self, entry: int) -> None:
        if self._state is None:
            setup = self._setup
            self._state = GAMES[setup.game].new_match(len(setup.seats), setup.options, setup.seed)
        action = self._history.action_at(entry)
        if action is not None:
            self._state.apply(action)
        self._waiting += self._history.seen_by(SPECTATOR, entry, entry + 1)
        if self._state.asks_in_secret:
            return
        observation = self._state.observe(SPECTATOR)
        if self._waiting or not self._frames or observation != self._frames[-1].observation:
            self._frames.append(SpectatorFrame(tuple(self._waiting), observation))
            self._waiting = []


class RecordedHistory:
    """The history of a match, made again from the records of its log."""

    def __init__(self, setup: MatchSetup) -> None:
        """Begin it. `setup`: of the match; its rules must be those installed."""
        game = GAMES[setup.game]
        self._seats = len(setup.seats)
        self._state = game.new_match(self._seats, setup.options, setup.seed)
        self.history = History(self._seats, secret_decisions=game.spec.secret_decisions)

    def add(
        self, content: LoggedSetUp | LoggedPly | NoteRecord, termination: Callable[[int], Termination]
    ) -> None:
        """Add what a record says. `termination`: how a seat that has forfeited was ended.

        Raises IllegalActionError: the log does not fit the rules as they are here; it is of another rules version.
        """
        if isinstance(content, LoggedSetUp):
            self.history.set_up(content.events)
        elif not isinstance(content, NoteRecord):
            record = content.record
            seen = self._state.action_seen_by(record.action, SPECTATOR)
            self._state.apply(record.action)
            self.history.played(Played(record, (*(None,) * self._seats, seen)))
        elif content.what == FORFEIT and content.seat is not None:
            self.history.forfeited(content.seat, termination(content.seat))


def recorded_view_of(log: MatchLog) -> SpectatorView:
    """Return the frames that spectators of the match were shown, or would have been.

    Raises IllegalActionError: as `RecordedHistory.add`.
    """
    recorded = RecordedHistory(log.setup)
    for entry in log.entries:
        recorded.add(entry.content, lambda seat: log.result.seats[seat].ending.termination)
    spectator_view = SpectatorView(log.setup, recorded.history)
    spectator_view.close()
    return spectator_view
