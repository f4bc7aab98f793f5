"""What the owner of a bot that has forfeited is told to do."""

import pytest

from arena.cli.explain.advice import advice
from arena.server.auth.revocation import EXPIRED, LOWERED, REVOKED, SHUT_OUT
from tests.unit.cli.screens import check_screen

ENDINGS: list[tuple[str, dict[str, str]]] = [
    ("NORMAL", {}),
    ("TIME_FORFEIT", {}),
    ("TIME_FORFEIT", {"cpu_limit_s": "86400"}),
    ("TIME_FORFEIT", {"wall_limit_s": "86400"}),
    ("ILLEGAL_ACTION", {}),
    ("RESIGNATION", {}),
    ("DISCONNECT", {"absence_allowed_ms": "10000"}),
    ("DISCONNECT", {"why": "the bot sent garbage"}),
    ("DISCONNECT", {}),
    ("NO_SHOW", {"no_shows": "3"}),
    ("NO_SHOW", {"owner": "its owner is disabled"}),
    ("NO_SHOW", {"organiser": "taken out of service"}),
    ("NO_SHOW", {"benched": "it failed"}),
    ("NO_SHOW", {"absent_min": "10"}),
    ("NO_SHOW", {"absent_min": "10", "takes": "no"}),
    ("NO_SHOW", {"absent_min": "10", "hosted": "no"}),
    ("EXITED", {"code": "0"}),
    ("EXITED", {"code": "3"}),
    *(("SIGNALLED", {"signal": signal}) for signal in ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGFPE", "SIGILL")),
    *(("SIGNALLED", {"signal": signal}) for signal in ("SIGPIPE", "SIGXFSZ", "SIGKILL", "SIGUSR1")),
    ("MEMORY", {"memory_limit_mib": "256"}),
    ("PIDS", {"pids_limit": "64"}),
    ("OUTPUT", {"output_limit_kib": "1024"}),
    ("FORBIDDEN_CALL", {"signal": "SIGSYS"}),
]


@pytest.mark.parametrize("ending", [REVOKED, EXPIRED, SHUT_OUT, LOWERED])
@pytest.mark.parametrize("termination", ["DISCONNECT", "TIME_FORFEIT"])
def test_a_bot_that_lost_its_token_needs_another_one_and_not_another_connection(ending, termination):
    why = ending.sentence.partition(". ")[0]
    evidence = {"connected": "no", "why": why[0].lower() + why[1:], "absence_allowed_ms": "10000"}

    given = advice(termination, evidence)

    assert given is not None
    assert "`arena bot token`" in given.next
    assert ("organiser" in given.next) == (ending in (SHUT_OUT, LOWERED))


def test_every_ending_comes_with_advice():
    """docs/bad_inputs.md rows 35 to 39, and what keeps a match from its beginning."""
    given = {f"{termination} {evidence}": advice(termination, evidence) for termination, evidence in ENDINGS}

    shown = {title: each and f"limit: {each.limit}\nwhat to do: {each.next}" for title, each in given.items()}
    check_screen("advice", {title: text or "none" for title, text in shown.items()})
