"""Frozen standings: the lines that everybody but organisers sees, of the moment of the freeze or revealed since."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, select, update

from arena.store.ladders.ladders import LadderRow
from arena.store.matches.export_order import ExportOrder
from arena.store.repository import Prepared, Repository, from_row, row_values
from arena.store.schema import BOTS, FROZEN_STANDINGS, LADDERS, MATCH_GROUPS

_OF: Final = FROZEN_STANDINGS.c


@dataclass(frozen=True, slots=True)
class FrozenLine:
    """The line of a bot."""

    bot: str
    place: int
    """Its place among the lines that are revealed, or among the others, from 0."""
    rank: int
    """1 is best; 0: none."""
    line: bytes
    """The message `Standing`."""
    revealed: bool = False
    """Whether it is final."""


class FrozenStandings(Repository):
    """The frozen standings of all ladders."""

    def freeze(self, ladder: str, lines: Iterable[FrozenLine], now_us: int) -> None:
        """Store the lines of a ladder at this moment; what is not complete, and what begins later, counts as frozen."""
        self._update(LADDERS, LADDERS.c.id == ladder, freeze_us=now_us, frozen_seq=LADDERS.c.ledger_seq)
        open_ones = MATCH_GROUPS.c.ladder == ladder, MATCH_GROUPS.c.completed_us.is_(None)
        self._update(MATCH_GROUPS, *open_ones, frozen=True)
        self._add(ladder, lines)

    def fix(self, ladder: str, final: Iterable[FrozenLine], newcomer: Callable[[str], bytes]) -> None:
        """Store the final lines, which nothing changes until all are revealed.

        `newcomer`: returns the hidden line of a bot that joined after the freeze, which comes behind the others.
        """
        final = [*final]
        known = {*self._all(select(_OF.bot).where(_OF.ladder == ladder), lambda row: row.bot)}
        new = [line.bot for line in final if line.bot not in known]
        self._add(
            ladder, (FrozenLine(bot, place, 0, newcomer(bot)) for place, bot in enumerate(new, len(known)))
        )
        values = [
            {f"final_{name}": getattr(line, name) for name in _FINAL}
            | {"of_ladder": ladder, "of_bot": line.bot}
            for line in final
        ]
        _FIX.run_all(self._connection, values)
        self._update(LADDERS, LADDERS.c.id == ladder, revealing=True)

    def hidden(self, ladder: str) -> tuple[FrozenLine, ...]:
        """Return the final lines that are not revealed, best first."""
        query = select(_OF.bot, *(_OF[f"final_{name}"].label(name) for name in _FINAL), _OF.revealed)
        hidden = _OF.ladder == ladder, _OF.revealed.is_(False), _OF.final_line.is_not(None)
        return self._all(query.where(*hidden).order_by(_OF.final_place), _line)

    def reveal(self, ladder: str, bots: Iterable[str]) -> None:
        """Replace the lines of these bots by their final ones."""
        _REVEAL.run_all(self._connection, [{"of_ladder": ladder, "of_bot": bot} for bot in bots])

    def end(self, ladder: LadderRow) -> None:
        """End the freeze: all is public again, and exported as if it had become final now."""
        assert ladder.frozen_seq is not None
        ExportOrder(self._connection).move_frozen_to_end(ladder.id, ladder.frozen_seq)
        frozen = MATCH_GROUPS.c.frozen.is_(True), MATCH_GROUPS.c.ladder == ladder.id
        self._connection.execute(update(MATCH_GROUPS).where(*frozen).values(frozen=False))
        self._connection.execute(delete(FROZEN_STANDINGS).where(_OF.ladder == ladder.id))
        none = {"freeze_us": None, "frozen_seq": None, "revealing": False}
        self._update(LADDERS, LADDERS.c.id == ladder.id, **none)

    def page(self, ladder: str, *, after: tuple[bool, int] | None, limit: int) -> tuple[FrozenLine, ...]:
        """Return lines of bots that are not hidden, those after a place: first the ones that are not revealed."""
        query = _LINES.where(_OF.ladder == ladder, BOTS.c.hidden.is_not(True))
        return self._page(query, _OF.revealed, _OF.place, after=after, limit=limit, make=_line)

    def find(self, ladder: str, bot: str) -> FrozenLine | None:
        """Return the line of a bot, hidden or not; None if it has none."""
        return self._first(_LINES.where(_OF.ladder == ladder, _OF.bot == bot), _line)

    def count_ranked(self, ladder: str) -> int:
        """Return how many lines have a rank."""
        return self._number(select(func.count()).where(_OF.ladder == ladder, _OF.rank > 0))

    def _add(self, ladder: str, lines: Iterable[FrozenLine]) -> None:
        values: list[dict[str, Any]] = [{"ladder": ladder, **row_values(line)} for line in lines]
        if values:
            self._connection.execute(FROZEN_STANDINGS.insert(), values)


_FINAL: Final = ("place", "rank", "line")
"""What of a line is of the freeze, or final."""

_FIX: Final = Prepared(
    update(FROZEN_STANDINGS).where(_OF.ladder == bindparam("of_ladder"), _OF.bot == bindparam("of_bot"))
)

_REVEAL: Final = Prepared(
    update(FROZEN_STANDINGS)
    .where(_OF.ladder == bindparam("of_ladder"), _OF.bot == bindparam("of_bot"))
    .values(revealed=True, **{name: _OF[f"final_{name}"] for name in _FINAL})
)

_LINES: Final = select(FROZEN_STANDINGS).join(BOTS, BOTS.c.id == _OF.bot)


def _line(row: Any) -> FrozenLine:
    return from_row(FrozenLine, row, revealed=bool(row.revealed))
