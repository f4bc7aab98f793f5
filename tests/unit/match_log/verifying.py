"""What the tests of verification share: matches, changes to their logs, and what verification finds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from arena.core.match import Cause, MatchState
from arena.core.ply import PlyRecord
from arena.match_log.checks.check import Status
from arena.match_log.verify import Verification, verify
from arena.v1 import match_log_pb2
from tests.unit.match_log.matches import (
    KEY,
    SECRET,
    LoggedMatch,
    a_match,
    a_setup,
)
from tests.unit.match_log.pile import codecs
from tests.unit.match_log.tamper import ply_indices

Change = Callable[[match_log_pb2.LogRecord], None]


def verified(data: bytes, **more: object) -> Verification:
    return verify(data, **({"keys": [KEY.public], "codecs": codecs, "secret": SECRET} | more))  # type: ignore[arg-type]


def failures(verification: Verification) -> dict[str, int | None]:
    return {check.name: check.record for check in verification.checks if check.status is Status.FAILED}


def status(verification: Verification, name: str) -> Status:
    return next(check.status for check in verification.checks if check.name == name)


def sentence(verification: Verification, name: str) -> str:
    return next(check.sentence for check in verification.checks if check.name == name)


@cache
def a_plain_match() -> LoggedMatch:
    return a_match(7)


@cache
def a_troubled_match() -> LoggedMatch:
    """With misses, illegal answers and a forfeit, finished by the rules."""
    return next(
        match
        for source in range(1_000)
        if (match := a_match(source, trouble=0.25, setup=a_setup(seats=a_setup().seats * 2))).result.state
        is MatchState.FINISHED
        and match.result.ending == "PILE_EMPTY"
        and {record.cause for record in match.records if isinstance(record, PlyRecord)} == set(Cause)
    )


def a_single_answer(match: LoggedMatch) -> int:
    """Return the index of a later ply that alone answered its decision, in time and with bank left."""
    plies = [record for record in match.records if isinstance(record, PlyRecord)]
    asked = [(ply.seat, ply.decision) for ply in plies]
    number = next(
        number
        for number, ply in enumerate(plies)
        if number > 3 and asked.count(asked[number]) == 1 and ply.cause is Cause.CHOSEN and ply.bank_ns > 1
    )
    return ply_indices(match.log.data)[number]


def cause_at(match: LoggedMatch, index: int) -> Cause:
    record = match.records[index - 2]
    assert isinstance(record, PlyRecord)
    return record.cause


def ply_change(**fields: int) -> Change:
    def change(record: match_log_pb2.LogRecord) -> None:
        for name, value in fields.items():
            setattr(record.ply, name, value)

    return change


def footer_change(change: Callable[[match_log_pb2.LogFooter], object]) -> Change:
    def changes(record: match_log_pb2.LogRecord) -> None:
        change(record.footer)

    return changes


def swap_placings(footer: match_log_pb2.LogFooter) -> None:
    first, second = footer.seats[:2]
    first.placing, second.placing = second.placing, first.placing


def setting(path: str, value: object) -> Callable[[match_log_pb2.LogFooter], object]:
    def change(footer: match_log_pb2.LogFooter) -> None:
        target: object = footer.seats[0] if path.startswith("seat.") else footer
        *parents, name = path.removeprefix("seat.").split(".")
        for parent in parents:
            target = getattr(target, parent)
        setattr(target, name, value)

    return change
