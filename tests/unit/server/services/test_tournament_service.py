"""TournamentService over a real connection: every error it names, and what it plans."""

from typing import Any

import pytest

from arena.core.clock.time_control import CHALLENGE_CLOCK, TimeControl
from arena.core.seeds import seat_order, secret_commitment
from arena.store.bots.bots import BotRow
from arena.store.store import Transaction
from arena.v1 import match_pb2, time_control_pb2, tournament_pb2
from tests.unit.server.services.harness import Arena, refusal_of
from tests.unit.store.store_fixture import StoreFixture

ROUND_ROBIN = tournament_pb2.Tournament.FORMAT_ROUND_ROBIN
CHALLENGE = tournament_pb2.Tournament.FORMAT_CHALLENGE
SHARED, DERIVED = match_pb2.SEED_POLICY_SHARED, match_pb2.SEED_POLICY_DERIVED
INVALID = "INVALID_ARGUMENT"
FAILED = "FAILED_PRECONDITION"
DENIED = "PERMISSION_DENIED"


@pytest.fixture(autouse=True)
def _bots(arena: Arena) -> None:
    """ada has ant, bee, cat and dog; bob has owl."""

    def add(tx: Transaction) -> None:
        for bot in ("bee", "cat", "dog"):
            tx.bots.add(BotRow(bot, "ada", "", False, arena.now_us))
        tx.bots.add(BotRow("owl", "bob", "", False, arena.now_us))

    arena.change(add)


def create(arena: Arena, who: str = "organiser", **fields: object) -> Any:
    """Return the response to the request for a round-robin of four bots, changed."""
    bots = [f"bots/{bot}" for bot in ("ant", "bee", "cat", "dog")]
    usual = {"tournament_id": "spring", "format": ROUND_ROBIN, "game": "caravan", "bots": bots}
    return arena.call("CreateTournament", who, **(usual | fields))


def refused(arena: Arena, who: str = "organiser", **fields: object) -> tuple[str, str]:
    """Return the code and reason with which it is refused."""
    return refusal_of(create, arena, who, **fields).status


def test_a_new_tournament_is_planned_with_its_seats_drawn_and_its_secret_kept(arena: Arena) -> None:
    created = create(arena, rounds=2)
    tournament = created.tournament
    assert tournament.name == "tournaments/spring"
    assert (tournament.seats, tournament.rounds, tournament.pairings, tournament.matches) == (2, 2, 12, 24)
    assert tournament.state == tournament_pb2.Tournament.STATE_PLANNED
    assert (len(tournament.secret_commitment), tournament.secret) == (32, b"")
    secret = arena.store.read(lambda tx: tx.tournaments.get("spring")).secret
    assert tournament.secret_commitment == secret_commitment(secret)
    assert arena.call("ListPairings", "bob", name="tournaments/spring").pairings == created.pairings
    for pairing in created.pairings:
        group, bots = int(pairing.group[1:]), [name.removeprefix("bots/") for name in pairing.bots]
        assert bots == list(seat_order(secret, group, bots))
    assert [pairing.round for pairing in created.pairings] == [1] * 6 + [2] * 6
    assert arena.runtime.wakes == 1


def test_the_plan_is_shown_without_creating_anything(arena: Arena) -> None:
    shown = create(arena, validate_only=True)
    assert (shown.tournament.matches, len(shown.pairings)) == (12, 6)
    assert {pairing.group for pairing in shown.pairings} == {""}
    assert shown.tournament.secret_commitment == b""
    assert arena.store.read(lambda tx: tx.tournaments.find("spring")) is None


def test_an_owners_challenge_includes_an_own_bot_and_runs_at_once(arena: Arena) -> None:
    fields = {"tournament_id": "", "format": CHALLENGE, "bots": ["bots/owl", "bots/ant", "bots/bee"]}
    first = create(arena, "bob", **fields).tournament
    assert (first.name, first.seats, first.matches) == ("tournaments/challenge-1", 3, 3)
    assert first.state == tournament_pb2.Tournament.STATE_RUNNING
    assert create(arena, "bob", **fields).tournament.name == "tournaments/challenge-2"
    foreign = {**fields, "bots": ["bots/ant", "bots/bee"]}
    assert refused(arena, "bob", **foreign) == (DENIED, "NOT_OWNER")
    assert refused(arena, "bob", **{**fields, "seats": 2}) == (INVALID, "FIELD_INVALID")
    assert refused(arena, "bob", **{**fields, "bots": ["bots/owl"]}) == (FAILED, "TOO_FEW_BOTS")
    assert refused(arena, "bob", **fields, rounds=34) == (FAILED, "PLAN_TOO_LARGE")
    create(arena, "bob", **fields)
    assert refused(arena, "bob", **fields) == (FAILED, "TOURNAMENT_STATE")
    create(arena, "organiser", **fields)


