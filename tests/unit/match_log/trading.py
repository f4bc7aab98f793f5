"""Logs of matches in which seats trade."""

from collections.abc import Callable
from random import Random

from arena.codecs.codec import codec_for
from arena.core.endings import verdicts
from arena.core.match import Cause, MatchResult, MatchState, SeatResult
from arena.core.ply import PlyRecord
from arena.match_log.reader import MatchLog, read_log
from engine.ahldarahd.position import ASK_BUILD, ASK_REPLY
from engine.ahldarahd.state import AhldarahdState
from engine.game import TERMINAL, own
from tests.unit.engine.ahldarahd.choosing import choose
from tests.unit.match_log.matches import a_setup_of_three, logged

CODEC = codec_for("ahldarahd")

Chooser = Callable[[AhldarahdState], int]


def played(chooser: Chooser, plies: int, *, cause: Cause = Cause.CHOSEN) -> bytes:
    """Return the file of a match of three, aborted after `plies` plies. `cause`: of the answers to offers."""
    setup = a_setup_of_three(CODEC, trading="true")
    state = own(CODEC.game.new_match(3, setup.options, setup.seed), AhldarahdState)
    set_up = tuple(state.take_events())
    records: list[PlyRecord] = []
    while len(records) < plies and state.seat_to_act != TERMINAL:
        action, seat = chooser(state), state.seat_to_act
        how = cause if state.decision == ASK_REPLY else Cause.CHOSEN
        state.apply(action)
        events = tuple(state.take_events())
        records.append(PlyRecord(seat, 1 + len(records), action, how, events, 0, 0, 0, 0, 0, False, b""))
    seats = tuple(SeatResult(0, 0, verdicts.last_standing(3), 0, 0, 0, 0) for _ in setup.seats)
    result = MatchResult(MatchState.ABORTED, "", len(records), seats, 10**9, "the disk was full", bytes(8))
    return logged(setup, tuple(records), result, set_up=set_up, codec=CODEC).data


def scripted(*texts: str) -> Chooser:
    """Defaults, but for these actions in the first building chance, one after the other."""
    script = list(texts)

    def chooser(state: AhldarahdState) -> int:
        if script and state.decision in (ASK_BUILD, ASK_REPLY):
            return state.parse_action(script.pop(0))
        return state.default_action()

    return chooser


def lively(dice: Random) -> Chooser:
    """Everything that happens, offers included."""
    return lambda state: choose(state, dice)


def read(data: bytes) -> MatchLog:
    return read_log(data)
