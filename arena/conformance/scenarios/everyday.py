"""What several scenarios begin with, consist of or end with."""

import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from arena.conformance import requirements
from arena.conformance.bot_connection import BotConnection
from arena.conformance.bot_seat import BotSeat
from arena.conformance.scripted_match import ScriptedMatch
from arena.conformance.scripted_server import ScriptedServer
from arena.conformance.verdict import NotTriedError, Requirement, UnmetError
from arena.v1 import play_pb2

_AT_ONCE: Final = 4
"""More matches at once would test nothing else."""


def seat_in(server: ScriptedServer, connection: BotConnection, assignment: int) -> BotSeat:
    """Return a seat of a new, long match, not announced yet. Place and size depend on the assignment.

    Raises UnmetError: the bot plays no game of this arena.
    """
    game = server.game(connection)
    sizes = range(game.spec.min_seats, game.spec.max_seats + 1)
    size = sizes[(assignment - 1) % len(sizes)]
    place = assignment % size
    match = ScriptedMatch(game, assignment, seats=size, own=(place,), is_short=False)
    return BotSeat(connection, match, seat=place, assignment=assignment)


async def a_seat(
    server: ScriptedServer,
    connection: BotConnection,
    assignment: int = 1,
    requirement: Requirement = requirements.READY,
) -> BotSeat:
    """Give the bot a seat in a match and begin it. Raises UnmetError with the requirement if it is not ready."""
    seat = seat_in(server, connection, assignment)
    await seat.begin(requirement)
    return seat


async def begun(server: ScriptedServer, decisions: int = 2) -> tuple[BotConnection, BotSeat]:
    """Welcome the bot, give it a seat, and play so many decisions. Raises UnmetError."""
    connection = await server.welcomed()
    seat = await a_seat(server, connection)
    await seat.play(decisions)
    return connection, seat


def at_once(connection: BotConnection) -> int:
    """Return how many matches the bot is given at once."""
    return min(_AT_ONCE, connection.matches)


def several_at_once(connection: BotConnection) -> int:
    """Return how many matches the bot is given at once. Raises NotTriedError if it takes only one."""
    if connection.matches < 2:
        raise NotTriedError("Its hello takes one match at a time (capacity.matches).")
    return at_once(connection)


async def seats_at_once(server: ScriptedServer, connection: BotConnection, count: int) -> list[BotSeat]:
    """Give the bot so many seats in one frame and begin their matches. Raises UnmetError."""
    seats = [seat_in(server, connection, assignment) for assignment in range(1, count + 1)]
    await begin_all(connection, seats)
    return seats


async def begin_all(connection: BotConnection, seats: Sequence[BotSeat]) -> None:
    """Assign all seats in one frame and begin their matches. Raises UnmetError."""
    await connection.send(*(seat.assigned() for seat in seats))
    for seat in seats:
        await seat.receive_ready()
    await connection.send(*(seat.started() for seat in seats))


async def play_all(connection: BotConnection, seats: Sequence[BotSeat], rounds: int) -> None:
    """Ask each seat so often, as many in a frame as the bot allows to be open at once. Raises UnmetError."""
    for _ in range(rounds):
        asked = [seat for seat in seats if seat.match.next_seat() == seat.seat]
        for start in range(0, len(asked), connection.open_decisions):
            at_once = asked[start : start + connection.open_decisions]
            await connection.send(*(seat.question() for seat in at_once))
            for seat in at_once:
                await seat.answered(requirements.APART)


async def leave_without_match(
    server: ScriptedServer, connection: BotConnection, requirement: Requirement
) -> None:
    """Send the program SIGTERM while no match is running: a bot that leaves half-closes at once.

    Raises UnmetError with the requirement if it sends `capacity` 0 and does not half-close: it counts a match that is
    over. How else it reacts to SIGTERM is left to the scenario `leave`.
    """
    server.signal(signal.SIGTERM)

    def found() -> bool | None:
        return connection.is_leaving() or server.waiter.code() is not None or None

    with suppress(
        UnmetError
    ):  # It ignores SIGTERM; if it has broken a rule, the next check raises that again.
        await server.waiter.until(found, "leave", requirements.LEAVE)
    if connection.is_leaving() and not connection.gone:
        await connection.receive_half_close(requirement, "half-close its idle connection after SIGTERM")


def answers_ping(number: int) -> Callable[[play_pb2.Pong], bool]:
    """Return whether a pong is the answer to the ping of this id."""
    return lambda pong: pong.id == number
