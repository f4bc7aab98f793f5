"""Which languages' sample bots a test can start, and what becomes of a test that cannot."""

import functools
import os
import shutil
from typing import Final

import pytest

from arena.v1 import ending_pb2, match_pb2
from sample_bots.languages import Language, Outcome
from tests.system.play.arena_process import ArenaProcess

REQUIRE: Final = "REQUIRE_BOTS"
"""Set in CI: bots that are not built, although their tools are there, fail the tests instead of skipping them."""

TOOLS: Final = {
    "go": ("go",),
    "typescript": ("node", "npm"),
    "rust": ("cargo", "rustc"),
    "java": ("javac", "mvn"),
    "cpp": ("g++", "cmake", "protoc", "grpc_cpp_plugin"),
}
"""By language, the programs with which its bots can be built. A build that does without the bots then is at fault."""


_build = functools.cache(Language.build)
"""What does not build is tried once, not for every test."""


def need(language: Language) -> None:
    """Skip the test with the remedy if the language's bots are not built, or fail if that is demanded."""
    if language.is_built():
        return
    if not os.environ.get(REQUIRE):
        pytest.skip(f"the bots in {language.name} are not built: `make bots`")
    build = _build(language)
    said = " ".join(build.said.split())
    if build.outcome is Outcome.SKIPPED and not all(map(shutil.which, TOOLS[language.name])):
        pytest.skip(f"the bots in {language.name} cannot be built here: {said}")
    pytest.fail(f"the bots in {language.name} were not built, though their tools are here: {said}")


def assert_both_matches_end_normally(arena: ArenaProcess) -> None:
    """Wait for the first two matches of the arena: a bot plays on both seats."""
    for number in (1, 2):
        arena.wait_for("match over", number)
        match = arena.match(f"matches/{number}")
        assert match.state == match_pb2.MATCH_STATE_FINISHED
        endings = {seat.ending.termination for seat in match.seats}
        assert endings == {ending_pb2.TERMINATION_NORMAL}, [seat.ending.sentence for seat in match.seats]
