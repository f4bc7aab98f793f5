"""The sample bots of all languages pass `arena conformance`; tests/system/conformance has those in Python.

The bots of a language share its client, so the greedy one is tried with every scenario, and random with those that
ask it for many choices.
"""

import pytest

from sample_bots.languages import BOTS, LANGUAGES, Language
from tests.system.conformance.choosing import CHOOSING
from tests.system.polyglot.languages import need
from tests.unit.cli.programs import finish, start


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("language", LANGUAGES[1:], ids=lambda language: language.name)
def test_every_sample_bot_passes_the_scenarios(language: Language, bot: str) -> None:
    need(language)
    only = [f"--only={scenario}" for scenario in CHOOSING] if bot == "random" else []

    code, out, err = finish(start("conformance", *only, "--", *language.program(bot)), within=500)

    assert code == 0, out + err
