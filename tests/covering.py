"""Which tests count for the coverage of engine and core: those of the parts that are tested call by call.

Counting makes the engine two to four times as slow. So it is left off where whole matches are played for another
purpose: what only such a test runs through is tested by nobody, and the report says so.
"""

from typing import Final

COUNTED: Final = (
    "tests/unit/codecs/",
    "tests/unit/contract/",
    "tests/unit/core/",
    "tests/unit/drawings/",
    "tests/unit/engine/",
    "tests/unit/sessions/",
    "tests/unit/runner/",
    "tests/unit/sample_bots/",
    "tests/unit/scheduling/",
    "tests/unit/store/",
)


def counts(test: str) -> bool:
    """Whether lines that this test runs through are covered. `test`: its id."""
    return test.startswith(COUNTED)
