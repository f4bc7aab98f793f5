"""The outcome of a seat, from a log or from the arena, as text and JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from arena.cli.explain.advice import Advice, advice
from arena.cli.framework.output import enum_word, printable, short
from arena.core.match import ENDED_BY_FORFEIT
from arena.core.versions import shown_version
from arena.v1 import ending_pb2, match_pb2

HOSTED_ENDINGS: Final = frozenset({"EXITED", "SIGNALLED", "MEMORY", "PIDS", "OUTPUT", "FORBIDDEN_CALL"})
"""Endings of hosted programs only."""

_FAULTS: Final = {
    "BOT": "fault of the bot",
    "OPPONENT": "fault of another seat",
    "NETWORK": "not connected, which counts as the bot's fault; see the output of its program",
    "ARENA": "fault of the arena",
}


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """The outcome of a seat. A placing of 0 and an empty termination: no result (yet)."""

    match: str
    """The number of its match."""
    seat: int
    bot: str
    """Its id; empty if it is still hidden."""
    version: str
    placing: int
    score: int | None
    """None if the game did not end with a score."""
    termination: str
    """For example "EXITED"; empty before the end."""
    fault: str
    sentence: str
    evidence: tuple[tuple[str, str], ...]

    @property
    def advice(self) -> Advice | None:
        """What its author can do; None if it did not forfeit."""
        given = advice(self.termination, dict(self.evidence))
        return given and Advice(self._named(given.limit), self._named(given.next))

    def _named(self, text: str) -> str:
        return text.replace("MATCH", self.match).replace("SEAT", str(self.seat)).replace("BOT", self.bot)

    @property
    def forfeited(self) -> bool:
        """Whether the seat forfeited."""
        return self.termination not in {"", "NORMAL"}

    @property
    def program_ended(self) -> bool:
        """Whether the program of a hosted bot ended in the match."""
        limits = {"cpu_limit_s", "wall_limit_s"}
        return self.termination in HOSTED_ENDINGS or bool(limits & dict(self.evidence).keys())


def seat_outcomes(match: match_pb2.Match) -> list[SeatOutcome]:
    """Return the seats of a match as the arena shows it."""
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
            _upper_word(ending_pb2.Termination, seat.ending.termination),
            _upper_word(ending_pb2.Fault, seat.ending.fault),
            seat.ending.sentence,
            tuple((each.fact, each.value) for each in seat.ending.evidence),
        )
        for number, seat in enumerate(match.seats)
    ]


def _upper_word(enum: Any, value: int) -> str:
    return enum_word(enum, value).upper() if value else ""


def headline(outcome: SeatOutcome, seats: int, *, state: str) -> str:
    """Return bot, placing, ending and fault. `state`: of the match, for example "FINISHED"."""
    version = f", version {shown_version(outcome.version)}" if outcome.version else ""
    named = f"Seat {outcome.seat}, {outcome.bot or 'hidden until the match begins'}{version}"
    if not outcome.termination:
        return named
    placed = f"placing {outcome.placing} of {seats}" if outcome.placing else "no placing"
    how = "by the rules" if outcome.fault == "NONE" else "all others forfeited"
    if outcome.forfeited:
        how = f"{outcome.termination}, {_FAULTS.get(outcome.fault, 'no fault')}"
    elif state in ("ABORTED", "NO_CONTEST"):
        how = "void" if state == "ABORTED" else "no contest"
    return f"{named}: {placed}, {how}"


def score_line(outcome: SeatOutcome, seats: Sequence[SeatOutcome]) -> str:
    """Return its score compared with all others, best first; empty if there are none."""
    if outcome.score is None or len(seats) == 1 or outcome.forfeited:
        return ""
    others = sorted((each for each in seats if each.seat != outcome.seat), key=lambda each: each.placing)
    compared = [_compared(outcome, outcome.score, each) for each in others]
    return f"score {outcome.score}: " + ", ".join(compared)


def _compared(outcome: SeatOutcome, score: int, other: SeatOutcome) -> str:
    named = f"seat {other.seat} ({other.bot}"
    if other.forfeited or other.score is None:
        return f"{named}) forfeited"
    more = score - other.score
    if more:
        return f"{abs(more)} {'more' if more > 0 else 'less'} than {named}, {other.score})"
    if other.placing == outcome.placing:
        return f"the same as {named})"
    order = "behind" if other.placing < outcome.placing else "ahead of"
    return f"the same as {named}), but {order} it by the tie rules"


def forfeit_lines(outcome: SeatOutcome, *, point: bool) -> Iterator[str]:
    """Yield evidence, limit and advice for a forfeit; only the evidence for a fault of the arena.

    `point`: whether to say where to read the output of its program.
    """
    if outcome.evidence and (outcome.forfeited or outcome.fault == "ARENA"):
        shown = ", ".join(f"{fact} {printable(value)}" for fact, value in outcome.evidence)
        yield f"evidence: {shown}"
    given = outcome.advice
    if given is None:
        return
    if given.limit:
        yield f"limit: {given.limit}"
    yield f"what to do: {given.next}"
    if point and outcome.program_ended:
        yield f"its output: `arena log debug {outcome.match}`, with a token of the bot's owner"


def outcome_document(outcome: SeatOutcome, seats: Sequence[SeatOutcome]) -> dict[str, object]:
    """Return the same for JSON. What is unknown or does not apply is null."""
    given = outcome.advice
    scores = [each.score for each in seats if each.placing == 1 and each.score is not None]
    behind = (
        scores[0] - outcome.score if scores and outcome.score is not None and not outcome.forfeited else None
    )
    return {
        "bot": f"bots/{outcome.bot}" if outcome.bot else "",
        "bot_version": f"bots/{outcome.bot}/versions/{outcome.version}" if outcome.version else None,
        "placing": outcome.placing,
        "score": outcome.score,
        "behind_best": behind,
        "termination": outcome.termination or None,
        "fault": outcome.fault or None,
        "sentence": outcome.sentence,
        "evidence": dict(outcome.evidence),
        "limit": given.limit or None if given else None,
        "what_to_do": given.next if given else None,
    }
