"""All scenarios, in the order in which they are tried; the files hold a few each."""

from typing import Final

from arena.conformance.scenario import Scenario
from arena.conformance.scenarios import answers, comebacks, goodbyes, hellos, matches

SCENARIOS: Final[tuple[Scenario, ...]] = (
    *hellos.SCENARIOS,
    *matches.SCENARIOS,
    *answers.SCENARIOS,
    *comebacks.SCENARIOS,
    *goodbyes.SCENARIOS,
)
