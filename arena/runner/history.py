"""What has happened in a match, as each viewer may see it."""

from dataclasses import dataclass
from typing import Final

from arena.core.endings.terminations import Termination
from arena.core.match import Cause
from arena.core.referee.effects import Played
from engine.game import Event

_CHOSEN: Final = Cause.CHOSEN  # a member is slow to look up in its class
_GIVEN: Final = Cause.GIVEN


@dataclass(init=False)
class SeatActed:
    """An action of a seat."""

    seat: int
    action: int
    by_default: bool
    """Whether the arena played the default action for it."""

    def __init__(self, seat: int, action: int, by_default: bool) -> None:
        """Set the fields by hand, since one is made for every decision: compiled, it costs nothing then."""
        self.seat = seat
        self.action = action
        self.by_default = by_default


@dataclass(frozen=True)
class SeatForfeited:
    """A forfeit."""

    seat: int
    termination: Termination


Happening = SeatActed | SeatForfeited | Event


class History:
    """Everything that has happened in one match, in order; its length only grows."""

    def __init__(self, seats: int, *, secret_decisions: bool) -> None:
        """With secret decisions, the defaults and forfeits of other seats are hidden."""
        self._seats = seats
        self._secret = secret_decisions
        self._entries: list[tuple[Event, ...] | Played | SeatForfeited] = []

    def __len__(self) -> int:
        return len(self._entries)

    def set_up(self, events: tuple[Event, ...]) -> None:
        """Add the events of the set-up."""
        self._entries.append(events)

    def played(self, command: Played) -> None:
        """Add an applied action."""
        self._entries.append(command)

    def forfeited(self, seat: int, termination: Termination) -> None:
        """Add the forfeit of a seat."""
        self._entries.append(SeatForfeited(seat, termination))

    def action_at(self, index: int) -> int | None:
        """Return the action of this entry, in full; None for any other entry."""
        entry = self._entries[index]
        return entry.record.action if isinstance(entry, Played) else None

    def seen_by(self, viewer: int, since: int, until: int | None = None) -> list[Happening]:
        """Return what a viewer (a seat, or SPECTATOR) sees of the entries from `since` on, but its own actions.

        `until`: the number of the first entry that is left out; None: there is none.
        """
        happenings: list[Happening] = []
        for entry in self._entries[since:until]:
            if isinstance(entry, SeatForfeited):
                if not self._secret:
                    happenings.append(entry)
                continue
            if isinstance(entry, Played):
                record = entry.record
                events = record.events
                action = entry.seen[viewer]  # SPECTATOR is -1, and the spectator's form is the last
                if action is not None and record.seat != viewer:
                    by_default = (
                        record.cause is not _CHOSEN and record.cause is not _GIVEN and not self._secret
                    )
                    happenings.append(SeatActed(record.seat, action, by_default))
            else:
                events = entry
            for event in events:
                seen = event.seen_by(viewer)
                if seen is not None:
                    happenings.append(seen)
        return happenings
