"""Logs of matches to be shown."""

from collections.abc import Collection
from dataclasses import replace
from random import Random

from arena.codecs.codec import codec_for
from arena.core.evaluation import Evaluation
from arena.core.match import Cause, SeatHolder
from arena.match_log.decode import LoggedPly
from arena.match_log.reader import MatchLog, read_log
from engine.registry import GAMES
from tests.unit.match_log.matches import RandomMatch, a_match, a_setup, logged


def a_log(game: str, seats: int, *, source: int = 1, trouble: float = 0.0, name: str = "bot") -> MatchLog:
    """Return the log of a match of sensible actions; with `trouble`, of strikes, forfeits and failures too."""
    rules = GAMES[game]
    setup = a_setup(
        game=game,
        rules_version=rules.spec.rules_version,
        options=rules.options(seats, {}),
        seats=tuple(SeatHolder(f"{name}-{seat}", "v1") for seat in range(seats)),
    )
    codec = codec_for(game)
    return read_log(a_match(source, setup=setup, codec=codec, trouble=trouble).log.data)


def with_evaluations(log: MatchLog, line: str = "lead +2.1", *, seats: Collection[int] = (0, 1)) -> MatchLog:
    """Return the log with an evaluation in every decision of these seats: first all think the same, then they differ.

    In a match of one seat it is a final score.
    """
    number, entries = 0, []
    for entry in log.entries:
        content = entry.content
        if isinstance(content, LoggedPly):
            number += 1
            ply = content.record
            if ply.seat in seats and ply.cause is Cause.CHOSEN:
                expected = _expected(number, ply.seat, len(log.setup.seats), line)
                entry = replace(entry, content=replace(content, record=replace(ply, evaluation=expected)))
        entries.append(entry)
    return replace(log, entries=tuple(entries))


def _expected(number: int, seat: int, seats: int, line: str) -> Evaluation:
    if seats == 1:
        return Evaluation(line=line, final_scores=(30 + number % 7,))
    own = min(1000, 500 + number if seat else max(0, 500 - 2 * number))
    others = [(500 * seats - own) // (seats - 1)] * (seats - 1)
    return Evaluation((*others[:seat], own, *others[seat:]), line)


class _Wanderers(RandomMatch):
    """Seats that mostly move camels: a match ends by its limit of turns."""

    def _answer(self, seat: int) -> tuple[int, ...]:
        state = self._referee.state
        legal = list(state.legal_actions())
        moves = [action for action in legal if state.format_action(action).startswith("MOVE(")]
        return (self._random.choice(moves if moves and self._random.random() < 0.9 else legal),)


def a_long_log() -> MatchLog:
    """Return the log of a match of Caravan with more than 850 plies."""
    codec = codec_for("caravan")
    limits = {"turn_limit": "300", "no_progress_turns": "1000"}
    setup = a_setup(
        game="caravan",
        rules_version=codec.game.spec.rules_version,
        options=codec.game.options(4, limits),
        seats=tuple(SeatHolder(f"bot-{seat}", "v1") for seat in range(4)),
    )
    match = _Wanderers(setup, Random(1), codec=codec, trouble=0.0)
    records, result = match.play()
    return read_log(logged(setup, records, result, set_up=match.set_up, codec=codec).data)
