"""No suite is forgotten: each test is in a tier, and `make check` runs both tiers."""

import tomllib

from tests.checkout import python_files, text
from tests.suites import TIERS, files_with_tests, suite_of, suites_left_out


def test_every_test_is_in_a_suite_of_a_tier() -> None:
    outside = [
        path
        for path in files_with_tests()
        if not suite_of(path).startswith(tuple(f"{tier}/" for tier in TIERS))
    ]
    assert outside == []
    assert all(not path.endswith(suite_of(path)) for path in files_with_tests()), "a file beside the suites"


def test_make_check_runs_what_make_test_leaves_out() -> None:
    selection = tomllib.loads(text("pyproject.toml"))["tool"]["pytest"]["ini_options"]["testpaths"]
    assert {"/".join(suite.split("/")[:2]) for suite in suites_left_out(selection)} == {"tests/system"}
    assert '\nstep "make test-system" make test-system\n' in text(".ci/run")
    assert "$(or $(ARGS),tests/system)\n" in text("Makefile")


def test_unit_tests_use_nothing_of_system_tests() -> None:
    users = [path for path in python_files("tests/unit") if "from tests.system" in text(path)]
    assert users == ["tests/unit/repository/test_suites.py"]


def test_a_suite_of_which_one_file_is_selected_is_still_left_out() -> None:
    left = suites_left_out(["tests/unit", "tests/system/e2e/test_one_match.py"])
    assert "tests/system/e2e" in left
    assert not [suite for suite in left if suite.startswith("tests/unit")]
