"""A ladder with a long history, written into a real database in bulk: what years of play would leave.

Everything that a ladder keeps is there and fits together: groups, matches, seats, the ledger with ratings computed
entry by entry, counters. Only the log files are not, which no listing and no rating reads.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Table, bindparam, insert, update

from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import Fault, Termination
from arena.core.finished_match import FinishedMatch
from arena.core.match import MatchState, SeedPolicy
from arena.core.rating.ledger import LedgerEntry, group_entry
from arena.core.rating.rating import INITIAL, Rating
from arena.store.backends.sqlite import SqliteBackend
from arena.store.bots.bots import BotRow, BotVersionRow, VersionOrigin
from arena.store.json_columns import pack, pack_time_control
from arena.store.ladders.ladders import LadderRow, SecretRow
from arena.store.ladders.ledger import pack_body
from arena.store.schema import LADDER_ENTRIES, LADDERS, MATCH_GROUPS, MATCH_SEATS, MATCHES, RATING_LEDGER
from arena.store.store import Store, Transaction
from engine.registry import GAMES

LADDER: Final = "main"
OWNER: Final = "ada"
GAME: Final = next(iter(GAMES))
SEATS: Final = 2
VERSION: Final = "1"

DAY: Final = "2026-11-20"
_BEGAN_US: Final = 1_763_000_000_000_000
_EVERY_US: Final = 30_000_000
_GROUPS_AT_ONCE: Final = 2_000
_DECISIONS: Final = 90
_THINK_US: Final = 200_000
_CHANCE_OF_FORFEIT: Final = 0.02
_SPREAD_POINTS: Final = 200.0
_NEIGHBOURS: Final = 20
"""A bot meets one of so many whose strength is next to its own, as matchmaking would have it."""


@dataclass(frozen=True, slots=True)
class Size:
    """Of a ladder."""

    bots: int
    matches: int
    """Finished and rated; an even number."""

    def __str__(self) -> str:
        return f"{self.bots:,} bots, {self.matches:,} matches"


@dataclass(slots=True)
class _Entry:
    """What becomes of a bot's line in the standings."""

    rating: Rating = INITIAL
    last_group: int = 0
    matches: int = 0
    placings: int = 0
    forfeits: int = 0
    decisions: int = 0
    used_us: int = 0
    longest_us: int = 0


@dataclass(slots=True)
class _Rows:
    """Rows to be written, by table."""

    groups: list[Mapping[str, Any]] = field(default_factory=list)
    matches: list[Mapping[str, Any]] = field(default_factory=list)
    seats: list[Mapping[str, Any]] = field(default_factory=list)
    ledger: list[Mapping[str, Any]] = field(default_factory=list)

    def write(self, connection: Connection) -> None:
        """Write them to the database."""
        tables: tuple[tuple[Table, list[Mapping[str, Any]]], ...] = (
            (MATCH_GROUPS, self.groups),
            (MATCHES, self.matches),
            (MATCH_SEATS, self.seats),
            (RATING_LEDGER, self.ledger),
        )
        for table, rows in tables:
            connection.execute(insert(table), rows)


