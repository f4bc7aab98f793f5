"""Tournaments and challenges as an organiser types them, in an arena with sample bots."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena.cli.suites import suite_named
from tests.checkout import ROOT
from tests.system.play.arena_process import ArenaProcess
from tests.unit.cli.programs import finish, start
from tests.unit.store.databases import database_on

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def typed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Typed]:
    """Types `arena ARGS...` on the folder of an arena with four bots: exit code, output, errors.

    The parameter "postgresql": the arena's database is on a server.
    """
    data: Path = tmp_path_factory.mktemp("club") / "data"
    options: tuple[str, ...] = ()
    if getattr(request, "param", None) == "postgresql":
        options = ("--database", database_on(request.getfixturevalue("postgresql").url, data.parent))
    program = [sys.executable, str(ROOT / "sample_bots/python/random_bot.py")]
    with ArenaProcess(data, *options) as arena, ExitStack() as programs:
        for bot in ("amber", "basalt", "cedar", "dune"):
            own = {"PYTHONPATH": str(ROOT), "ARENA_TOKEN": arena.bot(bot), "ARENA_ADDRESS": arena.unix}
            running = subprocess.Popen(program, env=os.environ | own, stderr=subprocess.DEVNULL)
            programs.callback(running.wait)
            programs.callback(running.kill)
        yield lambda *args: finish(start(*args, ARENA_DATA=str(data), COLUMNS="80"), within=120)


@pytest.mark.parametrize("typed", ["sqlite", "postgresql"], indirect=True, scope="module")
def test_a_round_robin_from_its_plan_to_its_verified_logs(typed: Typed) -> None:
    create = ("tournament", "create", "spring", "--bots", "amber,basalt,cedar")
    code, plan, _ = typed(*create, "--dry-run")
    assert code == 0
    assert [text for text in ("3 pairings", "6 matches", "Nothing was created") if text not in plan] == []
    code, _, err = typed("tournament", "show", "spring")
    assert (code, "spring" in err) == (1, True)

    code, plan, _ = typed(*create)
    assert (code, "arena tournament run spring" in plan) == (0, True)
    code, ended, err = typed("tournament", "run", "spring", "--wait")
    assert code == 0, err
    assert all(bot in ended for bot in ("amber", "basalt", "cedar"))
    assert all(len(line) <= 80 for line in ended.splitlines())
    code, again, err = typed("tournament", "run", "spring", "--wait")
    assert (code, err) == (0, ""), "who waits anew comes when it has ended"
    assert again == ended

    _, text, _ = typed("tournament", "standings", "spring", "--format", "json")
    table = json.loads(text)
    assert [line["matches"] for line in table["standings"]] == [4, 4, 4]
    cells = {row["bot"]: row["cells"] for row in table["rows"]}
    order = [line["bot"] for line in table["standings"]]
    for one, bot in enumerate(order):
        for other, rival in enumerate(order):
            if one != other:
                mine, theirs = cells[bot][other], cells[rival][one]
                assert mine.get("score_milli", 0) + theirs.get("score_milli", 0) == 1000 * mine["matches"]

    _, text, _ = typed("tournament", "pairings", "spring", "--format", "json")
    assert [pairing["ended"] for pairing in json.loads(text)["pairings"]] == [True] * 3
    code, verdict, err = typed("log", "verify", "--tournament", "spring")
    assert (code, "6 logs: 6 verified." in verdict) == (0, True), err


def test_a_knockout_from_its_dry_run_to_its_proof_and_its_export(typed: Typed) -> None:
    create = ("tournament", "create", "cup", "--bots", "amber,basalt,cedar,dune", "--kind", "knockout")
    _, text, _ = typed(*create, "--third-place", "--dry-run", "--format", "json")
    assert len(json.loads(text)["pairings"]) == 2
    assert typed(*create, "--third-place", "--option", "turn_limit=30")[0] == 0
    assert typed("tournament", "withdraw", "cup", "dune")[0] == 0
    code, _, err = typed("tournament", "run", "cup", "--wait")
    assert code == 0, err
    _, text, _ = typed("tournament", "export", "cup", "--what", "bracket", "--format", "json")
    ties = json.loads(text)["ties"]
    assert all("end" in tie for tie in ties)
    [final] = [tie for tie in ties if tie["bracket"] == "BRACKET_FINAL"]
    [champion] = [place["bot"] for place in final["places"] if place.get("rank") == 1]
    _, text, _ = typed("tournament", "standings", "cup", "--format", "json")
    standings = json.loads(text)["standings"]
    assert (standings[0]["bot"], standings[-1]["bot"]) == (champion, "bots/dune")
    _, shown, _ = typed("tournament", "show", "cup")
    assert "withdrawn" in shown
    code, text, err = typed("log", "verify", "--tournament", "cup", "--format", "json")
    assert code == 0, err
    checks = json.loads(text)["tournament"]["checks"]
    assert {check["name"]: check["status"] for check in checks} == dict.fromkeys(
        ("secret", "results", "seats", "rounds"), "ok"
    )
    code, _, err = typed("tournament", "withdraw", "cup", "amber")
    assert (code, "has finished" in err) == (1, True)


def test_a_tournament_on_a_suite_plays_its_set_ups_and_its_logs_name_them(typed: Typed) -> None:
    suite = suite_named("caravanserai-2")
    create = (
        "tournament",
        "create",
        "sets",
        "--bots",
        "amber,basalt",
        "--game",
        "caravanserai",
        "--rounds",
        "2",
    )
    code, made, err = typed(*create, "--suite", suite.name)
    assert (code, suite.sha256 in made.replace("\n", "")) == (0, True), err
    code, _, err = typed("tournament", "run", "sets", "--wait")
    assert code == 0, err
    _, text, _ = typed("tournament", "pairings", "sets", "--format", "json")
    matches = [
        name.partition("/")[2] for pairing in json.loads(text)["pairings"] for name in pairing["matches"]
    ]
    _, text, _ = typed("log", "export", *matches)
    headers = [record for record in map(json.loads, text.splitlines()) if record["record"] == "header"]
    played = [(each["suite"]["entry"], each["suite"]["sha256"], each["seed_policy"]) for each in headers]
    entries = [each.id for each in suite.entries[:2] for _ in range(2)]
    assert played == [(entry, suite.sha256, "FIXED") for entry in entries], (
        "the game shares the seeds of a group"
    )
    verify = ("log", "verify", "--tournament", "sets", "--format", "json")
    for named, ended, status in (
        ((), 0, "ok"),
        (("--suite", "caravan-2"), 1, "failed"),
    ):
        code, text, err = typed(*verify, *named)
        assert code == ended, err
        checks = json.loads(text)["tournament"]["checks"]
        assert [each["status"] for each in checks if each["name"] == "suite"] == [status]


def test_a_challenge_names_offline_bots_and_is_refused_for_unknown_ones(typed: Typed) -> None:
    assert typed("bot", "create", "hermit")[0] == 0
    code, page, err = typed("challenge", "amber", "hermit")
    assert code == 0, err
    assert "hermit is not connected" in err, page
    assert "challenge-1" in page
    code, _, err = typed("challenge", "amber", "nobody")
    assert (code, "nobody" in err, "Traceback" in err) == (1, True, False)
    code, page, err = typed("challenge", "amber", "dune", "--wait")
    assert code == 0, err
    assert "finished" in page
    assert "not connected" not in err
