"""WatchMatch over a real connection; the match is a real one that the test plays."""

import asyncio
from collections import Counter
from random import Random
from typing import Any

import grpc
import pytest

from arena.codecs.codec import Codec, codec_for
from arena.core.match import MatchState, SeedPolicy
from arena.server.services.watching import AT_ONCE, BURST_S, Pacer
from arena.store.matches.results import MatchReport
from arena.v1 import match_pb2
from engine.game import SPECTATOR
from tests.unit.runner.fakes import MatchFixture
from tests.unit.server.services.harness import Arena, RefusedError
from tests.unit.store.store_fixture import StoreFixture, a_result

Response = match_pb2.WatchMatchResponse


def running(arena: Arena, db: StoreFixture) -> tuple[int, MatchFixture]:
    """Return a match that is being played, and what plays it."""
    match = db.pair("bee", "cat")[0]
    db.start(match)
    fixture = MatchFixture(2).begin()
    arena.runtime.spectator_views[match] = fixture.runner.spectator_view
    return match, fixture


def view_of(response: Response) -> object:
    """Return the position that was shown."""
    return codec_for("caravan").decode_observation(response.view)


def watch_match(arena: Arena, match: int, **fields: Any) -> Any:
    """Begin a call of WatchMatch; return it."""
    return arena.open("WatchMatch", "bob", name=f"matches/{match}", **fields)


async def rest_of(watch: Any) -> list[Response]:
    """Return all further responses, to the end."""
    responses: list[Response] = []
    while (response := await watch.read()) is not grpc.aio.EOF:
        responses.append(response)
    return responses


async def test_a_watcher_sees_every_step_from_the_current_position(arena: Arena, db: StoreFixture) -> None:
    match, fixture = running(arena, db)
    fixture.players[0].answer(5)
    watch = watch_match(arena, match)
    first = await watch.read()
    assert first.match.state == match_pb2.MATCH_STATE_RUNNING
    assert [seat.bot for seat in first.match.seats] == ["bots/bee", "bots/cat"]
    assert (first.cursor, len(first.happened)) == (2, 0)
    assert view_of(first) == fixture.runner.state.observe(SPECTATOR)
    seat = fixture.runner.state.seat_to_act
    fixture.players[seat].answer(7)
    second = await watch.read()
    assert second.cursor == 3
    assert second.happened[0].action.seat == seat
    assert view_of(second) == fixture.runner.state.observe(SPECTATOR)
    assert not second.HasField("match")
    fixture.runner.resigned(0, fixture.timers.now())
    db.finish(match, 2, 1)
    fixture.runner.spectator_view.close()
    arena.runtime.matches_changed.notify()
    rest = await rest_of(watch)
    [forfeit] = [each.forfeited for response in rest for each in response.happened]
    assert forfeit.seat == 0
    assert [response.ended for response in rest] == [False] * (len(rest) - 1) + [True]
    assert [seat.placing for seat in rest[-1].match.seats] == [2, 1]


async def test_a_watcher_resumes_after_the_last_cursor(arena: Arena, db: StoreFixture) -> None:
    match, fixture = running(arena, db)
    for _ in range(6):
        fixture.players[fixture.runner.state.seat_to_act].answer(0)
    whole = watch_match(arena, match, from_start=True)
    seen = [await whole.read() for _ in range(7)]
    assert [response.cursor for response in seen] == [1, 2, 3, 4, 5, 6, 7]
    assert [len(response.happened) for response in seen][1:3] == [2, 2]
    again = watch_match(arena, match, cursor=4)
    rest = [await again.read() for _ in range(3)]
    assert [response.cursor for response in rest] == [5, 6, 7]
    assert rest[0].match.name == f"matches/{match}"
    assert rest[1:] == seen[5:]


async def test_a_watcher_may_wait_for_a_pending_match(arena: Arena, db: StoreFixture) -> None:
    match = db.pair("bee", "cat")[0]
    watch = watch_match(arena, match)
    first = await watch.read()
    assert first.match.state == match_pb2.MATCH_STATE_PENDING
    assert not first.HasField("view")
    fixture = MatchFixture(2)
    fixture.runner.offer()
    arena.runtime.spectator_views[match] = fixture.runner.spectator_view
    arena.runtime.matches_changed.notify()
    db.start(match)
    for player in fixture.players:
        player.match.ready(player.seat)
    begun = await watch.read()
    assert begun.match.state == match_pb2.MATCH_STATE_RUNNING
    assert begun.match.seats[0].bot_version == "bots/bee/versions/1"
    assert view_of(begun) == fixture.runner.state.observe(SPECTATOR)


async def test_watchers_of_a_withdrawn_match_wait_for_the_next_offer(arena: Arena, db: StoreFixture) -> None:
    match = db.pair("bee", "cat")[0]
    missed = MatchFixture(2)
    missed.runner.offer()
    arena.runtime.spectator_views[match] = missed.runner.spectator_view
    watch = watch_match(arena, match)
    await watch.read()
    del arena.runtime.spectator_views[match]
    missed.timers.move(10_000)
    arena.runtime.matches_changed.notify()
    fixture = MatchFixture(2).begin()
    db.start(match)
    arena.runtime.spectator_views[match] = fixture.runner.spectator_view
    arena.runtime.matches_changed.notify()
    assert (await watch.read()).cursor == 1


