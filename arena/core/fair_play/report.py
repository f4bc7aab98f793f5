"""The fair play report: everything seen of all pairs of bots, the strongest first, and what it cannot see."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import comb
from typing import Final

from arena.core.fair_play.agreement import agreements
from arena.core.fair_play.choice import Choice, Likeness
from arena.core.fair_play.co_activity import CoActivity, presences
from arena.core.fair_play.favours import givings
from arena.core.fair_play.finding import (
    FairPlayFinding,
    Numbers,
    SharedVersion,
    Weight,
    bots_of,
    finding,
    weight_of,
)
from arena.core.fair_play.trade_totals import TradeTotals, summed_up
from arena.core.finished_match import FinishedMatch

SDK_LABEL: Final = "1"
"""What a bot of the Python SDK declares that sets no label of its own: to have it in common says nothing."""


@dataclass(frozen=True, slots=True)
class VersionSeen:
    """A version of a bot."""

    label: str
    submitted: bool
    """Whether the label is the hash of its content."""
    language: str
    since: str = field(default="", compare=False)
    """When the bot first had it, so written that the earlier moment sorts first."""


@dataclass(frozen=True, slots=True)
class Participant:
    """A bot of the matches that are looked at."""

    bot: str
    owner: str
    versions: tuple[VersionSeen, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a report is made of."""

    participants: tuple[Participant, ...]
    results: tuple[FinishedMatch, ...]
    """Finished matches of two seats or more; one at least."""
    choices: Mapping[Likeness, Sequence[Choice]]
    matches_read: int
    """Of how many matches the choices are."""
    dealings: Sequence[TradeTotals] = ()
    """What bots traded in these, match by match."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was seen."""

    matches: int
    matches_read: int
    first_us: int
    """When the first match began."""
    last_us: int
    """When the last one ended."""
    bots: int
    findings: tuple[FairPlayFinding, ...]
    left_out: int
    """Findings beyond those asked for, all weaker."""
    limits: tuple[str, ...]
    """What it cannot see, a sentence each."""
    dealings: tuple[TradeTotals, ...] = ()
    """What each two bots have traded, gifts to one side first; at most as many as findings."""
    dealings_left_out: int = 0
    """Pairs of bots with trades beyond these."""


def report(evidence: Evidence, *, bots: frozenset[str] = frozenset(), most: int = 100) -> Report:
    """Make the report. It does not depend on the names of bots or the order of matches.

    `bots`: only findings about one of these; none: about all. `most`: the maximal number of findings.
    """
    numbers: list[Numbers] = [
        *agreements(evidence.choices),
        *givings(evidence.results),
        *_shared_versions(evidence.participants),
        *presences(evidence.results),
    ]
    found = sorted(_weighed(numbers, evidence.participants), key=lambda each: each.place)
    wanted = [each for each in found if not bots or bots & {each.one, each.other}]
    dealings = [each for each in summed_up(evidence.dealings) if not bots or bots & {each.one, each.other}]
    return Report(
        matches=len(evidence.results),
        matches_read=evidence.matches_read,
        first_us=min(each.started_us for each in evidence.results),
        last_us=max(each.ended_us for each in evidence.results),
        bots=len({bot for each in evidence.results for bot in each.bots}),
        findings=tuple(wanted[:most]),
        left_out=max(0, len(wanted) - most),
        limits=tuple(_limits(evidence, found)),
        dealings=tuple(dealings[:most]),
        dealings_left_out=max(0, len(dealings) - most),
    )


def _weighed(numbers: Iterable[Numbers], participants: Iterable[Participant]) -> list[FairPlayFinding]:
    """Weigh in two rounds: a weak finding counts beside one that is not weak."""
    owner = {each.bot: each.owner for each in participants}

    def one_owner(one: str, other: str) -> bool:
        return one in owner and owner.get(one) == owner.get(other)

    weighed = [(each, bots_of(each), one_owner(*bots_of(each))) for each in numbers]
    strong = {
        frozenset(pair)
        for each, pair, same in weighed
        if weight_of(each, same_owner=same) is Weight.WORTH_A_LOOK
    }
    found = [
        finding(each, same_owner=same, supported=frozenset(pair) in strong)
        for each, pair, same in weighed
        if not (isinstance(each, CoActivity | SharedVersion) and same)
    ]
    return [replace(each, sentence=f"{each.sentence}{_owners(each, owner)}") for each in found]


def _owners(found: FairPlayFinding, owner: Mapping[str, str]) -> str:
    """Return the owners of the two; empty where one of them is not known."""
    if found.one not in owner or found.other not in owner:
        return ""
    if found.same_owner:
        return f" Both belong to {owner[found.one]}."
    return f" {found.one} belongs to {owner[found.one]}, {found.other} to {owner[found.other]}."


def _shared_versions(participants: Sequence[Participant]) -> Iterable[SharedVersion]:
    """Yield what bots of two owners have in common: content, or label and language."""
    having: dict[VersionSeen, dict[str, str]] = defaultdict(dict)
    for each in sorted(participants, key=lambda one: one.bot):
        for version in each.versions:
            if version.submitted or version.label != SDK_LABEL:
                having[version][each.bot] = version.since
    for version, bots in having.items():
        for one, other in combinations(bots, 2):
            seen = bots[one], bots[other]
            yield SharedVersion(
                one, other, version.label, version.submitted, version.language, len(bots), seen
            )


def _limits(evidence: Evidence, found: Sequence[FairPlayFinding]) -> Iterable[str]:
    """Yield what the report cannot see."""
    unread = len(evidence.results) - evidence.matches_read
    if unread:
        yield (
            f"The decisions of {unread} of {len(evidence.results)} matches could not be read: their logs are gone, "
            "damaged, or of another version of the rules."
        )
    silent = Counter(each.weight for each in found)[Weight.NOT_ENOUGH]
    if silent:
        yield (
            f"Of {silent} questions there is not enough to say: too few common situations or match groups (better 20 "
            "match groups of each pair). More matches of these bots would help."
        )
    if not any(choices for choices in evidence.choices.values()):
        yield "No two bots were ever in situations that could be compared."
    of_one_owner = sum(
        comb(bots, 2) for bots in Counter(each.owner for each in evidence.participants).values()
    )
    if of_one_owner:
        pairs = "1 pair of bots belongs" if of_one_owner == 1 else f"{of_one_owner} pairs of bots belong"
        yield (
            f"{pairs} to one owner: common versions and times of play are not compared there, and deciding alike is "
            "never worth a look."
        )
    if evidence.dealings:
        yield "Trades are counted, not weighed: what a thing was worth when it changed hands is for people to say."
    yield "Two copies that play at random, or are changed in what they prefer, do not stand out."
    yield "Whoever gives away less than chance takes does not stand out."
    yield "Bots are looked at over all their versions: one that was changed lately is mixed with what it was before."
