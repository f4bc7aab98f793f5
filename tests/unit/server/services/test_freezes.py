"""Freezing the standings of a ladder, and revealing them rank by rank, over a real connection."""

import asyncio
from collections.abc import Iterable
from typing import Any

import grpc
import pytest

from arena.server.services import freezes
from arena.store.audit.entries import AuditKind
from arena.store.webhooks.outbox import NotificationType
from arena.v1 import ladder_pb2
from tests.unit.runner.fakes import MatchFixture
from tests.unit.server.services.harness import FIELD_INVALID, PAGE_TOKEN_INVALID, Arena, RefusedError
from tests.unit.server.services.test_export_service import export
from tests.unit.store.store_fixture import LADDER, StoreFixture
from tests.unit.store.webhook_rows import a_webhook, notifications

NAME = f"ladders/{LADDER}"
FROZEN = ("FAILED_PRECONDITION", "STANDINGS_FROZEN")
STATE = ("FAILED_PRECONDITION", "LADDER_STATE")
NOW = {"seconds": 1}
HOUR_US = 3_600_000_000


@pytest.fixture(autouse=True)
def _bots(db: StoreFixture) -> None:
    """Make bee first, cat second, and dog third of the ladder; eel has not played."""
    db.populate_more("dog", "eel", owner="bob")
    play(db, "bee", "cat", "dog")


def play(db: StoreFixture, *bots: str) -> tuple[int, ...]:
    """Play a group in which the bots always come in at this order; return its matches."""
    matches = db.pair(*bots)
    for match in matches:
        db.finish(match, *(1 + bots.index(seat.bot) for seat in db.match(match).seats))
    return matches


def freeze(arena: Arena, freeze_time: Any = NOW) -> ladder_pb2.Ladder:
    fields = {} if freeze_time is None else {"freeze_time": freeze_time}
    ladder: ladder_pb2.Ladder = arena.call("SetLadderFreeze", "organiser", name=NAME, **fields).ladder
    return ladder


def reveal(arena: Arena, **fields: Any) -> ladder_pb2.RevealLadderRanksResponse:
    response: ladder_pb2.RevealLadderRanksResponse = arena.call(
        "RevealLadderRanks", "organiser", name=NAME, **fields
    )
    return response


def shown(lines: Iterable[ladder_pb2.Standing]) -> list[tuple[str, int, bool]]:
    """Return bot, rank, and whether the line is of the freeze."""
    return [(line.bot.removeprefix("bots/"), line.rank, line.frozen) for line in lines]


def standings(arena: Arena, who: str, **fields: Any) -> ladder_pb2.ListStandingsResponse:
    response: ladder_pb2.ListStandingsResponse = arena.call("ListStandings", who, name=NAME, **fields)
    return response


AT_FREEZE = [("bee", 1, True), ("cat", 2, True), ("dog", 3, True), ("eel", 0, True)]


def test_others_see_the_standings_of_the_freeze_and_organisers_those_of_now(
    arena: Arena, db: StoreFixture
) -> None:
    before = standings(arena, "bob").standings
    assert freeze(arena).frozen
    play(db, "dog", "cat", "bee")
    play(db, "dog", "bee", "cat")
    after = standings(arena, "bob").standings
    assert shown(after) == AT_FREEZE
    for line in after:
        line.frozen = False
    assert after == before
    assert shown(standings(arena, "organiser").standings)[0] == ("dog", 1, False)


def test_frozen_standings_have_pages(arena: Arena) -> None:
    first = standings(arena, "bob", page_size=3)
    freeze(arena)
    request = {"page_size": 3, "page_token": first.next_page_token}
    assert arena.refusal("ListStandings", "bob", name=NAME, **request).status == PAGE_TOKEN_INVALID
    first = standings(arena, "bob", page_size=3)
    second = standings(arena, "bob", page_size=3, page_token=first.next_page_token)
    assert shown([*first.standings, *second.standings]) == AT_FREEZE
    assert not second.next_page_token


def test_a_bot_that_was_hidden_since_is_left_out(arena: Arena) -> None:
    freeze(arena)
    arena.change(lambda tx: tx.bots.set_hidden("cat", True))
    assert shown(standings(arena, "bob").standings) == [AT_FREEZE[0], *AT_FREEZE[2:]]
    [line] = arena.call("ListBotStandings", "bob", bot="bots/cat").standings
    assert line.standing.rank == 0


