"""What is free without the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_garbage_collector() -> Iterator[None]:
    """Inside, nothing is collected: what is gone has gone because nobody held it."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
