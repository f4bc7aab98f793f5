"""The verdict on each way a seat can end: termination, fault, evidence, and one sentence for the bot's author."""

from dataclasses import dataclass
from typing import Final

from arena.core.endings.arena_faults import Facts, VoidCause, facts_of
from arena.core.endings.clock_use import ABSENCE, STRIKES, ClockUse
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.units import ms_down, ms_up


@dataclass(frozen=True, slots=True)
class Miss:
    """A decision that was not answered in time. Times in nanoseconds."""

    decision: int
    answered: bool
    """Whether an answer came at all, though late."""
    late_ns: int
    used_ns: int
    clock: ClockUse
    round_trip_ns: int | None
    connected: bool = True
    """Whether the bot was connected when the decision was lost."""
    why_lost: str = ""
    """The bot's action that ended its connection, a sentence part; empty if unknown."""

    def facts(self) -> dict[str, object]:
        """Return what was measured."""
        return {
            "decision": self.decision,
            "answered": "late" if self.answered else "never",
            "late_ms": ms_up(self.late_ns),
            "used_ms": ms_down(self.used_ns),
            "bank_ms": ms_down(self.clock.bank_ns),
            "connected": "yes" if self.connected else "no",
            "why": self.why_lost or None,
            "round_trip_ms": "unknown" if self.round_trip_ns is None else ms_up(self.round_trip_ns),
            **self.clock.facts(),
        }

    def __str__(self) -> str:
        used = f"{ms_down(self.used_ns)} ms"
        what = f"decision {self.decision} had no answer after {used}"
        if self.answered:
            what = f"decision {self.decision} came {ms_up(self.late_ns)} ms late, after {used}"
        return f"{what}, {self.clock.allowed_ms} ms allowed ({self.clock}; {self._network()})"

    def _network(self) -> str:
        if not self.connected:
            absent = f"{ms_down(self.clock.absent_ns)} ms of absence_ms {self.clock.control.absence_ms}"
            return f"the bot was not connected, {absent}" + (f": {self.why_lost}" if self.why_lost else "")
        if self.round_trip_ns is None:
            return "round trip unknown"
        return f"round trip {ms_up(self.round_trip_ns)} ms"


def _ending(termination: Termination, fault: Fault, sentence: str, **facts: object) -> SeatEnding:
    """Return the ending with these facts; `sentence`: also as a sentence part without a full stop."""
    full = sentence if sentence.endswith(".") else f"{sentence[0].upper()}{sentence[1:]}."
    return SeatEnding(termination, fault, facts_of(**facts), full)


def by_the_rules(ending: str, placing: int, seats: int, score: int) -> SeatEnding:
    """Return the ending of a seat in a game that ended by its rules."""
    placed = f": placing {placing} of {seats}" if seats > 1 else ""
    sentence = f"The game ended by its rules ({ending}){placed} with a score of {score}."
    return _ending(Termination.NORMAL, Fault.NONE, sentence, ending=ending, placing=placing, score=score)


def last_standing(seats: int) -> SeatEnding:
    """Return the ending of the only seat that did not forfeit."""
    sentence = "All other seats forfeited: this one was the last standing and is placed first."
    return _ending(Termination.NORMAL, Fault.OPPONENT, sentence, standing=1, seats=seats)


def time_forfeit(miss: Miss, strikes: int, allowed: int) -> SeatEnding:
    """Return the ending by too many strikes, the last one for a missed decision."""
    fault = Fault.BOT if miss.connected or miss.why_lost else Fault.NETWORK
    sentence = f"{miss}; strike {strikes}, {allowed} allowed"
    facts = miss.facts() | {"strikes": strikes, "strikes_allowed": allowed}
    return _ending(Termination.TIME_FORFEIT, fault, sentence, **facts)


