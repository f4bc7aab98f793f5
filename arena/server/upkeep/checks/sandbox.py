"""Whether submitted bots can be run here, and what protects the machine from them."""

from __future__ import annotations

from collections.abc import Iterator

from arena.sandbox.machine import Machine
from arena.sandbox.protections import Standing
from arena.server.upkeep.checks.finding import Finding, ok, warn


def check_sandbox(machine: Machine) -> Iterator[Finding]:
    """A line for each protection; where no sandbox can be made, one line that says why."""
    if not machine.can_run:
        yield warn("sandbox", "No submitted bot can be run here.", machine.why_not)
        return
    who = "as root" if machine.root else "without root"
    if weak := machine.weak_in_public():
        names = ", ".join(each.value for each in weak)
        yield warn(
            "sandbox",
            f"{machine.version} works {who}, but `arena serve` runs no submitted bots: {names} missing.",
            "Do what is said of them below; `arena serve --allow-weak-sandbox` is for bots of one's own.",
        )
    else:
        yield ok("sandbox", f"{machine.version} runs submitted bots {who}.")
    yield from map(_protection, machine.standings())


def _protection(standing: Standing) -> Finding:
    check = f"sandbox: {standing.protection.value}"
    if standing.live:
        return ok(check, f"Live: {standing.how}.")
    return warn(check, f"Not live: {standing.how}.", standing.advice)
