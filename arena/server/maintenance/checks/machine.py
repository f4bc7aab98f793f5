"""Checks of the machine that an arena runs on."""

import os
import platform
import socket
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from typing import Final

from arena.core.clock.stalls import BEAT_NS, GAP_NS
from arena.core.units import NS_PER_MS, NS_PER_S
from arena.scheduling.disk_space import BYTES_PER_MB, DiskLevel, level_of
from arena.server.data_folder import DataFolder
from arena.server.maintenance.checks.finding import CheckResult, fail, ok, warn
from engine.state import BUILD

PACKAGES: Final = ("grpcio", "protobuf", "sqlalchemy", "alembic", "zstandard", "cryptography")

_BEATS: Final = 200
_RARE: Final = 2
"""So many stalls while it was listened to are bad luck."""


def check_software(software: str) -> CheckResult:
    """Return what is installed. `software`: the arena's name and version."""
    try:
        packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    except PackageNotFoundError as error:
        return fail(
            "software", f"The package {error.name} is missing.", "Run `pip install caravan-arena[server]`."
        )
    return ok("software", f"{software} on Python {platform.python_version()}, engine {BUILD}; {packages}.")


def check_disk(folder: DataFolder, keep_free_mb: int) -> CheckResult:
    """Check the free space. `keep_free_mb`: what `arena serve --keep-free` keeps."""
    try:
        free = folder.free_bytes()
    except OSError as error:
        return fail("disk", f"The free space cannot be read: {error.strerror}.", "Repair the disk.")
    says = f"{free // BYTES_PER_MB} MB are free; below {keep_free_mb} MB no match begins."
    do = "Make room: `arena data prune` removes old logs."
    match level_of(free, keep_free_mb * BYTES_PER_MB):
        case DiskLevel.PLENTY:
            return ok("disk", says)
        case DiskLevel.LOW:
            return warn("disk", says, do)
        case DiskLevel.NONE:
            return fail("disk", says, do)


def check_quiet(sleep: Callable[[float], None], now_ns: Callable[[], int]) -> CheckResult:
    """Whether the machine lets a program wake up in time, listened to for a second or so."""
    gaps = stalls_of(_beats(sleep, now_ns))
    load = os.getloadavg()[0]
    busy = f"load {load:.1f} on {os.cpu_count() or 1} processors"
    if not gaps:
        return ok("heartbeat", f"No stall in a second of listening, {busy}.")
    says = (
        f"{len(gaps)} stalls in a second of listening, the longest {max(gaps) // NS_PER_MS} ms, {busy}: "
        "bots are not charged for these, but matches take longer."
    )
    if len(gaps) <= _RARE:
        return warn("heartbeat", says, "Look again; if it stays so, let nothing else run on this machine.")
    return warn("heartbeat", says, "Let nothing else run on this machine, or give the arena more of it.")


def stalls_of(beats: Sequence[int]) -> list[int]:
    """Return the gaps between beats, in ns, that the arena would count as stalls."""
    return [after - before for before, after in pairwise(beats) if after - before > GAP_NS]


def _beats(sleep: Callable[[float], None], now_ns: Callable[[], int]) -> list[int]:
    beats = [now_ns()]
    for _ in range(_BEATS):
        sleep(BEAT_NS / NS_PER_S)
        beats.append(now_ns())
    return beats


def check_clock(now_us: int, newest_us: int | None) -> CheckResult:
    """Whether the wall clock can be right. `newest_us`: the newest moment that the database knows."""
    shown = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(now_us // 1_000_000))
    if newest_us is not None and now_us < newest_us:
        behind = (newest_us - now_us) // 1_000_000
        return fail(
            "clock",
            f"It is {shown} UTC by this machine, {behind} s before the newest match was made.",
            "Set the clock and keep it by NTP; play does not use it, days and listings do.",
        )
    return ok("clock", f"It is {shown} UTC, after everything that the database knows.")


def check_port(host: str, port: int) -> CheckResult:
    """Whether an arena could listen there; nothing listens yet."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        return warn(
            "port",
            f"No arena runs here, and {host}:{port} cannot be listened at: {error.strerror}.",
            "Stop what listens there, or choose another with --port.",
        )
    return ok("port", f"No arena runs here; {host}:{port} is free for one.")
