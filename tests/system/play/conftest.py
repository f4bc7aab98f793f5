"""One arena process for the tests of a module; each test has bots and ladders of its own."""

from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot, begin_match

_NUMBERS = count(1)


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    with ArenaProcess(Path(tmp_path_factory.mktemp("arena")) / "data") as process:
        yield process


class BotFactory:
    """Bots that dial in, and the ladder they play on."""

    def __init__(self, arena: ArenaProcess) -> None:
        self.arena = arena
        self.number = next(_NUMBERS)
        self.tokens: dict[str, str] = {}
        self._connections: list[RawBot] = []

    def register(self, letter: str) -> str:
        """Make a bot; return its id."""
        bot = f"{letter}{self.number}"
        self.tokens[bot] = self.arena.bot(bot)
        return bot

    def dial(self, bot: str, **how: Any) -> RawBot:
        """One more connection of a bot."""
        return self._dial(self.tokens[bot], **how)

    def _dial(self, token: str | None, **how: Any) -> RawBot:
        connection = RawBot(self.arena.unix, token, **how)
        self._connections.append(connection)
        return connection

    def back(self, bot: RawBot, **hello: Any) -> RawBot:
        """Return another connection of this bot, which has resumed its session."""
        connection = self._dial(bot.token)
        assert connection.hello(resume_token=bot.resume_token, **hello).resumed
        return connection

    def welcomed(self, letters: str, **hello: Any) -> tuple[list[str], list[RawBot]]:
        """Make a bot for each letter, and say hello; return their ids and connections."""
        ids = [self.register(letter) for letter in letters]
        bots = [self.dial(bot) for bot in ids]
        for bot in bots:
            bot.hello(**hello)
        return ids, bots

    def table(
        self, seats: int = 2, *, hellos: Any = (), letters: str = "abcdef", **ladder: Any
    ) -> list[RawBot]:
        """So many bots, welcomed, on a running ladder, their seats taken and their match begun; by seat."""
        ids = [self.register(letters[place]) for place in range(seats)]
        bots = [self.dial(bot) for bot in ids]
        for place, bot in enumerate(bots):
            bot.hello(**(hellos[place] if place < len(hellos) else {}))
        self.arena.ladder(f"l{ids[0]}", *ids, **ladder)
        return begin_match(bots)

    def close(self) -> None:
        for connection in self._connections:
            connection.cut()


@pytest.fixture
def bot_factory(arena: ArenaProcess) -> Iterator[BotFactory]:
    with closing(BotFactory(arena)) as factory:
        yield factory
