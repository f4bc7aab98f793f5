"""Check by re-simulation: the rules give the recorded events from seed and actions."""

from dataclasses import dataclass
from typing import Final

from arena.core.match import DIGEST_EVERY, ENDED_BY_FORFEIT, Cause, MatchState
from arena.core.ply import PlyRecord
from arena.match_log.checks.check import Check, judged
from arena.match_log.decode import LoggedPly
from arena.match_log.framing import Flaw
from arena.match_log.reader import SET_UP_INDEX, MatchLog
from engine.game import TERMINAL, Event, Game, IllegalActionError, Outcome, State

REPLAY: Final = "replay"

_DIGEST_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class ReplayedMatch:
    """The match, played again."""

    check: Check
    outcome: Outcome | None
    """The outcome by the rules; None if the game did not end, or the re-simulation failed before."""


def replay(log: MatchLog, game: Game) -> ReplayedMatch:
    """Play the match again and compare actions, events, digests and the end.

    `game`: in the rules version that the log names.
    """
    state = game.new_match(len(log.setup.seats), log.setup.options, log.setup.seed)
    flaw, outcome = _flaw_of_play(state, log), None
    if flaw is None:
        outcome, why = state.outcome(), _why_not_ended(state, log)
        flaw = log.footer_flaw(why) if why is not None else None
    sentence = (
        f"All {log.result.plies} plies, their events and positions are what the rules make of the seed."
    )
    return ReplayedMatch(judged(REPLAY, flaw, sentence), outcome)


def _flaw_of_play(state: State, log: MatchLog) -> Flaw | None:
    """Play the match from its set-up and return where the log differs; None if it does not."""
    why = _why_not_set_up(state, log)
    if why is not None:
        return Flaw(SET_UP_INDEX, f"The set-up, record {SET_UP_INDEX}, does not fit: {why}.")
    for number, (index, logged) in enumerate(log.numbered_plies):
        why = _why_not_played(state, logged.record) or _why_not_followed(state, logged, number + 1)
        if why is not None:
            return Flaw(index, f"Ply {number}, record {index}, does not fit: {why}.")
    return None


def _why_not_played(state: State, ply: PlyRecord) -> str | None:
    """Return why the action cannot have been played here; if it can, play it and return None."""
    if state.seat_to_act == TERMINAL:
        return "the game is over"
    if state.seat_to_act != ply.seat:
        return f"seat {state.seat_to_act} is to act, not seat {ply.seat}"
    if ply.cause not in (Cause.CHOSEN, Cause.GIVEN) and ply.action != state.default_action():
        return f"the default action is {state.format_action(state.default_action())}"
    try:
        state.apply(ply.action)
    except IllegalActionError as error:
        return f"the action is not legal ({str(error).rstrip('.')})"
    return None


def _why_not_followed(state: State, logged: LoggedPly, plies: int) -> str | None:
    """Return why events and digest cannot have followed. `plies`: how many have been played."""
    why = _why_not_these(state, logged.record.events, logged.audiences)
    if why is not None:
        return why
    due = state.digest()[:_DIGEST_BYTES] if plies % DIGEST_EVERY == 0 else b""
    if logged.record.digest != due:
        return f"the digest should be {due.hex()}" if due else "a digest does not belong here"
    return None


def _why_not_set_up(state: State, log: MatchLog) -> str | None:
    """Return why the match cannot have begun like this; None if it can, or if the arena failed before it began."""
    if log.set_up is None:
        began = bool(log.entries) or log.result.state is not MatchState.ABORTED
        return "there is none" if began else None
    return _why_not_these(state, log.set_up.events, log.set_up.audiences)


def _why_not_these(
    state: State, events: tuple[Event, ...], audiences: tuple[frozenset[int] | None, ...]
) -> str | None:
    """Return why these cannot be the events since the last call; None if they are."""
    true = tuple(state.take_events())
    if events != true:
        return f"its events are not those that follow from the rules, {len(true)} in number"
    if audiences != tuple(event.audience() for event in true):
        return "an event was seen by others than the rules say"
    return None


def _why_not_ended(state: State, log: MatchLog) -> str | None:
    result, outcome = log.result, state.outcome()
    if result.digest != state.digest()[:_DIGEST_BYTES]:
        return f"the digest of the last position should be {state.digest()[:_DIGEST_BYTES].hex()}"
    if result.state is not MatchState.FINISHED:
        return None
    if result.ending in ENDED_BY_FORFEIT:
        return f"by the rules the game was over ({outcome.ending})" if outcome is not None else None
    if outcome is None:
        return f"by the rules the game is not over, but the ending is {result.ending}"
    if outcome.ending != result.ending:
        return f"by the rules the ending is {outcome.ending}, not {result.ending}"
    return None
