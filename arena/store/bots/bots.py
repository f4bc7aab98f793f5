"""Bots and their versions."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, Final

from sqlalchemy import ColumnElement, Text, and_, bindparam, delete, func, select

from arena.core.errors import ErrorReason, NotFoundError
from arena.store.json_columns import VersionProgram, pack, unpack_program
from arena.store.json_queries import elements_of
from arena.store.repository import Prepared, Repository, check_new, found, from_row, row_values
from arena.store.schema import BOT_VERSIONS, BOTS


class VersionOrigin(Enum):
    """How a bot version is known; the numbers of proto/arena/v1/bot.proto."""

    DECLARED = 1
    """Said by the bot itself; the arena cannot check it."""
    SUBMITTED = 2
    """Submitted to the arena, which runs it; its label is the hash of its content, 64 hex digits."""


@dataclass(frozen=True, slots=True)
class BotRow:
    """A registered program."""

    id: str
    owner: str
    description: str
    hidden: bool
    created_us: int
    refuses_challenges: bool = False
    """Whether other owners may not challenge it."""
    gate: str = ""
    """The gate that has added it for a version of another bot; nothing else may use it. Empty: it is no such bot."""


@dataclass(frozen=True, slots=True)
class BotVersionRow:
    """One immutable version of a bot."""

    bot: str
    label: str
    origin: VersionOrigin
    language: str
    created_us: int
    """When it was first seen."""
    program: VersionProgram | None = None
    """What was submitted; only for Origin.SUBMITTED."""
    bytes: int = 0
    """Of all its files, as they were submitted and as they were built; 0 for what was only declared."""


class Bots(Repository):
    """The bots and their versions."""

    def add(self, bot: BotRow) -> None:
        """Store the bot; its owner exists already. Raises AlreadyExistsError (BOT_EXISTS)."""
        check_new(self.find(bot.id), ErrorReason.BOT_EXISTS, "bot", bot.id)
        self._insert(BOTS, **row_values(bot))

    def find(self, bot: str) -> BotRow | None:
        """Return the bot, hidden or not, also one of a gate; None if there is none."""
        return self._first(_FIND, _bot, bot=bot)

    def get(self, bot: str) -> BotRow:
        """Return the bot, hidden or not. Raises NotFoundError (BOT_NOT_FOUND), also for a bot of a gate.

        So nothing can be done with a bot of a gate, whose version and end the gate decides; `get_any` is for reading.
        """
        row = self.find(bot)
        return found(None if row is not None and row.gate else row, ErrorReason.BOT_NOT_FOUND, "bot", bot)

    def get_any(self, bot: str) -> BotRow:
        """Return the bot, also one of a gate. Raises NotFoundError (BOT_NOT_FOUND)."""
        return found(self.find(bot), ErrorReason.BOT_NOT_FOUND, "bot", bot)

    def of_owner(self, owner: str) -> frozenset[str]:
        """Return the bots of an owner, hidden ones and those of gates too."""
        return frozenset(self._connection.execute(select(BOTS.c.id).where(BOTS.c.owner == owner)).scalars())

    def page(self, *, show_hidden: bool, after: str | None, limit: int) -> tuple[BotRow, ...]:
        """Return bots by id, those after the id `after`; without those of gates."""
        query = select(BOTS).where(BOTS.c.gate == "")
        if not show_hidden:
            query = query.where(BOTS.c.hidden.is_(False))
        return self._page(query, BOTS.c.id, after=after, limit=limit, make=_bot)

    def set_hidden(self, bot: str, hidden: bool) -> None:
        """Hide the bot, or show it again."""
        self._update(BOTS, BOTS.c.id == bot, hidden=hidden)

    def set_refuses_challenges(self, bot: str, refuses: bool) -> None:
        """Forbid other owners to challenge the bot, or allow it again."""
        self._update(BOTS, BOTS.c.id == bot, refuses_challenges=refuses)

    def ensure_version(self, version: BotVersionRow) -> BotVersionRow:
        """Store the version unless one with its label is stored; return the stored one.

        What a bot once declared under the hash of a version that is submitted now gives way to it.
        """
        known = self.find_version(version.bot, version.label)
        if known is not None and known.origin.value >= version.origin.value:
            return known
        if known is not None:
            self._connection.execute(delete(BOT_VERSIONS).where(_is_it(version.bot, version.label)))
        program = None if version.program is None else pack(asdict(version.program))
        self._insert(BOT_VERSIONS, **row_values(version, origin=version.origin.value, program=program))
        return version

    def find_version(self, bot: str, label: str) -> BotVersionRow | None:
        """Return the version of this label; None if the bot has none."""
        return self._first(select(BOT_VERSIONS).where(_is_it(bot, label)), _version)

    def version(self, bot: str, label: str) -> BotVersionRow:
        """Return the version of this label. Raises NotFoundError (VERSION_NOT_FOUND)."""
        version, listing = self.find_version(bot, label), f"bot versions {bot}"
        return found(version, ErrorReason.VERSION_NOT_FOUND, "version", label, listing=listing, bot=bot)

    def submitted_version(self, bot: str, beginning: str) -> BotVersionRow:
        """Return the one submitted version whose hash begins so. Raises NotFoundError (VERSION_NOT_FOUND)."""
        query = select(BOT_VERSIONS).where(
            BOT_VERSIONS.c.bot == bot,
            BOT_VERSIONS.c.label >= beginning,
            BOT_VERSIONS.c.label < f"{beginning}~",
            _SUBMITTED,
        )
        rows = self._all(query.limit(2), _version)
        if len(rows) == 1:
            return rows[0]
        raise NotFoundError(
            ErrorReason.VERSION_NOT_FOUND,
            f"The bot {bot} has {'several submitted versions' if rows else 'no submitted version'} {beginning}; "
            f"`arena bot versions {bot}` lists all.",
            bot=bot,
            version=beginning,
        )

    def versions_page(
        self, bot: str, *, before: tuple[int, str] | None, limit: int
    ) -> tuple[BotVersionRow, ...]:
        """Return the versions of a bot, newest first, those behind this time of creation and label."""
        query = select(BOT_VERSIONS).where(BOT_VERSIONS.c.bot == bot)
        place = BOT_VERSIONS.c.created_us, BOT_VERSIONS.c.label
        return self._page(query, *place, after=before, limit=limit, make=_version, descending=True)

    def newest_version_but(self, bot: str, newer: int) -> int | None:
        """Return when the bot's newest version but `newer` others was created, microseconds since 1970 UTC.

        None if there are no more than those.
        """
        times = select(BOT_VERSIONS.c.created_us).where(BOT_VERSIONS.c.bot == bot)
        ordered = times.order_by(BOT_VERSIONS.c.created_us.desc(), BOT_VERSIONS.c.label.desc())
        return self._connection.execute(ordered.offset(newer).limit(1)).scalar_one_or_none()

    def count_submitted(self, bot: str) -> int:
        """Return how many submitted versions the bot has."""
        return self._number(select(func.count()).where(BOT_VERSIONS.c.bot == bot, _SUBMITTED))

    def submitted_sizes(self, owner: str) -> dict[str, int]:
        """Return the bytes of each submitted version of an owner's bots, by hash: bots share its files."""
        query = (
            select(BOT_VERSIONS.c.label, BOT_VERSIONS.c.bytes)
            .join(BOTS, BOTS.c.id == BOT_VERSIONS.c.bot)
            .where(BOTS.c.owner == owner, _SUBMITTED)
        )
        sizes: dict[str, int] = {}
        for row in self._connection.execute(query):
            sizes[row.label] = max(row.bytes, sizes.get(row.label, 0))
        return sizes

    def submitted_hashes(self) -> tuple[str, ...]:
        """Return the hashes of all submitted versions, in order, each once."""
        query = select(BOT_VERSIONS.c.label).where(_SUBMITTED).order_by(BOT_VERSIONS.c.label).distinct()
        return tuple(self._connection.execute(query).scalars())

    def others_with(self, version: str, owner: str) -> dict[str, str]:
        """Return the bots of other owners that have this submitted version: their owners, by bot."""
        query = (
            select(BOTS.c.id, BOTS.c.owner)
            .join(BOT_VERSIONS, BOTS.c.id == BOT_VERSIONS.c.bot)
            .where(BOT_VERSIONS.c.label == version, BOTS.c.owner != owner, _SUBMITTED)
        )
        return dict(sorted((row.id, row.owner) for row in self._connection.execute(query)))

    def languages(self, bots: Sequence[str]) -> dict[str, str]:
        """Return the language of the newest version of each bot; bots without one are left out."""
        rows = _LANGUAGES.rows(self._connection, {"bots": pack(list(bots))})
        return {row.bot: row.language for row in rows if row.language is not None}

    def newest_versions(self, bots: Sequence[str], each: int) -> dict[str, tuple[BotVersionRow, ...]]:
        """Return at most `each` newest versions of each bot, newest first; bots without one are left out."""
        found = {bot: self._all(_NEWEST_VERSIONS, _version, bot=bot, limit=each) for bot in sorted(bots)}
        return {bot: versions for bot, versions in found.items() if versions}


