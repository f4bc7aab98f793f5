"""What the arena itself did wrong when a match is void: which fault, and what shows it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

Facts = tuple[tuple[str, str], ...]
"""(fact, value) pairs in order."""

DURING_BOT: Final = "during_bot"
"""The detail that names the bot whose doing was being carried out when the arena failed."""


class ArenaFault(Enum):
    """Which fault; the closed list of docs/faults.md."""

    ERROR = "error"
    """An exception where none may be; the service log tells it under its error id."""
    KILLED = "killed"
    """The arena came to its end while the match was played."""
    SHUTDOWN = "shutdown"
    """It was shut down, and the match had not ended in the time that was given."""
    MASS_LOSS = "mass_loss"
    """So many bots lost their connections at once that it was none of theirs."""
    PROGRAM = "program"
    """The arena lost a program that it runs itself."""
    NO_PROCESSOR = "no_processor"
    """A program that it runs itself got no processor to take its seat, again and again."""


@dataclass(frozen=True, slots=True)
class VoidCause:
    """Why a match is void."""

    fault: ArenaFault
    why: str
    """For everybody: a sentence part without a full stop."""
    facts: Facts = ()
    """What shows it, for everybody who may see the match."""
    details: Facts = ()
    """What organisers see beside that, in the audit trail alone."""

    @property
    def evidence(self) -> Facts:
        """As it stands in the ending of a seat."""
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
"""The reasons of matches that were void because the arena came to its end, killed or in good order."""


def error(error_id: str, details: Facts = ()) -> VoidCause:
    """Return the cause for an exception that is logged under this id."""
    return VoidCause(
        ArenaFault.ERROR, f"an error of the arena, id {error_id}", (("error_id", error_id),), details
    )


def killed(began: str, found: str, *, in_good_order: bool) -> VoidCause:
    """Return the cause for an arena that stopped during the match.

    `began`, `found`: moments as text; `began` may be empty.
    """
    stopped = "in good order" if in_good_order else "killed"
    facts = (("began", began or "never"), ("found", found), ("stopped", stopped))
    return VoidCause(ArenaFault.KILLED, _KILLED, facts)


def shut_down(drain_s: float) -> VoidCause:
    """Return the cause for an arena that was shut down after waiting this long for the match."""
    return VoidCause(ArenaFault.SHUTDOWN, _SHUT_DOWN, (("drain_s", f"{drain_s:g}"),))


def mass_loss(lost: int, of: int, owners: int, of_owners: int, within_s: int) -> VoidCause:
    """Return the cause for a mass loss of connections: `lost` of the sessions in play, all of so many owners."""
    facts = (
        ("lost", str(lost)),
        ("of", str(of)),
        ("owners", str(owners)),
        ("of_owners", str(of_owners)),
        ("within_s", str(within_s)),
    )
    return VoidCause(ArenaFault.MASS_LOSS, "most bots lost their connections at once", facts)


def program_lost(bot: str, why: str) -> VoidCause:
    """Return the cause for a hosted program that ended by no fault of its own. `why`: a sentence part."""
    facts = (("bot", bot), ("why_program", why))
    return VoidCause(ArenaFault.PROGRAM, f"the arena lost the program of {bot}", facts)


def no_processor(times: int, waited_s: int) -> VoidCause:
    """Return the cause for a hosted program that got no processor to take its seat, `times` times.

    `waited_s`: how long the arena waited each time.
    """
    facts = (("times", str(times)), ("waited_s", str(waited_s)))
    why = f"a program got no processor to take its seat, {times} times: the machine is overloaded"
    return VoidCause(ArenaFault.NO_PROCESSOR, why, facts)


def exception_facts(failure: BaseException) -> Facts:
    """Return what an organiser may know of an exception: its class and where it was raised, not its message.

    The message may hold what a bot has sent, or hidden cards.
    """
    place = "unknown"
    frame = failure.__traceback__
    while frame is not None:
        place = f"{frame.tb_frame.f_globals.get('__name__', '?')}:{frame.tb_lineno}"
        frame = frame.tb_next
    return (("exception", type(failure).__name__), ("place", place))
