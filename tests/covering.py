"""Which tests count for the coverage of engine and core: those of the parts that are tested call by call.

Counting makes the engine two to four times as slow. So it is left off where whole matches are played for another
purpose: what only such a test runs through is tested by nobody, and the report says so.
"""

from __future__ import annotations

from typing import Final

COUNTED: Final = (
    "tests/codecs/",
    "tests/contract/",
    "tests/core/",
    "tests/drawings/",
    "tests/engine/",
    "tests/players/",
    "tests/runner/",
    "tests/sample_bots/caravan/test_greedy.py",
    "tests/sample_bots/caravan/test_search.py",
    "tests/sample_bots/caravanserai/",
    "tests/sample_bots/search/",
    "tests/scheduling/",
    "tests/store/",
)


def counts(test: str) -> bool:
    """Whether lines that this test runs through are covered. `test`: its id."""
    return test.startswith(COUNTED)
