"""The fixtures of the contract of games, as in tests/unit/contract."""

from tests.unit.contract.conftest import case

__all__ = ["case"]
