"""Every ending explains itself: termination, fault, evidence, and one sentence."""

from dataclasses import replace

from arena.core.clock.time_control import TimeControl
from arena.core.endings import verdicts
from arena.core.endings.clock_use import ClockUse
from arena.core.endings.terminations import SeatEnding, Termination
from arena.core.endings.verdicts import Miss
from arena.core.units import NS_PER_MS
from tests.unit.cli.screens import check_screen
from tests.unit.core.causes import a_cause

CLOCK = ClockUse(
    TimeControl(), bank_ns=4_000 * NS_PER_MS, earned_ns=2_000 * NS_PER_MS, seat_used_ns=62_000 * NS_PER_MS
)
LATE = Miss(41, True, 311_200_000, 5_310 * NS_PER_MS, CLOCK, round_trip_ns=17_400_000)
NO_BANK = TimeControl(per_decision_ms=11_000, bank_ms=0, increment_ms=0, grace_ms=3)
NEVER = Miss(7, False, 1, 11_003 * NS_PER_MS, replace(CLOCK, control=NO_BANK, bank_ns=0, earned_ns=0), None)
AWAY = Miss(11, False, 1, 301 * NS_PER_MS, replace(CLOCK, absent_ns=300 * NS_PER_MS), None, connected=False)
USED_UP = replace(NEVER, clock=replace(NEVER.clock, seat_used_ns=1_800_001 * NS_PER_MS))
HELD = replace(
    NEVER,
    clock=replace(CLOCK, held_ns=900 * NS_PER_MS, hold_used_ns=5_000 * NS_PER_MS, hold_used_up=True),
)

ENDINGS: dict[str, SeatEnding] = {
    "by the rules": verdicts.by_the_rules("FINAL_DELIVERY", 1, 3, 27),
    "last standing": verdicts.last_standing(3),
    "late": verdicts.time_forfeit(LATE, 3, 2),
    "never answered": verdicts.time_forfeit(NEVER, 1, 0),
    "over the seat limit": verdicts.time_forfeit(USED_UP, 1, 0),
    "held back too long": verdicts.time_forfeit(HELD, 1, 0),
    "away": verdicts.time_forfeit(AWAY, 3, 2),
    "away by its own doing": verdicts.time_forfeit(
        replace(AWAY, why_lost="the bot half-closed its call"), 3, 2
    ),
    "illegal": verdicts.illegal_action(9, "MOVE 3 10 needs 2 points, but 1 is left", 1, 0),
    "disconnect": verdicts.disconnect(12, 30001 * NS_PER_MS, 30000 * NS_PER_MS),
    "disconnect by its own doing": verdicts.disconnect(
        12, 301 * NS_PER_MS, 300 * NS_PER_MS, "the token was revoked"
    ),
    "session ended": verdicts.session_ended(
        4, "more than 256 messages came, the third fault of its connection within an hour"
    ),
    "no show": verdicts.no_show(
        "bob was offered the match 3 times and was not ready in time", (("no_shows", "3"),)
    ),
    "resignation": verdicts.resignation(9),
    "exited": verdicts.program_ended(Termination.EXITED, 3, "1"),
    "signalled": verdicts.program_ended(Termination.SIGNALLED, 3, "SIGSEGV"),
    "memory": verdicts.program_ended(Termination.MEMORY, 3, "256"),
    "pids": verdicts.program_ended(Termination.PIDS, 3, "64"),
    "output": verdicts.program_ended(Termination.OUTPUT, 3, "64"),
    "forbidden call": verdicts.program_ended(Termination.FORBIDDEN_CALL, 3, "ptrace"),
    "nobody left": verdicts.nobody_left(30001 * NS_PER_MS, 30000 * NS_PER_MS),
    "void": verdicts.void(a_cause("the disk is full")),
}
"""By the reason in short."""


def test_each_ending_explains_itself() -> None:
    assert all(ending.evidence for ending in ENDINGS.values())
    check_screen(
        "endings",
        {
            name: f"{ending.termination.name}, fault: {ending.fault.name}\n{ending.sentence}"
            for name, ending in ENDINGS.items()
        },
    )


def test_every_termination_is_among_them() -> None:
    assert {ending.termination for ending in ENDINGS.values()} == set(Termination)


def test_the_evidence_holds_what_the_sentence_says() -> None:
    ending = verdicts.time_forfeit(LATE, 3, 2)
    assert dict(ending.evidence) == {
        "decision": "41",
        "answered": "late",
        "late_ms": "312",
        "used_ms": "5310",
        "bank_ms": "4000",
        "connected": "yes",
        "round_trip_ms": "18",
        "limit": "bank_ms",
        "allowed_ms": "5000",
        "per_decision_ms": "1000",
        "bank_start_ms": "10000",
        "increment_ms": "50",
        "earned_ms": "2000",
        "grace_ms": "0",
        "seat_used_ms": "62000",
        "seat_limit_ms": "1800000",
        "strikes": "3",
        "strikes_allowed": "2",
    }


def test_the_evidence_names_the_limit_that_a_missed_decision_ran_into() -> None:
    limits = {
        name: dict(ending.evidence)["limit"]
        for name, ending in ENDINGS.items()
        if "limit" in dict(ending.evidence)
    }
    assert limits == {
        "late": "bank_ms",
        "never answered": "per_decision_ms",
        "over the seat limit": "seat_limit_ms",
        "held back too long": "hold_ms",
        "away": "bank_ms",
        "away by its own doing": "bank_ms",
        "illegal": "strikes",
        "disconnect": "absence_ms",
        "disconnect by its own doing": "absence_ms",
        "nobody left": "absence_ms",
    }


def test_a_limit_that_was_not_used_is_not_in_the_evidence_of_a_missed_decision() -> None:
    assert not {"absent_ms", "held_ms"} & dict(ENDINGS["late"].evidence).keys()
    away, held = dict(ENDINGS["away"].evidence), dict(ENDINGS["held back too long"].evidence)
    assert (away["absent_ms"], away["absence_allowed_ms"]) == ("300", "30000")
    assert (held["held_ms"], held["hold_used_ms"], held["hold_ms"]) == ("900", "5000", "5000")
