"""Names of bots, ladders and tournaments near one that does not exist."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Table, select

from arena.store.repository import Repository
from arena.store.schema import BOTS, LADDERS, TOURNAMENTS

_TABLES: Final[Mapping[str, Table]] = {"bot": BOTS, "ladder": LADDERS, "tournament": TOURNAMENTS}


class Names(Repository):
    """The names of all bots, ladders and tournaments."""

    def around(self, kind: str, name: str, each_side: int) -> tuple[str, ...]:
        """Return the names before and after this one in their order, at most so many on each side, no hidden ones.

        None if there is one of this name, hidden or not. `kind`: "bot", "ladder" or "tournament".
        """
        table = _TABLES[kind]
        ids = table.c.id
        if self._connection.execute(select(ids).where(ids == name)).first() is not None:
            return ()
        # Hidden ones are left out afterwards, so that the primary key finds the others in their order.
        row = select(ids, table.c.hidden).limit(each_side)
        before = self._connection.execute(row.where(ids < name).order_by(ids.desc())).all()
        after = self._connection.execute(row.where(ids > name).order_by(ids)).all()
        return tuple(each.id for each in (*reversed(before), *after) if not each.hidden)
