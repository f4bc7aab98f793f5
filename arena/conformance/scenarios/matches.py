"""Matches, one and several."""

from typing import Final

from arena.conformance import requirements
from arena.conformance.bot_seat import BotSeat
from arena.conformance.scenario import Scenario
from arena.conformance.scenarios.everyday import (
    a_seat,
    answers_ping,
    at_once,
    begin_all,
    begun,
    leave_without_match,
    play_all,
    seat_in,
    seats_at_once,
    several_at_once,
)
from arena.conformance.scripted_match import ScriptedMatch
from arena.conformance.scripted_server import ScriptedServer
from arena.v1 import play_pb2

_MOST_DECISIONS: Final = 60
"""A match that is not over after so many decisions of the bot is ended by the kit."""


async def seats(server: ScriptedServer) -> None:
    """Play one match after the other: each number of seats, the bot on each seat."""
    connection = await server.welcomed()
    game = server.game(connection)
    assignment = 0
    for size in range(game.spec.min_seats, game.spec.max_seats + 1):
        for place in range(size):
            assignment += 1
            match = ScriptedMatch(game, assignment, seats=size, own=(place,))
            seat = BotSeat(connection, match, seat=place, assignment=assignment)
            await seat.begin()
            await seat.play(_MOST_DECISIONS)
            await seat.end()


async def several(server: ScriptedServer) -> None:
    """Play matches of several sizes at once, each at another decision."""
    connection = await server.welcomed()
    held = await seats_at_once(server, connection, several_at_once(connection))
    for ahead, seat in enumerate(held):
        await seat.play(ahead, requirements.APART)
    await play_all(connection, held, 8)
    await held[0].end()
    await play_all(connection, held[1:], 3)


async def both(server: ScriptedServer) -> None:
    """Give the bot two seats of one match, as two assignments."""
    connection = await server.welcomed()
    several_at_once(connection)
    game = server.game(connection)
    size = max(2, game.spec.min_seats)
    match = ScriptedMatch(game, 1, seats=size, own=(0, 1), is_short=False)
    held = [BotSeat(connection, match, seat=place, assignment=7 + place) for place in (0, 1)]
    await begin_all(connection, held)
    for _ in range(20):
        place = match.next_seat()
        if place is None:
            break
        await held[place].decide(requirements.TWO_SEATS)
    await connection.send(*(seat.ended() for seat in held))


async def frames(server: ScriptedServer) -> None:
    """Send frames of several messages: the welcome with a seat, the end of a match with the next one."""
    connection = await server.first_hello()
    seat = seat_in(server, connection, 1)
    await connection.send(server.welcome(), play_pb2.Ping(id=1), seat.assigned(), play_pb2.Ping(id=2))
    for assignment in (2, 3):
        await seat.receive_ready(requirements.IN_ORDER)
        begun = seat.started()
        await connection.send(begun, play_pb2.Ping(id=10 * assignment), seat.question())
        await seat.answered(requirements.IN_ORDER)
        await seat.play(2)
        following = seat_in(server, connection, assignment)
        await connection.send(play_pb2.Ping(id=10 * assignment + 1), seat.ended(), following.assigned())
        seat = following
    await seat.receive_ready(requirements.IN_ORDER)
    for number in (1, 2, 20, 21, 30, 31):
        await connection.receive(
            "pong", requirements.IN_ORDER, what=f"the pong to ping {number}", where=answers_ping(number)
        )


async def load(server: ScriptedServer) -> None:
    """Ask many decisions of up to four matches, as many at once as the bot takes."""
    connection = await server.welcomed()
    held = await seats_at_once(server, connection, at_once(connection))
    await play_all(connection, held, 40)


async def withdrawn(server: ScriptedServer) -> None:
    """Withdraw two matches: one since another seat is not ready, one since the bot is said not to be."""
    connection = await server.welcomed()
    first, second = seat_in(server, connection, 1), seat_in(server, connection, 2)
    await connection.send(first.assigned())
    await first.receive_ready()
    await connection.send(first.withdrawn("Another seat was not ready: this is a test."))
    late = play_pb2.Warning(
        code=play_pb2.Warning.CODE_NO_SHOW,
        assignment=2,
        sentence="You were not ready in time: this is a test.",
    )
    await connection.send(second.assigned(), second.withdrawn("A seat was not ready: this is a test."), late)
    third = await a_seat(server, connection, 3, requirements.WITHDRAWN)
    await third.play(2)
    await third.end()
    await leave_without_match(server, connection, requirements.WITHDRAWN)


async def forfeit(server: ScriptedServer) -> None:
    """Forfeit a seat in the middle of its match; begin another match before the first has ended."""
    connection, seat = await begun(server)
    question = seat.question()
    missed = seat.closed(play_pb2.DecisionClosed.CAUSE_TIME_FORFEIT, "The answer was late: this is a test.")
    await connection.send(question, missed, seat.forfeited("The seat has forfeited: this is a test."))
    following = await a_seat(server, connection, 2, requirements.SEAT_ENDED)
    await following.play(2)
    await seat.end()
    await following.play(2)


SCENARIOS: Final = (
    Scenario("seats", "Plays matches of each size to their end, from every seat.", seats),
    Scenario("several", "Plays up to four matches at once and keeps them apart.", several),
    Scenario("both", "Plays two seats of one match.", both),
    Scenario("frames", "Handles all messages of a frame, of several matches too.", frames),
    Scenario("load", "Answers many decisions, one at a time or as many as it takes.", load),
    Scenario("withdrawn", "Takes the next match when one does not begin.", withdrawn),
    Scenario("forfeit", "Takes the next match when it has forfeited one.", forfeit),
)