def test_a_bot_that_joined_since_has_a_line_without_a_rank(arena: Arena, db: StoreFixture) -> None:
    freeze(arena)
    db.populate_more("fox")
    [line] = arena.call("ListBotStandings", "bob", bot="bots/fox").standings
    assert (line.standing.bot, line.standing.rank, line.standing.frozen) == ("bots/fox", 0, True)
    assert line.standing.rating_milli == 1_500_000
    assert (line.entries, line.ranked) == (5, 3)


async def test_standings_freeze_when_their_time_has_come(arena: Arena) -> None:
    at_us = arena.now_us + HOUR_US
    await asyncio.to_thread(arena.change, lambda tx: tx.ladders.set_freeze(LADDER, at_us))
    assert await arena.platform.freezes.look() == at_us
    assert not arena.platform.freezes.includes(LADDER)
    arena.now_us = at_us
    assert await arena.platform.freezes.look() is None
    assert arena.platform.freezes.includes(LADDER)
    row = arena.store.read(lambda tx: tx.ladders.get(LADDER))
    assert (row.frozen, row.freeze_us) == (True, at_us)
    entry = arena.audited()[0]
    assert (entry.kind, entry.about, entry.actor) == (AuditKind.EVENT, (NAME,), None)


async def test_a_time_that_is_set_while_the_arena_runs_is_kept(arena: Arena) -> None:
    """The task waits for the next freeze that it knows, and is woken by one that is set."""
    running = asyncio.create_task(arena.platform.freezes.run())
    await asyncio.to_thread(arena.change, lambda tx: tx.ladders.set_freeze(LADDER, arena.now_us))
    await arena.platform.freezes.changed()
    while not await arena.database.read(lambda tx: tx.ladders.frozen()):
        pass
    running.cancel()


def test_a_time_can_be_set_moved_and_removed_until_it_comes(arena: Arena) -> None:
    for seconds in (4_000_000_000, 4_100_000_000):
        ladder = freeze(arena, {"seconds": seconds})
        assert (ladder.freeze_time.seconds, ladder.frozen) == (seconds, False)
    assert not freeze(arena, None).HasField("freeze_time")
    freeze(arena)
    for time in (None, NOW):
        fields = {} if time is None else {"freeze_time": time}
        assert arena.refusal("SetLadderFreeze", "organiser", name=NAME, **fields).status == STATE


def test_ranks_are_revealed_from_the_last_to_the_first(arena: Arena, db: StoreFixture) -> None:
    freeze(arena)
    play(db, "dog", "cat", "bee")
    play(db, "dog", "bee", "cat")
    db.populate_more("fox")
    final = standings(arena, "organiser").standings
    assert shown(final) == [
        (bot, rank, False)
        for bot, rank in zip(("dog", "bee", "cat", "eel", "fox"), (1, 2, 3, 0, 0), strict=True)
    ]
    first = reveal(arena)
    assert (shown(first.standings), first.hidden_ranks) == (
        [("cat", 3, False), ("eel", 0, False), ("fox", 0, False)],
        2,
    )
    assert first.ladder.revealing
    assert shown(standings(arena, "bob").standings) == [
        ("bee", 1, True),
        ("dog", 3, True),
        ("cat", 3, False),
        ("eel", 0, False),
        ("fox", 0, False),
    ]
    second = reveal(arena)
    assert (shown(second.standings), second.hidden_ranks) == ([("bee", 2, False)], 1)
    assert [line[0] for line in shown(standings(arena, "bob").standings)] == [
        "dog",
        "bee",
        "cat",
        "eel",
        "fox",
    ]
    assert arena.refusal("GetMatch", "bob", name="matches/4").status == FROZEN
    last = reveal(arena)
    assert (shown(last.standings), last.hidden_ranks) == ([("dog", 1, False)], 0)
    assert (last.ladder.frozen, last.ladder.revealing, last.ladder.HasField("freeze_time")) == (
        False,
        False,
        False,
    )
    assert standings(arena, "bob").standings == final


