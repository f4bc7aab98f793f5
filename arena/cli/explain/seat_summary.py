"""How a seat came out, from its log or from what the arena says of it: for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from arena.cli.explain.advice import Advice, advice
from arena.cli.framework.output import printable, short
from arena.core.match import ENDED_BY_FORFEIT
from arena.core.versions import shown_version
from arena.v1 import ending_pb2, match_pb2

HOSTED_ENDINGS: Final = frozenset({"EXITED", "SIGNALLED", "MEMORY", "PIDS", "OUTPUT", "FORBIDDEN_CALL"})
"""Only a program that the arena runs itself ends so."""

_FAULTS: Final = {
    "BOT": "the bot's own fault",
    "OPPONENT": "another seat's fault",
    "NETWORK": "not connected, which counts as its own fault: where its program ended, what that wrote says why",
    "ARENA": "the arena's fault",
}


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """One seat. A placing of 0 and an empty termination: the match has no result (yet)."""

    match: str
    """The number of its match."""
    seat: int
    bot: str
    """Its id; empty if it is not told yet."""
    version: str
    placing: int
    score: int | None
    """None where the game came to no score."""
    termination: str
    """For example "EXITED"; empty before the end."""
    fault: str
    sentence: str
    evidence: tuple[tuple[str, str], ...]

    @property
    def advice(self) -> Advice | None:
        """What its author can do about it; None if it has not forfeited."""
        given = advice(self.termination, dict(self.evidence))
        return given and Advice(self._named(given.limit), self._named(given.next))

    def _named(self, text: str) -> str:
        return text.replace("MATCH", self.match).replace("SEAT", str(self.seat)).replace("BOT", self.bot)

    @property
    def forfeited(self) -> bool:
        """Whether the seat has lost by its own fault."""
        return self.termination not in {"", "NORMAL"}

    @property
    def program_ended(self) -> bool:
        """Whether a program that the arena ran has come to its end in the match."""
        limits = {"cpu_limit_s", "wall_limit_s"}
        return self.termination in HOSTED_ENDINGS or bool(limits & dict(self.evidence).keys())


def facts_of(match: match_pb2.Match) -> list[SeatOutcome]:
    """The seats of a match as the arena shows it."""
    finished = match.state == match_pb2.MATCH_STATE_FINISHED
    scored = finished and match.ending not in ENDED_BY_FORFEIT
    return [
        SeatOutcome(
            short(match.name),
            number,
            short(seat.bot),
            short(seat.bot_version),
            seat.placing,
            seat.score if scored else None,
            _word(ending_pb2.Termination.Name(seat.ending.termination), "TERMINATION_"),
            _word(ending_pb2.Fault.Name(seat.ending.fault), "FAULT_"),
            seat.ending.sentence,
            tuple((each.fact, each.value) for each in seat.ending.evidence),
        )
        for number, seat in enumerate(match.seats)
    ]


def _word(name: str, prefix: str) -> str:
    word = name.removeprefix(prefix)
    return "" if word == "UNSPECIFIED" else word


_NO_RESULT: Final = {"ABORTED": "void", "NO_CONTEST": "no contest"}
"""How a seat ended that has done nothing wrong, by the state of a match without a result."""


def headline(mine: SeatOutcome, seats: int, *, state: str) -> str:
    """Who sat there, where it came, and how it ended by whose fault. `state`: of the match, for example "FINISHED"."""
    version = f", version {shown_version(mine.version)}" if mine.version else ""
    named = f"Seat {mine.seat}, {mine.bot or 'told when the match begins'}{version}"
    if not mine.termination:
        return named
    placed = f"placing {mine.placing} of {seats}" if mine.placing else "no placing"
    return f"{named}: {placed}, {_verdict(mine, state)}"


def _verdict(mine: SeatOutcome, state: str) -> str:
    """A seat of a void match did not end by the rules."""
    if not mine.forfeited:
        if state in _NO_RESULT:
            return _NO_RESULT[state]
        return "by the rules" if mine.fault == "NONE" else "the others forfeited"
    return f"{mine.termination}, {_FAULTS.get(mine.fault, 'nobody is at fault')}"


def score_line(mine: SeatOutcome, seats: Sequence[SeatOutcome]) -> str:
    """Its score beside those of all others, best first; empty where there are none to compare."""
    if mine.score is None or len(seats) == 1 or mine.forfeited:
        return ""
    others = sorted((each for each in seats if each.seat != mine.seat), key=lambda each: each.placing)
    compared = [_compared(mine, mine.score, each) for each in others]
    return f"score {mine.score}: " + ", ".join(compared)


def _compared(mine: SeatOutcome, score: int, other: SeatOutcome) -> str:
    named = f"seat {other.seat} ({other.bot}"
    if other.forfeited or other.score is None:
        return f"{named}) forfeited"
    more = score - other.score
    if more:
        return f"{abs(more)} {'more' if more > 0 else 'less'} than {named}, {other.score})"
    if other.placing == mine.placing:
        return f"the same as {named})"
    before = "behind" if other.placing < mine.placing else "before"
    return f"the same as {named}), {before} which the rules for ties place it"


def forfeit_lines(mine: SeatOutcome, *, point: bool) -> Iterator[str]:
    """Of a seat that has forfeited: the evidence, the limit and where it stands, and what to do next.

    Of one whose match the arena has failed, the evidence alone.

    `point`: whether to say where the output of its program can be read.
    """
    if mine.evidence and (mine.forfeited or mine.fault == "ARENA"):
        shown = ", ".join(f"{fact} {printable(value)}" for fact, value in mine.evidence)
        yield f"evidence: {shown}"
    given = mine.advice
    if given is None:
        return
    if given.limit:
        yield f"limit: {given.limit}"
    yield f"what to do: {given.next}"
    if point and mine.program_ended:
        yield f"what it printed: `arena log debug {mine.match}`, with a token of the bot's owner"


def facts_document(mine: SeatOutcome, seats: Sequence[SeatOutcome]) -> dict[str, object]:
    """The same for programs. What is not known, or does not apply, is null."""
    given = mine.advice
    scores = [each.score for each in seats if each.placing == 1 and each.score is not None]
    behind = scores[0] - mine.score if scores and mine.score is not None and not mine.forfeited else None
    return {
        "bot": f"bots/{mine.bot}" if mine.bot else "",
        "bot_version": f"bots/{mine.bot}/versions/{mine.version}" if mine.version else None,
        "placing": mine.placing,
        "score": mine.score,
        "behind_best": behind,
        "termination": mine.termination or None,
        "fault": mine.fault or None,
        "sentence": mine.sentence,
        "evidence": dict(mine.evidence),
        "limit": given.limit or None if given else None,
        "what_to_do": given.next if given else None,
    }
