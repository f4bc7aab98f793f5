"""What `arena doctor`, and in part `arena serve`, checks of the machine, its sandbox and the data folder."""

import os
import platform
import socket
import stat
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from typing import Final

from arena.core.clock.stalls import BEAT_NS, GAP_NS
from arena.core.errors import ArenaError, UnavailableError
from arena.core.units import NS_PER_MS, NS_PER_S, US_PER_S
from arena.drawings.wording import counted
from arena.hosting.host.hosted_bot import stored_bots
from arena.match_log.keys import PUBLIC_SUFFIX, SIGNING_FILE, PublicKey, SigningKey, read_public_key
from arena.sandbox.capabilities import Capabilities
from arena.sandbox.processor_time import why_not_measured
from arena.sandbox.runtime_registry import RuntimeRegistry
from arena.sandbox.runtime_versions import RuntimeVersion, versions_of
from arena.sandbox.sandbox import Sandbox
from arena.scheduling.disk_space import BYTES_PER_MB, DiskLevel, level_of
from arena.server.data_folder import DataFolder
from arena.server.runtimes import open_runtimes
from arena.server.settings import Settings
from arena.store.matches.matches import MatchFilter
from arena.store.sqlite_copy import flaws_of
from arena.store.store import Store, is_older, newest_version
from engine.state import BUILD

PACKAGES: Final = ("grpcio", "protobuf", "sqlalchemy", "alembic", "zstandard", "cryptography")

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_BEATS: Final = 200
_RARE: Final = 2
"""So many stalls while it was listened to are bad luck."""

_LET_FEWER_RUN: Final = (
    "Give the arena cgroups with the controllers cpu and cpuacct (version 1) or cpu (version 2), and a kernel with "
    "CONFIG_SCHED_INFO, as those of all distributions are; until then let nothing else run on this machine, and "
    "`arena serve --hosted-programs` no more programs than it has processors."
)


class Level(Enum):
    """How bad it is."""

    OK = "ok"
    WARN = "warn"
    """It works; something will go wrong, or has had a cost."""
    FAIL = "fail"
    """Something does not work, or was lost."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the doctor's."""

    level: Level
    check: str
    """What was looked at, in a word or two."""
    says: str
    """What was found, one sentence."""
    do: str = ""
    """What to do about it, one sentence; empty if nothing."""


ok, warn, fail = (
    partial(CheckResult, Level.OK),
    partial(CheckResult, Level.WARN),
    partial(CheckResult, Level.FAIL),
)


