"""What the tests of verification share: matches, changes to their logs, and what verification finds."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from arena.core.match import Cause, MatchResult, MatchState, NoteRecord
from arena.core.ply import PlyRecord
from arena.match_log.checks.check import Status
from arena.match_log.keys import SigningKey
from arena.match_log.verify import Verification, verify
from arena.v1 import match_log_pb2
from tests.unit.match_log.matches import KEY, SECRET, LoggedMatch, a_match, a_setup, logged
from tests.unit.match_log.pile import PileOptions, codecs
from tests.unit.match_log.tamper import changed, ply_indices

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
        and {record.cause for record in match.records if isinstance(record, PlyRecord)}
        == set(Cause) - {Cause.GIVEN}
    )


def setting(path: str, value: object) -> Change:
    """Return a change of one field of a record; numbers in the path are indices."""

    def change(record: match_log_pb2.LogRecord) -> None:
        *parents, name = path.split(".")
        target: Any = record
        for parent in parents:
            target = target[int(parent)] if parent.isdecimal() else getattr(target, parent)
        setattr(target, name, value)

    return change


def failures_after(
    match: LoggedMatch, index: int, change: Change, key: SigningKey = KEY
) -> dict[str, int | None]:
    """Change one record of the log of a match, sign all anew, and verify."""
    return failures(verified(changed(match.log.data, index, change, key)))


def written(match: LoggedMatch, *records: PlyRecord | NoteRecord, result: MatchResult | None = None) -> bytes:
    """Write the log of a match with other records or another result."""
    return logged(match.setup, records, result or match.result, set_up=match.set_up).data


def numbered(match: LoggedMatch) -> list[tuple[int, PlyRecord]]:
    """Return the plies of a match with the indices of their records in the log."""
    plies = [record for record in match.records if isinstance(record, PlyRecord)]
    return list(zip(ply_indices(match.log.data), plies, strict=True))


def first_ply(match: LoggedMatch, wanted: Callable[[PlyRecord], object]) -> int:
    """Return the index of the first ply that is wanted."""
    return next(index for index, ply in numbered(match) if wanted(ply))


def a_single_answer(match: LoggedMatch) -> int:
    """Return the index of a later ply that alone answered its decision, in time and with bank left."""
    plies = numbered(match)
    asked = [(ply.seat, ply.decision) for _, ply in plies]
    return next(
        index
        for index, ply in plies[4:]
        if asked.count((ply.seat, ply.decision)) == 1 and ply.cause is Cause.CHOSEN and ply.bank_ns > 1
    )


def a_short_match(tokens: int = 1, **changes: object) -> tuple[LoggedMatch, PlyRecord]:
    """Return a match of a few tokens, and its first ply with changes."""
    match = a_match(setup=a_setup(options=PileOptions(tokens)))
    first = match.records[0]
    assert isinstance(first, PlyRecord)
    return match, replace(first, **changes)  # type: ignore[arg-type]
