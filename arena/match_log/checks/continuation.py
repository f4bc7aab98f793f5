"""Check of a match that plays on from another one: what is given was played there."""

from typing import Final

from arena.core.match import Cause, Continuation, SeedPolicy
from arena.match_log.checks.check import Check, judged
from arena.match_log.framing import Flaw
from arena.match_log.reader import MatchLog

CONTINUATION: Final = "continuation"


def check_continuation(log: MatchLog, source: MatchLog | None) -> Check | None:
    """Check that the given plies are the first ones, as many as the header says, and those of the other match.

    `source`: the log that the header names; None if it is not at hand. Returns None for a match that begins with its
    set-up and has no given plies.
    """
    continued = log.setup.continued_from
    if continued is None and all(ply.cause is not Cause.GIVEN for ply in log.plies):
        return None
    flaw = _flaw_of_given(log, 0 if continued is None else continued.plies)
    if flaw is None and continued is not None:
        flaw = _flaw_of_terms(log) or (None if source is None else _flaw_against(log, source, continued))
    if continued is None or source is None:
        name = "" if continued is None else continued.log
        return judged(
            CONTINUATION,
            flaw,
            f"The first plies are given; the log that they are from is not at hand: {name}.",
        )
    return judged(CONTINUATION, flaw, f"The first plies are given, and are those of log {continued.log}.")


def _flaw_of_given(log: MatchLog, given: int) -> Flaw | None:
    for number, (index, logged) in enumerate(log.numbered_plies):
        if (logged.record.cause is Cause.GIVEN) != (number < given):
            what = "should be" if number < given else "should not be"
            return Flaw(
                index, f"Ply {number}, record {index}, {what} given: the header says that {given} plies are."
            )
    if len(log.plies) < given:
        return log.footer_flaw(
            f"the header says that {given} plies are given, but there are {len(log.plies)}"
        )
    return None


def _flaw_of_terms(log: MatchLog) -> Flaw | None:
    setup = log.setup
    if setup.rated or setup.seed_policy is not SeedPolicy.FIXED:
        return Flaw(0, "A match that plays on from another one is unrated, and its seed is fixed by hand.")
    return None


def _flaw_against(log: MatchLog, source: MatchLog, continued: Continuation) -> Flaw | None:
    if source.name != continued.log:
        return Flaw(0, f"The header names log {continued.log}, and the log at hand is {source.name}.")
    here, there = log.setup, source.setup
    for what, one, two in (
        ("game", (here.game, here.rules_version), (there.game, there.rules_version)),
        ("number of seats", len(here.seats), len(there.seats)),
        ("options", here.options, there.options),
        ("seed", here.seed, there.seed),
    ):
        if one != two:
            return Flaw(0, f"The {what} is not that of the match that it plays on from.")
    for number, (index, logged) in enumerate(log.numbered_plies[: continued.plies]):
        if number >= len(source.plies) or source.plies[number].action != logged.record.action:
            return Flaw(
                index, f"Ply {number}, record {index}, was not played in the match that it plays on from."
            )
    return None
