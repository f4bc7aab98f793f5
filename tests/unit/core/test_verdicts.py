"""Every ending explains itself: termination, fault, evidence, and one sentence, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.core.endings import verdicts
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.endings.verdicts import Miss, StrikeCount
from arena.core.units import NS_PER_MS
from tests.unit.core.causes import a_cause

LATE = Miss(
    41,
    answered=True,
    late_ns=311_200_000,
    used_ns=5_310 * NS_PER_MS,
    bank_before_ns=0,
    round_trip_ns=17_400_000,
)
NEVER = Miss(
    7,
    answered=False,
    late_ns=1,
    used_ns=11_000 * NS_PER_MS,
    bank_before_ns=10_000 * NS_PER_MS,
    round_trip_ns=None,
)

AWAY = Miss(
    11,
    answered=False,
    late_ns=1,
    used_ns=301 * NS_PER_MS,
    bank_before_ns=0,
    round_trip_ns=None,
    connected=False,
)

GOLDEN: dict[str, tuple[SeatEnding, Termination, Fault, str]] = {
    "by the rules": (
        verdicts.by_the_rules("FINAL_DELIVERY", 1, 3, 27),
        Termination.NORMAL,
        Fault.NONE,
        "The game ended by its rules (FINAL_DELIVERY): placing 1 of 3 with a score of 27.",
    ),
    "last standing": (
        verdicts.last_standing(3),
        Termination.NORMAL,
        Fault.OPPONENT,
        "All other seats forfeited: this one was the last standing and is placed first.",
    ),
    "late": (
        verdicts.time_forfeit(LATE, StrikeCount(3, 2)),
        Termination.TIME_FORFEIT,
        Fault.BOT,
        "Decision 41 came 312 ms late (round trip 18 ms, bank was 0 ms); strike 3, 2 allowed.",
    ),
    "never answered": (
        verdicts.time_forfeit(NEVER, StrikeCount(1, 0)),
        Termination.TIME_FORFEIT,
        Fault.BOT,
        (
            "Decision 7 had no answer after 11000 ms of thinking time (round trip unknown, bank was 10000 ms); "
            "strike 1, 0 allowed."
        ),
    ),
    "away": (
        verdicts.time_forfeit(AWAY, StrikeCount(3, 2)),
        Termination.TIME_FORFEIT,
        Fault.NETWORK,
        (
            "Decision 11 had no answer after 301 ms of thinking time (the bot was not connected, bank was 0 ms); "
            "strike 3, 2 allowed."
        ),
    ),
    "away by its own doing": (
        verdicts.time_forfeit(
            replace(AWAY, why_lost="the bot half-closed its call"),
            StrikeCount(3, 2),
        ),
        Termination.TIME_FORFEIT,
        Fault.BOT,
        (
            "Decision 11 had no answer after 301 ms of thinking time (the bot was not connected: the bot half-closed "
            "its call, bank was 0 ms); strike 3, 2 allowed."
        ),
    ),
    "illegal": (
        verdicts.illegal_action(9, "MOVE 3 10 needs 2 points, but 1 is left", StrikeCount(1, 0)),
        Termination.ILLEGAL_ACTION,
        Fault.BOT,
        "The answer to decision 9 was not legal (MOVE 3 10 needs 2 points, but 1 is left); strike 1, 0 allowed.",
    ),
    "disconnect": (
        verdicts.disconnect(12, 30_001 * NS_PER_MS, 30_000 * NS_PER_MS),
        Termination.DISCONNECT,
        Fault.NETWORK,
        "The connection was lost and decision 12 stayed open: absent for 30001 ms in all, 30000 ms allowed.",
    ),
    "disconnect by its own doing": (
        verdicts.disconnect(12, 301 * NS_PER_MS, 300 * NS_PER_MS, "the token was revoked"),
        Termination.DISCONNECT,
        Fault.BOT,
        (
            "The bot's connection was ended (the token was revoked) and decision 12 stayed open: absent for 301 ms in "
            "all, 300 ms allowed."
        ),
    ),
    "session ended": (
        verdicts.session_ended(
            4, "more than 256 messages came, the third fault of its connection within an hour"
        ),
        Termination.DISCONNECT,
        Fault.BOT,
        (
            "The bot's session was ended at decision 4: more than 256 messages came, the third fault of its "
            "connection within an hour."
        ),
    ),
    "no show": (
        verdicts.no_show(
            "bob was offered the match 3 times and was not ready in time",
            (("no_shows", "3"),),
        ),
        Termination.NO_SHOW,
        Fault.BOT,
        (
            "The seat was forfeited before the match began, since the match group had begun: bob was offered the match "
            "3 times and was not ready in time."
        ),
    ),
    "resignation": (
        verdicts.resignation(9),
        Termination.RESIGNATION,
        Fault.BOT,
        "The bot resigned at decision 9.",
    ),
    "exited": (
        verdicts.program_ended(Termination.EXITED, 3, "1"),
        Termination.EXITED,
        Fault.BOT,
        "The bot's program exited with code 1 at decision 3.",
    ),
    "signalled": (
        verdicts.program_ended(Termination.SIGNALLED, 3, "SIGSEGV"),
        Termination.SIGNALLED,
        Fault.BOT,
        "The bot's program was ended by signal SIGSEGV at decision 3.",
    ),
    "memory": (
        verdicts.program_ended(Termination.MEMORY, 3, "256"),
        Termination.MEMORY,
        Fault.BOT,
        "The bot's program used more than 256 MiB of memory at decision 3.",
    ),
    "pids": (
        verdicts.program_ended(Termination.PIDS, 3, "64"),
        Termination.PIDS,
        Fault.BOT,
        "The bot's program started more than 64 processes at decision 3.",
    ),
    "output": (
        verdicts.program_ended(Termination.OUTPUT, 3, "64"),
        Termination.OUTPUT,
        Fault.BOT,
        "The bot's program wrote more than 64 KiB of output at decision 3.",
    ),
    "forbidden call": (
        verdicts.program_ended(Termination.FORBIDDEN_CALL, 3, "ptrace"),
        Termination.FORBIDDEN_CALL,
        Fault.BOT,
        "The bot's program made the forbidden system call ptrace at decision 3.",
    ),
    "nobody left": (
        verdicts.nobody_left(30_000 * NS_PER_MS),
        Termination.DISCONNECT,
        Fault.NETWORK,
        "This seat was the last standing, but absent for 30000 ms: the match has no result.",
    ),
    "void": (
        verdicts.void(a_cause("the disk is full")),
        Termination.NORMAL,
        Fault.ARENA,
        "The match is void by the arena's fault (the disk is full): it counts for nobody.",
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_each_ending_has_its_termination_fault_and_sentence(name: str) -> None:
    ending, termination, fault, sentence = GOLDEN[name]
    assert (ending.termination, ending.fault, ending.sentence) == (termination, fault, sentence)
    assert ending.evidence


def test_every_termination_has_a_golden_sentence() -> None:
    assert {termination for _, termination, _, _ in GOLDEN.values()} == set(Termination)


def test_the_evidence_holds_what_the_sentence_says() -> None:
    ending = verdicts.time_forfeit(LATE, StrikeCount(3, 2))
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
