"""Matches that were really played, by bots whose choice follows from what they are shown and from their taste."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from arena.codecs.codec import codec_for
from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.match import Cause, MatchResult, MatchSetup, MatchState, SeatHolder, SeatResult, SeedPolicy
from arena.core.ply import PlyRecord
from arena.match_log.writer import FinishedLog, MatchLogBuilder
from engine.game import State
from engine.registry import GAMES
from tests.unit.match_log.matches import KEY

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
    setup = MatchSetup(
        match=match,
        ladder="main",
        tournament=None,
        group=group,
        seed_group_index=0,
        seed_attempt=0,
        game=GAME,
        rules_version=game.spec.rules_version,
        options=game.options(len(bots), {}),
        seats=tuple(SeatHolder(bot, "1") for bot in bots),
        time_control=TimeControl(),
        seed=seed,
        seed_policy=SeedPolicy.DERIVED,
        secret_commitment=bytes(32),
        rated=True,
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
        builder.ply(_ply(seat, len(actions), action, state))
    seats = tuple(
        SeatResult(placing, score, ENDING, 1, 0, 0, 0)
        for placing, score in zip(outcome.placings, outcome.scores, strict=True)
    )
    result = MatchResult(MatchState.FINISHED, outcome.ending, len(actions), seats, 1, "", state.digest()[:8])
    builder.end(result)
    return PlayedMatch(builder.finish(), result, tuple(actions))


def _ply(seat: int, number: int, action: int, state: State) -> PlyRecord:
    return PlyRecord(
        seat,
        number,
        action,
        Cause.CHOSEN,
        tuple(state.take_events()),
        started_ns=number,
        used_ns=1,
        credit_ns=0,
        stall_ns=0,
        bank_ns=0,
        over_seat_limit=False,
        digest=b"",
    )
