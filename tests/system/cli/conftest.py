"""The fixtures of the command line, as in tests/unit/cli."""

from tests.unit.cli.conftest import _no_arena_in_the_environment, ask, fake, run

__all__ = ["_no_arena_in_the_environment", "ask", "fake", "run"]
