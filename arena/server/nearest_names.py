"""What a caller may have meant who named a bot, ladder or tournament that does not exist."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from typing import Final

from arena.core.errors import ArenaError, ErrorReason, NotFoundError
from arena.store.database import Database

_KINDS: Final[Mapping[ErrorReason, str]] = {
    ErrorReason.BOT_NOT_FOUND: "bot",
    ErrorReason.LADDER_NOT_FOUND: "ladder",
    ErrorReason.TOURNAMENT_NOT_FOUND: "tournament",
}
"""The kind of resource that is missing, which is also the name in the metadata under which the error has its name."""

_EACH_SIDE: Final = 64
"""So many names before and after the wrong one in their order are compared with it, which takes some milliseconds."""

_SHOWN: Final = 3

NEAREST: Final = "nearest"
"""The name in the metadata of an error under which it has the nearest names, separated by commas."""


class NearestNames:
    """Adds the nearest names to errors."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def added(self, error: ArenaError) -> ArenaError:
        """Return the error with names of the same kind that resemble the missing one, if there are any.

        They are those of listings that everybody who may list can see: no hidden ones.
        """
        kind = _KINDS.get(error.reason)
        name = error.metadata.get(kind, "") if kind is not None else ""
        if kind is None or not name or not isinstance(error, NotFoundError):
            return error
        names: tuple[str, ...] = ()
        with suppress(ArenaError):  # the database fails: the error is right without them
            names = await self._database.read(lambda tx: tx.names.around(kind, name, _EACH_SIDE))
        nearest = await asyncio.to_thread(get_close_matches, name, names, _SHOWN)
        if not nearest:
            return error
        *most, last = nearest
        meant = f"{', '.join(most)} or {last}" if most else last
        sentence = f"{error.sentence} Did you mean {meant}?"
        return NotFoundError(error.reason, sentence, **{**error.metadata, NEAREST: ",".join(nearest)})
