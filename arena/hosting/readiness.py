"""Whether this arena runs submitted bots."""

from __future__ import annotations

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.sandbox.capabilities import Capabilities
from arena.sandbox.protections import Protection


def why_not_hosting(machine: Capabilities, *, allow_weak: bool) -> str:
    """Why submitted bots are not run here and what to do about it, in a sentence or two; empty if they are.

    `allow_weak`: the bots are the operator's own, so that a protection may be missing.
    """
    if not machine.can_run:
        return machine.why_not
    weak = machine.weak_in_public()
    if not weak or allow_weak:
        return ""
    return (
        f"This arena runs no submitted bots: what would keep them from doing harm is not whole here ({_named(weak)} "
        "missing). `arena doctor` on its machine says what to do; `arena serve --allow-weak-sandbox` is for one's own "
        "bots. Bots that dial in play as always."
    )


def sandbox_weak(why_not: str) -> FailedPreconditionError:
    """What somebody is told who submits a bot where none is run (SANDBOX_WEAK)."""
    return FailedPreconditionError(ErrorReason.SANDBOX_WEAK, why_not)


def _named(weak: tuple[Protection, ...]) -> str:
    return ", ".join(each.value for each in weak)