def test_a_tournament_is_run_and_paused(arena: Arena) -> None:
    create(arena)
    name = "tournaments/spring"
    refusal = arena.refusal("PauseTournament", "organiser", name=name)
    assert (refusal.status, "planned" in refusal.sentence) == ((FAILED, "TOURNAMENT_STATE"), True)
    running = arena.call("RunTournament", "organiser", name=name).tournament
    assert (running.state, running.waiting_for) == (tournament_pb2.Tournament.STATE_RUNNING, "two more bots")
    paused = arena.call("PauseTournament", "organiser", name=name).tournament
    assert (paused.state, paused.waiting_for) == (tournament_pb2.Tournament.STATE_PAUSED, "")


def test_before_the_first_match_nobody_has_a_rank(arena: Arena) -> None:
    create(arena)
    table = arena.call("GetCrosstable", "bob", name="tournaments/spring")
    assert [(line.rank, line.bot, line.matches, line.rating_milli) for line in table.standings] == [
        (0, f"bots/{bot}", 0, 0) for bot in ("ant", "bee", "cat", "dog")
    ]


def test_a_tournament_of_hosted_bots_shares_its_seeds(arena: Arena) -> None:
    db = StoreFixture(arena.store)
    db.submit("ant", "ab" * 32)
    two = ["bots/ant", "bots/bee"]
    mixed = create(arena, bots=two).tournament
    assert (mixed.seed_policy, mixed.hosted_only) == (DERIVED, False)
    assert refused(arena, bots=two, seed_policy=SHARED) == (FAILED, "SHARED_SEED_REFUSED")
    db.submit("bee", "cd" * 32)
    hosted = create(arena, tournament_id="summer", bots=two).tournament
    assert (hosted.seed_policy, hosted.hosted_only) == (SHARED, True)
    asked = create(arena, tournament_id="autumn", bots=two, seed_policy=DERIVED).tournament
    assert (asked.seed_policy, asked.hosted_only) == (DERIVED, False)


OWN = {"tournament_id": "", "format": CHALLENGE, "bots": ["bots/owl", "bots/ant"]}
"""A challenge of bob's."""


@pytest.mark.parametrize(("field", "most"), CHALLENGE_CLOCK.items())
def test_only_an_owners_challenge_has_a_bounded_clock(arena: Arena, field: str, most: int) -> None:
    def clock(value: int) -> time_control_pb2.TimeControl:
        bounded = {name: 100_000 if name == "seat_limit_ms" else 1 for name in CHALLENGE_CLOCK}
        return time_control_pb2.TimeControl(**{**bounded, field: value})

    assert getattr(TimeControl(), field) <= most  # so is the usual clock
    caught = refusal_of(create, arena, "bob", **OWN, time_control=clock(most + 1))
    assert caught.status == (INVALID, "FIELD_INVALID")
    assert f"time_control.{field} is {most + 1}, but at most {most}" in str(caught)
    create(arena, "bob", **OWN, time_control=clock(most))
    create(arena, "organiser", **OWN, time_control=clock(most + 1))


def test_a_clock_that_may_be_too_short_is_warned_of_and_one_that_cannot_hold_is_refused(arena: Arena) -> None:
    clock = time_control_pb2.TimeControl(per_decision_ms=30_000, seat_limit_ms=1_800_000)
    for fields in ({"tournament_id": "a"}, {"validate_only": True}, OWN):
        [warning] = create(arena, **fields, time_control=clock).warnings
        assert "seat_limit_ms" in warning
    clock.seat_limit_ms = 29_999
    assert refused(arena, time_control=clock) == (INVALID, "FIELD_INVALID")
    assert not create(arena).warnings


def test_an_owner_may_refuse_challenges_of_others(arena: Arena) -> None:
    def refuse(who: str, *, refused: bool) -> Any:
        return arena.call("SetBotChallenges", who, name="bots/ant", refused=refused).bot

    assert refusal_of(refuse, "bob", refused=True).reason == "NOT_OWNER"
    assert refuse("ada", refused=True).refuses_challenges
    assert refused(arena, "bob", **OWN) == (FAILED, "CHALLENGE_REFUSED")
    create(arena, "ada", **{**OWN, "bots": ["bots/ant", "bots/bee"]})
    create(arena, "organiser", **OWN)
    assert not refuse("organiser", refused=False).refuses_challenges
    create(arena, "bob", **OWN)


@pytest.mark.parametrize(
    ("who", "bots", "yields"),
    [
        ("bob", ["bots/owl", "bots/ant"], True),
        ("ada", ["bots/ant", "bots/bee"], False),
        ("organiser", ["bots/owl", "bots/ant"], False),
    ],
)
def test_a_challenge_to_others_yields_to_rated_play(
    arena: Arena, who: str, bots: list[str], yields: bool
) -> None:
    create(arena, who, **{**OWN, "bots": bots})
    assert arena.store.read(lambda tx: tx.tournaments.get("challenge-1")).yields is yields
