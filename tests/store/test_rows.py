"""What is read by place ends up under its name: every value of a row is made different, so none stands for another."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from sqlalchemy import Boolean, Integer, LargeBinary, String, Table, Text, select, update

from arena.core.match import MatchState
from arena.store.matches.matches import MatchFilter
from arena.store.schema import LADDER_ENTRIES, LADDERS, MATCH_SEATS, MATCHES
from arena.store.store import Transaction
from tests.store.world import LADDER, World

KEPT = {"id", "group_id", "ladder", "tournament", "bot", "match_id", "seat", "slot", "voids"}
"""Columns that other rows name, or that tell a row from others."""


@pytest.fixture
def match(world: World) -> int:
    """A match of a group of two bots, both matches with a result."""
    world.populate("ant", "bee")
    first, second = world.pair("ant", "bee")
    world.finish(first, 1, 2)
    world.finish(second, 1, 2)
    return first


def made_different(tx: Transaction, table: Table) -> None:
    """Every number and name in each row of the table is another one."""
    plain = {
        column.name: 10_000 + place if isinstance(column.type, Integer) else f"{column.name}"
        for place, column in enumerate(table.c)
        if isinstance(column.type, Integer | String) and not isinstance(column.type, Boolean | Text)
        if column.name not in {*KEPT, "state", "termination", "fault", "seed_policy"}
    }
    raw = {each.name: bytes([place]) * 32 for place, each in enumerate(table.c) if is_raw(each.type)}
    tx._connection.execute(update(table).values({**plain, **raw}))


def is_raw(kind: object) -> bool:
    return isinstance(kind, LargeBinary)


def stored(tx: Transaction, table: Table) -> dict[str, Any]:
    """The columns of the table's first row by name."""
    return dict(tx._connection.execute(select(table).order_by(*table.primary_key)).first()._mapping)  # type: ignore[union-attr]


def same_names(row: Any, columns: dict[str, Any]) -> set[str]:
    """The fields that are called as a column is and hold its value, of numbers, names and bytes."""
    named = {each.name for each in fields(row)} & columns.keys()
    return {name for name in named if getattr(row, name) == columns[name]}


def test_a_match_has_each_value_under_its_name(world: World, match: int) -> None:
    world.store.write(lambda tx: made_different(tx, MATCHES))
    world.store.write(lambda tx: made_different(tx, MATCH_SEATS))
    columns, seat_columns = world.store.read(lambda tx: (stored(tx, MATCHES), stored(tx, MATCH_SEATS)))
    found = world.store.read(
        lambda tx: (
            tx.matches.get(match),
            tx.matches.of_group(columns["group_id"])[0],
            tx.matches.page(MatchFilter(), before=None, limit=9)[-1],
        )
    )
    packed = {"options", "time_control", "state"}
    for row in found:
        assert same_names(row, columns) == {each.name for each in fields(row)} & columns.keys() - packed
        assert (row.group, row.state) == (columns["group_id"], MatchState.FINISHED)
        assert dict(row.terms.options) == {"camels": "6"}
        seat = row.seats[0]
        assert same_names(seat, seat_columns) == {each.name for each in fields(seat)} & seat_columns.keys()


def test_an_entry_of_a_ladder_has_each_value_under_its_name(world: World, match: int) -> None:
    world.store.write(lambda tx: made_different(tx, LADDER_ENTRIES))
    columns = world.store.read(lambda tx: stored(tx, LADDER_ENTRIES))
    found = world.store.read(
        lambda tx: (
            tx.entries.find(LADDER, "ant"),
            tx.entries.of_bots(LADDER, ["ant"])[0],
            tx.entries.standings(LADDER, after=None, limit=1)[0],
            tx.entries.active(LADDER)[0],
        )
    )
    for row in found:
        assert row is not None
        assert (row.bot, row.owner) == ("ant", "ada")
        assert same_names(row, columns) == {each.name for each in fields(row)} & columns.keys()
    assert len(same_names(found[0], columns)) == len(LADDER_ENTRIES.c)


def test_a_ladder_has_each_value_under_its_name(world: World, match: int) -> None:
    world.store.write(lambda tx: made_different(tx, LADDERS))
    columns = world.store.read(lambda tx: stored(tx, LADDERS))
    ladder = world.store.read(lambda tx: tx.ladders.get(LADDER))
    packed = {"seat_counts", "options", "time_control", "state"}
    assert same_names(ladder, columns) == {each.name for each in fields(ladder)} & columns.keys() - packed
    assert (ladder.seat_counts, ladder.same_owner, ladder.seed_policy) == ((2, 3), True, None)


def test_an_open_match_has_each_value_under_its_name(world: World) -> None:
    world.populate("ant", "bee")
    match = world.pair("ant", "bee")[0]
    world.store.write(lambda tx: made_different(tx, MATCHES))
    columns = world.store.read(lambda tx: stored(tx, MATCHES))
    row = world.store.read(lambda tx: tx.open_matches.all())[0]
    assert same_names(row, columns) == {"id", "ladder", "tournament", "game", "rules_version"}
    assert (row.id, row.group, row.state) == (match, columns["group_id"], MatchState.PENDING)
    assert row.bots == ("ant", "bee")
