"""What is said of tests by name, how they are dealt out and which count, is said of tests that there are."""

import sys

import pytest

from tests.checkout import ROOT, files
from tests.covering import COUNTED, counts
from tests.workers import ALONE, FIRST, TOGETHER, WAITING, order_of, place_of, unit_of

TESTS = [path for path in files() if path.startswith("tests/") and "/test_" in path and path.endswith(".py")]


@pytest.mark.parametrize("name", sorted({*TOGETHER, *ALONE, *FIRST, *WAITING, *COUNTED}))
def test_what_is_named_is_there(name: str) -> None:
    path, _, test = name.partition("::")
    assert (ROOT / path).exists()
    assert not test or f"def {test}(" in (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", TESTS)
def test_the_tests_of_a_file_stay_together_unless_it_is_said_that_they_need_not(path: str) -> None:
    units = {unit_of(f"{path}::{test}") for test in ("test_one", "test_two[a/b::c]", "TestMore::test_one")}
    assert (len(units) == 1) != (path in ALONE)


def test_the_parameters_of_a_test_that_is_dealt_out_alone_are_units_too() -> None:
    name = "tests/system/compiled/test_wheel.py::test_without_a_compiler_or_on_demand_the_wheel_is_plain"
    assert name in ALONE
    assert len({unit_of(f"{name}[{parameter}]") for parameter in "ab"}) == 2


def test_what_shares_the_compiled_wheel_is_one_unit_and_begins_first() -> None:
    compiled = [path for path in TESTS if path.startswith("tests/system/compiled/")]
    assert {unit_of(f"{path}::test_one") for path in compiled} == {"tests/system/compiled"}
    assert {place_of(f"{path}::test_one") for path in compiled} == {0}


def test_what_is_not_named_comes_last() -> None:
    assert place_of("tests/unit/core/test_clock.py::test_one") == len(FIRST)
    assert place_of("tests/system/misbehaving/test_zoo.py::test_one") < len(FIRST)


def test_what_waits_and_what_computes_take_turns_and_each_unit_stays_together() -> None:
    waiting = [f"{path}::test_one" for path in TESTS if path.startswith(WAITING)]
    computing = [f"{path}::test_one" for path in TESTS if not path.startswith(WAITING)]
    order = order_of([*computing, *waiting])
    units = sorted(order, key=order.__getitem__)
    assert set(units) == {unit_of(test) for test in (*computing, *waiting)}
    assert units[0] == "tests/system/compiled"
    taking_turns = [unit.startswith(WAITING) for unit in units[: 2 * len(waiting)]]
    assert taking_turns == [False, True] * len(waiting)
    for kind in (True, False):
        places = [place_of(unit) for unit in units if unit.startswith(WAITING) is kind]
        assert places == sorted(places)


def test_a_test_that_does_not_count_is_not_measured(request: pytest.FixtureRequest) -> None:
    """`make test COVERAGE=1` shows it: a measured engine is two to six times as slow."""
    assert not counts(request.node.nodeid)
    assert sys.gettrace() is None
