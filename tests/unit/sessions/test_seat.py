"""The seat of a session: what is repeated after an answer that was a plan (S48 of Caravanserai), and debug lines."""

from arena.sessions import outgoing
from arena.sessions.handshake import Identity, Preferences
from arena.sessions.registry import SessionRegistry
from arena.sessions.seat import DEBUG_CUT
from arena.sessions.session import Session
from arena.v1 import play_pb2
from arena.wire.play.outgoing import encode_message
from engine.caravanserai.observation import Decision
from engine.caravanserai.state import CaravanseraiState
from tests.unit.runner.fakes import MatchFixture
from tests.unit.sessions.caravanserai_match import Placed, placement
from tests.unit.sessions.test_sessions import FakeLink


class SessionMatch:
    """A match of two sessions, whose answers a test gives."""

    def __init__(self) -> None:
        self.fixture = MatchFixture(2, game="caravanserai")
        self.sessions = SessionRegistry(self.fixture.timers, lambda: None)
        self.links = [FakeLink(), FakeLink()]
        self.bots = [self._come(bot, link) for bot, link in zip("ab", self.links, strict=True)]
        self.seats = [session.new_seat() for session in self.bots]
        self.runner = self.fixture.new_runner(self.seats)
        self.runner.offer()
        for seat in self.seats:
            seat.match.ready(seat.seat)

    def _come(self, bot: str, link: FakeLink) -> Session:
        session = self.sessions.open(Identity(bot, "1", bot, bot), {"caravanserai": frozenset()})
        session.connect(link, Preferences())
        return session

    @property
    def state(self) -> CaravanseraiState:
        state = self.runner.state
        assert isinstance(state, CaravanseraiState)
        return state

    def answer(self, *actions: int) -> None:
        """Answer at once for the seat to act."""
        seat, now = self.seats[self.state.seat_to_act], self.fixture.timers.now()
        assert seat.open is not None
        decision = seat.open.decision
        seat.written(decision, now)
        seat.answer(decision, actions, now)

    def retold(self, seat: int) -> play_pb2.MatchStarted:
        """Reconnect the bot of the seat; return the match as it is announced again."""
        session, link = self.bots[seat], FakeLink()
        session.disconnect(self.links[seat])
        session.connect(link, Preferences())
        session.repeat_all()
        [started] = [each for each in link.pushed if isinstance(each, outgoing.Started)]
        return play_pb2.ServerMessage.FromString(encode_message(started, Preferences())).match_started


def at_a_plan_that_ends_its_turn() -> tuple[SessionMatch, Placed]:
    """Return a position in which a placement of several steps leaves nothing open for its seat.

    No camel comes back from the tail then, so no good goes to the board (S35): the caravan has to be longer before, so
    both play for that.
    """
    match = SessionMatch()
    while True:
        state = match.state
        if state.decision is not Decision.STEP:
            match.answer(state.legal_actions()[0])
            continue
        choices = [placement(state, goods) for goods in range(8)]
        for placed in choices:
            if len(placed.steps) > 1 and after(state, placed).seat_to_act != state.seat_to_act:
                return match, placed
        match.answer(*max(choices, key=lambda placed: length(after(state, placed), state.seat_to_act)).steps)


def after(state: CaravanseraiState, placed: Placed) -> CaravanseraiState:
    """Return the position after a placement."""
    state = state.clone()
    for step in placed.steps:
        state.apply(step)
    return state


def length(state: CaravanseraiState, seat: int) -> int:
    """Of the caravan of a seat."""
    return len(state.observe(seat).seats[seat].caravan)


def test_a_plan_is_one_of_the_answers_since_the_last_position_with_all_its_actions() -> None:
    match, placed = at_a_plan_that_ends_its_turn()
    seat = match.state.seat_to_act
    question = match.seats[seat].open
    assert question is not None
    match.answer(*placed.steps)
    started = match.retold(seat)
    assert started.comeback
    [given] = started.answers
    assert given.decision == question.decision
    steps = [action.caravanserai for action in given.actions]
    assert len(steps) == len(placed.steps)
    assert steps[-1].HasField("camel")
    assert steps[0].start_block.size == 1


def test_a_match_keeps_256_kib_of_debug_lines_of_4_kib_and_each_counts_for_64_bytes() -> None:
    match = SessionMatch()
    texts = [b"y" * 5_000, *[b"y" * 4096] * 62, *[b"z"] * 65]
    whole = [match.seats[0].keep_debug(1, text) for text in texts]
    assert whole == [False, *[True] * (62 + 64), False]
    kept = [line.text for line in match.runner.debug_lines[0]]
    assert [len(text) for text in kept[:-1]] == [4096] * 63 + [1] * 64
    assert kept[-1] == DEBUG_CUT
