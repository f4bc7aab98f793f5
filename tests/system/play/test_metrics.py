"""The metrics of a running arena, as Prometheus scrapes them (docs/operations.md)."""

import re
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import begin_match, connect

PAGES = ("docs/operations.md", "docs/hosting.md")


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path / "data", "--metrics-port", "0") as process:
        yield process


def scrape(arena: ArenaProcess) -> dict[str, Metric]:
    """Return the metric families by name."""
    (address,) = {
        found[0] for line in arena.log if (found := re.search(r"http://127\.0\.0\.1:\d+/metrics", line))
    }
    with urllib.request.urlopen(address, timeout=60) as answer:
        text = answer.read().decode()
    return {family.name: family for family in text_string_to_metric_families(text)}


def value(families: dict[str, Metric], sample: str, **labels: str) -> float:
    """Return the value of one sample; its name may lack the prefix "arena_"."""
    found = [
        each.value
        for family in families.values()
        for each in family.samples
        if each.name in (sample, f"arena_{sample}") and each.labels == labels
    ]
    assert len(found) == 1, (sample, labels, found)
    return found[0]


def play(arena: ArenaProcess) -> None:
    """One match of four decisions; of the second match both bots are told that it begins."""
    bots = connect(arena.unix, [arena.bot(bot) for bot in ("ant", "bee")])
    arena.ladder("main", "ant", "bee", options={"turn_limit": "4"}, matches=2)
    seats = [bot.take_seat().seat for bot in bots]
    for turn in range(4):
        bot = bots[seats.index(turn % 2)]
        bot.answer(bot.hear("decision"))
    for bot in bots:
        bot.hear("match_ended")
    begin_match(bots)


def test_a_match_that_a_kill_made_void_is_counted_after_the_restart(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path / "data") as killed:
        bots = connect(killed.unix, [killed.bot(bot) for bot in ("ant", "bee")])
        killed.ladder("main", "ant", "bee", matches=1)
        begin_match(bots)
        killed.kill()
    with ArenaProcess(tmp_path / "data", "--metrics-port", "0") as restarted:
        assert value(scrape(restarted), "matches_ended_total", state="aborted") == 1


def test_a_taken_port_is_one_sentence(arena: ArenaProcess, tmp_path: Path) -> None:
    (port,) = {found[1] for line in arena.log if (found := re.search(r"127\.0\.0\.1:(\d+)/metrics", line))}
    with closing(ArenaProcess(tmp_path / "taken", "--metrics-port", port)) as taken:
        assert taken.ended() == 1
        assert f"127.0.0.1:{port}" in taken.log[-1]
        assert "choose another --metrics-port" in taken.log[-1]
