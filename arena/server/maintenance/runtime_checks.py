"""What `arena doctor` checks of the runtimes of submitted bots."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from arena.core.errors import ArenaError
from arena.drawings.wording import counted
from arena.hosting.host.hosted_bot import stored_bots
from arena.sandbox.capabilities import Capabilities
from arena.sandbox.runtime_registry import RuntimeRegistry
from arena.sandbox.runtime_versions import RuntimeVersion, versions_of
from arena.sandbox.sandbox import Sandbox
from arena.server.maintenance.checks import CheckResult, fail, ok, warn
from arena.server.runtimes import open_runtimes
from arena.server.settings import Settings
from arena.store.store import Store

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
