"""What went wrong with the bots of a comparison."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from arena.cli.compare.state_file import PlayedMatch
from arena.core.endings.terminations import Termination
from arena.drawings.wording import counted

_FINE: Final = (Termination.NORMAL.name, Termination.RESIGNATION.name)


@dataclass(slots=True)
class BotFaults:
    """The faults of one entrant."""

    matches: int = 0
    """Seats that it played."""
    forfeits: Counter[str] = field(default_factory=Counter)
    """Seats that it forfeited, by termination; resignations are no faults."""
    strikes: int = 0
    """Late and illegal answers."""
    exceptions: int = 0
    """Exceptions that the bot has named."""
    logs: list[str] = field(default_factory=list)
    """The log files of such matches that were kept."""

    @property
    def any(self) -> bool:
        """Whether there was a fault."""
        return bool(self.forfeits or self.strikes or self.exceptions)

    def describe(self) -> str:
        """Return the faults as a list of words; empty without one."""
        parts = [f"{count} {how}" for how, count in self.forfeits.most_common()]
        lost = f"{counted(self.forfeits.total(), 'forfeit')} ({', '.join(parts)})" if parts else ""
        strikes = counted(self.strikes, "strike") if self.strikes else ""
        raised = counted(self.exceptions, "exception") if self.exceptions else ""
        return ", ".join(filter(None, (lost, strikes, raised)))


def is_faulty(match: PlayedMatch, seat: int) -> bool:
    """Return whether a seat of a match had a fault."""
    return bool(match.endings[seat] not in _FINE or match.strikes[seat] or match.exceptions[seat])


class FaultTally:
    """The faults of all entrants, by entrant."""

    def __init__(self, entrants: int) -> None:
        """`entrants`: how many there are."""
        self.bots = [BotFaults() for _ in range(entrants)]

    def add(self, entrants: Sequence[int], match: PlayedMatch) -> None:
        """Count a match. `entrants`: by seat."""
        for seat, entrant in enumerate(entrants):
            bot = self.bots[entrant]
            bot.matches += 1
            if match.endings[seat] not in _FINE:
                bot.forfeits[match.endings[seat]] += 1
            bot.strikes += match.strikes[seat]
            bot.exceptions += match.exceptions[seat]
            if match.log is not None and is_faulty(match, seat) and match.log not in bot.logs:
                bot.logs.append(match.log)

    def wants_log(self, entrants: Sequence[int], match: PlayedMatch, most: int) -> bool:
        """Return whether the log of a match is worth keeping: a bot at fault has fewer than so many."""
        return any(
            is_faulty(match, seat) and len(self.bots[entrant].logs) < most
            for seat, entrant in enumerate(entrants)
        )
