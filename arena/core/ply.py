"""The record of one ply: what the match log keeps of it, and the history of a match shows."""

from dataclasses import dataclass

from arena.core.evaluation import Evaluation
from arena.core.match import Cause
from engine.game import Event


@dataclass(init=False)
class PlyRecord:
    """One action applied. Times in nanoseconds; 0 for all but the first action of a decision."""

    seat: int
    decision: int
    action: int
    cause: Cause
    events: tuple[Event, ...]
    started_ns: int
    """Since the match began."""
    used_ns: int
    credit_ns: int
    stall_ns: int
    bank_ns: int
    over_seat_limit: bool
    digest: bytes
    """8 bytes of the position's digest when the plies so far, this one included, are a multiple of DIGEST_EVERY."""
    wait_ns: int
    """Time in which the seat's program, which the arena runs, was ready to run and got no processor."""
    evaluation: Evaluation | None
    """What the bot expected, if its answer said so; with the first action of a decision that it chose."""

    def __init__(  # noqa: PLR0913, PLR0917 - its fields
        self,
        seat: int,
        decision: int,
        action: int,
        cause: Cause,
        events: tuple[Event, ...],
        started_ns: int,
        used_ns: int,
        credit_ns: int,
        stall_ns: int,
        bank_ns: int,
        over_seat_limit: bool,
        digest: bytes,
        wait_ns: int = 0,
        evaluation: Evaluation | None = None,
    ) -> None:
        """By hand, because one is made for every ply: compiled, it costs nothing then."""
        self.seat = seat
        self.decision = decision
        self.action = action
        self.cause = cause
        self.events = events
        self.started_ns = started_ns
        self.used_ns = used_ns
        self.credit_ns = credit_ns
        self.stall_ns = stall_ns
        self.bank_ns = bank_ns
        self.over_seat_limit = over_seat_limit
        self.digest = digest
        self.wait_ns = wait_ns
        self.evaluation = evaluation
