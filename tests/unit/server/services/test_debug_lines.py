"""Debug lines over a real connection: their owner reads them, and nobody else."""

from typing import Any

import pytest

from arena.core.match import DebugLine, LineSource, MatchState, SeedPolicy
from arena.v1 import match_pb2
from tests.unit.runner.fakes import MatchFixture
from tests.unit.server.services.harness import Arena, refusal_of
from tests.unit.store.store_fixture import StoreFixture


@pytest.fixture
def db(arena: Arena) -> StoreFixture:
    """ada's bees meet bob's cat; ada's dog plays elsewhere."""
    db = StoreFixture(arena.store)
    db.populate("bee", "bumblebee", owner="ada")
    db.populate_more("cat", owner="bob")
    db.populate_more("dog", owner="ada")
    return db


def stored(arena: Arena, match: int, *seats: list[tuple[int, str]]) -> None:
    """Store the lines of an ended match, by seat."""
    kept = [[DebugLine(decision, text) for decision, text in lines] for lines in seats]
    arena.debug_lines.write(MatchFixture(match=match).setup, kept)


def asked(arena: Arena, match: int, who: str, **fields: object) -> Any:
    """Return the answer to `who`."""
    return arena.call("ListDebugLines", who, name=f"matches/{match}", **fields)


def lines(arena: Arena, match: int, who: str, **fields: object) -> list[tuple[int, int, str]]:
    """(seat, decision, text) as told to `who`."""
    return [(line.seat, line.decision, line.text) for line in asked(arena, match, who, **fields).lines]


def test_an_owner_reads_the_lines_of_their_bot(arena: Arena, db: StoreFixture) -> None:
    match = db.pair("bee", "cat")[0]
    stored(arena, match, [(0, "hello"), (3, "hm"), (3, "zwei\nZeilen")], [(1, "miaow")])
    assert lines(arena, match, "ada") == [(0, 0, "hello"), (0, 3, "hm"), (0, 3, "zwei\nZeilen")]
    assert lines(arena, match, "bob") == [(1, 1, "miaow")]
    assert lines(arena, match, "bob", bot="bots/cat") == [(1, 1, "miaow")]


@pytest.mark.parametrize("who", ["bob", "organiser"])
def test_row_3_nobody_else_reads_them_not_even_an_organiser(arena: Arena, db: StoreFixture, who: str) -> None:
    match = db.pair("bee", "dog")[0]
    stored(arena, match, [(1, "secret plan")], [])
    not_owner = ("PERMISSION_DENIED", "NOT_OWNER")
    assert refusal_of(lines, arena, match, who).status == not_owner
    assert refusal_of(lines, arena, match, who, bot="bots/bee").status == not_owner


def test_an_organiser_reads_the_lines_of_their_own_bot(arena: Arena, db: StoreFixture) -> None:
    db.populate_more("fox", owner="root")
    match = db.pair("fox", "bee")[0]
    stored(arena, match, [(1, "mine")], [(1, "of another")])
    assert lines(arena, match, "organiser") == [(0, 1, "mine")]


def test_an_owner_reads_the_lines_of_all_their_bots_or_of_one(arena: Arena, db: StoreFixture) -> None:
    match = db.pair("bee", "cat", "bumblebee")[0]
    stored(arena, match, [(1, "a")], [], [(1, "b")])
    assert lines(arena, match, "ada") == [(0, 1, "a"), (2, 1, "b")]
    assert lines(arena, match, "ada", bot="bots/bumblebee") == [(2, 1, "b")]


def test_lines_of_a_match_in_play_are_shown_as_they_come(arena: Arena, db: StoreFixture) -> None:
    match = db.pair("bee", "cat")[0]
    db.start(match)
    arena.runtime.lines = {(match, 0): [DebugLine(1, "so far")], (match, 1): []}
    assert lines(arena, match, "ada") == [(0, 1, "so far")]


def test_printed_lines_have_their_source(arena: Arena, db: StoreFixture) -> None:
    match = db.pair("bee", "dog")[0]
    said = [DebugLine(1, "text", source) for source in LineSource]
    arena.debug_lines.write(MatchFixture(match=match).setup, [said, []])
    told = asked(arena, match, "ada").lines
    names = [match_pb2.DebugLine.Source.Name(line.source) for line in told]
    assert names == ["SOURCE_MESSAGE", "SOURCE_STDOUT", "SOURCE_STDERR", "SOURCE_EXCEPTION"]


def test_lines_of_a_void_match_are_kept(arena: Arena, db: StoreFixture) -> None:
    match = db.pair("bee", "cat")[0]
    db.start(match)
    stored(arena, match, [(2, "then the arena stopped")])
    db.abort(match, None)
    assert arena.store.read(lambda tx: tx.matches.get(match)).state is MatchState.ABORTED
    assert lines(arena, match, "ada") == [(0, 2, "then the arena stopped")]


@pytest.mark.parametrize(
    "damage",
    [b"{", b"[]\n", b"\xff\xfe", b'{"decision": 1}\n', b'{"decision": 1, "text": "", "source": "X"}\n'],
)
def test_damaged_lines_are_a_loss_of_data(arena: Arena, db: StoreFixture, damage: bytes) -> None:
    match = db.pair("bee", "cat")[0]
    stored(arena, match, [(1, "x")])
    arena.debug_lines.path(match, 0).write_bytes(damage)
    assert refusal_of(lines, arena, match, "ada").status == ("DATA_LOSS", "STORAGE")


def test_lines_are_sealed_until_an_isolated_group_has_ended(arena: Arena, db: StoreFixture) -> None:
    """Its owner could submit a version that knows them for the next match of the group."""
    first, second = db.pair("bee", "cat", policy=SeedPolicy.SHARED)
    stored(arena, first, [(3, "the deck")], [])
    db.finish(first, 1, 2)
    sealed = ("FAILED_PRECONDITION", "LOG_SEALED")
    assert refusal_of(lines, arena, first, "ada").status == sealed
    assert refusal_of(lines, arena, first, "organiser").reason == "NOT_OWNER"
    db.finish(second, 1, 2)
    assert lines(arena, first, "ada") == [(0, 3, "the deck")]
