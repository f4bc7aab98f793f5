"""Patience with a disk that is full and a database that is locked: what has to be stored is tried until it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import structlog

from arena.core.errors import UnavailableError

TRY_AGAIN_S: Final = 1.0

T = TypeVar("T")
_log = structlog.get_logger(__name__)


async def until_stored(match: int, step: Callable[[], Awaitable[T]]) -> T:
    """What the step gives as soon as the storage lets it; the service log says why a match has to wait."""
    said = ""
    while True:
        try:
            done = await step()
        except UnavailableError as error:
            if error.sentence != said:
                _log.error("a match cannot be stored yet", match=match, why=error.sentence)
            said = error.sentence
            await asyncio.sleep(TRY_AGAIN_S)
            continue
        if said:
            _log.info("stored after all", match=match)
        return done
