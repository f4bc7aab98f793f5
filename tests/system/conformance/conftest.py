"""The fixtures of the conformance kit, as in tests/unit/conformance."""

from tests.unit.conformance.conftest import loop

__all__ = ["loop"]