@pytest.mark.parametrize("seed", [None, bytes(32)])
def test_an_ended_match_without_a_log_shows_its_end(
    arena: Arena, db: StoreFixture, seed: bytes | None
) -> None:
    """Without a seed it is as a crash of the arena leaves it."""
    match = db.pair("bee", "cat")[0]
    db.start(match)
    db.report(MatchReport(match, a_result(0, 0, state=MatchState.ABORTED), seed, ""))
    [only] = arena.call("WatchMatch", "bob", name=f"matches/{match}")
    assert only.ended
    assert only.match.state == match_pb2.MATCH_STATE_ABORTED


async def test_an_organiser_watches_a_sealed_match_that_only_hosted_bots_play(
    arena: Arena, db: StoreFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = db.pair("bee", "cat", policy=SeedPolicy.SHARED)[0]
    db.start(match)
    arena.runtime.spectator_views[match] = MatchFixture(2).begin().runner.spectator_view
    shown = await arena.open("WatchMatch", "organiser", name=f"matches/{match}").read()
    assert shown.match.state == match_pb2.MATCH_STATE_RUNNING

    monkeypatch.setattr("arena.server.services.watching.is_isolated", lambda _game, _policy: False)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await arena.open("WatchMatch", "organiser", name=f"matches/{match}").read()
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION


def test_a_match_on_a_shared_seed_is_sealed_until_its_group_has_ended(arena: Arena, db: StoreFixture) -> None:
    first, second = db.pair("bee", "cat", policy=SeedPolicy.SHARED)
    arena.runtime.spectator_views[first] = MatchFixture(2).begin().runner.spectator_view

    def reason() -> str:
        return arena.refusal("WatchMatch", "bob", name=f"matches/{first}").reason

    assert reason() == "WATCH_SEALED"
    db.finish(first, 1, 2)
    assert reason() == "WATCH_SEALED"
    db.finish(second, 1, 2)
    assert reason() == "LOG_MISSING"  # open now; this db keeps no logs


@pytest.mark.parametrize("cursor", [9, 2**32 - 1])
def test_a_cursor_beyond_the_match_is_refused(arena: Arena, db: StoreFixture, cursor: int) -> None:
    async def scenario() -> str:
        match, _ = running(arena, db)
        try:
            await rest_of(watch_match(arena, match, cursor=cursor))
        except grpc.aio.AioRpcError as error:
            return RefusedError(error).reason
        return ""

    assert arena.await_(scenario()) == "FIELD_INVALID"


async def test_watchers_share_one_encoded_frame(
    arena: Arena, db: StoreFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    codec = codec_for("caravan")
    encoded: list[object] = []
    encode = type(codec).encode_observation

    def counted(self: Codec, view: object) -> bytes:
        encoded.append(view)
        return encode(self, view)

    monkeypatch.setattr(type(codec), "encode_observation", counted)
    match, fixture = running(arena, db)
    watches = [watch_match(arena, match, from_start=True) for _ in range(20)]
    for watch in watches:
        await watch.read()
    fixture.players[0].answer(3)
    responses = [await watch.read() for watch in watches]
    assert all(response == responses[0] for response in responses)
    assert len(encoded) == 2


async def test_the_loop_gets_turns_while_a_watcher_catches_up_with_a_long_match(
    arena: Arena, db: StoreFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    codec, turns, encoded = codec_for("caravan"), 0, Counter[int]()
    encode = type(codec).encode_observation

    def counted(self: Codec, view: object) -> bytes:
        encoded[turns] += 1
        return encode(self, view)

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    match, fixture = running(arena, db)
    choices = Random(1)
    for _ in range(5 * AT_ONCE):
        player = fixture.players[fixture.runner.state.seat_to_act]
        player.answer(choices.randrange(len(player.questions[-1].legal_actions)))
    monkeypatch.setattr(type(codec), "encode_observation", counted)
    counting = asyncio.create_task(count_turns())
    first = await watch_match(arena, match).read()
    counting.cancel()
    assert (first.cursor, encoded.total()) == (1 + 5 * AT_ONCE, 1 + 5 * AT_ONCE)
    assert max(encoded.values()) <= AT_ONCE


def test_a_few_turns_now_and_then_never_wait() -> None:
    pace, few = Pacer(1_000), int(1_000 * BURST_S) - 1
    for second in range(1, 100):
        assert [pace.wait_s(second) for _ in range(few)] == [0.0] * few


def test_more_turns_than_the_burst_come_at_the_steady_rate() -> None:
    pace = Pacer(1_000)
    waits = [pace.wait_s(10.0) for _ in range(2_050)]
    assert waits == sorted(waits)
    assert waits[-1] == pytest.approx(2.0)
    assert sum(wait <= 1.0 for wait in waits) == pytest.approx(1_050, abs=1)


def test_unused_turns_are_not_saved_beyond_the_burst() -> None:
    pace = Pacer(100)
    pace.wait_s(0.0)
    assert sum(pace.wait_s(1_000.0) == 0.0 for _ in range(100)) == pytest.approx(100 * BURST_S, abs=1)
