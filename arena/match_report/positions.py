"""The positions of a logged match, played again by the rules of this software."""

from collections.abc import Iterator

from arena.core.ply import PlyRecord
from arena.match_log.reader import MatchLog
from engine.game import TERMINAL, Game, State
from engine.randomness import SEED_BYTES


def positions(log: MatchLog, game: Game) -> Iterator[tuple[State, PlyRecord]]:
    """Yield each ply with the position before it, as far as the log fits the rules of this software.

    It is one position, played on from ply to ply: do not change it.
    """
    if log.setup.rules_version != game.spec.rules_version or len(log.setup.seed) != SEED_BYTES:
        return
    state = game.new_match(len(log.setup.seats), log.setup.options, log.setup.seed)
    for ply in log.plies:
        if state.seat_to_act == TERMINAL or not state.is_legal(ply.action):
            return
        yield state, ply
        state.apply(ply.action)


def notations(log: MatchLog, game: Game) -> tuple[str | None, ...]:
    """Return each ply's action as text; None from the first ply that does not fit the rules of this software."""
    known = [state.format_action(ply.action) for state, ply in positions(log, game)]
    return (*known, *[None] * (len(log.plies) - len(known)))
