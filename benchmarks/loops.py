"""The event loop of all measuring programs: uvloop where it is installed, on both sides of every comparison."""

import asyncio
from collections.abc import Coroutine
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run it to its end on a new loop."""
    factory = import_module("uvloop").new_event_loop if find_spec("uvloop") else None
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(main)
