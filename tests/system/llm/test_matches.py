"""Whole matches of bots that a language model plays, with endpoints of every kind, and two prompts compared."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.core.endings.terminations import Termination
from arena.match_log.reader import MatchLog, read_log
from tests.unit.cli.programs import finish, start
from tests.unit.sdk.llm.fake_endpoint import (
    HOSTILE,
    KEY,
    FakeEndpoint,
    Handler,
    Mode,
    Received,
    an_endpoint,
    chooses_a_number,
    completion,
)

SHORT = ("--option", "turn_limit=5")
"""The match ends after five turns without progress."""

GRACE = ("--clock", "bank_ms=0", "--clock", "grace_ms=10000")
"""Bots are not told of a grace, so it only makes up for a busy machine."""

QUICK = ("--clock", "per_decision_ms=900", *GRACE)
"""Little more than the bot keeps for itself, so that slow endpoints do not take long."""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MY_KEY", KEY)
    for name in [name for name in os.environ if name.startswith("ARENA_")]:
        monkeypatch.delenv(name)


def a_folder(name: str, url: str, prompt: str = "Play to win.", more: str = "") -> str:
    Path(name).mkdir()
    (Path(name) / "llm.toml").write_text(
        f'model = "m"\nbase_url = "{url}"\napi_key_variable = "MY_KEY"\n{more}\n[price]\ninput = 1\noutput = 2\n'
    )
    (Path(name) / "prompt.md").write_text(prompt)
    return name


@contextmanager
def a_bot(*script: Mode) -> Iterator[FakeEndpoint]:
    """Make the folder `mine`, whose endpoint follows the script."""
    with an_endpoint(*script) as fake:
        a_folder("mine", fake.url)
        yield fake


def play(*args: str) -> tuple[int, MatchLog, str]:
    """Play a match; return the exit code, its log and all that was printed."""
    code, out, err = finish(
        start("play", "caravan", *args, "--log", "one.arenalog", "--output", "out"), within=300
    )
    assert Path("one.arenalog").is_file(), out + err
    return code, read_log(Path("one.arenalog").read_bytes()), out + err


def lines_of(seat: int) -> list[str]:
    """Return the texts of the debug lines of a seat."""
    found = Path(f"out/one.seat{seat}.txt").read_text().splitlines()
    return [line.split("\t")[2] for line in found]


def test_a_model_plays_a_match_and_its_thoughts_tokens_and_cost_are_kept() -> None:
    with a_bot() as fake:
        code, log, printed = play("random", "mine", "--clock", "slow")
    assert code == 0, printed
    assert [holder.bot for holder in log.setup.seats] == ["random", "mine"]
    seat = log.result.seats[1]
    assert (seat.ending.termination, seat.strikes) == (Termination.NORMAL, 0)
    lines = lines_of(1)
    assert not [line for line in lines if line.startswith("fallback")]
    assert len([line for line in lines if line.startswith("thoughts: ")]) == len(fake.received)
    spent = json.loads(Path("mine/spent.json").read_text())
    assert spent["requests"] == len(fake.received) > 20
    assert spent["cost"] == pytest.approx(len(fake.received) * 0.0011)
    assert re.search(rf"{len(fake.received)} requests with {1000 * len(fake.received)} \+", printed)


@pytest.mark.parametrize(
    "wrong", ["slow", "cut off", "no JSON", "an unknown number", "refuses", "busy", "broken", "endless"]
)
def test_an_endpoint_that_misbehaves_costs_no_strike_and_shows_no_key(wrong: str) -> None:
    with a_bot(HOSTILE[wrong]):
        code, log, printed = play("mine", "random", *SHORT, *QUICK)
    assert code == 0, printed
    seat = log.result.seats[0]
    assert (seat.ending.termination, seat.strikes) == (Termination.NORMAL, 0)
    assert [line for line in lines_of(0) if line.startswith("fallback sensible: ")]
    assert KEY not in printed + "\n".join(lines_of(0))


def test_an_endpoint_that_changes_all_the_time_costs_no_strike() -> None:
    script = [mode for wrong in HOSTILE.values() for mode in (wrong, chooses_a_number)]
    with a_bot(*script) as fake:
        code, log, printed = play("mine", "random", "--clock", "per_decision_ms=2000", *GRACE)
    assert code == 0, printed
    assert log.result.seats[0].strikes == 0
    assert len(fake.received) > len(HOSTILE)
    assert {"fallback", "thoughts", "asked"} <= {line.partition(":")[0].split()[0] for line in lines_of(0)}


@pytest.mark.parametrize(
    ("args", "change", "named"),
    [
        (["mine"], "", "MY_KEY is not set"),
        (["nothing"], "", "arena llm new nothing"),
        (["mine"], "modle = 1", "Did you mean model"),
        ([], "", "FOLDER"),
    ],
)
def test_a_folder_that_cannot_be_used_ends_the_program_with_one_sentence(
    monkeypatch: pytest.MonkeyPatch, args: list[str], change: str, named: str
) -> None:
    monkeypatch.delenv("MY_KEY")
    a_folder("mine", "http://localhost:1/v1", more=change)
    code = "import runpy, sys; sys.argv[0] = 'llm'; runpy.run_module('arena.sdk.llm', run_name='__main__')"
    ended, out, err = finish(start(*args, code=code))
    assert (ended, out) == (2, "")
    assert named in err
    assert "Traceback" not in err


WITHOUT_HTTPX = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == "httpx":
            raise ModuleNotFoundError("No module named 'httpx'", name="httpx")

sys.meta_path.insert(0, Missing())
"""