class _History:
    """Plays, as it were: the stronger bot wins more often than not."""

    def __init__(self, size: Size, seed: int) -> None:
        self._size = size
        self._random = random.Random(seed)
        strengths = sorted(self._random.gauss(0, _SPREAD_POINTS) for _ in range(size.bots))
        self._strengths = dict(zip(bot_names(size.bots), strengths, strict=True))
        self._bots = list(self._strengths)
        self.entries = {bot: _Entry() for bot in self._bots}
        game = GAMES[GAME]
        self._terms = {
            "ladder": LADDER,
            "game": GAME,
            "rules_version": game.spec.rules_version,
            "options": pack(dict(game.option_values(game.options(SEATS, {})))),
            "time_control": pack_time_control(TimeControl()),
            "rated": True,
        }

    def batches(self) -> Iterator[_Rows]:
        """Return all rows, some groups at a time."""
        groups = iter(range(1, self._size.matches // SEATS + 1))
        while batch := list(islice(groups, _GROUPS_AT_ONCE)):
            rows = _Rows()
            for group in batch:
                self._play(group, rows)
            yield rows

    def _play(self, group: int, rows: _Rows) -> None:
        place = self._random.randrange(len(self._bots))
        near = place + self._random.randint(1, min(_NEIGHBOURS, len(self._bots) - 1))
        bots = (self._bots[place], self._bots[near % len(self._bots)])
        now_us = _BEGAN_US + group * _EVERY_US
        rows.groups.append(_group_row(group, bots, now_us))
        played = [
            self._match(SEATS * (group - 1) + slot + 1, group, slot, bots[slot:] + bots[:slot], rows)
            for slot in range(SEATS)
        ]
        ratings = {bot: self.entries[bot].rating for bot in bots}
        entry = group_entry(ratings, seq=group, group=group, matches=played)
        rows.ledger.append(_ledger_row(entry, now_us))
        for change in entry.changes:
            self.entries[change.bot].rating = change.after
            self.entries[change.bot].last_group = group

    def _match(self, match: int, group: int, slot: int, bots: tuple[str, ...], rows: _Rows) -> FinishedMatch:
        began_us = _BEGAN_US + group * _EVERY_US + slot * _EVERY_US // SEATS
        rows.matches.append(_match_row(self._terms, match, group, slot, began_us))
        gap = self._strengths[bots[1]] - self._strengths[bots[0]]
        first = self._random.random() < 1 / (1 + 10 ** (gap / 400))
        loser_forfeits = self._random.random() < _CHANCE_OF_FORFEIT
        forfeited, placings = [], []
        for number, bot in enumerate(bots):
            placing = 1 if (number == 0) == first else 2
            forfeits = loser_forfeits and placing == SEATS
            longest_us = self._random.randrange(_THINK_US)
            rows.seats.append(_seat_row(match, number, bot, placing, longest_us, forfeited=forfeits))
            placings.append(placing)
            forfeited.append(forfeits)
            self._count(self.entries[bot], placing, longest_us, forfeited=forfeits)
        versions = (VERSION,) * len(bots)
        return FinishedMatch(tuple(bots), tuple(placings), tuple(forfeited), match=match, versions=versions)

    @staticmethod
    def _count(entry: _Entry, placing: int, longest_us: int, *, forfeited: bool) -> None:
        entry.matches += 1
        entry.placings += placing
        entry.forfeits += forfeited
        entry.decisions += _DECISIONS
        entry.used_us += _DECISIONS * _THINK_US // 4
        entry.longest_us = max(entry.longest_us, longest_us)


def bot_names(count: int) -> list[str]:
    """Return the bots of a ladder of this size."""
    return [f"bot-{number:04}" for number in range(count)]


def build(file: Path, size: Size, *, seed: int = 1) -> None:
    """Write the database of an arena with a paused ladder of this size and history, the same for a seed."""
    url = f"sqlite:///{file}"
    store = Store(url)
    store.migrate()
    store.write(lambda tx: _found(tx, size))
    store.close()
    history = _History(size, seed)
    writer = SqliteBackend(url).open_writer()
    for rows in history.batches():
        with writer.begin() as connection:
            rows.write(connection)
    with writer.begin() as connection:
        _finish(connection, history.entries, size)
    writer.dispose()


def _found(tx: Transaction, size: Size) -> None:
    """Create the ladder with its bots, before the first match."""
    game = GAMES[GAME]
    tx.users.ensure(OWNER)
    secret = sha256(b"benchmark").digest()
    tx.ladders.add(
        LadderRow(
            id=LADDER,
            game=GAME,
            rules_version=game.spec.rules_version,
            seat_counts=(SEATS,),
            options={SEATS: dict(game.option_values(game.options(SEATS, {})))},
            time_control=TimeControl(),
            same_owner=True,
            created_us=_BEGAN_US,
        )
    )
    tx.ladders.add_secret(LADDER, SecretRow(DAY, secret, sha256(secret).digest(), None))
    for bot in bot_names(size.bots):
        tx.bots.add(BotRow(bot, OWNER, "", False, _BEGAN_US))
        tx.bots.ensure_version(BotVersionRow(bot, VERSION, VersionOrigin.DECLARED, "python", _BEGAN_US))
        tx.entries.join(LADDER, bot, _BEGAN_US)


def _finish(connection: Connection, entries: Mapping[str, _Entry], size: Size) -> None:
    """Set counters and ratings to those of the history."""
    groups = size.matches // SEATS
    connection.execute(
        update(LADDERS).values(finished_matches=size.matches, groups_created=groups, ledger_seq=groups)
    )
    rows = [
        {
            "of_bot": bot,
            "last_group_number": entry.last_group,
            "rating_milli": entry.rating.rating_milli,
            "information": entry.rating.information,
            "version": entry.rating.version,
            "version_matches": entry.rating.version_matches,
            "matches": entry.matches,
            "placing_sum": entry.placings,
            "forfeits": entry.forfeits,
            "decisions": entry.decisions,
            "used_us": entry.used_us,
            "longest_us": entry.longest_us,
        }
        for bot, entry in entries.items()
    ]
    connection.execute(update(LADDER_ENTRIES).where(LADDER_ENTRIES.c.bot == bindparam("of_bot")), rows)


def _group_row(group: int, bots: tuple[str, ...], now_us: int) -> Mapping[str, Any]:
    return {
        "id": group,
        "ladder": LADDER,
        "day": DAY,
        "number": group,
        "bots": pack(bots),
        "seed_policy": SeedPolicy.DERIVED.value,
        "created_us": now_us,
        "completed_us": now_us + _EVERY_US,
    }


def _match_row(
    terms: Mapping[str, Any], match: int, group: int, slot: int, began_us: int
) -> Mapping[str, Any]:
    name = sha256(b"match %d" % match)
    return {
        **terms,
        "id": match,
        "group_id": group,
        "slot": slot,
        "voids": 0,
        "group_index": slot,
        "attempt": 0,
        "state": MatchState.FINISHED.value,
        "ending": "OVER",
        "plies": SEATS * _DECISIONS,
        "seed_commitment": name.digest(),
        "seed": name.digest(),
        "log": name.hexdigest(),
        "void_reason": "",
        "created_us": began_us,
        "started_us": began_us,
        "ended_us": began_us + _EVERY_US // SEATS,
    }


def _seat_row(
    match: int, seat: int, bot: str, placing: int, longest_us: int, *, forfeited: bool
) -> Mapping[str, Any]:
    termination, fault = (
        (Termination.TIME_FORFEIT, Fault.BOT) if forfeited else (Termination.NORMAL, Fault.NONE)
    )
    return {
        "match_id": match,
        "seat": seat,
        "bot": bot,
        "version": VERSION,
        "placing": placing,
        "score": 60 - 10 * placing,
        "termination": termination.value,
        "fault": fault.value,
        "evidence": pack([]),
        "sentence": "Played to the end.",
        "decisions": _DECISIONS,
        "used_us": _DECISIONS * _THINK_US // 4,
        "longest_us": longest_us,
        "strikes": 0,
    }


def _ledger_row(entry: LedgerEntry, now_us: int) -> Mapping[str, Any]:
    return {
        "ladder": LADDER,
        "seq": entry.seq,
        "kind": entry.kind.value,
        "group_id": entry.group,
        "body": pack_body(entry),
        "created_us": now_us,
    }
