"""Something seen of two bots: its numbers, how much there is to it, and words that accuse nobody."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from arena.core.fair_play.agreement import Agreement
from arena.core.fair_play.choice import Likeness
from arena.core.fair_play.co_activity import CoActivity
from arena.core.fair_play.favours import Favour, FavourKind
from arena.core.fair_play.thresholds import ALIKE, RARE


class Weight(Enum):
    """How much there is to a finding, the most first; the numbers of proto/arena/v1/fair_play.proto."""

    WORTH_A_LOOK = 1
    UNREMARKABLE = 2
    NOT_ENOUGH = 3


@dataclass(frozen=True, slots=True)
class SharedVersion:
    """A version that two bots of different owners have in common."""

    one: str
    other: str
    version: str
    """The hash of its content, or the label that both declare."""
    submitted: bool
    """Whether the arena has the content: then it is the same, file by file."""
    language: str
    bots: int
    """How many of the bots looked at have it."""
    since: tuple[str, str] = ("", "")
    """When each of the two first had it, so written that the earlier moment sorts first."""


Numbers = Agreement | Favour | SharedVersion | CoActivity

_ONE_OWNER: Final = "Both belong to one owner, who may enter two versions of one program."


@dataclass(frozen=True, slots=True)
class FairPlayFinding:
    """Something seen of two bots."""

    one: str
    """Of Giving the bot that gives."""
    other: str
    same_owner: bool
    weight: Weight
    numbers: Numbers
    sentence: str
    innocent_reasons: tuple[str, ...]
    matches: tuple[int, ...]

    @property
    def place(self) -> tuple[int, float, float, str, str]:
        """Where it stands among others: the weight first, then the chance, then the size."""
        chance, size = _strength(self.numbers)
        return self.weight.value, chance, -size, self.one, self.other


def finding(numbers: Numbers, *, same_owner: bool, supported: bool = False) -> FairPlayFinding:
    """Return the finding for these numbers, weighed and in words.

    `supported`: another finding about the same two exists; times of play and declared names count only then.
    """
    return FairPlayFinding(
        *bots_of(numbers),
        same_owner,
        weight_of(numbers, same_owner=same_owner, supported=supported),
        numbers,
        _sentence(numbers),
        ((_ONE_OWNER,) if same_owner else ()) + _reasons(numbers),
        numbers.matches if isinstance(numbers, Agreement | Favour) else (),
    )


def bots_of(numbers: Numbers) -> tuple[str, str]:
    """Return the two bots that the numbers are about."""
    if isinstance(numbers, Favour):
        return numbers.giver, numbers.receiver
    return numbers.one, numbers.other


def weight_of(numbers: Numbers, *, same_owner: bool, supported: bool = False) -> Weight:
    """Return how much weight the numbers have."""
    match numbers:
        case Agreement(adjusted=None) | Favour(adjusted=None):
            return Weight.NOT_ENOUGH
        case Agreement(adjusted=chance, overlap_low=low):
            alike = chance is not None and chance <= RARE and low is not None and low >= ALIKE
            return Weight.WORTH_A_LOOK if alike and not same_owner else Weight.UNREMARKABLE
        case Favour(adjusted=chance):
            rare = chance is not None and chance <= RARE
            return Weight.WORTH_A_LOOK if rare else Weight.UNREMARKABLE
        case SharedVersion(submitted=submitted):
            return Weight.WORTH_A_LOOK if submitted or supported else Weight.UNREMARKABLE
        case CoActivity(rarer=chance):
            rare = chance <= RARE
            return Weight.WORTH_A_LOOK if rare and supported else Weight.UNREMARKABLE


def _strength(numbers: Numbers) -> tuple[float, float]:
    """Return the corrected chance, and the effect size."""
    match numbers:
        case Agreement():
            low = numbers.overlap_low if numbers.overlap_low is not None else -9.0
            return _chance(numbers), low + numbers.situations / 1e9
        case Favour():
            return _chance(numbers), abs(numbers.observed - numbers.expected)
        case SharedVersion():
            return (0.0 if numbers.submitted else 0.5), 1 / numbers.bots
        case CoActivity():
            return numbers.rarer, abs(numbers.together - numbers.expected)


def _chance(numbers: Agreement | Favour) -> float:
    return 1.0 if numbers.adjusted is None else numbers.adjusted


_SITUATIONS: Final = {
    Likeness.POSITION: "the very same position",
    Likeness.ACTIONS: "front of the same legal actions",
    Likeness.HABIT: "a similar situation (habits)",
}


def _sentence(numbers: Numbers) -> str:
    match numbers:
        case Agreement():
            return _of_agreement(numbers)
        case Favour():
            return _of_giving(numbers)
        case SharedVersion(submitted=True):
            (earlier, first), (later, second) = sorted(
                zip(numbers.since, (numbers.one, numbers.other), strict=True)
            )
            return (
                f"{numbers.one} and {numbers.other} were submitted by two owners with the same content, file by "
                f"file ({numbers.version[:12]}). {first} had it first, on {earlier}; {second} on {later}."
            )
        case SharedVersion():
            return (
                f"{numbers.one} and {numbers.other} both call a version of theirs {numbers.version}, in "
                f"{numbers.language}."
            )
        case CoActivity() as seen:
            return (
                f"{seen.one} and {seen.other} never met. While the less busy one was in play, the other one was, too, "
                f"for {_percent(seen.together)} of the time; chance would make it {_percent(seen.expected)}."
            )


def _of_agreement(seen: Agreement) -> str:
    where = _SITUATIONS[seen.likeness]
    said = (
        f"In {where}, {seen.one} and {seen.other} chose the same in {_percent(seen.agreement)} of "
        f"{seen.situations} situations ({_percent(seen.low)} to {_percent(seen.high)}); chance would make it "
        f"{_percent(seen.expected)}."
    )
    if seen.chance is None:
        return said + _TOO_LITTLE
    if seen.overlap is None:
        return f"{said} Their own choices are too mixed to tell them by."
    return (
        f"{said} On a scale from 0, no more alike than by chance, to 1, as like each other as each is like itself, "
        f"that is {seen.overlap:z.2f} ({seen.overlap_low:z.2f} to {seen.overlap_high:z.2f})."
        f"{_MORE_ALIKE if seen.overlap > 1 else ''}"
    )


_TOO_LITTLE: Final = " That is too little to say anything."
_MORE_ALIKE: Final = " Above 1 they agree with each other more than each with itself, mostly by chance."


def _of_giving(seen: Favour) -> str:
    groups = f"{seen.groups} match groups"
    few = "" if seen.chance is not None else _TOO_LITTLE
    match seen.kind:
        case FavourKind.FORFEITS:
            return (
                f"{seen.giver} forfeited in {_percent(seen.observed)} of {groups} against {seen.receiver} "
                f"({_percent(seen.low)} to {_percent(seen.high)}), and in {_percent(seen.expected)} of "
                f"{seen.other_groups} against others.{few}"
            )
        case FavourKind.RESULTS:
            return (
                f"{seen.giver} scored {_percent(seen.observed)} of the points in {groups} against {seen.receiver} "
                f"({_percent(seen.low)} to {_percent(seen.high)}); by their other matches {_percent(seen.expected)} "
                f"were to be expected.{few}"
            )
        case FavourKind.THIRD_BOTS:
            return (
                f"Where {seen.giver} and {seen.receiver} sat at one table ({groups}), the others there were placed "
                f"above a third bot {_points(seen.observed)} more often than ratings promise "
                f"({_points(seen.low)} to {_points(seen.high)}); where one of the two sat there, "
                f"{_points(seen.expected)}.{few}"
            )


def _reasons(numbers: Numbers) -> tuple[str, str] | tuple[str]:
    """Return innocent explanations."""
    match numbers:
        case Agreement(likeness=Likeness.HABIT):
            return (
                "Both may be made from the same sample bot, or from the same book or lecture.",
                "Two sound players may have the same habits: these are kinds of actions, not answers to positions.",
            )
        case Agreement():
            return (
                "Both may be made from the same sample bot, or from the same published program.",
                "Where one action is plainly best, all good bots choose it.",
            )
        case Favour(kind=FavourKind.FORFEITS):
            return (
                "The opponent may bring about long or rare positions that this bot cannot cope with.",
                "The two may have met while this bot or its network was in trouble.",
            )
        case Favour(kind=FavourKind.RESULTS):
            return (
                "The one bot's way of play may be just what the other cannot deal with.",
                "A bot may have changed its version in between.",
            )
        case Favour():
            return (
                "Two bots with one way of play may get in the way of the same third bots without meaning to.",
            )
        case SharedVersion(submitted=True):
            return ("Both may have submitted a sample bot, or a published program, as it is.",)
        case SharedVersion():
            return ("Labels like this are common, and an example that many start from may bring one.",)
        case CoActivity():
            return (
                "The arena decides who plays when: a bot that is waited for plays as soon as it can.",
                "People of one time zone run their bots at the same hours; those who share a machine, in turn.",
            )


def _percent(share: float) -> str:
    return f"{100 * share:z.0f} %"


def _points(share: float) -> str:
    return f"{100 * share:+z.0f} points of a hundred"