_SUBMITTED: Final = BOT_VERSIONS.c.origin == VersionOrigin.SUBMITTED.value

_FIND: Final = Prepared(select(BOTS).where(BOTS.c.id == bindparam("bot")))

_NEWEST_FIRST: Final = (BOT_VERSIONS.c.created_us.desc(), BOT_VERSIONS.c.label.desc())

_NEWEST_VERSIONS: Final = Prepared(
    select(BOT_VERSIONS)
    .where(BOT_VERSIONS.c.bot == bindparam("bot"))
    .order_by(*_NEWEST_FIRST)
    .limit(bindparam("limit"))
)

_ASKED: Final = elements_of(bindparam("bots", type_=Text)).table_valued("value")
_LANGUAGES: Final = Prepared(
    select(
        _ASKED.c.value.label("bot"),
        select(BOT_VERSIONS.c.language)
        .where(BOT_VERSIONS.c.bot == _ASKED.c.value)
        .order_by(*_NEWEST_FIRST)
        .limit(1)
        .scalar_subquery()
        .label("language"),
    )
)
"""`bots`: names, as JSON."""


def _is_it(bot: str, label: str) -> ColumnElement[bool]:
    return and_(BOT_VERSIONS.c.bot == bot, BOT_VERSIONS.c.label == label)


def _bot(row: Any) -> BotRow:
    return from_row(BotRow, row, hidden=bool(row.hidden), refuses_challenges=bool(row.refuses_challenges))


def _version(row: Any) -> BotVersionRow:
    program = None if row.program is None else unpack_program(row.program)
    return from_row(BotVersionRow, row, origin=VersionOrigin(row.origin), program=program)
