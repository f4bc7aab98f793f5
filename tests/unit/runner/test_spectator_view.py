"""What spectators are shown: nothing but the public view, at the pace of the match, and the same again from its log."""

from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.codecs.codec import codec_for
from arena.core.endings.terminations import Termination
from arena.core.match import Cause
from arena.core.ply import PlyRecord
from arena.core.referee.effects import Played
from arena.match_log.reader import read_log
from arena.runner.history import History, SeatActed, SeatForfeited
from arena.runner.spectator_view import SpectatorView, recorded_view_of
from engine.caravanserai.state import CaravanseraiState
from engine.game import SPECTATOR
from engine.registry import GAMES
from tests.unit.match_log.matches import a_match, a_setup, caravan_setup
from tests.unit.runner.fakes import MatchFixture
from tests.unit.runner.secret_game import PUBLIC, SecretGame, SecretState
from tests.unit.sessions.caravanserai_match import placement


def ply_of(seat: int, decision: int, action: int) -> PlyRecord:
    """Return an action as it is recorded; the times do not matter here."""
    return PlyRecord(
        seat, decision, action, Cause.CHOSEN, (), 0, 0, 0, 0, 0, over_seat_limit=False, digest=b""
    )


def play(fixture: MatchFixture, choices: Random, plies: int) -> None:
    """So many answers, each any legal one."""
    for _ in range(plies):
        if fixture.ends:
            return
        seat = fixture.runner.state.seat_to_act
        player = fixture.players[seat]
        player.answer(choices.randrange(len(player.questions[-1].legal_actions)))


@given(st.integers(0, 10**9), st.integers(2, 4), st.lists(st.integers(1, 9), max_size=6))
def test_the_last_frame_is_the_spectators_view(seed: int, seats: int, looks: list[int]) -> None:
    fixture = MatchFixture(seats).begin()
    choices = Random(seed)
    for plies in looks:
        play(fixture, choices, plies)
        assert fixture.runner.spectator_view.frames()[-1].observation == fixture.runner.state.observe(
            SPECTATOR
        )
    frames = fixture.runner.spectator_view.frames()
    acted = [each for frame in frames for each in frame.happened if isinstance(each, SeatActed)]
    assert [(each.seat, each.action) for each in acted] == [
        (ply.seat, ply.action) for ply in fixture.log.plies
    ]
    assert len(frames) == 1 + len(fixture.log.plies)


def test_a_plan_is_shown_step_by_step() -> None:
    """S48 of Caravanserai: others see the steps, each with what it caused."""
    fixture = MatchFixture(2, game="caravanserai").begin()
    for player in fixture.players:  # the openings
        player.answer()
    shown = len(fixture.runner.spectator_view.frames())
    state = fixture.runner.state
    assert isinstance(state, CaravanseraiState)
    steps = placement(state).steps
    player = fixture.players[state.seat_to_act]
    player.take(2)
    player.match.answered(player.seat, 2, steps, fixture.timers.now())
    frames = fixture.runner.spectator_view.frames()[shown:]
    acted = [each.action for frame in frames for each in frame.happened if isinstance(each, SeatActed)]
    assert acted == list(steps)
    assert [len(frame.observation.placement.pieces) for frame in frames[:-1]] == [  # type: ignore[attr-defined]
        *range(1, len(steps))
    ]


def test_a_match_that_does_not_begin_shows_nothing_and_is_over() -> None:
    fixture = MatchFixture(2).offer()
    assert not fixture.runner.spectator_view.frames()
    assert not fixture.runner.spectator_view.over
    fixture.timers.move(10_000)
    assert fixture.runner.spectator_view.over


def test_a_forfeit_is_seen() -> None:
    fixture = MatchFixture(3).begin()
    fixture.runner.resigned(1, fixture.timers.now())
    forfeits = [
        each
        for frame in fixture.runner.spectator_view.frames()
        for each in frame.happened
        if isinstance(each, SeatForfeited)
    ]
    assert [each.seat for each in forfeits] == [1]


def test_every_step_notifies_those_who_wait() -> None:
    fixture = MatchFixture(2).begin()
    notified = fixture.runner.spectator_view.change_signal.notified
    fixture.players[0].answer()
    assert fixture.runner.spectator_view.change_signal.notified > notified


@given(st.lists(st.integers(1, 3), max_size=30), st.integers(0, 10**6))
def test_a_spectator_of_a_secret_game_is_shown_nothing_that_is_not_public(
    actions: list[int], look: int
) -> None:
    """Neither what was done in secret nor how often, who decided, nor who forfeited."""
    history = History(2, secret_decisions=True)
    setup = a_setup(game="secret", rules_version=1, options=None)
    with patch.dict(GAMES.imported, secret=SecretGame()):
        spectator_view = SpectatorView(setup, history)
        history.set_up(())
        state = SecretState()
        for number, action in enumerate(actions):
            seen = tuple(state.action_seen_by(action, viewer) for viewer in (0, 1, SPECTATOR))
            record = ply_of(state.seat_to_act, number, action)
            state.apply(action)
            history.played(Played(record, seen))
            if number % 5 == 3:
                history.forfeited(number % 2, Termination.TIME_FORFEIT)
            if look >> number & 1:
                spectator_view.notify()
                spectator_view.frames()
        spectator_view.close()
        frames = spectator_view.frames()
    public = [(number, action) for number, action in enumerate(actions) if action == PUBLIC]
    assert [frame.observation for frame in frames] == list(range(len(public) + 1))
    assert [frame.happened for frame in frames[1:]] == [
        (SeatActed(number % 2, PUBLIC, by_default=False),) for number, _ in public
    ]
    assert frames[0].happened == ()


@pytest.mark.parametrize("trouble", [0.0, 0.1])
def test_the_log_holds_what_was_shown_live(trouble: float) -> None:
    codec = codec_for("caravan")
    for number in range(4):
        match = a_match(number, setup=caravan_setup(2), codec=codec, trouble=trouble)
        setup = match.setup
        state = codec.game.new_match(2, setup.options, setup.seed)
        views = [state.observe(SPECTATOR)]
        forfeits = 0
        for record in match.records:
            if isinstance(record, PlyRecord):
                state.apply(record.action)
                views.append(state.observe(SPECTATOR))
            elif record.what == "forfeit":
                forfeits += 1
                views.append(views[-1])
        shown = recorded_view_of(read_log(match.log.data))
        assert [frame.observation for frame in shown.frames()] == views
        assert shown.over
        told = [each for frame in shown.frames() for each in frame.happened]
        assert sum(isinstance(each, SeatForfeited) for each in told) == forfeits
