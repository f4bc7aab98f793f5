"""Checks whether submitted bots can be run here, and what protects the machine from them."""

from collections.abc import Iterator
from typing import Final

from arena.sandbox.capabilities import Capabilities
from arena.sandbox.processor_time import why_not_measured
from arena.sandbox.protections import ProtectionState
from arena.server.maintenance.checks.finding import CheckResult, ok, warn

_LET_FEWER_RUN: Final = (
    "Give the arena cgroups with the controllers cpu and cpuacct (version 1) or cpu (version 2), and a kernel with "
    "CONFIG_SCHED_INFO, as those of all distributions are; until then let nothing else run on this machine, and "
    "`arena serve --hosted-programs` no more programs than it has processors."
)


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
    yield from map(_protection, machine.protection_states())
    yield _waiting(why_not_measured(machine.cgroups))


def _protection(standing: ProtectionState) -> CheckResult:
    check = f"sandbox: {standing.protection.value}"
    if standing.live:
        return ok(check, f"Live: {standing.how}.")
    return warn(check, f"Not live: {standing.how}.", standing.advice)


def _waiting(why_not: str) -> CheckResult:
    check = "sandbox: waiting"
    if not why_not:
        return ok(check, "What programs wait for a processor is known, and no bot is charged for it.")
    return warn(
        check,
        f"What programs wait for a processor is not known, since {why_not}: submitted bots lose on time when this "
        "machine is busy.",
        _LET_FEWER_RUN,
    )