def test_without_the_package_of_the_extra_it_is_named_and_everything_else_works() -> None:
    a_folder("mine", "http://localhost:1/v1")
    run = "import runpy; runpy.run_module('arena.sdk.llm', run_name='__main__')"
    ended, _, err = finish(start("mine", code=WITHOUT_HTTPX + run))
    assert (ended, "pip install '.[llm]'" in err) == (2, True), err
    command = "sys.argv[0] = 'arena'; from arena.cli.app import main; main()"
    ended, _, err = finish(start("llm", "show", "mine", "--ask", code=WITHOUT_HTTPX + command))
    assert (ended, "pip install '.[llm]'" in err) == (1, True), err
    for args in (("llm", "show", "mine"), ("llm", "new", "other"), ("bot", "run", "--help")):
        ended, _, err = finish(start(*args, code=WITHOUT_HTTPX + command))
        assert ended == 0, err
    ended, out, _ = finish(start(code="import sys, arena.sdk; print('httpx' in sys.modules)"))
    assert (ended, out) == (0, "False\n")


def follows_its_prompt(handler: Handler, received: Received) -> None:
    """Choose as the prompt says: pass, or what is done with goods, if there is something."""
    system, user = (message["content"] for message in received.body["messages"][:2])
    actions = re.findall(r"^(\d+)\. (.*)$", user, re.MULTILINE)
    wanted = ["passes"] if "Always pass" in system else ["delivers", "carries", "picks up", "places", "moves"]
    number = next((number for word in wanted for number, told in actions if word in told), actions[0][0])
    handler.send(completion(json.dumps({"thoughts": "", "action": int(number)})))


def compare(*args: str) -> tuple[int, Any]:
    """Compare two bots; return the exit code and the document."""
    code, out, err = finish(start("compare", *args, "--clock", "slow", "--format", "json"), within=300)
    assert out, err
    return code, json.loads(out)


def test_a_comparison_tells_two_prompts_apart_and_a_prompt_from_itself_not() -> None:
    with an_endpoint(follows_its_prompt) as fake:
        better = a_folder("better", fake.url, "Bring goods to their cities.")
        worse = a_folder("worse", fake.url, "Always pass.")
        rest = (*SHORT, "--matches", "12", "--jobs", "2", "--seed", "5e" * 32, "--sprt", "0,400")
        code, found = compare(better, worse, *rest)
        assert (code, found["verdict"]) == (0, "better")
        assert found["bots"][0]["score"] > 0.9
        code, found = compare(worse, worse, *rest)
    assert code in {5, 6}
    assert found["bots"][0]["score"] == pytest.approx(0.5)
    assert found["bots"][0]["strikes"] == found["bots"][1]["strikes"] == 0