def check_software(software: str) -> CheckResult:
    """Return what is installed. `software`: the arena's name and version."""
    try:
        packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    except PackageNotFoundError as error:
        return fail(
            "software",
            f"The package {error.name} is missing.",
            "Run `pip install '.[server]'` in a checkout.",
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
    beats = [now_ns()]
    for _ in range(_BEATS):
        sleep(BEAT_NS / NS_PER_S)
        beats.append(now_ns())
    gaps = stalls_of(beats)
    load = os.getloadavg()[0]
    busy = f"load {load:.1f} on {os.cpu_count() or 1} processors"
    if not gaps:
        return ok("heartbeat", f"No stall in a second of listening, {busy}.")
    says = (
        f"{len(gaps)} stalls in a second of listening, the longest {max(gaps) // NS_PER_MS} ms, {busy}: "
        "bots are not charged for these, but matches take longer."
    )
    rare = "Look again; if it stays so, let nothing else run on this machine."
    often = "Let nothing else run on this machine, or give the arena more of it."
    return warn("heartbeat", says, rare if len(gaps) <= _RARE else often)


def stalls_of(beats: Sequence[int]) -> list[int]:
    """Return the gaps between beats, in ns, that the arena would count as stalls."""
    return [after - before for before, after in pairwise(beats) if after - before > GAP_NS]


def check_clock(now_us: int, newest_us: int | None) -> CheckResult:
    """Whether the wall clock can be right. `newest_us`: the newest moment that the database knows."""
    shown = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(now_us // US_PER_S))
    if newest_us is not None and now_us < newest_us:
        behind = (newest_us - now_us) // US_PER_S
        return fail(
            "clock",
            f"It is {shown} UTC by this machine, {behind} s before the newest match was made.",
            "Set the clock and keep it by NTP; play does not use it, days and listings do.",
        )
    return ok("clock", f"It is {shown} UTC, after everything that the database knows.")


def newest_moment_us(store: Store) -> int | None:
    """Return when the newest match was made or has ended, microseconds since 1970 UTC; None if there is none."""
    newest = store.read(lambda tx: tx.matches.page(MatchFilter(), before=None, limit=1))
    return max((each.ended_us or each.created_us for each in newest), default=None)


def check_start(folder: DataFolder, store: Store, now_us: int) -> Iterator[CheckResult]:
    """Yield what a starting arena should warn of, though it can run."""
    for found in (check_rights(folder), check_clock(now_us, newest_moment_us(store))):
        if found.level is not Level.OK:
            yield found


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


def check_sandbox(machine: Capabilities) -> Iterator[CheckResult]:
    """Yield a line for each protection and one for waiting, or one that says why no sandbox can be made."""
    if not machine.can_run:
        yield warn("sandbox", "No submitted bot can be run here.", machine.why_not)
        return
    who = "as root" if machine.root else "without root"
    if weak := machine.missing_in_public():
        names = ", ".join(each.value for each in weak)
        yield warn(
            "sandbox",
            f"{machine.version} works {who}, but `arena serve` runs no submitted bots: {names} missing.",
            "Do what is said of them below; `arena serve --allow-weak-sandbox` is for bots of one's own.",
        )
    else:
        yield ok("sandbox", f"{machine.version} runs submitted bots {who}.")
    for state in machine.protection_states():
        check = f"sandbox: {state.protection.value}"
        if state.live:
            yield ok(check, f"Active: {state.how}.")
        else:
            yield warn(check, f"Not active: {state.how}.", state.advice)
    if not (why_not := why_not_measured(machine.cgroups)):
        yield ok(
            "sandbox: waiting", "What programs wait for a processor is known, and no bot is charged for it."
        )
        return
    yield warn(
        "sandbox: waiting",
        f"What programs wait for a processor is not known, since {why_not}: submitted bots lose on time when this "
        "machine is busy.",
        _LET_FEWER_RUN,
    )


def check_rights(folder: DataFolder) -> CheckResult:
    """Check that secrets can be read by their owner alone."""
    secrets = [
        path
        for path in (folder.organiser_token, folder.cluster_token, *folder.keys.glob("*.key"))
        if path.exists()
    ]
    closed = not folder.path.stat().st_mode & _OTHERS
    open_files = [
        path for path in (*secrets, folder.database) if path.exists() and path.stat().st_mode & _OTHERS
    ]
    exposed = [path for path in open_files if not closed or path in secrets]
    if exposed:
        names = ", ".join(str(path.relative_to(folder.path)) for path in exposed)
        closing = " ".join(map(str, (folder.path, *exposed)))
        return warn(
            "rights",
            f"Others on this machine may read {names}.",
            f"Run `chmod go= {closing}`; if they were read, make new tokens and move the signing key away.",
        )
    return ok("rights", "Nobody else on this machine may read keys, token or database.")


def check_database(folder: DataFolder) -> CheckResult:
    """Check that SQLite finds the database whole, or that every row on a PostgreSQL server can be read."""
    if folder.server_url is not None:
        return _check_server(folder.server_url)
    flaws = flaws_of(folder.database)
    if flaws:
        do = "Stop the arena and restore a backup with `arena data restore`."
        return fail("database", f"The database is damaged: {flaws[0]}.", do)
    return ok("database", "SQLite finds nothing wrong with the database.")


def _check_server(url: str) -> CheckResult:
    """Check that every row on a PostgreSQL server can be read."""
    try:
        with closing(Store(url)) as store:
            store.check()
    except UnavailableError as error:
        do = "See that the server runs and lets this user in; the password is in PGPASSWORD or ~/.pgpass."
        return fail("database", error.sentence, do)
    except ArenaError as error:
        return fail("database", error.sentence, "")
    return ok("database", f"Every row of {url} can be read.")


def check_schema(store: Store) -> CheckResult:
    """Check that this arena can use the database."""
    found, ours = store.version(), newest_version()
    if found == ours:
        return ok("schema", f"The tables have version {ours}, as this arena has them.")
    if found is None:
        return fail("schema", "The database has no tables.", "Start the arena once, or restore a backup.")
    if is_older(found):
        says = f"The tables have version {found}."
        return warn("schema", says, f"`arena serve` brings them to {ours} and keeps a copy.")
    return fail(
        "schema",
        f"The tables have version {found}, and this arena knows them up to {ours}.",
        "Install the newer version of the arena that wrote them.",
    )


def check_keys(folder: DataFolder) -> CheckResult:
    """Check that the keys can be read that logs are signed with and checked by."""
    try:
        signing = SigningKey.from_pem((folder.keys / SIGNING_FILE).read_bytes()).public
        public = public_keys(folder)
    except (OSError, ValueError, ArenaError) as error:
        says = f"A key in {folder.keys} cannot be read: {error}"
        return fail("keys", says, "Restore keys/ from a backup.")
    if signing not in public:
        says = f"The public key {signing.key_id} has no file."
        return warn("keys", says, "Start the arena once: it writes it again.")
    return ok(
        "keys", f"Logs are signed with key {signing.key_id}; public keys that are there: {len(public)}."
    )


def public_keys(folder: DataFolder) -> list[PublicKey]:
    """Return the keys that the folder's logs are checked with. Raises InvalidArgumentError if one cannot be read."""
    return [read_public_key(path) for path in sorted(folder.keys.glob(f"*{PUBLIC_SUFFIX}"))]


_MEND: Final = "Install what is missing, or correct or remove its file (docs/runtimes.md)."


def check_runtimes(settings: Settings, machine: Capabilities) -> Iterator[CheckResult]:
    """Yield a line for each runtime, which is tried in the sandbox, or one for a file that breaks a rule. Blocks."""
    try:
        registry = open_runtimes(settings)
    except ArenaError as error:
        yield fail("runtimes", error.sentence, "Correct the file: `arena serve` does not start with it.")
        return
    if not machine.can_run:
        return
    for found in versions_of(Sandbox(machine, folder=settings.data / "sandbox", runtimes=registry)):
        yield _line(found, added=found.runtime.name in registry.added)


def _line(found: RuntimeVersion, *, added: bool) -> CheckResult:
    check = f"runtime: {found.runtime.name}"
    if found.why_not:
        says = f"Does not work: {found.why_not}."
        return fail(check, says, _MEND) if added else ok(check, f"Not offered: {found.why_not}.")
    if found.why_no_builds:
        return ok(check, f"Works for prebuilt programs; no builds: {found.why_no_builds}.")
    version = f": {found.version}" if found.version else ""
    return ok(check, f"Works{', and builds' if found.runtime.compiler else ''}{version}.")


def check_needed_runtimes(store: Store, registry: RuntimeRegistry) -> CheckResult:
    """Check that the runtime of every version that plays is here."""
    bots = store.read(lambda tx: stored_bots(tx, {}))
    needed = Counter(program.runtime for _, _, program in bots if program is not None)
    gone = sorted(
        f"{name} ({counted(needed[name], 'bot')})" for name in needed if registry.why_unavailable(name)
    )
    if gone:
        says = f"Hosted bots do not play, for want of their runtime: {', '.join(gone)}."
        return warn(
            "runtimes in use", says, "Add the runtime again, or ask their owners to submit them for another."
        )
    return ok("runtimes in use", f"The runtimes of all hosted bots are here ({needed.total()}).")
