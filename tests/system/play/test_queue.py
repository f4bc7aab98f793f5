"""Who is paired next, and why others are not (docs/matchmaking.md), with bots that come, play and are absent."""

import grpc
import pytest

from arena.v1 import ladder_pb2, play_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot


def queue(arena: ArenaProcess, ladder: str = "main") -> list[ladder_pb2.ListQueueResponse.QueuePlace]:
    """Return the queue as an organiser sees it."""
    return list(arena.ladders.ListQueue(name=f"ladders/{ladder}").places)


def test_the_queue_names_the_next_bots_and_why_others_take_no_match(arena: ArenaProcess) -> None:
    tokens = {bot: arena.bot(bot) for bot in ("ant", "bee", "cow", "dog")}
    for bot in ("cow", "dog"):
        arena.ladder(f"of-{bot}", "ant", bot)
    before = [(place.position, place.bot, place.waiting_for) for place in queue(arena, "of-cow")]
    assert before == [(0, "bots/ant", "it is not connected"), (0, "bots/cow", "it is not connected")]

    bots = {bot: RawBot(arena.unix, token) for bot, token in tokens.items() if bot != "dog"}
    for bot, connection in bots.items():
        connection.hello(capacity=play_pb2.Capacity(matches=0 if bot == "cow" else 1))
    arena.ladder("main", "ant", "bee", matches=1)
    for bot in ("ant", "bee"):
        bots[bot].take_seat()
    for bot in ("ant", "bee"):
        bots[bot].hear("match_started")

    busy = queue(arena)
    assert [(place.bot, place.position, place.open_matches, place.free_matches) for place in busy] == [
        ("bots/ant", 0, 2, 0),
        ("bots/bee", 0, 2, 0),
    ]
    assert all("plays 1 of the 1" in place.waiting_for for place in busy)
    assert {(place.waited_groups, place.wait_bound_groups) for place in busy} == {(0, 4)}
    (cow,) = (place for place in queue(arena, "of-cow") if place.bot == "bots/cow")
    assert "asks for no matches" in cow.waiting_for

    bots["ant"].say(capacity=play_pb2.Capacity(matches=3, open_decisions=3))
    asked = (queue(arena) for _ in range(10_000))
    places = next(places for places in asked if places[0].position)
    assert [(place.bot, place.position, place.free_matches) for place in places] == [
        ("bots/ant", 1, 1),
        ("bots/bee", 0, 0),
    ]


def test_the_queue_of_a_ladder_that_is_not_there_is_refused(arena: ArenaProcess) -> None:
    with pytest.raises(grpc.RpcError, match="no ladder nowhere"):
        queue(arena, "nowhere")
