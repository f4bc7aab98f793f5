"""Bots and their versions as stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from sqlalchemy import Connection, Row, ScalarSelect, bindparam, insert, select, update

from arena.core.errors import AlreadyExistsError, ErrorReason, NotFoundError
from arena.store.prepared import Prepared
from arena.store.schema import BOT_VERSIONS, BOTS


class Origin(Enum):
    """How a bot version is known; the numbers of proto/arena/v1/bot.proto."""

    DECLARED = 1
    """Said by the bot itself; the arena cannot check it."""


@dataclass(frozen=True, slots=True)
class BotRow:
    """A registered program."""

    id: str
    owner: str
    description: str
    hidden: bool
    created_us: int


@dataclass(frozen=True, slots=True)
class BotVersionRow:
    """One immutable version of a bot."""

    bot: str
    label: str
    origin: Origin
    language: str
    created_us: int
    """When it was first seen."""


class Bots:
    """The bots and their versions."""

    def __init__(self, connection: Connection) -> None:
        """`connection`: of the transaction that all calls belong to."""
        self._connection = connection

    def add(self, bot: BotRow) -> None:
        """The bot is stored; its owner exists already. Raises AlreadyExistsError (BOT_EXISTS)."""
        if self.find(bot.id) is not None:
            raise AlreadyExistsError(
                ErrorReason.BOT_EXISTS,
                f"The bot {bot.id} exists already; choose another name.",
                bot=bot.id,
            )
        self._connection.execute(
            insert(BOTS).values(
                id=bot.id,
                owner=bot.owner,
                description=bot.description,
                hidden=bot.hidden,
                created_us=bot.created_us,
            )
        )

    def find(self, bot: str) -> BotRow | None:
        """The bot, hidden or not; None if there is none."""
        row = self._connection.execute(select(BOTS).where(BOTS.c.id == bot)).first()
        return None if row is None else _bot(row)

    def get(self, bot: str) -> BotRow:
        """The bot, hidden or not. Raises NotFoundError (BOT_NOT_FOUND)."""
        row = self.find(bot)
        if row is None:
            raise NotFoundError(
                ErrorReason.BOT_NOT_FOUND, f"There is no bot {bot}; `arena bot list` shows all.", bot=bot
            )
        return row

    def page(self, *, show_hidden: bool, after: str | None, limit: int) -> tuple[BotRow, ...]:
        """Bots by id, those after the id `after`."""
        query = select(BOTS).order_by(BOTS.c.id).limit(limit)
        if not show_hidden:
            query = query.where(BOTS.c.hidden.is_(False))
        if after is not None:
            query = query.where(BOTS.c.id > after)
        return tuple(_bot(row) for row in self._connection.execute(query))

    def set_hidden(self, bot: str, hidden: bool) -> None:
        """The bot is hidden, or shown again."""
        self._connection.execute(update(BOTS).where(BOTS.c.id == bot).values(hidden=hidden))

    def ensure_version(self, version: BotVersionRow) -> BotVersionRow:
        """The version as it was first seen: stored now, or long ago with the same label."""
        known = select(BOT_VERSIONS).where(
            BOT_VERSIONS.c.bot == version.bot, BOT_VERSIONS.c.label == version.label
        )
        row = self._connection.execute(known).first()
        if row is not None:
            return _version(row)
        self._connection.execute(
            insert(BOT_VERSIONS).values(
                bot=version.bot,
                label=version.label,
                origin=version.origin.value,
                language=version.language,
                created_us=version.created_us,
            )
        )
        return version

    def languages(self, bots: Sequence[str]) -> dict[str, str]:
        """The language of the newest version of each bot; bots without one are left out."""
        rows = self._connection.execute(_LANGUAGES, {"bots": list(bots)})
        return {row.id: row.language for row in rows if row.language is not None}

    def newest_versions(self, bots: Sequence[str], each: int) -> dict[str, tuple[BotVersionRow, ...]]:
        """At most `each` newest versions of each bot, newest first; bots without one are left out."""
        found = {
            bot: _NEWEST_VERSIONS.rows(self._connection, {"bot": bot, "limit": each}) for bot in sorted(bots)
        }
        return {bot: tuple(_version(row) for row in rows) for bot, rows in found.items() if rows}


def _bot(row: Row[Any]) -> BotRow:
    values = row._mapping
    return BotRow(
        id=values["id"],
        owner=values["owner"],
        description=values["description"],
        hidden=values["hidden"],
        created_us=values["created_us"],
    )


def _language() -> ScalarSelect[str]:
    """The language of a bot's newest version."""
    return (
        select(BOT_VERSIONS.c.language)
        .where(BOT_VERSIONS.c.bot == BOTS.c.id)
        .order_by(BOT_VERSIONS.c.created_us.desc(), BOT_VERSIONS.c.label.desc())
        .limit(1)
        .scalar_subquery()
    )


_LANGUAGES: Final = select(BOTS.c.id, _language().label("language")).where(
    BOTS.c.id.in_(bindparam("bots", expanding=True))
)

_NEWEST_VERSIONS: Final = Prepared(
    select(BOT_VERSIONS)
    .where(BOT_VERSIONS.c.bot == bindparam("bot"))
    .order_by(BOT_VERSIONS.c.created_us.desc(), BOT_VERSIONS.c.label.desc())
    .limit(bindparam("limit"))
)


def _version(row: Sequence[Any]) -> BotVersionRow:
    """`row`: the columns of the table."""
    bot, label, origin, language, created_us = row
    return BotVersionRow(bot, label, Origin(origin), language, created_us)
