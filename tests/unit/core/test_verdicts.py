"""Every ending explains itself: termination, fault, evidence, and one sentence."""

from dataclasses import replace

from arena.core.endings import verdicts
from arena.core.endings.terminations import SeatEnding, Termination
from arena.core.endings.verdicts import Miss
from arena.core.units import NS_PER_MS
from tests.unit.cli.screens import check_screen
from tests.unit.core.causes import a_cause

LATE = Miss(41, True, 311_200_000, 5_310 * NS_PER_MS, bank_before_ns=0, round_trip_ns=17_400_000)
NEVER = Miss(7, False, 1, 11_000 * NS_PER_MS, 10_000 * NS_PER_MS, None)
AWAY = Miss(11, False, 1, 301 * NS_PER_MS, 0, None, connected=False)

ENDINGS: dict[str, SeatEnding] = {
    "by the rules": verdicts.by_the_rules("FINAL_DELIVERY", 1, 3, 27),
    "last standing": verdicts.last_standing(3),
    "late": verdicts.time_forfeit(LATE, 3, 2),
    "never answered": verdicts.time_forfeit(NEVER, 1, 0),
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
    "nobody left": verdicts.nobody_left(30000 * NS_PER_MS),
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
        "bank_ms": "0",
        "connected": "yes",
        "round_trip_ms": "18",
        "strikes": "3",
        "strikes_allowed": "2",
    }
