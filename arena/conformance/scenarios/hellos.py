"""The beginning of a connection, and pings."""

from functools import partial
from typing import Final

from arena.conformance import requirements
from arena.conformance.scenario import Scenario
from arena.conformance.scenarios.everyday import a_seat, answers_ping, seat_in
from arena.conformance.scripted_server import PROTOCOL, ScriptedServer, Transport
from arena.conformance.verdict import Requirement, UnmetError
from arena.v1 import play_pb2

_LABELS: Final = {"bot_version": 64, "language": 32, "software": 64}
"""The longest that each label of a hello may be, in characters."""
_FREE: Final = "software"
"""The label of which any characters may be."""


async def hello(server: ScriptedServer) -> None:
    """Check the bot's hello."""
    connection = await server.first_hello()
    said = connection.hello
    if not said.lowest_protocol <= PROTOCOL <= said.highest_protocol:
        spoken = f"protocol {said.lowest_protocol} to {said.highest_protocol}"
        raise UnmetError(f"Its hello offers {spoken}; this arena speaks {PROTOCOL}.", requirements.PROTOCOL)
    server.game(connection)
    for label, longest in _LABELS.items():
        text: str = getattr(said, label)
        if len(text) > longest:
            raise UnmetError(
                f"hello.{label} is {text!r}, longer than {longest} characters.", requirements.LABELS
            )
        if label != _FREE and (not text.isprintable() or "/" in text):
            raise UnmetError(
                f"hello.{label} is {text!r}, not printable characters without a slash.", requirements.LABELS
            )
    if connection.matches == 0:
        raise UnmetError("Its hello takes 0 matches, so it would never get one.", requirements.CAPACITY)
    await connection.send(server.welcome())


async def starts(server: ScriptedServer) -> None:
    """Wait for the hello."""
    await server.first_hello()


async def metadata(server: ScriptedServer) -> None:
    """Send the initial metadata late: the bot must write nothing before."""
    connection = await server.first_call()
    await connection.never("hello", requirements.METADATA_FIRST, when="before the initial metadata had come")
    await connection.accept()
    await connection.receive_hello()


async def ping(server: ScriptedServer) -> None:
    """Send pings one after the other, then two at once, then in the middle of a match."""
    connection = await server.welcomed()
    for number in (1, 2, 3):
        await connection.receive("pong", requirements.PONG, where=answers_ping(number))
        await connection.send(play_pb2.Ping(id=number + 1))
    await connection.send(play_pb2.Ping(id=4_000_000_000), play_pb2.Ping(id=0))
    for number in (4, 4_000_000_000, 0):
        await connection.receive("pong", requirements.PONG, where=answers_ping(number))
    seat = await a_seat(server, connection)
    await seat.play(1)
    await seat.ask()
    await connection.send(play_pb2.Ping(id=5))
    await seat.answered()
    await connection.receive("pong", requirements.PONG, where=answers_ping(5))


async def slow(server: ScriptedServer) -> None:
    """Send welcome, seat, start and question late: the bot waits for each, and repeats nothing."""
    connection = await server.first_hello()
    await server.waiter.pause()
    await connection.send(server.welcome())
    await server.waiter.pause()
    seat = seat_in(server, connection, 1)
    await connection.send(seat.assigned())
    await seat.receive_ready()
    await connection.never("ready", requirements.READY, when="twice for one seat")
    await connection.send(seat.started())
    await connection.never("ready", requirements.READY, when="twice for one seat")
    await seat.decide()
    await server.waiter.pause()
    await seat.play(1)


async def _short_match(server: ScriptedServer, requirement: Requirement) -> None:
    """Play a few decisions. Raises UnmetError, with the requirement if the bot does not connect."""
    connection = await server.welcomed(requirement)
    seat = await a_seat(server, connection)
    await seat.play(5)
    await seat.end()


STARTS: Final = Scenario("start", "Starts and sends hello.", starts)
"""The first scenario for a hosted program."""

PLAYS: Final = Scenario(
    "unix",
    "Plays over a Unix socket.",
    partial(_short_match, requirement=requirements.ADDRESS),
    Transport.UNIX,
)
"""The scenario that a bot is tried with in each of its games."""

SCENARIOS: Final = (
    Scenario("hello", "Sends a valid hello, with its token in the metadata.", hello, opens=True),
    Scenario(
        "metadata",
        "Writes nothing before the initial metadata.",
        metadata,
        advice=(requirements.METADATA_FIRST,),
    ),
    PLAYS,
    Scenario(
        "tls",
        "Plays over TLS, trusting what ARENA_TLS_CA names.",
        partial(_short_match, requirement=requirements.ENCRYPTED),
        Transport.TLS,
    ),
    Scenario("ping", "Answers each ping with a pong of the same id.", ping),
    Scenario("slow", "Waits for late messages, and repeats nothing.", slow),
)
