"""Folders and endpoints for tests of bots that a language model plays."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from arena.sdk.llm.bot import LlmBot, bot_of
from arena.sdk.llm.endpoint import Endpoint
from arena.sdk.llm.folder import Folder
from tests.unit.sdk.llm.fake_endpoint import KEY, FakeEndpoint, Mode, an_endpoint


class Setting:
    """A fake endpoint, and clients of it."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        self._path = path
        self._stack = stack
        self.fake: FakeEndpoint

    def serve(self, *script: Mode) -> FakeEndpoint:
        """Start the fake endpoint."""
        self.fake = self._stack.enter_context(an_endpoint(*script))
        return self.fake

    def folder(self, **fields: Any) -> Folder:
        """Return the folder of a bot that asks it."""
        values = {"prompt": "You play to win.", "model": "m", "base_url": self.fake.url} | fields
        return Folder(path=self._path, **values)

    def client(self, **fields: Any) -> Endpoint:
        """Return a client of it."""
        client = Endpoint(self.folder(**fields), KEY)
        self._stack.callback(client.close)
        return client

    def bot(self, **fields: Any) -> type[LlmBot]:
        """Return the class of a bot that asks it."""
        made = bot_of(self.folder(**fields), KEY)
        self._stack.callback(made.endpoint.close)
        return made


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    with ExitStack() as stack:
        yield Setting(tmp_path, stack)


Serve = Callable[..., FakeEndpoint]
