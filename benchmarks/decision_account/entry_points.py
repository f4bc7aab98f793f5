"""Where the loop's thread does what: the calls and callbacks that are measured, in sets that take turns."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final

from benchmarks.decision_account.probes import ProbedAwaitable, ProbedLoop, Section, SectionClock, probed
from engine.registry import GAMES

# Sections of the callbacks, each with all that is called in it.
LOOP: Final = "loop"
GRPC_EVENTS: Final = "gRPC events"
HANDLING: Final = "handling"
READING: Final = "reading"
WRITING: Final = "writing"
SCHEDULING: Final = "scheduling"
HEARTBEAT: Final = "heartbeat"
ALARMS: Final = "alarms"
OTHER: Final = "other"

# Sections within them.
GRPC_READ: Final = "gRPC read"
GRPC_WRITE: Final = "gRPC write"
WORDS: Final = "words"
VIEW_WORDS: Final = "view in words"
REFEREE: Final = "referee"
RECORD: Final = "record"
QUESTION: Final = "question"
NEWS: Final = "news"
ENGINE_PLY: Final = "engine: ply"
ENGINE_QUESTION: Final = "engine: question"

SETS: Final = ("callbacks", "gRPC", "words", "handling", "engine")
"""Sets of probes. One at a time is in place, so that probes hardly disturb what they measure."""

CALLS: Final = (
    ("words", "arena.server.play.connection", "Connection._gather", WORDS),
    ("words", "arena.server.play.connection", "frame", WORDS),
    ("words", "arena.codecs.codec", "Codec.encode_observation", VIEW_WORDS),
    ("handling", "arena.core.referee.referee", "Referee.answered", REFEREE),
    ("handling", "arena.core.referee.referee", "Referee.released", REFEREE),
    ("handling", "arena.server.metered_log", "MeteredLogBuilder.ply", RECORD),
    ("handling", "arena.runner.history", "History.played", RECORD),
    ("handling", "arena.runner.history", "History.seen_by", RECORD),
    ("handling", "arena.runner.match_runner", "MatchRunner._ask", QUESTION),
    ("handling", "arena.runner.match_runner", "MatchRunner._send_news", NEWS),
    ("handling", "arena.runner.spectator_view", "SpectatorView.notify", NEWS),
)
"""Set, module, name and section. Calls within a compiled module cannot be replaced."""

POSITION_CALLS: Final = {
    "is_legal": ENGINE_PLY,
    "apply": ENGINE_PLY,
    "take_events": ENGINE_PLY,
    "outcome": ENGINE_PLY,
    "action_seen_by": ENGINE_PLY,
    "legal_actions": ENGINE_QUESTION,
    "observe": ENGINE_QUESTION,
}
"""Methods of a position, in the set "engine": the referee calls the former, the match runner the latter."""

CALLBACKS: Final = {
    "FrameQueue._handle_some": HANDLING,
    "PlayService._read": READING,
    "_write": WRITING,
    "beat_while": HEARTBEAT,
    "_set_result_unless_cancelled": HEARTBEAT,  # a task that has slept: the heartbeat does so 200 times a second
    "_Alarm._ring": ALARMS,
    "_Alarm._hop": ALARMS,
    "_chain_future.<locals>._call_set_state": SCHEDULING,
    "_chain_future.<locals>._set_state": SCHEDULING,
}
"""Functions and coroutines that the loop calls, by their qualified name."""

_SCHEDULING_FOLDERS: Final = ("/arena/scheduling/", "/arena/store/", "/arena/hosting/")
_GRPC_READER: Final = "_handle_events"


class CallbackSections:
    """Finds the section of each callback: of a task by the name of its coroutine, or by the file."""

    def __init__(self, clock: SectionClock) -> None:
        self._clock = clock
        self._found: dict[str, Section] = {}

    def __call__(self, callback: Callable[..., object]) -> Section:
        """Return the section of a callback of the loop."""
        owner = getattr(callback, "__self__", None)
        what: Any = owner.get_coro() if isinstance(owner, asyncio.Task) else callback
        try:
            name = what.__qualname__
        except AttributeError:
            name = repr(what)
        section = self._found.get(name)
        if section is None:
            section = self._found[name] = self._clock.section(_section_name(name, what))
        return section


def _section_name(name: str, what: Any) -> str:
    if name in CALLBACKS:
        return CALLBACKS[name]
    if _GRPC_READER in name:
        return GRPC_EVENTS
    file = getattr(getattr(what, "cr_code", None), "co_filename", "")
    if any(folder in file for folder in _SCHEDULING_FOLDERS):
        return SCHEDULING
    return f"{OTHER}: {name}"


class Probes:
    """All probes of one process."""

    def __init__(self, clock: SectionClock) -> None:
        """Find everything that is measured; no probe is in place yet. Raises AttributeError: something is not there."""
        self._clock = clock
        self._replaced: dict[str, list[tuple[Any, str, Any, Any]]] = {name: [] for name in SETS}
        self.compiled: list[str] = []
        """What cannot be measured, because calls of it cannot be replaced."""
        for name, module, function, section in (*CALLS, *_position_calls()):
            self._find(name, module, function, section)
        self._transports_on = False
        self._wrap_transports()

    def place(self, wanted: str) -> None:
        """Put the probes of a set in place, and take all others out; "" is no set."""
        ProbedLoop.switch(on=wanted == "callbacks")
        self._transports_on = wanted == "gRPC"
        for name, replaced in self._replaced.items():
            for owner, attribute, original, with_probe in replaced:
                setattr(owner, attribute, with_probe if name == wanted else original)

    def read(self, inner: Any) -> Any:
        """Return the awaitable of a read of gRPC, with probes if they are in place."""
        return self._around(GRPC_READ, inner)

    def write(self, inner: Any) -> Any:
        """Return the awaitable of a write of gRPC, with probes if they are in place."""
        return self._around(GRPC_WRITE, inner)

    def _around(self, section: str, inner: Any) -> Any:
        if not self._transports_on:
            return inner
        return ProbedAwaitable(self._clock, self._clock.section(section), inner)

    def _find(self, name: str, module_name: str, function_name: str, section: str) -> None:
        module = import_module(module_name)
        *owners, last = function_name.split(".")
        owner: Any = module
        for each in owners:
            owner = getattr(owner, each)
        original = getattr(owner, last)
        file = sys.modules[module_name].__file__
        if file is None or not file.endswith(".py"):
            self.compiled.append(function_name)
            return
        with_probe = probed(self._clock, self._clock.section(section), original)
        self._replaced[name].append((owner, last, original, with_probe))

    def _wrap_transports(self) -> None:
        service = import_module("arena.server.play.service")
        connection = service.Connection

        def connect(transport: Any, *args: Any, **kwargs: Any) -> Any:
            return connection(_Transport(transport, self), *args, **kwargs)

        vars(service)["Connection"] = connect


class _Transport:
    """The gRPC side of a connection."""

    def __init__(self, inner: Any, probes: Probes) -> None:
        self._inner = inner
        self._probes = probes

    def read(self) -> Any:
        """Return the next frame."""
        return self._probes.read(self._inner.read())

    def write(self, data: bytes) -> Any:
        """Return when gRPC has taken the frame."""
        return self._probes.write(self._inner.write(data))


def _position_calls() -> Iterator[tuple[str, str, str, str]]:
    for game in GAMES.values():
        seats = game.spec.min_seats
        position = type(game.new_match(seats, game.options(seats, {}), bytes(32)))
        for name, section in POSITION_CALLS.items():
            if name in vars(position):  # that of the base class does next to nothing
                yield "engine", position.__module__, f"{position.__name__}.{name}", section
