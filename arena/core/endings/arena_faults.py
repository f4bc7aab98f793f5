"""The arena's faults that make a match void: which fault, and its evidence."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

Facts = tuple[tuple[str, str], ...]
"""(fact, value) pairs in order."""


def facts_of(**facts: object) -> Facts:
    """Return the facts as text, in their order, without those that are None."""
    return tuple((fact, str(value)) for fact, value in facts.items() if value is not None)


DURING_BOT: Final = "during_bot"
"""The detail with the bot whose request was being handled when the arena failed."""


class ArenaFault(Enum):
    """The fault; the closed list of docs/faults.md."""

    ERROR = "error"
    """An exception; the service log has it under its error id."""
    KILLED = "killed"
    """The arena ended while the match was played."""
    SHUTDOWN = "shutdown"
    """The arena was shut down, and the match had not ended within the time allowed."""
    MASS_LOSS = "mass_loss"
    """So many bots lost their connections at once that none of them was at fault."""
    PROGRAM = "program"
    """The arena lost a hosted program."""
    NO_PROCESSOR = "no_processor"
    """A hosted program got no processor to take its seat, several times."""
    WORKER = "worker"
    """The worker process that played the match ended or did not answer, or what it reported was not true."""


@dataclass(frozen=True, slots=True)
class VoidCause:
    """Why a match is void."""

    fault: ArenaFault
    why: str
    """For everybody: a sentence part without a full stop."""
    facts: Facts = ()
    """The evidence, for everybody who may see the match."""
    details: Facts = ()
    """More evidence, for organisers only, in the audit trail."""

    @property
    def evidence(self) -> Facts:
        """The facts as they are written into the ending of a seat."""
        return (("fault", self.fault.value), ("why", self.why), *self.facts)

    @property
    def reason(self) -> str:
        """Why the match is void, a sentence."""
        return _reason(self.why)


def _reason(why: str) -> str:
    return f"Void by the arena's fault: {why}."


_KILLED: Final = "the arena stopped while it was being played"
_SHUT_DOWN: Final = "the arena was shut down"
STOPPED: Final = (_reason(_KILLED), _reason(_SHUT_DOWN))
"""Why matches were void when the arena stopped, killed or shut down."""


def error(error_id: str, details: Facts = ()) -> VoidCause:
    """Return the cause for an exception that is logged under this id."""
    why = f"an error of the arena, id {error_id}"
    return VoidCause(ArenaFault.ERROR, why, facts_of(error_id=error_id), details)


def killed(began: str, found: str, *, in_good_order: bool) -> VoidCause:
    """Return the cause for an arena that stopped during the match.

    `began`, `found`: moments as text; `began` may be empty.
    """
    stopped = "in good order" if in_good_order else "killed"
    return VoidCause(
        ArenaFault.KILLED, _KILLED, facts_of(began=began or "never", found=found, stopped=stopped)
    )


def shut_down(drain_s: float) -> VoidCause:
    """Return the cause for an arena that was shut down after waiting this long for the match."""
    return VoidCause(ArenaFault.SHUTDOWN, _SHUT_DOWN, facts_of(drain_s=f"{drain_s:g}"))


def mass_loss(lost: int, of: int, owners: int, of_owners: int, within_s: int) -> VoidCause:
    """Return the cause for a mass loss of connections: `lost` of the sessions in play, all of so many owners."""
    facts = facts_of(lost=lost, of=of, owners=owners, of_owners=of_owners, within_s=within_s)
    return VoidCause(ArenaFault.MASS_LOSS, "most bots lost their connections at once", facts)


def program_lost(bot: str, why: str) -> VoidCause:
    """Return the cause for a hosted program that ended by no fault of its own. `why`: a sentence part."""
    facts = facts_of(bot=bot, why_program=why)
    return VoidCause(ArenaFault.PROGRAM, f"the arena lost the program of {bot}", facts)


def no_processor(times: int, waited_s: int) -> VoidCause:
    """Return the cause for a hosted program that got no processor to take its seat, `times` times.

    `waited_s`: how long the arena waited each time.
    """
    why = f"a program got no processor to take its seat, {times} times: the machine is overloaded"
    return VoidCause(ArenaFault.NO_PROCESSOR, why, facts_of(times=times, waited_s=waited_s))


def worker_lost(worker: str, why: str) -> VoidCause:
    """Return the cause for a worker that did not play the match to its end. `why`: a sentence part."""
    return VoidCause(ArenaFault.WORKER, f"the worker that played it {why}", facts_of(worker=worker))


def worker_untrue(why: str) -> VoidCause:
    """Return the cause for a match whose log, as a worker has reported it, is not true. `why`: a sentence."""
    return VoidCause(
        ArenaFault.WORKER, "what its worker reported is not true", details=facts_of(why_untrue=why)
    )


def exception_facts(failure: BaseException) -> Facts:
    """Return what an organiser may know of an exception: its class and where it was raised, not its message.

    The message may hold what a bot has sent, or hidden cards.
    """
    place = "unknown"
    frame = failure.__traceback__
    while frame is not None:
        place = f"{frame.tb_frame.f_globals.get('__name__', '?')}:{frame.tb_lineno}"
        frame = frame.tb_next
    return facts_of(exception=type(failure).__name__, place=place)
