"""One event loop for all tests of the conformance kit, as for those of the sdk."""

from tests.unit.sdk.conftest import loop

__all__ = ["loop"]
