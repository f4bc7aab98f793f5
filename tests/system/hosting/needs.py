"""Tests that run hosted bots need a machine on which the sandbox works."""

import os

import pytest

from arena.sandbox.capabilities import find_capabilities

_MACHINE = find_capabilities()
WHY_NOT = _MACHINE.why_not or ", ".join(f"{each.value} missing" for each in _MACHINE.missing_in_public())

needs_sandbox = pytest.mark.skipif(
    bool(WHY_NOT) and not os.environ.get("REQUIRE_SANDBOX"), reason=f"no sandbox here: {WHY_NOT}"
)
"""Skips where there is none; REQUIRE_SANDBOX=1 makes that a failure."""
