"""Which languages' sample bots a test can start, and what becomes of a test that cannot."""

from __future__ import annotations

import os

import pytest

from sample_bots.languages import Language, Outcome

REQUIRE = "REQUIRE_BOTS"
"""Set in CI: bots that are not built, although their tools are there, fail the tests instead of skipping them."""


def need(language: Language) -> None:
    """The language's bots are built; otherwise the test is skipped, with what to do, or fails if that is demanded."""
    if language.is_built():
        return
    if not os.environ.get(REQUIRE):
        pytest.skip(f"the bots in {language.name} are not built: `make bots`")
    build = language.build()
    if build.outcome is Outcome.SKIPPED:
        pytest.skip(f"the bots in {language.name} cannot be built here: {' '.join(build.said.split())}")
    pytest.fail(f"the bots in {language.name} were not built, though their tools are here: {build.said}")
