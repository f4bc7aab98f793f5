"""Which bots keep matches from beginning, as it is told to organisers and to owners."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from arena.core.match import MatchState, SeedPolicy
from arena.scheduling.availability import (
    COME_BACK,
    TAKE_THEM,
    Availability,
    BlockingBot,
    BlockingBots,
    Resting,
)
from arena.sessions.handshake import Identity, Preferences
from arena.sessions.registry import SessionRegistry
from arena.store.matches.open_matches import OpenMatch
from tests.unit.runner.fakes import FakeTimers
from tests.unit.scheduling.no_hosted_bots import NoHostedBots
from tests.unit.sessions.test_sessions import FakeLink

MATCH = OpenMatch(
    *(2, 1, "main", None, "caravan", 1, MatchState.PENDING, ("ant", "bee"), SeedPolicy.DERIVED),
    no_shows=(0, 1),
)


@pytest.mark.parametrize(
    ("bot", "begun", "after"),
    [
        ("bee", True, " (1 of 3); after the third it loses the match"),
        ("bee", False, " (1 of 3); after the third its group ends without a result, or it loses the match"),
        ("ant", True, ""),
    ],
)
def test_who_rests_is_told_with_its_match_and_its_no_shows(bot: str, begun: bool, after: str) -> None:
    missing = BlockingBots(resting=(Resting.of(bot, MATCH, 5, begun=begun),))
    assert missing.describe() == f"match 2 waits for {bot}, which rests for 5 s after a no-show{after}"


def test_who_is_away_loses_the_matches_of_groups_that_have_begun_alone() -> None:
    missing = BlockingBots(
        frozenset(
            {
                BlockingBot("ant", COME_BACK, True),
                BlockingBot("bee", COME_BACK, False),
                BlockingBot("cat", TAKE_THEM, False),
            }
        )
    )
    assert missing.describe() == (
        "matches wait for ant to come back, and are lost by who was away for 10 minutes in all; "
        "matches wait for bee to come back and cat to take them, and end without them after 10 minutes"
    )


def test_a_bot_that_refuses_is_told_from_one_that_is_away() -> None:
    """Three times in a row: first it rests, then it has to say hello."""
    timers = FakeTimers()
    sessions = SessionRegistry(timers, lambda: None)
    session = sessions.open(Identity("ant", "1", "ada", "token"), {"caravan": frozenset({1})})
    session.connect(FakeLink(), Preferences())
    room = Availability(sessions, SimpleNamespace(plays=lambda _: False), NoHostedBots())  # type: ignore[arg-type]
    alone = replace(MATCH, bots=("ant",), no_shows=(3,))
    for times in (1, 2, 3):
        sessions.note_no_show(seat := session.new_seat(), times, 10)
        session.drop(seat)
    assert room.blocking_bots([alone]).describe().startswith("match 2 waits for ant, which rests for 5 s")
    timers.move_to_next()
    assert (
        room.blocking_bots([alone]).describe().startswith("matches wait for ant to say hello again, and end")
    )
    session.disconnect(session.link)  # type: ignore[arg-type]
    sessions.open(session.identity, session.games)
    assert room.blocking_bots([alone]).describe().startswith("matches wait for ant to come back, and end")


def test_others_are_not_named() -> None:
    missing = BlockingBots(
        frozenset({BlockingBot("ant", COME_BACK, False), BlockingBot("cat", COME_BACK, False)}),
        (Resting.of("bee", MATCH, 5, begun=True),),
    )
    assert missing.describe({"ant"}) == (
        "matches wait for ant to come back, and end without them after 10 minutes; "
        "matches wait for bots of other owners"
    )
    assert missing.describe(()) == "matches wait for bots of other owners"
    assert BlockingBots().describe(()) == ""
