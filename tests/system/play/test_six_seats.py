"""Six bots at one table of Caravanserai, four of which get into trouble. Rows are those of docs/bad_inputs.md."""

from pathlib import Path

from arena.core.match import Cause
from arena.match_log.keys import read_public_key
from arena.match_log.reader import MatchLog, read_log
from arena.match_log.verify import VerificationExit, verify
from arena.match_report.explain import explain
from arena.v1 import ending_pb2, play_pb2, time_control_pb2
from tests.system.play.conftest import BotFactory
from tests.system.play.raw_bot import RawBot
from tests.unit.sessions.caravanserai_match import CaravanseraiMatch, placement

CONTROL = time_control_pb2.TimeControl(
    per_decision_ms=60_000, bank_ms=0, strikes=1, absence_ms=3_000, hold_ms=0, seat_limit_ms=86_400_000
)
"""Time enough to come back on a busy machine; who does not is waited for as long, once."""
NORMAL, ILLEGAL, GONE, RESIGNED = (
    ending_pb2.TERMINATION_NORMAL,
    ending_pb2.TERMINATION_ILLEGAL_ACTION,
    ending_pb2.TERMINATION_DISCONNECT,
    ending_pb2.TERMINATION_RESIGNATION,
)


class Trouble:
    """A table whose first four seats in turn are in trouble in round 1, one after the other."""

    def __init__(self, bot_factory: BotFactory) -> None:
        self.bot_factory = bot_factory
        self.bots = bot_factory.table(6, game="caravanserai", time_control=CONTROL)
        self.table = CaravanseraiMatch.begun(self.bots)
        self.match = self.bots[0].heard[-1].match_started
        self.table.open_all()
        first = self.table.seat
        self.illegal, self.resigns, self.returns, self.gone = ((first + turn) % 6 for turn in range(4))
        self.standing = {self.returns, (first + 4) % 6, (first + 5) % 6}

    def to_its_end(self) -> play_pb2.MatchEnded:
        """Everything happens; the end as the last seat is told it."""
        self.be_illegal_too_often()
        self.resign()
        self.go_and_come_back()
        self.go_for_good()
        while self.table.state.round < 2:
            self.play_a_turn()
        self.table.finish()
        ended = [self.bots[seat].hear("match_ended") for seat in range(6) if seat != self.gone]
        assert len({each.match.SerializeToString() for each in ended}) == 1
        return ended[-1]  # type: ignore[no-any-return]

    def play_a_turn(self) -> None:
        """By a plan, and whatever is asked after it by the first of the list."""
        asked, seat = self.table.asked(), self.table.seat
        if self.table.state.laid:
            self.table.answer(asked)
            return
        self.table.answer_by(asked, placement(self.table.state))
        while self.table.seat == seat:
            self.table.answer(self.table.asked())

    def be_illegal_too_often(self) -> None:
        for _ in range(2):
            self.bots[self.illegal].answer(self.table.asked(), 9_999)
            self.table.state.apply(self.table.state.default_action())
        self.table.fallen.add(self.illegal)

    def resign(self) -> None:
        asked = self.table.asked()
        self.bots[self.resigns].say(resign=play_pb2.Resign(assignment=asked.assignment))
        self.table.fallen.add(self.resigns)

    def go_and_come_back(self) -> None:
        """In the middle of its turn, after a plan."""
        seat = self.returns
        self.table.answer_by(self.table.asked(), placement(self.table.state))
        asked = self.table.asked()
        [token] = [heard.welcome.resume_token for heard in self.bots[seat].heard if heard.HasField("welcome")]
        self.bots[seat].cut()
        self.bots[seat] = self.again(seat)
        assert self.bots[seat].hello(resume_token=token).resumed
        assert self.table.asked().decision == asked.decision
        self.table.answer(asked)
        while self.table.seat == seat:
            self.table.answer(self.table.asked())

    def again(self, seat: int) -> RawBot:
        """One more connection of the bot on a seat."""
        return self.bot_factory.dial(
            next(bot for bot, token in self.bot_factory.tokens.items() if token == self.bots[seat].token)
        )

    def go_for_good(self) -> None:
        self.table.asked()
        self.bots[self.gone].cut()
        self.table.fallen.add(self.gone)


def log_of(trouble: Trouble) -> tuple[bytes, MatchLog]:
    """Return the log of the match from its file: it stays sealed, since its group never ends."""
    [path] = trouble.bot_factory.arena.data.rglob("*.arenalog")
    return Path(path).read_bytes(), read_log(Path(path).read_bytes())


def test_of_six_seats_four_get_into_trouble_and_the_others_play_to_the_end(bot_factory: BotFactory) -> None:
    trouble = Trouble(bot_factory)
    ended = trouble.to_its_end().match
    outcome = trouble.table.state.outcome()
    assert outcome is not None
    endings = {seat: place.ending.termination for seat, place in enumerate(ended.seats)}
    assert endings == {
        trouble.illegal: ILLEGAL,
        trouble.resigns: RESIGNED,
        trouble.gone: GONE,
        **dict.fromkeys(trouble.standing, NORMAL),
    }
    by_the_rules = sorted(trouble.standing, key=lambda seat: outcome.placings[seat])
    placings = [seat.placing for seat in ended.seats]
    assert [placings[seat] for seat in by_the_rules] == [1, 2, 3]
    assert {placings[seat] for seat in trouble.table.fallen} == {4}
    assert [seat.score for seat in ended.seats] == list(outcome.scores)
    check_silence(trouble)
    check_log(trouble)


def check_silence(trouble: Trouble) -> None:
    """Who has forfeited is asked nothing more, however many steps its turns have: it hears of the end."""
    for seat in (trouble.illegal, trouble.resigns):
        kinds = trouble.bots[seat].kinds()
        assert kinds[kinds.index("seat_ended") :] == ["seat_ended", "match_ended"]
        last = trouble.bots[seat].heard[-1].match_ended
        acted = [each.action for each in last.happened if each.HasField("action")]
        assert {each.seat for each in acted} == set(range(6)) - {seat}


def check_log(trouble: Trouble) -> None:
    data, log = log_of(trouble)
    key = read_public_key(next((trouble.bot_factory.arena.data / "keys").glob("*.pub")))
    verification = verify(data, keys=[key])
    assert verification.exit_code is VerificationExit.OK, verification
    explained = explain(log).seats
    assert [len(seat.strikes) for seat in explained] == [
        2 if seat == trouble.illegal else 0 for seat in range(6)
    ]
    assert {seat.seat for seat in explained if seat.absences} == {trouble.returns, trouble.gone}
    [away] = explained[trouble.returns].absences
    assert away.back_ns is not None
    [away] = explained[trouble.gone].absences
    assert away.back_ns is None
    check_defaults(trouble, log)


def check_defaults(trouble: Trouble, log: MatchLog) -> None:
    """Whole turns of who has forfeited: several defaults in a row, without a decision and without time."""
    defaults = [ply for ply in log.plies if ply.cause is Cause.FORFEITED]
    assert {ply.seat for ply in defaults} == trouble.table.fallen
    assert {(ply.decision, ply.used_ns, ply.started_ns, ply.bank_ns) for ply in defaults} == {(0, 0, 0, 0)}
    assert len(log.plies) == log.result.plies > len(defaults) > 3
