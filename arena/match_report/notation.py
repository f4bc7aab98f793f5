"""The actions of a log in the game's own notation, which only a position can tell."""

from __future__ import annotations

from arena.match_log.reader import MatchLog
from arena.match_report.positions import positions
from engine.game import Game


def notations(log: MatchLog, game: Game) -> tuple[str | None, ...]:
    """By ply: the action as text; None from where on the log does not fit the rules as they are here."""
    told = [state.format_action(ply.action) for state, ply in positions(log, game)]
    return (*told, *[None] * (len(log.plies) - len(told)))
