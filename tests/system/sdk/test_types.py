"""Types of the sdk as bot authors see them: strict mypy on bots of every game, against the installed package."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.registry import GAMES
from tests.checkout import files, text
from tests.system.compiled.conftest import build_wheel, install

BOT = """\
from collections.abc import Sequence

import arena.sdk
from arena.sdk import {game}


class MyBot({game}.Bot):
    version = "2"
    matches = 4

    def choose(
        self,
        observation: {game}.Observation,
        legal_actions: Sequence[{game}.Action],
        clock: arena.sdk.Clock,
    ) -> int | {game}.Action:
        {body}


arena.sdk.run(MyBot)
"""

RIGHT = """\
kinds = [action.WhichOneof("kind") for action in legal_actions]
        position = {game}.Position(observation)
        self.debug(position.text(self.match.participants) + position.notation(legal_actions[0]))
        if observation.seat_to_act == self.match.seat and self.match.options.ByteSize() > len(kinds):
            return position.parse("PASS")
        if self.match.view.seat_to_act == observation.seat_to_act:
            return {game}.Action()
        return legal_actions[0] if clock.bank_ms else kinds.index(None)

    def on_match_started(self, match: {game}.Match) -> None:
        self.seat = match.view.seat_to_act

    def on_match_ended(self, match: {game}.Match, result: {game}.Result) -> None:
        self.seat = result.view.seat_to_act if result.view else match.options.ByteSize()"""

PACKED = """\
from collections.abc import Sequence

import arena.sdk
from arena.sdk import {game}


class MyBot({game}.PackedBot):
    games = (arena.sdk.Plays("{game}", (1,)),)

    def choose(
        self, observation: {game}.Observation, legal_actions: Sequence[int], clock: arena.sdk.Clock
    ) -> int:
        return legal_actions.index(max(legal_actions))


arena.sdk.run(MyBot)
"""

EVENTS = """\
from collections.abc import Sequence

import arena.sdk
from arena.sdk import {game}


class MyBot({game}.Bot):
    view = arena.sdk.View.EVENTS
    legal_actions = arena.sdk.LegalActions.NONE
    live = True

    def choose(
        self,
        observation: {game}.Observation | None,
        legal_actions: Sequence[{game}.Action],
        clock: arena.sdk.Clock,
    ) -> {game}.Action:
        kinds = [each.event.{game}.WhichOneof("kind") for each in self.happened]
        return {game}.Action() if kinds else self.happened[0].action.action.{game}


arena.sdk.run(MyBot)
"""

ANY_GAME = """\
import random
from collections.abc import Sequence
from typing import Any

import arena.sdk


class Old(arena.sdk.Bot):
    games = ("caravan", arena.sdk.Plays("wasteland"))
    legal_actions = arena.sdk.LegalActions.PACKED

    def choose(self, observation: Any, legal_actions: Sequence[Any], clock: arena.sdk.Clock) -> object:
        return random.randrange(len(legal_actions))

    def on_match_ended(self, match: arena.sdk.Match, result: arena.sdk.Result) -> None:
        print(match.options, result.view)


arena.sdk.run(Old)
"""

WRONG = {
    "field_of_the_observation": ("return len(observation.no_such_field)", "attr-defined"),
    "field_of_an_action": ("return {game}.Action(no_such_kind=1)", "call-arg"),
    "kind_of_an_action": (
        'return [each.WhichOneof("kind") for each in legal_actions].index("fly")',
        "arg-type",
    ),
    "type_of_an_action": ('return "PASS"', "return-value"),
    "observation_for_an_action": ("return observation", "return-value"),
    "missing_return": ("print(observation.seat_to_act)", "return"),
    "option": ("return self.match.options.no_such_option == 1", "attr-defined"),
}
"""By what is wrong with it: the body of `choose`, and mypy's code for the mistake."""


def programs() -> Iterator[tuple[str, str]]:
    """Yield bots by the name of their file."""
    yield "any_game.py", ANY_GAME
    for game in GAMES:
        yield f"right_{game}.py", BOT.format(game=game, body=RIGHT.format(game=game))
        yield f"packed_{game}.py", PACKED.format(game=game)
        yield f"events_{game}.py", EVENTS.format(game=game)
        for wrong, (body, _) in WRONG.items():
            yield f"{wrong}_{game}.py", BOT.format(game=game, body=body.format(game=game))


def shown() -> Iterator[tuple[str, str]]:
    """Yield the bots that the pages for authors show, in the same way."""
    for page in (path for path in files() if re.fullmatch(r"docs/bots/\w+\.md", path)):
        found = re.findall(r"^```python\n# (\w+)\.py\n(.*?)^```$", text(page), re.MULTILINE | re.DOTALL)
        for number, (name, code) in enumerate(found):
            yield f"page_{Path(page).stem}_{number}_{name}.py", code


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of an environment with the wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    wheel, _ = build_wheel(folder, {**os.environ, "ARENA_PLAIN_ENGINE": "1"})
    install(wheel, folder / "environment")
    return folder / "environment" / "bin" / "python"


@pytest.fixture(scope="module")
def found(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Return mypy's codes by program, of all programs and of those that the pages show."""
    folder = tmp_path_factory.mktemp("bots")
    sources = dict((*programs(), *shown()))
    for name, code in sources.items():
        (folder / name).write_text(code, encoding="utf-8")
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--config-file="),
            *(f"--python-executable={installed}", "--cache-dir=cache", *sources),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert not ran.stderr, ran.stderr
    codes: dict[str, set[str]] = {name: set() for name in sources}
    for line in ran.stdout.splitlines():
        mistake = re.fullmatch(r"(\w+\.py):\d+: error: .*\[([\w-]+)\]", line)
        assert mistake or ": note: " in line, ran.stdout
        if mistake:
            codes[mistake[1]].add(mistake[2])
    return codes


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", ["right", "packed", "events"])
def test_a_typed_bot_passes_strict_mypy_without_casts(
    found: dict[str, set[str]], kind: str, game: str
) -> None:
    assert found[f"{kind}_{game}.py"] == set()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("wrong", WRONG)
def test_mypy_finds_a_mistake(found: dict[str, set[str]], wrong: str, game: str) -> None:
    assert WRONG[wrong][1] in found[f"{wrong}_{game}.py"]


def test_a_bot_without_types_of_a_game_passes_as_before(found: dict[str, set[str]]) -> None:
    assert found["any_game.py"] == set()


def test_the_bots_on_the_pages_pass_strict_mypy(found: dict[str, set[str]]) -> None:
    codes = {name: each for name, each in found.items() if name.startswith("page_")}
    assert len(codes) >= 4
    assert not any(codes.values()), codes