def illegal_action(decision: int, why: str, strikes: int, allowed: int) -> SeatEnding:
    """Return the ending by too many strikes, the last one for an illegal action. `why`: a sentence part."""
    sentence = f"the answer to decision {decision} was not legal ({why}); strike {strikes}, {allowed} allowed"
    facts = {
        "decision": decision,
        "why": why,
        "strikes": strikes,
        "strikes_allowed": allowed,
        "limit": STRIKES,
    }
    return _ending(Termination.ILLEGAL_ACTION, Fault.BOT, sentence, **facts)


def disconnect(decision: int, absent_ns: int, allowed_ns: int, why: str = "") -> SeatEnding:
    """Return the ending of a seat that was absent too long while a decision was open.

    `why`: the bot's action that ended its connection, a sentence part without a full stop; empty if unknown, and then
    the network is assumed.
    """
    lost = f"The bot's connection was ended ({why})" if why else "The connection was lost"
    absent, allowed = ms_down(absent_ns), ms_down(allowed_ns)
    sentence = (
        f"{lost} and decision {decision} stayed open: absent for {absent} ms in all, {allowed} ms allowed "
        f"({ABSENCE})."
    )
    facts = {
        "decision": decision,
        "why": why or None,
        "absent_ms": absent,
        "absence_allowed_ms": allowed,
        "limit": ABSENCE,
    }
    return _ending(Termination.DISCONNECT, Fault.BOT if why else Fault.NETWORK, sentence, **facts)


def session_ended(decision: int, why: str) -> SeatEnding:
    """Return the ending of a seat whose session was ended for good. `why`: a sentence part without a full stop."""
    sentence = f"The bot's session was ended at decision {decision}: {why}."
    return _ending(Termination.DISCONNECT, Fault.BOT, sentence, decision=decision, why=why)


def no_show(why: str, evidence: Facts) -> SeatEnding:
    """Return the ending of a seat whose bot did not take it after its group had begun. `why`: a sentence part."""
    sentence = f"The seat was forfeited before the match began, since the match group had begun: {why}."
    return SeatEnding(Termination.NO_SHOW, Fault.BOT, evidence, sentence)


def resignation(decision: int) -> SeatEnding:
    """Return the ending of a seat whose bot resigned."""
    sentence = f"The bot resigned at decision {decision}."
    return _ending(Termination.RESIGNATION, Fault.BOT, sentence, decision=decision)


_PROGRAM_ENDINGS: Final = {
    Termination.EXITED: "the bot's program exited with code {}",
    Termination.SIGNALLED: "the bot's program was ended by signal {}",
    Termination.MEMORY: "the bot's program used more than {} MiB of memory",
    Termination.PIDS: "the bot's program started more than {} processes",
    Termination.OUTPUT: "the bot's program wrote more than {} KiB of output",
    Termination.FORBIDDEN_CALL: "the bot's program made the forbidden system call {}",
}


def program_ended(termination: Termination, decision: int, detail: str) -> SeatEnding:
    """Return the ending of a seat whose hosted program ended. `detail`: the code, signal, limit or call."""
    text = _PROGRAM_ENDINGS[termination].format(detail)
    return _ending(termination, Fault.BOT, f"{text} at decision {decision}", decision=decision, detail=detail)


def nobody_left(absent_ns: int, allowed_ns: int) -> SeatEnding:
    """Return the ending of the last seat, absent and not returned in time."""
    absent, allowed = ms_down(absent_ns), ms_down(allowed_ns)
    sentence = (
        f"This seat was the last standing, but absent for {absent} ms, {allowed} ms allowed ({ABSENCE}): "
        "the match has no result."
    )
    facts = {"absent_ms": absent, "absence_allowed_ms": allowed, "limit": ABSENCE}
    return _ending(Termination.DISCONNECT, Fault.NETWORK, sentence, **facts)


def void(cause: VoidCause) -> SeatEnding:
    """Return the ending of a seat in a match that is void by the arena's fault."""
    sentence = f"The match is void by the arena's fault ({cause.why}): it counts for nobody."
    return SeatEnding(Termination.NORMAL, Fault.ARENA, cause.evidence, sentence)
