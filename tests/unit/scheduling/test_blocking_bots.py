"""Which bots keep matches from beginning, as it is told to organisers and to owners."""

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
    describe_rest,
)
from arena.sessions.handshake import Identity, Preferences
from arena.sessions.registry import SessionRegistry
from arena.store.matches.open_matches import OpenMatch
from tests.unit.runner.fakes import FakeTimers
from tests.unit.scheduling.fakes import FakeHost
from tests.unit.sessions.test_sessions import FakeLink

MATCH = OpenMatch(
    *(2, 1, "main", None, "caravan", 1, MatchState.PENDING, ("ant", "bee"), SeedPolicy.DERIVED),
    no_shows=(0, 1),
)


@pytest.mark.parametrize(
    ("bot", "begun", "after"),
    [
        ("bee", True, "after the third it loses"),
        ("bee", False, "after the third its group"),
        ("ant", True, "after a no-show"),
    ],
)
def test_a_resting_bot_is_described_with_its_match_and_its_no_shows(
    bot: str, begun: bool, after: str
) -> None:
    told = describe_rest(bot, MATCH, 5, begun=begun)
    assert told.startswith(f"match 2 waits for {bot}")
    assert after in told
    assert ("(1 of 3)" in told) == (bot == "bee")


def test_absent_bots_lose_only_matches_of_groups_that_have_begun() -> None:
    missing = BlockingBots(
        frozenset(
            {
                BlockingBot("ant", COME_BACK, True),
                BlockingBot("bee", COME_BACK, False),
                BlockingBot("cat", TAKE_THEM, False),
            }
        )
    )
    begun, not_begun = missing.describe().split("; ")
    assert ("ant to come back" in begun, "are lost" in begun) == (True, True)
    assert "bee to come back" in not_begun


def test_a_refusing_bot_is_described_otherwise_than_an_absent_one() -> None:
    """Three times in a row: first it rests, then it has to say hello."""
    timers = FakeTimers()
    sessions = SessionRegistry(timers, lambda: None)
    session = sessions.open(Identity("ant", "1", "ada", "token"), {"caravan": frozenset({1})})
    session.connect(FakeLink(), Preferences())
    room = Availability(sessions, SimpleNamespace(plays=lambda _: False), FakeHost())  # type: ignore[arg-type]
    alone = replace(MATCH, bots=("ant",), no_shows=(3,))
    for times in (1, 2, 3):
        sessions.note_no_show(seat := session.new_seat(), times, 10)
        session.drop(seat)
    assert "which rests for 5 s" in room.blocking_bots([alone]).describe()
    timers.move_to_next()
    assert "ant to say hello" in room.blocking_bots([alone]).describe()
    session.disconnect(session.link)  # type: ignore[arg-type]
    sessions.open(session.identity, session.games)
    assert "ant to come back" in room.blocking_bots([alone]).describe()


def test_others_are_not_named() -> None:
    missing = BlockingBots(
        frozenset({BlockingBot("ant", COME_BACK, False), BlockingBot("cat", COME_BACK, False)}),
        {"bee": describe_rest("bee", MATCH, 5, begun=True)},
    )
    assert "ant to come back" in missing.describe({"ant"})
    for described in (missing.describe({"ant"}), missing.describe(())):
        assert described.endswith("bots of other owners")
        assert not {"bee", "cat"} & set(described.replace(",", " ").split())
    assert BlockingBots().describe(()) == ""
