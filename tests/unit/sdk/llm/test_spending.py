"""What is counted, and that no cap is exceeded."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.sdk.llm.folder import Caps, FolderError, Price, Usage
from arena.sdk.llm.spending import Budget, CapReachedError, Total
from tests.checkout import ROOT

PRICE = Price(input=1.0, output=10.0)


def spent(folder: Path) -> dict[str, float]:
    found: dict[str, float] = json.loads((folder / "spent.json").read_text())
    return found


def test_a_request_counts_with_the_most_that_it_may_take_until_it_is_settled(tmp_path: Path) -> None:
    budget = Budget(Caps(), PRICE, Total(tmp_path, PRICE))
    budget.reserve(Usage(1000, 100))
    assert spent(tmp_path) == {
        "requests": 1,
        "input_tokens": 1000,
        "output_tokens": 100,
        "cost": pytest.approx(0.002),
    }
    budget.settle(Usage(1000, 100), Usage(300, 20))
    assert spent(tmp_path) == {
        "requests": 1,
        "input_tokens": 300,
        "output_tokens": 20,
        "cost": pytest.approx(0.0005),
    }
    assert (budget.match, budget.requests) == (Usage(300, 20), 1)
    assert budget.cost == pytest.approx(0.0005)


@pytest.mark.parametrize(
    ("caps", "named"),
    [
        (Caps(tokens_per_decision=199), "tokens_per_decision"),
        (Caps(tokens_per_match=199), "tokens_per_match"),
        (Caps(cost_per_match=0.00109), "cost_per_match"),
        (Caps(cost_total=0.00109), "cost_total"),
    ],
)
def test_a_request_that_could_exceed_a_cap_is_refused_and_counts_nothing(
    tmp_path: Path, caps: Caps, named: str
) -> None:
    budget = Budget(caps, PRICE, Total(tmp_path, PRICE, caps.cost_total))
    budget.reserve(Usage(50, 50))
    budget.settle(Usage(50, 50), Usage(50, 50))
    before = spent(tmp_path)
    with pytest.raises(CapReachedError, match=named):
        budget.reserve(Usage(50, 50))
    assert (spent(tmp_path), budget.match, budget.requests) == (before, Usage(50, 50), 1)


def test_the_tokens_of_a_decision_are_counted_anew_with_the_next_one(tmp_path: Path) -> None:
    budget = Budget(Caps(tokens_per_decision=100), Price(), Total(tmp_path, Price()))
    for _ in range(3):
        budget.begin_decision()
        budget.reserve(Usage(50, 50))
    assert budget.match.tokens == 300


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), max_size=30), st.integers(0, 2000))
def test_what_is_asked_for_never_exceeds_a_cap_if_answers_take_no_more_than_that(
    requests: list[tuple[int, int]], cap: int
) -> None:
    class Uncounted(Total):
        def __init__(self) -> None: ...

        def change(self, by: Usage, *, requests: int = 0, cap: float = math.inf) -> None: ...

        def reserve(self, request: Usage) -> None: ...

    budget = Budget(Caps(tokens_per_match=cap), PRICE, Uncounted())
    for most, used in requests:
        try:
            budget.reserve(Usage(most))
        except CapReachedError:
            continue
        budget.settle(Usage(most), Usage(min(most, used)))
        assert budget.match.tokens <= cap


def test_the_total_goes_on_with_what_earlier_programs_have_spent(tmp_path: Path) -> None:
    Total(tmp_path, PRICE).change(Usage(0, 100_000), requests=3)
    with pytest.raises(CapReachedError, match=r"cost_total is 1, 1\.0000 are spent"):
        Total(tmp_path, PRICE, 1.0).reserve(Usage(1, 0))
    assert spent(tmp_path)["requests"] == 3


COUNTED = 1000

COUNTS = f"""
import sys
from pathlib import Path
from arena.sdk.llm.folder import Price, Usage
from arena.sdk.llm.spending import Total

total = Total(Path(sys.argv[1]), Price())
print("ready", flush=True)
sys.stdin.readline()
for _ in range({COUNTED}):
    total.change(Usage(1), requests=1)
"""


def test_programs_that_share_a_folder_lose_no_count(tmp_path: Path) -> None:
    command = [sys.executable, "-c", COUNTS, str(tmp_path)]
    programs = [
        subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    for program in programs:
        program.communicate(timeout=60)
    assert spent(tmp_path)["requests"] == spent(tmp_path)["input_tokens"] == 2 * COUNTED


@pytest.mark.parametrize("text", ["{", "[]", '{"cost": 1}', '{"requests": 1, "input_tokens": "x"}', "\x00"])
def test_a_damaged_file_is_named_before_anything_is_spent(tmp_path: Path, text: str) -> None:
    (tmp_path / "spent.json").write_text(text)
    with pytest.raises(FolderError, match=r"spent\.json is damaged"):
        Total(tmp_path, PRICE)


def test_the_end_of_a_longer_text_does_no_harm(tmp_path: Path) -> None:
    Total(tmp_path, PRICE).change(Usage(7))
    with (tmp_path / "spent.json").open("a") as file:
        file.write("00}\n")
    Total(tmp_path, PRICE).change(Usage(1))
    assert spent(tmp_path)["input_tokens"] == 8


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "spent.json").mkdir()
    with pytest.raises(FolderError, match=r"spent\.json counts what the bot spends"):
        Total(tmp_path, PRICE)
