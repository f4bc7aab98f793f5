"""Whatever comes in whatever order: one result, clocks that only fall but by the increment, and every match ends."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from arena.core.clock.time_control import TimeControl
from arena.core.match import SOLO_FORFEIT, Cause, MatchState
from arena.core.ply import PlyRecord
from arena.core.units import NS_PER_MS
from tests.unit.core.referee_table import RefereeTable

SEATS = st.integers(0, 5)
PLANS = st.lists(st.integers(0, 4), min_size=1, max_size=1) | st.lists(st.integers(1, 4), max_size=4)


class AnyOrder(RuleBasedStateMachine):
    """Times only grow, but for guessed answers; everything else is up to chance."""

    @initialize(
        seats=st.integers(1, 6),
        moves_each=st.integers(1, 3),
        strikes=st.integers(0, 2),
        limit=st.sampled_from([1_000, 60_000]),
    )
    def begin(self, seats: int, moves_each: int, strikes: int, limit: int) -> None:
        control = TimeControl(
            per_decision_ms=100,
            bank_ms=200,
            increment_ms=10,
            grace_ms=5,
            strikes=strikes,
            absence_ms=300,
            seat_limit_ms=limit,
        )
        self.table = RefereeTable(seats=seats, rounds=4, moves_each=moves_each, control=control)
        self.now = 0
        self.banks = [200] * seats

    def _pass(self, by: int) -> int:
        self.now += by
        return self.now

    def _seat(self, seat: int) -> int:
        return seat % self.table.seats

    @rule(seat=SEATS, by=st.integers(0, 20))
    def send(self, seat: int, by: int) -> None:
        at = self._pass(by)
        decision = self.table.referee.open_decision(self._seat(seat))
        if decision is not None:
            self.table.sent(self._seat(seat), decision, at)

    @rule(seat=SEATS, off=st.integers(-1, 1), plan=PLANS, by=st.integers(0, 350))
    def answer(self, seat: int, off: int, plan: list[int], by: int) -> None:
        at = self._pass(by)
        decision = self.table.referee.open_decision(self._seat(seat)) or 1
        self.table.answer(self._seat(seat), decision + off, tuple(plan), at)

    @rule(action=st.integers(1, 3), early=st.integers(0, 20))
    def guess(self, action: int, early: int) -> None:
        """Ask the open decision, and handle an answer that was received before."""
        for seat in range(self.table.seats):
            decision = self.table.referee.open_decision(seat)
            if decision is not None:
                self.table.released(seat, decision, self.now)
                self.table.answer(seat, decision, action, self.now - early)
                return

    @rule(by=st.integers(0, 400))
    def wait(self, by: int) -> None:
        self.table.tick(self._pass(by))

    @rule(seat=SEATS, by=st.integers(0, 50))
    def lose(self, seat: int, by: int) -> None:
        self.table.lost(self._seat(seat), self._pass(by))

    @rule(seat=SEATS, by=st.integers(0, 50))
    def come_back(self, seat: int, by: int) -> None:
        self.table.returned(self._seat(seat), self._pass(by))

    @rule(seat=SEATS)
    def resign(self, seat: int) -> None:
        if self.now % 7 == 0:
            self.table.resigned(self._seat(seat), self.now)

    @invariant()
    def there_is_at_most_one_result(self) -> None:
        finished = [line for line in self.table.lines if line.startswith("finish")]
        assert len(finished) == (1 if self.table.referee.over else 0)

    @invariant()
    def a_bank_rises_by_one_increment_at_most_for_each_action(self) -> None:
        for seat in range(self.table.seats):
            clock = self.table.referee.clock(seat)
            records = [played.record for played in self.table.played]
            answered = sum(each.seat == seat and each.cause is Cause.CHOSEN for each in records)
            assert 0 <= clock.bank_ns <= (200 + 10 * answered) * NS_PER_MS

    @invariant()
    def a_decision_is_played_whole_or_by_one_default(self) -> None:
        plans: dict[tuple[int, int], list[PlyRecord]] = {}
        for played in self.table.played:
            if played.record.decision:
                plans.setdefault((played.record.seat, played.record.decision), []).append(played.record)
        for records in plans.values():
            causes = {record.cause for record in records}
            assert causes == {Cause.CHOSEN} or len(records) == 1
            assert all(record.used_ns == record.started_ns == record.bank_ns == 0 for record in records[1:])
        for seat in range(self.table.seats):
            mine = [decision for player, decision in plans if player == seat]
            assert mine == list(range(1, len(mine) + 1))

    @invariant()
    def decisions_follow_each_other_in_time(self) -> None:
        over = 0
        for played in self.table.played:
            record = played.record
            if record.decision and record.bank_ns | record.used_ns | record.started_ns:
                assert record.started_ns >= over
                over = record.started_ns + record.used_ns

    @invariant()
    def who_has_forfeited_is_asked_nothing(self) -> None:
        fallen = {int(line.split()[1]) for line in self.table.lines if line.startswith("end")}
        assert not any(self.table.referee.open_decision(seat) for seat in fallen)

    @invariant()
    def nothing_overdue_is_left_waiting(self) -> None:
        due = self.table.wake_ms(self.now)
        if due is not None and due <= self.now:
            before = len(self.table.lines)
            self.table.tick(self.now)
            assert len(self.table.lines) > before

    def teardown(self) -> None:
        if not hasattr(self, "table"):
            return
        for _ in range(200):
            if self.table.referee.over:
                break
            for seat in range(self.table.seats):
                decision = self.table.referee.open_decision(seat)
                if decision is not None:
                    self.table.sent(seat, decision, self.now)
            self.table.tick(self._pass(500))
        result = self.table.result
        assert result is not None
        if result.state is MatchState.FINISHED:
            assert (result.ending == SOLO_FORFEIT) <= (self.table.seats == 1)
            standing = [seat.placing for seat in result.seats if not seat.ending.forfeited]
            fallen = {seat.placing for seat in result.seats if seat.ending.forfeited}
            assert fallen <= {1 + len(standing)}
            assert 1 in standing or not standing


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
