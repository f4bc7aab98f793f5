"""The feature lists on the page are those of the code; UPDATE_GOLDENS=1 writes them."""

import os
from collections.abc import Iterator, Sequence

import pytest

from arena.research.features import ActionField, GameFeatures, features_for
from arena.research.setting import Setting
from engine.registry import GAMES
from tests.checkout import ROOT

PAGE = ROOT / "docs" / "research.md"
MARK = "<!-- What follows is written by `make golden`. -->\n"
SEATS = 3


def lists() -> str:
    """Return the lists of all games."""
    return "\n".join(line for game in GAMES for line in section(game)) + "\n"


def section(game: str) -> Iterator[str]:
    """Yield the lines of a game."""
    setting, features = Setting(game, SEATS), features_for(game)
    yield from ("", f"### {GAMES[game].spec.title}", "")
    yield f"{setting.size:,} numbers and {setting.actions:,} places, with three seats and the default options."
    yield ""
    yield from ("| feature | shape | from | to | numbers |", "|---|---|---|---|---|")
    for feature in setting.features:
        shape = " x ".join(map(str, feature.shape))
        high = "" if feature.high == 2**31 - 1 else feature.high
        low = "" if feature.low == -(2**31 - 1) else feature.low
        yield f"| `{feature.name}` | {shape} | {low} | {high} | {feature.meaning} |"
    yield from ("", "| column of `actions` | kinds of actions | number |", "|---|---|---|")
    kinds = ", ".join(f"{number} {name}" for number, name in enumerate(features.kinds))
    yield f"| `kind` | all | {kinds}. |"
    for field in features.fields:
        yield f"| `{field.name}` | {kinds_of(field, features)} | {field.meaning} |"


def kinds_of(field: ActionField, features: GameFeatures) -> str:
    """Return the names of the kinds that have the field."""
    names: Sequence[str] = features.kinds
    return ", ".join(names[kind] for kind in sorted(field.bits))


def test_the_lists_of_the_page_are_those_of_the_games() -> None:
    before, mark, shown = PAGE.read_text(encoding="utf-8").partition(MARK)
    assert mark
    if os.environ.get("UPDATE_GOLDENS"):
        PAGE.write_text(f"{before}{mark}{lists()}", encoding="utf-8")
        pytest.skip("written")
    assert shown == lists()
