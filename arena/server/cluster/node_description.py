"""What a machine is, as far as matches depend on it; and why a node differs from its arena."""

import asyncio
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Final

import arena
import engine
from arena.hosting.environment import HostingEnvironment, processor_model
from arena.sandbox.runtime_versions import find_versions
from arena.server.software import software
from engine.registry import GAMES
from engine.state import COMPILED

_LONGEST_LATE_MS: Final = 20.0
"""A node on which a waiting program is woken up later than this, in the median, does not keep clocks well enough."""

_WAKE_UPS: Final = 50
_WAIT_S: Final = 0.005
_PLAYED_BY: Final = ("core", "codecs", "runner", "sessions", "server/play", "server/match_workers", "wire")
"""The parts of the arena, beside the engine, that a match depends on."""


@dataclass(frozen=True, slots=True)
class MachineDescription:
    """What a machine is."""

    software: str
    """Name and version."""
    code: str
    """A hash of the engine and of all that plays a match."""
    compiled: bool
    """Whether the engine is compiled."""
    rules: tuple[tuple[str, int], ...]
    """Game and version of its rules."""
    missing: tuple[str, ...]
    """Protections of the sandbox that it lacks."""
    runtimes: tuple[tuple[str, str], ...]
    """Name and version of the runtimes whose programs it can run."""
    processor: str
    """The model."""
    processors: int
    late_ms: float
    """How late it wakes a waiting program up, in the median."""
    why_not: str
    """Why it runs no programs at all; empty if it does."""
    allows_weak: bool = False
    """Whether its sandbox may lack protections: all bots are its operator's own."""

    @property
    def kind(self) -> str:
        """What the speed of bots depends on (`arena.server.match_workers.machine.Machine`)."""
        return self.processor


async def describe(
    environment: HostingEnvironment, processors: int, *, allows_weak: bool = False
) -> MachineDescription:
    """Describe this machine. Takes a second or two: each runtime is tried."""
    versions = [] if environment.why_not else await find_versions(environment.sandbox)
    return MachineDescription(
        software=software(),
        code=await asyncio.to_thread(code_hash),
        compiled=COMPILED,
        rules=tuple((game, GAMES[game].spec.rules_version) for game in sorted(GAMES)),
        missing=environment.missing,
        runtimes=tuple((each.runtime.name, each.version) for each in versions if not each.why_not),
        processor=processor_model(),
        processors=processors,
        late_ms=await _lateness_ms(),
        why_not=environment.why_not,
        allows_weak=allows_weak,
    )


def why_excluded(arena_has: MachineDescription, node_has: MachineDescription) -> str:
    """Return why no match is played on a node, and what to do: a sentence; empty if matches are."""
    ours, theirs = arena_has, node_has
    if theirs.why_not:
        return theirs.why_not
    if ours.software != theirs.software:
        return f"It has {theirs.software}, the arena {ours.software}: install the same version on both."
    if ours.rules != theirs.rules:
        return "Its rules of a game have another version than the arena's: install the same software on both."
    if ours.code != theirs.code:
        return "Its code differs from the arena's: install the same software on both."
    if ours.compiled != theirs.compiled:
        has = (
            "is compiled and the arena's is not" if theirs.compiled else "is not compiled and the arena's is"
        )
        return f"Its engine {has}: install the same wheel on both."
    lacking = sorted(set(theirs.missing) - set(ours.missing))
    if lacking and not theirs.allows_weak:
        return (
            f"Its sandbox lacks what the arena's has ({', '.join(lacking)}): `arena doctor` on it says what to do, or "
            "join with --allow-weak-sandbox if all bots are your own."
        )
    if theirs.late_ms > _LONGEST_LATE_MS:
        return (
            f"It wakes programs up {theirs.late_ms:.0f} ms late, so clocks are not kept well on it: stop what else "
            "runs there, and join again."
        )
    return ""


def missing_runtimes(arena_has: MachineDescription, node_has: MachineDescription) -> tuple[str, ...]:
    """Return the runtimes of the arena that a node lacks, or has in another version."""
    theirs = dict(node_has.runtimes)
    return tuple(name for name, version in arena_has.runtimes if theirs.get(name) != version)


@cache
def code_hash() -> str:
    """Return a hash of the Python files and data that play a match: the engine's, and parts of the arena's. Blocks."""
    found = hashlib.sha256()
    tops = [Path(folder) for folder in engine.__path__]
    tops += [Path(folder) / part for folder in arena.__path__ for part in _PLAYED_BY]
    for top in tops:
        for path in sorted(top.rglob("*")):
            if path.suffix in {".py", ".toml", ".json"}:
                found.update(f"{path.relative_to(top)}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


async def _lateness_ms() -> float:
    loop, late = asyncio.get_running_loop(), []
    for _ in range(_WAKE_UPS):
        due = loop.time() + _WAIT_S
        await asyncio.sleep(_WAIT_S)
        late.append(1e3 * max(0.0, loop.time() - due))
    return median(late)
