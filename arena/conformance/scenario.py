"""What a scenario is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from arena.conformance.scripted_server import ScriptedServer, Transport
from arena.conformance.verdict import Requirement


@dataclass(frozen=True, slots=True)
class Scenario:
    """One test of a bot, each with a new process of it."""

    name: str
    """Short and plain; for `--only`."""
    idea: str
    """What is tried, in one sentence."""
    play: Callable[[ScriptedServer], Awaitable[None]]
    """The script. Raises UnmetError if the bot fails, and NotTriedError if the scenario cannot be tried."""
    transport: Transport = Transport.TCP
    opens: bool = False
    """Whether the other scenarios cannot be tried with a bot that fails this one."""
    advice: tuple[Requirement, ...] = ()
    """What the page only recommends: who does not meet one of these gets advice, and does not fail."""
