"""The metrics of a running arena, as Prometheus scrapes them (docs/operations.md)."""

import re
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from tests.checkout import text
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot, begin_match, connect

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


def play_calls(arena: ArenaProcess) -> dict[str, float]:
    """How many calls of Play have ended, by status."""
    samples = scrape(arena)["arena_grpc_calls"].samples
    of_play = [each for each in samples if each.labels["method"] == "/arena.v1.PlayService/Play"]
    return {each.labels["code"]: each.value for each in of_play}


def test_a_scrape_shows_what_happened(arena: ArenaProcess) -> None:
    bot = RawBot(arena.unix, arena.bot("cow"))
    bot.hello()
    assert not play_calls(arena), "a call is counted at its end"
    bot.half_close()
    bot.hear_end()
    assert next(found for _ in range(1_000) if (found := play_calls(arena))) == {"OK": 1}

    before = scrape(arena)
    assert value(before, "matches", state="running") == 0
    assert value(before, "decision_think_seconds_count") == 0

    play(arena)
    with pytest.raises(Exception, match="no ladder"):
        arena.ladders.GetLadder(name="ladders/no")
    now = scrape(arena)

    assert value(now, "matches", state="running") == 1
    assert value(now, "matches", state="pending") == 0
    assert value(now, "matches_ended_total", state="finished") == 1
    assert value(now, "connections") == value(now, "sessions") == 2
    assert value(now, "ladder_waiting", ladder="main") == 0
    assert value(now, "decision_think_seconds_count") == 4
    assert 0 <= value(now, "decision_think_seconds_sum") < 60
    assert value(now, "decision_turnaround_seconds_count") == 3
    assert value(now, "log_write_seconds_count") == 1
    assert value(now, "log_write_failures_total") == 0
    assert value(now, "database_write_seconds_bucket", le="+Inf") >= 10
    assert value(now, "disk_keep_free_bytes") == 200_000_000
    assert value(now, "disk_free_bytes") > 0
    assert value(now, "stalls_total") >= 0
    assert value(now, "process_resident_memory_bytes") > 1_000_000
    calls = {"method": "/arena.v1.LadderService/GetLadder", "code": "NOT_FOUND"}
    assert value(now, "grpc_calls_total", **calls) == 1
    calls = {"method": "/arena.v1.BotService/CreateBot", "code": "OK"}
    assert value(now, "grpc_calls_total", **calls) == 3
    check_form(now)


def check_form(families: dict[str, Metric]) -> None:
    """Histograms are cumulative, and every name is documented and explained."""
    ours = {name: family for name, family in families.items() if name.startswith("arena_")}
    page = "".join(map(text, PAGES))
    assert not [name for name in ours if f"`{name}`" not in page and f"`{name}_total`" not in page]
    for family in ours.values():
        assert family.documentation
        buckets = [each for each in family.samples if each.name.endswith("_bucket")]
        assert [each.value for each in buckets] == sorted(each.value for each in buckets)
        assert not buckets or buckets[-1].labels["le"] == "+Inf"


def test_a_taken_port_is_one_sentence(arena: ArenaProcess, tmp_path: Path) -> None:
    (port,) = {found[1] for line in arena.log if (found := re.search(r"127\.0\.0\.1:(\d+)/metrics", line))}
    with closing(ArenaProcess(tmp_path / "taken", "--metrics-port", port)) as taken:
        assert taken.ended() == 1
        assert f"127.0.0.1:{port}" in taken.log[-1]
        assert "choose another --metrics-port" in taken.log[-1]
