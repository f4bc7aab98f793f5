"""An ended match shown again from its log."""

from __future__ import annotations

from arena.core.match import FORFEIT, NoteRecord
from arena.core.referee.effects import Played
from arena.match_log.decode import LoggedSetUp
from arena.match_log.reader import MatchLog
from arena.runner.history import History
from arena.runner.spectator_view import SpectatorView
from engine.game import SPECTATOR
from engine.registry import GAMES


def recorded_view_of(log: MatchLog) -> SpectatorView:
    """The scenes that spectators of the match were shown, or would have been.

    Raises:
        IllegalActionError: the log does not fit the rules as they are here; it is of another rules version.
    """
    setup, result = log.setup, log.result
    game = GAMES[setup.game]
    history = History(len(setup.seats), secret_decisions=game.spec.secret_decisions)
    state = game.new_match(len(setup.seats), setup.options, setup.seed)
    for entry in log.entries:
        content = entry.content
        if isinstance(content, LoggedSetUp):
            history.set_up(content.events)
        elif not isinstance(content, NoteRecord):
            record = content.record
            unseen = (None,) * len(setup.seats)
            seen = state.action_seen_by(record.action, SPECTATOR)
            state.apply(record.action)
            history.played(Played(record, (*unseen, seen)))
        elif content.what == FORFEIT and content.seat is not None:
            history.forfeited(content.seat, result.seats[content.seat].ending.termination)
    spectator_view = SpectatorView(setup, history)
    spectator_view.close()
    return spectator_view
