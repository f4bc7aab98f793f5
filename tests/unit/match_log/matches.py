"""Matches to log: the real referee, with answers and times drawn from a seed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from arena.codecs.codec import Codec, codec_for
from arena.core.clock.time_control import TimeControl
from arena.core.match import Cause, MatchResult, MatchSetup, NoteRecord, SeatHolder, SeedPolicy
from arena.core.ply import PlyRecord
from arena.core.referee.effects import Ask, Effect, Played, SetUp
from arena.core.referee.referee import Network, Referee, Refused
from arena.core.units import NS_PER_MS
from arena.match_log.keys import SigningKey
from arena.match_log.writer import FinishedLog, MatchLogBuilder
from engine.game import Event
from engine.randomness import Stream
from tests.unit.core.causes import a_cause
from tests.unit.core.stalls_by_hand import idle_meter
from tests.unit.match_log.pile import BID, CODEC, PileOptions, PileState

SECRET = sha256(b"a secret T").digest()
SECRET_COMMITMENT = sha256(b"arena-tournament-v1" + SECRET).digest()
KEY = SigningKey(Ed25519PrivateKey.from_private_bytes(sha256(b"the key of the tests").digest()))
FOREIGN_KEY = SigningKey(Ed25519PrivateKey.from_private_bytes(sha256(b"somebody else's key").digest()))
CONTROL = TimeControl(per_decision_ms=1_000, bank_ms=3_000, increment_ms=40, grace_ms=5, strikes=2)
# HMAC-SHA256(SECRET, "arena-match-v1" 00 "g5" 00 00000001 00000000), worked out with openssl.
SEED = bytes.fromhex("5700248c7eed2405f5226dbb8704d18ec3c3c85a8ae6315efb8cd4caf6bde1cc")


def a_setup(**changes: object) -> MatchSetup:
    setup = MatchSetup(
        match=17,
        ladder="main",
        tournament=None,
        group=5,
        seed_group_index=1,
        seed_attempt=0,
        game="pile",
        rules_version=3,
        options=PileOptions(60),
        seats=(SeatHolder("anna", "v1"), SeatHolder("bert", "v2")),
        time_control=CONTROL,
        seed=SEED,
        seed_policy=SeedPolicy.DERIVED,
        secret_commitment=SECRET_COMMITMENT,
        rated=True,
    )
    return replace(setup, **changes)  # type: ignore[arg-type]


def a_setup_of_three(codec: Codec, **options: str) -> MatchSetup:
    """Return the set-up of a match of ant, bee and cat."""
    game, bots = codec.game, ("ant", "bee", "cat")
    return a_setup(
        game=game.spec.id,
        rules_version=game.spec.rules_version,
        options=game.options(len(bots), options),
        seats=tuple(SeatHolder(bot, "v1") for bot in bots),
    )


A_PLY = PlyRecord(
    *(0, 1, 1, Cause.CHOSEN, ()),
    started_ns=0,
    used_ns=0,
    credit_ns=0,
    stall_ns=0,
    bank_ns=CONTROL.bank_ms * NS_PER_MS,
    over_seat_limit=False,
    digest=b"",
)
"""Of seat 0 in its first decision: action 1."""


@dataclass(frozen=True)
class LoggedMatch:
    setup: MatchSetup
    set_up: tuple[Event, ...]
    records: tuple[PlyRecord | NoteRecord, ...]
    result: MatchResult
    log: FinishedLog


class RandomMatch:
    """A match whose answers, misses and resignations follow from a random source."""

    def __init__(self, setup: MatchSetup, source: Random, *, codec: Codec, trouble: float) -> None:
        self._random, self._trouble = source, trouble
        self._game = codec.game
        self._now = 1_000_000_000
        self._stalls = idle_meter()
        state = self._game.new_match(len(setup.seats), setup.options, setup.seed)
        self._referee = Referee(
            state, len(setup.seats), setup.time_control, stalls=self._stalls, network=self._network
        )
        self._asked: Ask | None = None
        self._records: list[PlyRecord | NoteRecord] = []
        self._result: MatchResult | None = None
        self.set_up: tuple[Event, ...] = ()

    def play(
        self, decisions: int | None = None, given: Sequence[int] = ()
    ) -> tuple[tuple[PlyRecord | NoteRecord, ...], MatchResult]:
        """Play to the end, after what is given; with `decisions` the arena fails after so many."""
        self._take(self._referee.begin(self._now, given=given))
        played = 0
        while self._result is None and played != decisions:
            self._take(self._go_on())
            played += 1
        result = self._result or self.void()
        return tuple(self._records), result

    def void(self) -> MatchResult:
        """Fail by the arena's fault; without `play` before any seat was asked."""
        self._take(self._referee.void(a_cause(), self._now))
        assert self._result is not None
        return self._result

    def play_and_disconnect(self) -> tuple[tuple[PlyRecord | NoteRecord, ...], MatchResult]:
        """Both seats lose their connection, and neither comes back."""
        self._take(self._referee.begin(self._now))
        for seat in range(2):
            self._take(self._referee.lost(seat, self._now))
        while self._result is None:
            self._now += 31_000 * NS_PER_MS
            self._take(self._referee.tick(self._now))
        return tuple(self._records), self._result

    def _network(self, seat: int) -> Network:
        # On a good line the lowest round trip, and with it the credit, hardly ever changes.
        credit = self._random.randrange(3) * 7_654_321 if self._game is CODEC.game else 7_654_321
        return Network(credit_ns=credit, round_trip_ns=None)

    def _take(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Ask():
                    self._asked = effect
                case SetUp(events=events):
                    self.set_up = events
                case Played(record=record):
                    self._records.append(record)
                case NoteRecord():
                    self._records.append(effect)
                case MatchResult():
                    self._result = effect
                case _:
                    pass

    def _go_on(self) -> list[Effect]:
        asked = self._asked
        assert asked is not None
        self._now += self._random.randrange(300_000)
        started = self._now
        self._referee.sent(asked.seat, asked.decision, started)
        if self._random.random() < self._trouble:
            return self._misbehave(asked.seat, asked.decision)
        if self._game is CODEC.game and self._random.random() < 0.1:
            self._stall()
        self._now += self._think()
        return self._referee.answered(asked.seat, asked.decision, self._answer(asked.seat), self._now)

    def _think(self) -> int:
        """In the game for tests, times that touch the bank; elsewhere those of a quick bot."""
        if self._game is CODEC.game:
            return self._random.choice((0, 400_000_000, 1_200_000_000)) + self._random.randrange(1_000_000)
        return int(self._random.expovariate(1 / 20_000_000))

    def _stall(self) -> None:
        self._stalls.beat(self._now)
        self._now += 50 * NS_PER_MS
        self._stalls.beat(self._now)
        self._stalls.rest()

    def _misbehave(self, seat: int, decision: int) -> list[Effect]:
        kind = self._random.randrange(12)
        self._now += self._random.randrange(2_000 * NS_PER_MS)
        if kind == 0:
            return self._referee.resigned(seat, self._now)
        if kind == 1:
            self._take(self._referee.lost(seat, self._now))
            self._now += 31_000 * NS_PER_MS
            return self._referee.tick(self._now)
        if kind == 2:
            return self._referee.void(a_cause(), self._now)
        if kind < 8:
            return self._referee.answered(seat, decision, (0,) * self._random.randrange(1, 4), self._now)
        if kind == 8:
            return self._referee.answered(seat, decision, Refused("it could not be read"), self._now)
        self._now += 60_000 * NS_PER_MS
        if kind == 9:
            return self._referee.answered(seat, decision, self._answer(seat), self._now)
        return self._referee.tick(self._now)

    def _answer(self, seat: int) -> tuple[int, ...]:
        """One listed action; in the game for tests also a bid, or a plan as long as the seat acts."""
        state = self._referee.state.clone()
        if not isinstance(state, PileState):
            return (self._game.sensible_action(state, Stream(self._random.randbytes(32))),)
        if self._random.random() < 0.1:
            return (BID + self._random.randrange(256),)
        plan: list[int] = []
        while state.seat_to_act == seat and len(plan) < 3:
            plan.append(self._random.choice(list(state.legal_actions())))
            state.apply(plan[-1])
        return tuple(plan[: self._random.randrange(1, len(plan) + 1)])


def a_match(
    source: int = 1,
    *,
    setup: MatchSetup | None = None,
    codec: Codec = CODEC,
    trouble: float = 0.0,
    key: SigningKey = KEY,
    given: Sequence[int] = (),
) -> LoggedMatch:
    """Play and log a match. `given`: the actions of the one that it plays on from."""
    setup = setup or a_setup()
    table = RandomMatch(setup, Random(source), codec=codec, trouble=trouble)
    records, result = table.play(given=given)
    log = logged(setup, records, result, set_up=table.set_up, codec=codec, key=key)
    return LoggedMatch(setup, table.set_up, records, result, log)


def a_match_that_nobody_ends() -> LoggedMatch:
    """Play a match of two whose bots both disconnect."""
    setup = a_setup()
    table = RandomMatch(setup, Random(1), codec=CODEC, trouble=0.0)
    records, result = table.play_and_disconnect()
    return LoggedMatch(
        setup, table.set_up, records, result, logged(setup, records, result, set_up=table.set_up)
    )


def a_match_cut_off(plies: int) -> FinishedLog:
    """Let two bots play a few decisions of Caravan, then the arena fails."""
    setup, codec = caravan_setup(2), codec_for("caravan")
    table = RandomMatch(setup, Random(0), codec=codec, trouble=0.0)
    records, result = table.play(plies)
    return logged(setup, records, result, set_up=table.set_up, codec=codec)


def caravan_setup(seats: int) -> MatchSetup:
    """Return the setup of a match of Caravan with all its defaults."""
    game = codec_for("caravan").game
    holders = tuple(
        SeatHolder(bot, f"v{number}") for number, bot in enumerate(("greedy", "mcts", "planner", "random"))
    )
    return a_setup(
        game="caravan",
        rules_version=game.spec.rules_version,
        options=game.options(seats, {}),
        seats=holders[:seats],
    )


def logged(
    setup: MatchSetup,
    records: tuple[PlyRecord | NoteRecord, ...],
    result: MatchResult,
    *,
    set_up: tuple[Event, ...] | None,
    codec: Codec = CODEC,
    key: SigningKey = KEY,
) -> FinishedLog:
    """Write the log of records; without a set-up if the match did not begin."""
    builder = MatchLogBuilder(
        setup, codec, software="caravan-arena test", key=key, start_time_ms=1_800_000_000_123
    )
    if set_up is not None:
        builder.set_up(set_up)
    for record in records:
        if isinstance(record, PlyRecord):
            builder.ply(record)
        else:
            builder.note(record)
    builder.end(result)
    return builder.finish()
