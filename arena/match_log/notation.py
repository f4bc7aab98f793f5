"""The actions of a log in the game's own notation, which only a position can tell."""

from __future__ import annotations

from arena.match_log.reader import MatchLog
from engine.game import TERMINAL, Game
from engine.randomness import SEED_BYTES


def notations(log: MatchLog, game: Game) -> tuple[str | None, ...]:
    """By ply: the action as text; None from where on the log does not fit the rules as they are here."""
    out: list[str | None] = [None] * len(log.plies)
    if log.setup.rules_version != game.spec.rules_version or len(log.setup.seed) != SEED_BYTES:
        return tuple(out)
    state = game.new_match(len(log.setup.seats), log.setup.options, log.setup.seed)
    for number, ply in enumerate(log.plies):
        if state.seat_to_act == TERMINAL or not state.is_legal(ply.action):
            break
        out[number] = state.format_action(ply.action)
        state.apply(ply.action)
    return tuple(out)
