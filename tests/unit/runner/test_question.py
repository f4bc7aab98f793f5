"""A player is asked with what it is sent; the rest of a question is made later, from the position of that moment."""

import pytest

from arena.codecs.codec import codec_for
from arena.sessions import outgoing
from arena.sessions.handshake import Identity, Preferences
from arena.sessions.registry import SessionRegistry
from arena.sessions.seat import AssignedSeat
from arena.sessions.session import Session
from engine.registry import GAMES
from tests.unit.runner.fakes import MatchFixture
from tests.unit.sessions.test_sessions import FakeLink

DECISIONS = 30


@pytest.mark.parametrize("game", GAMES)
def test_what_is_made_later_is_what_would_have_been_sent(game: str) -> None:
    asked = []
    for sent in (True, False):
        seats = GAMES[game].spec.min_seats
        match = MatchFixture(seats, game=game)
        for player in match.players:
            player.sees_view = player.sees_list = sent
        match.begin()
        while not match.ends and sum(len(player.questions) for player in match.players) < DECISIONS:
            seat = match.runner.state.seat_to_act
            player = match.players[seat]
            player.take(player.questions[-1].decision)
            legal = match.runner.state.legal_actions()
            action = (legal[len(legal) // 2],)
            match.runner.answered(seat, player.questions[-1].decision, action, match.timers.now())
        asked.append([player.questions for player in match.players])
    codec = codec_for(game)
    for at_once, later in zip(*asked, strict=True):
        assert len(at_once) == len(later)
        for one, other in zip(at_once, later, strict=True):
            assert list(one.legal_actions) == list(other.legal_actions)
            assert codec.encode_observation(one.observation) == codec.encode_observation(other.observation)


@pytest.mark.parametrize(
    ("full_view", "text", "made"), [(True, False, True), (False, True, True), (False, False, False)]
)
def test_no_view_is_made_for_a_bot_that_is_sent_none(full_view: bool, text: bool, made: bool) -> None:
    seats, _, match = _begun(Preferences(full_view=full_view, text=text))
    seat = match.runner.state.seat_to_act
    question = seats[seat].open
    assert question is not None
    seats[seat].answer(question.decision, (question.legal_actions[0],), match.timers.now())
    following = seats[match.runner.state.seat_to_act].open
    assert following is not None
    assert following is not question
    assert (following._observation is not None) is made


def test_a_bot_without_views_comes_back_to_the_position_that_it_was_asked_about_last() -> None:
    """Whatever was played since: it is told no more than it had been."""
    starts = []
    for full_view in (True, False):
        seats, sessions, match = _begun(Preferences(full_view=full_view))
        for _ in range(12):
            seat = match.runner.state.seat_to_act
            question = seats[seat].open
            assert question is not None
            seats[seat].answer(question.decision, (question.legal_actions[-1],), match.timers.now())
        for session in sessions:
            link = FakeLink()
            session.connect(link, Preferences())
            session.repeat_all()
            starts += [each for each in link.pushed if isinstance(each, outgoing.Started)]
    assert len(starts) == 4
    assert [each.observation for each in starts[:2]] == [each.observation for each in starts[2:]]
    assert [each.answers for each in starts[:2]] == [each.answers for each in starts[2:]]


def _begun(preferences: Preferences) -> tuple[list[AssignedSeat], list[Session], MatchFixture]:
    match = MatchFixture(2)
    registry = SessionRegistry(match.timers, lambda: None)
    sessions = []
    for bot in "ab":
        session = registry.open(Identity(bot, "1", bot, bot), {"caravan": frozenset()})
        session.connect(FakeLink(), preferences)
        sessions.append(session)
    seats = [session.new_seat() for session in sessions]
    match.runner = match.new_runner(seats)
    match.begin()
    return seats, sessions, match