def test_bots_that_share_a_rank_are_revealed_together(arena: Arena, db: StoreFixture) -> None:
    freeze(arena)
    rating = db.entries()["dog"].rating
    arena.change(lambda tx: tx.entries.set_rating(LADDER, "cat", rating))
    assert shown(reveal(arena).standings)[:2] == [("cat", 2, False), ("dog", 2, False)]


def test_the_final_ranks_are_fixed_with_the_first_reveal(arena: Arena) -> None:
    freeze(arena)
    revealed = [shown(reveal(arena).standings)[0]]
    arena.call("SetBotHidden", "ada", name="bots/cat", hidden=True)
    anchor = {"name": NAME, "bot": "bots/bee", "rating_milli": 900_000}
    arena.call("SetLadderAnchor", "organiser", **anchor)
    revealed += shown(reveal(arena).standings)
    arena.call("SetBotHidden", "ada", name="bots/cat", hidden=False)
    assert shown(standings(arena, "bob").standings)[1] == ("cat", 2, False)
    revealed += shown(reveal(arena).standings)
    assert revealed == [("dog", 3, False), ("cat", 2, False), ("bee", 1, False)]


def test_a_bot_that_joined_since_is_hidden_until_its_rank_is_revealed(arena: Arena, db: StoreFixture) -> None:
    freeze(arena)
    db.populate_more("fox")
    for _ in range(3):
        play(db, "fox", "dog")
    assert shown(standings(arena, "bob").standings) == AT_FREEZE
    assert shown(reveal(arena).standings) == [("dog", 4, False), ("eel", 0, False)]
    hidden = [line for line in shown(standings(arena, "bob").standings) if line[2]]
    assert hidden == [("bee", 1, True), ("cat", 2, True), ("fox", 0, True)]
    [line] = arena.call("ListBotStandings", "bob", bot="bots/fox").standings
    assert (line.standing.rating_milli, line.standing.matches) == (1_500_000, 0)
    assert reveal(arena, ranks=2).hidden_ranks == 1


def test_several_ranks_are_revealed_at_once(arena: Arena) -> None:
    freeze(arena)
    assert reveal(arena, ranks=2).hidden_ranks == 1
    assert reveal(arena, ranks=1000).hidden_ranks == 0
    assert arena.refusal("RevealLadderRanks", "organiser", name=NAME).status == STATE


@pytest.mark.parametrize("fields", [{"ranks": 1001}, {"ranks": 2, "all": True}])
def test_other_numbers_of_ranks_are_refused(arena: Arena, fields: dict[str, Any]) -> None:
    freeze(arena)
    assert arena.refusal("RevealLadderRanks", "organiser", name=NAME, **fields).status == FIELD_INVALID


def test_ranks_are_revealed_one_by_one_only_when_nothing_is_played(arena: Arena, db: StoreFixture) -> None:
    freeze(arena)
    first, second = db.pair("bee", "cat")
    assert arena.refusal("RevealLadderRanks", "organiser", name=NAME).status == STATE
    db.finish(first, 1, 2)
    db.start(second)
    assert arena.refusal("RevealLadderRanks", "organiser", name=NAME).status == STATE
    db.finish(second, 1, 2)
    arena.call("RunLadder", "organiser", name=NAME)
    assert arena.refusal("RevealLadderRanks", "organiser", name=NAME).status == STATE
    arena.call("PauseLadder", "organiser", name=NAME)
    reveal(arena)
    assert arena.refusal("RunLadder", "organiser", name=NAME).status == STATE
    reveal(arena, all=True)
    arena.call("RunLadder", "organiser", name=NAME)


def test_all_is_revealed_at_once_while_matches_are_played(arena: Arena, db: StoreFixture) -> None:
    freeze(arena)
    db.start(db.pair("bee", "cat")[0])
    answer = reveal(arena, all=True)
    assert (answer.ladder.frozen, answer.hidden_ranks, len(answer.standings)) == (False, 0, 0)
    arena.call("GetMatch", "bob", name="matches/4")


def test_what_was_frozen_comes_in_exports_after_the_reveal(arena: Arena, db: StoreFixture) -> None:
    freeze(arena)
    hidden = play(db, "dog", "cat")
    seen = export(arena)
    assert seen.names == ["matches/1", "matches/2", "matches/3"]
    assert len(seen.entries) == 1
    assert len(export(arena, "organiser").names) == 5
    reveal(arena, all=True)
    later = export(arena, cursor=seen.cursors[-1])
    assert later.names == [f"matches/{match}" for match in hidden]
    assert len(later.entries) == 1
    assert export(arena, cursor=later.cursors[-1]).names == []
    assert sorted(export(arena).names) == sorted([*seen.names, *later.names])


