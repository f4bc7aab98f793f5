"""The sample bots of all languages pass in the sandbox, as they are submitted; test_conformance has the whole suite."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.conformance.scenarios import SCENARIOS
from arena.hosting.admission import trials
from arena.hosting.admission.admission import program_of
from arena.hosting.admission.trials import Trials
from arena.sandbox.capabilities import find_capabilities
from arena.sandbox.sandbox import Sandbox
from arena.store.bots.submissions import TrialRow, TrialVerdict
from arena.submissions.content import content_of
from sample_bots.languages import LANGUAGES, Language
from sample_bots.submission import assemble
from tests.system.hosting.needs import needs_sandbox
from tests.system.polyglot.languages import need

NAMES = ("hello", "several", "reset", "unreachable", "token", "leave")
"""Connections refused, lost and left, and several matches at once: what the sandbox could get in the way of."""


@needs_sandbox
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_a_sample_bot_passes_in_the_sandbox(
    language: Language, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(language)
    monkeypatch.setattr(trials, "SCENARIOS", [each for each in SCENARIOS if each.name in NAMES])
    folder = tmp_path / "bot"
    assemble(language, "greedy", folder)
    folder.chmod(0o755)
    told: list[TrialRow] = []

    async def tell(rows: Sequence[TrialRow], scenarios: int) -> None:
        told[:] = rows

    sandbox = Sandbox(find_capabilities(), folder=tmp_path)
    rejection = asyncio.run(Trials(sandbox).try_program(folder, program_of(content_of(folder)), tell))
    assert rejection is None, rejection
    assert {row.verdict for row in told} == {TrialVerdict.PASSED}
