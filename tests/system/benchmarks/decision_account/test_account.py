"""The account of a decision: its parts are shares of what was measured, and it says whether they are all of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.decision_account import entry_points as at
from benchmarks.decision_account.__main__ import SHAPES, measure
from benchmarks.decision_account.account import PARTS, TELLER, Account, Turn, account, probes_ns

COSTS: Mapping[str, Any] = {"within": [10.0, 20.0, 30.0], "around": [1.0, 2.0, 3.0], "schedule": 100.0}


def counted(spent: int, *, entered: int = 0, within: int = 0, scheduled: int = 0) -> dict[str, Any]:
    """Return the counts of a section; all its probes are around calls."""
    return {"spent_ns": spent, "entered": [entered, 0, 0], "within": [within, 0, 0], "scheduled": scheduled}


def told(threads: Mapping[str, int], sections: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer of the arena with probes."""
    return {"threads": threads, "sections": sections, "costs": COSTS}


def test_what_probes_have_added_is_counted_since_the_answer_before() -> None:
    now = {"spent_ns": 0, "entered": [3, 2, 1], "within": [0, 5, 0], "scheduled": 4}
    then = {"spent_ns": 0, "entered": [1, 1, 1], "within": [0, 4, 0], "scheduled": 1}
    assert probes_ns(now, None, COSTS) == 3 * 10 + 2 * 20 + 30 + 5 * 2 + 400
    assert probes_ns(now, then, COSTS) == 2 * 10 + 20 + 2 + 300


def test_a_turn_adds_up_what_was_spent_between_answers_without_the_probes() -> None:
    turn = Turn()
    turn.add(
        told({"loop": 1_000, TELLER: 50}, {at.LOOP: counted(100)}),
        told(
            {"loop": 3_000, TELLER: 90, "store-writer_0": 500, "Thread-1 (_poll_wrapper)": 7},
            {at.LOOP: counted(900, within=5), at.HANDLING: counted(400, entered=5)},
        ),
        decisions=2,
    )
    assert turn.decisions == 2
    assert turn.threads_ns == {"loop": 2_000, "database: writer": 500, "gRPC: poller": 7}
    assert turn.sections_ns == {at.LOOP: 795, at.HANDLING: 350}
    assert turn.probes_ns == 55
    assert turn.whole_ns == 2_507 - 55


def a_turn(whole: int, **sections: int) -> Turn:
    return Turn(
        decisions=10,
        threads_ns={"loop": float(whole)},
        sections_ns={name: float(ns) for name, ns in sections.items()},
    )


def turns(**of_callbacks: int) -> dict[str, Turn]:
    return {name: a_turn(100_000) for name in at.SETS} | {"callbacks": a_turn(100_000, **of_callbacks)}


def test_a_part_is_its_share_of_its_own_turns_and_what_is_told_apart_within_it_is_taken_off() -> None:
    measured = turns(loop=40_000, handling=60_000)
    measured["handling"] = a_turn(200_000, referee=40_000)  # twice as slow a turn: a fifth all the same
    measured["engine"] = a_turn(100_000, **{at.ENGINE_PLY: 5_000})
    found = account(a_turn(1_000_000), measured, (50.0, 20.0))
    parts = dict(found.loop)
    assert found.whole == pytest.approx(100)
    assert parts["handling: engine, the ply"] == pytest.approx(5)
    assert parts["handling: referee and clock"] == pytest.approx(20 - 5)
    assert parts["handling: frame, session, match runner"] == pytest.approx(60 - 20)
    assert found.total == pytest.approx(100)
    assert found.adds_up


@pytest.mark.parametrize(
    ("loop", "adds_up"), [(91_000, True), (89_000, False), (109_000, True), (111_000, False)]
)
def test_an_account_whose_parts_are_a_tenth_off_does_not_add_up(loop: int, adds_up: bool) -> None:
    assert account(a_turn(1_000_000), turns(loop=loop), (50.0, 20.0)).adds_up is adds_up


def test_an_account_of_no_decision_is_refused() -> None:
    with pytest.raises(ValueError, match="decisions"):
        account(Turn(), turns(loop=1), (50.0, 20.0))


def test_every_section_that_is_measured_is_in_one_part_and_no_part_is_taken_off_twice() -> None:
    held = [name for _, sections, _ in PARTS for name in sections]
    without = [name for *_, sections in PARTS for name in sections]
    assert len(held) == len(set(held))
    assert len(without) == len(set(without))
    assert {section for *_, section in at.CALLS} | set(at.POSITION_CALLS.values()) <= set(held)
    assert set(at.CALLBACKS.values()) <= set(held)


def measured(folder: Path, seconds: float = 0.5) -> tuple[Account, list[str]]:
    """Measure until a match has ended: on a busy machine none may end within so short a time."""
    (folder / str(seconds)).mkdir()
    _, shape = SHAPES[0]
    found, compiled = measure(shape, folder / str(seconds), rounds=1, seconds=seconds)
    if dict(found.threads)["database: writer"] > 0:
        return found, compiled
    assert seconds < 60
    return measured(folder, 4 * seconds)


def test_the_parts_of_a_decision_of_a_real_arena_are_all_found(tmp_path: Path) -> None:
    found, compiled = measured(tmp_path)
    assert compiled == []
    rare = {"alarms of matches", "other callbacks", "handling: news and spectators"}
    nested = {
        name for name, _, without in PARTS if without
    }  # differences of turns, which so short may be negative
    assert all(us > 0 for name, us in found.loop if name not in rare | nested)
    [others] = [us for name, us in found.loop if name == "other callbacks"]
    assert others < found.whole / 20  # a callback that is renamed comes up there
    assert all(us > 0 for name, us in found.threads if name.startswith(("gRPC", "database")))
    assert 0 < found.echo_loop < found.echo < found.whole
