"""What the tests of clauses run on: the engine and the slow rules, with positions, actions and log as JSON."""

from tests.unit.engine.wasteland.mapping import EngineMatch
from tests.unit.engine.wasteland.naive import NaiveMatch

Match = EngineMatch | NaiveMatch
Implementation = type[EngineMatch] | type[NaiveMatch]
IMPLEMENTATIONS: dict[str, Implementation] = {"engine": EngineMatch, "naive": NaiveMatch}
