"""What the owner of a bot that has forfeited is told to do."""

from __future__ import annotations

import pytest

from arena.cli.explain.advice import advice
from arena.server.auth.revocation import EXPIRED, LOWERED, REVOKED, SHUT_OUT


@pytest.mark.parametrize("ending", [REVOKED, EXPIRED, SHUT_OUT, LOWERED])
@pytest.mark.parametrize("termination", ["DISCONNECT", "TIME_FORFEIT"])
def test_a_bot_that_lost_its_token_needs_another_one_and_not_another_connection(ending, termination):
    why = ending.sentence.partition(". ")[0]
    evidence = {"connected": "no", "why": why[0].lower() + why[1:], "absence_allowed_ms": "10000"}

    given = advice(termination, evidence)

    assert given is not None
    assert "ake a new token with `arena bot token`" in given.next
    assert "connect again" not in given.next
    assert ("organiser" in given.next) == (ending in (SHUT_OUT, LOWERED))


def test_a_bot_whose_connection_was_lost_is_told_to_connect_again():
    given = advice("DISCONNECT", {"absence_allowed_ms": "10000"})
    assert given is not None
    assert "connect again" in given.next


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ({"no_shows": "3"}, "Say `ready` to every `assigned`"),
        ({"absent_min": "10"}, "`arena bot show BOT` says whether it is connected"),
        ({"absent_min": "10", "takes": "no"}, "its capacity"),
        ({"benched": "it failed"}, "why it is benched"),
    ],
)
def test_a_bot_that_has_forfeited_by_a_no_show_is_told_what_to_do(evidence, words):
    given = advice("NO_SHOW", evidence)
    assert given is not None
    assert words in given.next
    assert given.limit
