"""How a fair play report is made: logs in, report out, without a clock or a database."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arena.codecs.codec import Codec, codec_for
from arena.core.fair_play.choice import Choice, Likeness
from arena.core.fair_play.report import Evidence, Participant, Report, report
from arena.core.fair_play.trade_totals import TradeTotals
from arena.core.finished_match import FinishedMatch
from arena.core.match import Cause
from arena.fair_play.choices import ActionKinds, choices_of_match
from arena.match_log.reader import MatchLog, UnreadableLogError, read_log
from arena.match_report.trades import between, trades
from engine.game import GameError
from engine.randomness import SEED_BYTES

MOST_BOTS: Final = 100
"""Choices of so many bots are compared, of those that played most: time grows with the square of their number."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A finished match: its result, and its log as stored."""

    result: FinishedMatch
    log: bytes
    """The file; empty if it cannot be had."""
    log_name: str
    """The name that is recorded with the result, 64 hex digits."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a report is asked about, and all that it follows from."""

    participants: tuple[Participant, ...]
    matches: tuple[StoredMatch, ...]
    """One at least."""
    bots: frozenset[str]
    """Findings about these are wanted; none: about all."""
    findings: int
    """How many are wanted at most."""


def make_report(material: Material) -> Report:
    """Make the report. It takes tens of milliseconds of processor time for each match: run it in a process of its
    own.
    """
    kinds: dict[str, ActionKinds] = defaultdict(ActionKinds)
    choices: dict[Likeness, list[Choice]] = {likeness: [] for likeness in Likeness}
    compared = _who_played_most(material)
    dealings: list[TradeTotals] = []
    read = 0
    for match in material.matches:
        log = _readable(match)
        if log is None:
            continue
        codec = codec_for(log.setup.game)
        try:
            chosen = list(_choices(log, codec, kinds[log.setup.game], match.result))
        except GameError:
            continue
        read += 1
        dealings += _dealings(log, codec, match.result)
        for likeness, choice in chosen:
            if choice.bot in compared:
                choices[likeness].append(choice)
    results = tuple(each.result for each in material.matches)
    evidence = Evidence(material.participants, results, choices, read, dealings)
    return report(evidence, bots=material.bots, most=material.findings)


def _who_played_most(material: Material) -> frozenset[str]:
    played = Counter(bot for match in material.matches for bot in match.result.bots)
    asked = [bot for bot in sorted(material.bots) if bot in played]
    order = sorted(played, key=lambda bot: (-played[bot], bot))
    return frozenset([*asked, *order][:MOST_BOTS])


def _readable(match: StoredMatch) -> MatchLog | None:
    """Return the log, if it is the one that was recorded and its rules are those of this software."""
    try:
        log = read_log(match.log)
    except UnreadableLogError:
        return None
    rules = codec_for(log.setup.game).game.spec.rules_version
    usable = log.name == match.log_name and log.setup.rules_version == rules
    return log if usable and len(log.setup.seed) == SEED_BYTES else None


def _choices(
    log: MatchLog, codec: Codec, kinds: ActionKinds, match: FinishedMatch
) -> Iterator[tuple[Likeness, Choice]]:
    """Play the log again. Raises GameError if it does not fit the rules."""
    setup = log.setup
    state = codec.game.new_match(len(setup.seats), setup.options, setup.seed)
    plies = ((ply.action, ply.cause is Cause.CHOSEN) for ply in log.plies)
    return choices_of_match(codec, state, plies, kinds, match)


def _dealings(log: MatchLog, codec: Codec, result: FinishedMatch) -> Iterator[TradeTotals]:
    """Yield what each two bots of a match have traded; the two by name, so that their matches can be summed up."""
    for pair in between(trades(log, codec.game) or ()):
        sides = zip((result.bots[seat] for seat in pair.seats), pair.gave, pair.gifts, strict=True)
        (one, one_gave, one_gifts), (other, other_gave, other_gifts) = sorted(sides, key=lambda side: side[0])
        both = (pair.offers, pair.accepted)
        yield TradeTotals(one, other, (result.match,), *both, one_gave, other_gave, one_gifts, other_gifts)
