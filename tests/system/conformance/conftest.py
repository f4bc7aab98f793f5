"""What the tests of the conformance kit share."""

import asyncio
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def loop() -> Iterator[asyncio.Runner]:
    """One event loop for all tests: grpc.aio does not like several."""
    with asyncio.Runner() as runner:
        yield runner
