"""docs/faults.md lists every way a seat can end and every fault of the arena, with the evidence that there is."""

import re

import pytest

from arena.core.endings import arena_faults
from arena.core.endings.arena_faults import ArenaFault, VoidCause
from arena.core.endings.terminations import SeatEnding, Termination
from arena.store.audit.entries import AuditKind
from tests.checkout import text
from tests.unit.core.test_verdicts import ENDINGS

PAGE = text("docs/faults.md")
CAUSES = {
    ArenaFault.ERROR: arena_faults.error("1a2b3c4d", (("exception", "ValueError"), ("place", "engine.x:3"))),
    ArenaFault.KILLED: arena_faults.killed("", "2026-11-21T09:30:05Z", in_good_order=False),
    ArenaFault.SHUTDOWN: arena_faults.shut_down(10.0),
    ArenaFault.MASS_LOSS: arena_faults.mass_loss(5, 6, 5, 6, 5),
    ArenaFault.PROGRAM: arena_faults.program_lost("ann", "its launcher was ended from outside"),
    ArenaFault.NO_PROCESSOR: arena_faults.no_processor(3, 120),
    ArenaFault.WORKER: arena_faults.worker_lost("worker 1", "has ended"),
}


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table below a heading, without its head."""
    below = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ")[0]
    lines = [line for line in below.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def names(cell: str) -> set[str]:
    """Return the words in backticks."""
    return set(re.findall(r"`([\w-]+)`", cell))


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_the_page_has_a_row_for_each_ending_with_its_fault_and_all_its_evidence(ending: SeatEnding) -> None:
    facts = {fact for fact, _ in ending.evidence}
    fitting = [
        row
        for row in rows("How a seat ends")
        if ending.termination.name in names(row[0])
        and ending.fault.name.lower() in row[2]
        and facts <= names(row[3])
    ]
    assert fitting, ending


def test_the_page_names_every_termination() -> None:
    named = {name for row in rows("How a seat ends") for name in names(row[0])}
    assert named == {termination.name for termination in Termination}


@pytest.mark.parametrize("fault", ArenaFault)
def test_the_page_has_each_fault_of_the_arena_with_its_facts_and_no_others(fault: ArenaFault) -> None:
    [row] = [row for row in rows("When a match is void") if names(row[0]) == {fault.value}]
    assert names(row[2]) == {fact for fact, _ in CAUSES[fault].facts}
    assert {fact for fact, _ in CAUSES[fault].details} <= names(row[3])


def test_the_page_has_each_kind_of_audit_entry() -> None:
    named = {name for row in rows("The audit trail") for name in names(row[0])}
    assert named == {kind.name.lower().replace("_", "-") for kind in AuditKind}


@pytest.mark.parametrize("cause", CAUSES.values(), ids=lambda cause: cause.fault.value)
def test_the_evidence_begins_with_the_fault_and_keeps_details_to_itself(cause: VoidCause) -> None:
    assert cause.evidence[:2] == (("fault", cause.fault.value), ("why", cause.why))
    assert not {fact for fact, _ in cause.details} & {fact for fact, _ in cause.evidence}
    assert cause.why in cause.reason


def test_of_an_exception_class_and_place_are_shown_and_not_its_words() -> None:
    with pytest.raises(ValueError, match="joker") as raised:
        int("the seventh card is a joker")
    told = dict(arena_faults.exception_facts(raised.value))
    assert told["exception"] == "ValueError"
    assert re.fullmatch(r"[\w.]+:\d+", told["place"])
    assert "joker" not in str(told)
