"""What a scenario is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum

from arena.conformance.scripted_server import ScriptedServer


class Transport(Enum):
    """How the bot reaches the arena."""

    TCP = "tcp"
    TLS = "tls"
    UNIX = "unix"


@dataclass(frozen=True, slots=True)
class Scenario:
    """One thing that is tried with a fresh process of the bot."""

    name: str
    """Short and plain; for `--only`."""
    idea: str
    """What is tried, in one sentence."""
    play: Callable[[ScriptedServer], Awaitable[None]]
    """The script. It raises UnmetError if the bot does not do its part, and NotTriedError if it cannot be tried."""
    way: Transport = Transport.TCP
    opens: bool = False
    """Whether nothing else can be tried with a bot that fails it."""
    is_advice: bool = False
    """Whether the page only recommends what is tried."""