def test_a_match_from_before_that_is_voided_shows_that_and_its_ledger_entry_does_not(
    arena: Arena, db: StoreFixture
) -> None:
    freeze(arena)
    db.void(1)
    seen = export(arena)
    assert seen.names == ["matches/2", "matches/3", "matches/1"]
    assert len(seen.entries) == 1
    assert len(arena.call("GetRatingHistory", "bob", name=NAME, bot="bots/bee").points) == 1
    assert len(arena.call("GetRatingHistory", "organiser", name=NAME, bot="bots/bee").points) == 2
    reveal(arena, all=True)
    assert len(export(arena, cursor=seen.cursors[-1]).entries) == 1


async def test_a_watched_match_ends_for_others_when_the_standings_freeze(
    arena: Arena, db: StoreFixture
) -> None:
    match = (await asyncio.to_thread(db.pair, "bee", "cat"))[0]
    db.start(match)
    fixture = MatchFixture(2).begin()
    arena.runtime.spectator_views[match] = fixture.runner.spectator_view
    watches = {who: arena.open("WatchMatch", who, name=f"matches/{match}") for who in ("bob", "organiser")}
    for watch in watches.values():
        await watch.read()
    arena.change(
        lambda tx: freezes.freeze(tx, tx.ladders.get(LADDER), arena.platform.catalogue, arena.now_us)
    )
    await arena.platform.freezes.changed()
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await watches["bob"].read()
    assert RefusedError(refused.value).status == FROZEN
    fixture.players[fixture.runner.state.seat_to_act].answer(0)
    assert (await watches["organiser"].read()).cursor == 2
    watches["organiser"].cancel()


def test_no_webhook_gets_the_result_of_a_frozen_match(arena: Arena, db: StoreFixture) -> None:
    ended = NotificationType.MATCH_ENDED
    arena.change(
        lambda tx: tx.webhooks.add(
            a_webhook(ended, NotificationType.MATCH_LEFT_TO_ORGANISER, name="all", ladder=None)
        )
    )
    freeze(arena)
    first, second = db.pair("bee", "cat")
    db.finish(first, 1, 2)
    db.abort(second, None)
    types = [each.type for each in arena.store.read(lambda tx: notifications(tx, "all"))]
    assert types == [NotificationType.MATCH_LEFT_TO_ORGANISER]


def test_no_season_is_closed_while_standings_are_frozen(arena: Arena) -> None:
    freeze(arena)
    assert arena.refusal("CloseSeason", "organiser", ladder=NAME).status == FROZEN


def test_a_ladder_without_matches_can_be_deleted_while_frozen(arena: Arena) -> None:
    arena.call("CreateLadder", "organiser", ladder_id="short", game="caravan")
    arena.change(lambda tx: tx.entries.join("short", "bee", 1_000))
    arena.call("SetLadderFreeze", "organiser", name="ladders/short", freeze_time=NOW)
    arena.call("DeleteLadder", "organiser", name="ladders/short")


def test_what_is_done_is_in_the_audit_trail(arena: Arena) -> None:
    freeze(arena)
    reveal(arena)
    reveal(arena, ranks=1000)
    entries = arena.audited()[:3]
    assert [entry.about for entry in entries] == [(NAME,)] * 3
    assert len({entry.sentence for entry in entries}) == 3


def test_other_ladders_stay_open(arena: Arena) -> None:
    arena.call("CreateLadder", "organiser", ladder_id="other", game="caravan")
    arena.call("SetLadderFreeze", "organiser", name="ladders/other", freeze_time=NOW)
    assert [line.frozen for line in standings(arena, "bob").standings] == [False] * 4
    assert len(arena.call("ListMatches", "bob").matches) == 3


def test_a_freeze_takes_all_lines_of_a_large_ladder(
    arena: Arena, db: StoreFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.services.standings._TOGETHER", 2)
    freeze(arena)
    assert shown(standings(arena, "bob").standings) == AT_FREEZE
