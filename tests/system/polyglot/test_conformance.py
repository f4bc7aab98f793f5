"""The sample bots of all languages pass `arena conformance`; tests/system/conformance has those in Python."""

import pytest

from sample_bots.languages import BOTS, LANGUAGES, Language
from tests.system.polyglot.languages import need
from tests.unit.cli.programs import finish, start


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("language", LANGUAGES[1:], ids=lambda language: language.name)
def test_every_sample_bot_passes_every_scenario(language: Language, bot: str) -> None:
    need(language)
    code, out, err = finish(start("conformance", "--", *language.program(bot)), within=500)
    assert code == 0, out + err
