"""Which version of a bot the arena runs itself, and whether that version is suspended (`benched` in the table)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

from sqlalchemy import select

from arena.store.repository import Repository, from_row
from arena.store.schema import BOTS, HOSTING


class HostingMode(Enum):
    """Which version plays; the numbers of proto/arena/v1/bot.proto."""

    NEWEST = 1
    """The one that was admitted last."""
    PINNED = 2
    """The one that the owner has chosen, whatever is admitted later."""
    OFF = 3
    """None: the bot dials in by itself."""


@dataclass(frozen=True, slots=True)
class HostedRow:
    """A bot of which a version was admitted, and how the arena runs it."""

    bot: str
    owner: str
    mode: HostingMode
    newest: str
    """The version that was admitted last."""
    pinned: str | None
    """The version that was chosen last; it plays only in the mode PINNED."""
    suspended: str
    """Why the version that plays is suspended; empty: it is not."""
    retry_us: int | None
    """When a suspended version is tried again."""
    suspensions: int
    """How often the version was suspended in a row."""
    locked: bool = False
    """Whether only an organiser can have the arena run it again."""

    @property
    def version(self) -> str | None:
        """The version that plays; None if the bot dials in by itself."""
        match self.mode:
            case HostingMode.NEWEST:
                return self.newest
            case HostingMode.PINNED:
                return self.pinned
            case HostingMode.OFF:
                return None


class HostingRecords(Repository):
    """How bots are run by the arena. A suspension belongs to the version that plays: another one begins without."""

    def get(self, bot: str) -> HostedRow | None:
        """Return how the bot is run; None if no version of it was ever admitted."""
        return self._first(_HOSTED.where(HOSTING.c.bot == bot), _hosted)

    def of(self, bots: Sequence[str]) -> dict[str, HostedRow]:
        """Return how these bots are run; those without an admitted version are left out."""
        return {hosted.bot: hosted for hosted in self._all(_HOSTED.where(HOSTING.c.bot.in_(bots)), _hosted)}

    def all(self) -> tuple[HostedRow, ...]:
        """Return all bots with an admitted version, by id, hidden ones and those that dial in too."""
        return self._all(_HOSTED.order_by(HOSTING.c.bot), _hosted)

    def set_mode(
        self, bot: str, mode: HostingMode, pinned: str | None = None, *, locked: bool = False
    ) -> None:
        """Choose the version that plays, or none. `pinned`: for PINNED, a submitted version of the bot.

        `locked`: for OFF, only an organiser can turn it on again; one that is locked and stays OFF stays locked.
        """
        before = self.get(bot)
        assert before is not None
        chosen = pinned if mode is HostingMode.PINNED else before.pinned
        self._change(before, mode=mode, newest=before.newest, pinned=chosen)
        stays = mode is HostingMode.OFF and (locked or before.locked)
        self._update(HOSTING, HOSTING.c.bot == bot, locked=stays)

    def admitted(self, bot: str, version: str) -> bool:
        """Make a stored version the newest; return whether it plays, which it does not if another is pinned."""
        before = self.get(bot)
        if before is None:
            self._insert(HOSTING, bot=bot, mode=HostingMode.NEWEST.value, newest=version, **_NOT_SUSPENDED)
            return True
        return self._change(before, mode=before.mode, newest=version, pinned=before.pinned) == version

    def suspend(self, bot: str, version: str, why: str, retry_us: int) -> bool:
        """Suspend the version, once more in a row, if it is the one that plays; return whether it is."""
        benchings = HOSTING.c.benchings + 1
        return self._change_playing(bot, version, benched=why, retry_us=retry_us, benchings=benchings)

    def resume(self, bot: str, version: str) -> bool:
        """End the suspension; how often the version was suspended is kept. Return whether it plays."""
        return self._change_playing(bot, version, benched="", retry_us=None)

    def forgive(self, bot: str, version: str) -> None:
        """Forget how often the version was suspended: it has played well for a while."""
        self._change_playing(bot, version, benchings=0)

    def _change_playing(self, bot: str, version: str, **values: object) -> bool:
        """Set these columns of the bot if this version plays; return whether it does."""
        hosted = self.get(bot)
        plays = hosted is not None and hosted.version == version
        if plays:
            self._update(HOSTING, HOSTING.c.bot == bot, **values)
        return plays

    def _change(self, before: HostedRow, *, mode: HostingMode, newest: str, pinned: str | None) -> str | None:
        """Change which version plays, and return it; a suspension ends with the version that it belongs to."""
        after = replace(before, mode=mode, newest=newest, pinned=pinned)
        suspension = {} if after.version == before.version else _NOT_SUSPENDED
        is_it = HOSTING.c.bot == before.bot
        self._update(HOSTING, is_it, mode=mode.value, newest=newest, pinned=pinned, **suspension)
        return after.version


_NOT_SUSPENDED: Final[dict[str, object]] = {"benched": "", "retry_us": None, "benchings": 0}

_HOSTED: Final = select(HOSTING, BOTS.c.owner).join(BOTS, BOTS.c.id == HOSTING.c.bot)


def _hosted(row: Any) -> HostedRow:
    return from_row(
        HostedRow,
        row,
        mode=HostingMode(row.mode),
        suspended=row.benched,
        suspensions=row.benchings,
        locked=bool(row.locked),
    )
