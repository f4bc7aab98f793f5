"""What `make strength` plays and promises of one game: sample_bots/python/<game>/strength.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import typer

from arena.cli.sample_bots import RANDOM
from arena.core.clock.time_control import TimeControl
from arena.sdk import Bot
from engine.registry import GAMES

_BOTS: Final = Path(__file__).resolve().parents[1] / "sample_bots" / "python"

Pairs = tuple[tuple[str, str], ...]
"""Of bots, the stronger one first."""


@dataclass(frozen=True, slots=True)
class Contest:
    """The sample bots of a game, who of them meets whom, and what is promised of them."""

    game: str
    bots: tuple[str, ...]
    """The weakest first."""
    line_ups: tuple[tuple[str, ...], ...]
    """Each is one match group a time. A second one of a bot has a number behind its name: greedy-2."""
    above: Pairs
    """All seat counts together."""
    above_compiled: Pairs
    """So as well, but only on the compiled engine: a search gets less done on the plain one."""
    above_at_every_table: Pairs
    """With each seat count by itself as well."""
    not_below: Pairs
    control: TimeControl
    """The clock; what the file does not say is as on a ladder that is created without one."""
    solo: bool = True
    """Whether they also play alone, where the game has that."""

    def among(self, bots: Collection[str]) -> Contest:
        """Return what is played and promised of these bots alone, without solo. Raises BadParameter: nothing is."""
        line_ups = tuple(one for one in self.line_ups if {kind_of(name) for name in one} <= set(bots))
        if not line_ups:
            raise typer.BadParameter(f"no line-up has only {', '.join(bots)}.", param_hint="--only")
        return replace(
            self,
            bots=tuple(bot for bot in self.bots if bot in bots),
            line_ups=line_ups,
            above=_among(bots, self.above),
            above_compiled=_among(bots, self.above_compiled),
            above_at_every_table=_among(bots, self.above_at_every_table),
            not_below=_among(bots, self.not_below),
            solo=False,
        )

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """Of the matches between bots, ascending."""
        return tuple(sorted({len(line_up) for line_up in self.line_ups}))

    @property
    def has_solo(self) -> bool:
        """Whether the game is also played alone."""
        return self.solo and GAMES[self.game].spec.min_seats == 1


def _among(bots: Collection[str], pairs: Pairs) -> Pairs:
    return tuple(pair for pair in pairs if set(pair) <= set(bots))


def contest_of(game: str) -> Contest:
    """Return the contest of a game. Raises BadParameter if it has none."""
    path = _BOTS / game / "strength.toml"
    if not path.is_file():
        raise typer.BadParameter(
            f"nothing is promised of the sample bots of {game}: sample_bots/python/{game}/strength.toml is not there.",
            param_hint="--game",
        )
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    bots, control = tuple(data.pop("bots")), TimeControl(**data.pop("time_control", {}))
    lists: dict[str, Any] = {key: tuple(map(tuple, value)) for key, value in data.items()}
    return Contest(game=game, bots=bots, control=control, **lists)


def kind_of(name: str) -> str:
    """Return the bot that a second one is one of: greedy for greedy-2."""
    return re.sub(r"-\d+$", "", name)


@cache
def bot_class(game: str, name: str) -> type[Bot]:
    """Return the class of a sample bot: the only one in its program."""
    kind = kind_of(name)
    module = import_module(f"sample_bots.python.{'random_bot' if kind == RANDOM else f'{game}.{kind}'}")
    classes = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Bot)]
    [found] = [each for each in classes if each.__module__ == module.__name__]
    return found
