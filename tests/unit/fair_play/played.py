"""Matches that were really played, by bots whose choice follows from what they are shown and from their taste."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from arena.codecs.codec import codec_for
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.match import MatchResult, MatchState, SeatHolder, SeatResult
from arena.match_log.writer import FinishedLog, MatchLogBuilder
from engine.game import State
from engine.registry import GAMES
from tests.unit.match_log.matches import A_PLY, KEY, a_setup

GAME = "caravan"
ENDING = SeatEnding(Termination.NORMAL, Fault.NONE, (), "Played to the end.")


@dataclass(frozen=True)
class PlayedMatch:
    """A match with its log."""

    log: FinishedLog
    result: MatchResult
    actions: tuple[int, ...]


def taste(state: State, name: str) -> int:
    """Choose a legal action, always the same for the same view; another name has another taste."""
    view = codec_for(GAME).encode_observation(state.observe(state.seat_to_act))
    listed = state.legal_actions()
    return listed[int.from_bytes(sha256(name.encode() + view).digest()[:8], "big") % len(listed)]


def play(
    match: int, group: int, bots: Sequence[str], seed: bytes, tastes: dict[str, str] | None = None
) -> PlayedMatch:
    """Play the match to its end. `tastes`: by bot, for those that do not choose by their own name."""
    game = GAMES[GAME]
    setup = a_setup(
        match=match,
        group=group,
        game=GAME,
        rules_version=game.spec.rules_version,
        options=game.options(len(bots), {}),
        seats=tuple(SeatHolder(bot, "1") for bot in bots),
        seed=seed,
    )
    state = game.new_match(len(bots), setup.options, seed)
    builder = MatchLogBuilder(setup, codec_for(GAME), software="test", key=KEY, start_time_ms=1)
    builder.set_up(tuple(state.take_events()))
    actions: list[int] = []
    while (outcome := state.outcome()) is None:
        seat = state.seat_to_act
        action = taste(state, (tastes or {}).get(bots[seat], bots[seat]))
        state.apply(action)
        actions.append(action)
        events = tuple(state.take_events())
        builder.ply(replace(A_PLY, seat=seat, decision=len(actions), action=action, events=events))
    seats = tuple(
        SeatResult(placing, score, ENDING, 1, 0, 0, 0)
        for placing, score in zip(outcome.placings, outcome.scores, strict=True)
    )
    result = MatchResult(MatchState.FINISHED, outcome.ending, len(actions), seats, 1, "", state.digest()[:8])
    builder.end(result)
    return PlayedMatch(builder.finish(), result, tuple(actions))
