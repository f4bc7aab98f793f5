"""Gates over a real connection (docs/bots/gates.md): who may create one, its field, its bots, and how it stands."""

from typing import Any

import pytest

from arena.core.clock.time_control import CHALLENGE_CLOCK, TimeControl
from arena.core.pairing.formats.plan import NextRound, RoundPairing
from arena.core.rating.rating import Rating
from arena.store.accounts.tokens import Role, Scope
from arena.store.bots.bots import BotRow
from arena.store.bots.hosting import HostingMode
from arena.store.ladders.entries import EntryCounts
from arena.store.store import Transaction
from arena.v1 import match_pb2, time_control_pb2, tournament_pb2
from tests.unit.server.services.harness import Arena, refusal_of
from tests.unit.store.store_fixture import StoreFixture, a_ladder

GATE = tournament_pb2.Tournament.FORMAT_GATE
OLD, NEW, LATER = "ab" * 32, "cd" * 32, "ef" * 32
INVALID, FAILED, DENIED, MISSING = (
    "INVALID_ARGUMENT",
    "FAILED_PRECONDITION",
    "PERMISSION_DENIED",
    "NOT_FOUND",
)
BETTER_ON_TOP = ("owl", "cat", "bee")
"""The hosted bots of the ladder by rating."""


@pytest.fixture(autouse=True)
def _bots(arena: Arena) -> None:
    """ada has ant, which plays OLD and has NEW; bee and cat are hers, owl is bob's; dog is not run by the arena."""
    db = StoreFixture(arena.store)

    def add(tx: Transaction) -> None:
        for bot in ("bee", "cat", "dog"):
            tx.bots.add(BotRow(bot, "ada", "", False, arena.now_us))
        tx.bots.add(BotRow("owl", "bob", "", False, arena.now_us))
        tx.ladders.add(a_ladder())
        for place, bot in enumerate(("ant", "dog", *BETTER_ON_TOP)):
            tx.entries.join("main", bot, 1_000)
            entry = tx.entries.get("main", bot)
            rating = Rating(1_900_000 - 50_000 * place, 10, OLD, 9)
            tx.entries.add_counts(entry, EntryCounts(3, 3, 0, 9, 9, 9, None), rating)

    arena.change(add)
    for bot in ("ant", "bee", "cat", "owl"):
        db.submit(bot, OLD)
    db.submit("ant", NEW)
    arena.change(lambda tx: tx.hosting.set_mode("ant", HostingMode.PINNED, OLD))


def create(arena: Arena, who: str = "ada", **fields: Any) -> Any:
    """Return the response to the request for a gate of ant against two named bots, changed."""
    usual = {
        "format": GATE,
        "game": "caravan",
        "bots": ["bots/bee", "bots/owl"],
        "gate": {"bot": "bots/ant", "candidate": f"bots/ant/versions/{NEW[:8]}"},
    }
    return arena.call("CreateTournament", who, **(usual | fields))


def refused(arena: Arena, who: str = "ada", **fields: Any) -> tuple[str, str]:
    """Return the code and reason with which it is refused."""
    return refusal_of(create, arena, who, **fields).status


def asked(**fields: object) -> dict[str, object]:
    """Return what a gate of ant compares, changed."""
    return {"bot": "bots/ant", "candidate": f"bots/ant/versions/{NEW}", **fields}


def test_before_its_first_match_nobody_of_a_gate_has_a_rank(arena: Arena) -> None:
    name = create(arena).tournament.name
    assert [line.rank for line in arena.call("GetCrosstable", "ada", name=name).standings] == [0] * 4


def test_an_owner_creates_a_gate_that_runs_at_once_with_a_bot_for_each_version(arena: Arena) -> None:
    gate = create(arena).tournament
    assert (gate.name, gate.owner, gate.seats) == ("tournaments/gate-1", "ada", 2)
    assert gate.state == tournament_pb2.Tournament.STATE_RUNNING
    assert list(gate.bots) == ["bots/gate-1-candidate", "bots/gate-1-incumbent", "bots/bee", "bots/owl"]
    assert gate.seed_policy == match_pb2.SEED_POLICY_SHARED
    assert gate.hosted_only
    assert (gate.gate.bot, gate.gate.candidate) == ("bots/ant", f"bots/ant/versions/{NEW}")
    assert gate.gate.incumbent == f"bots/ant/versions/{OLD}"
    assert gate.parameters.gate.set_ups == 500
    candidate = arena.call("GetBot", "bob", name="bots/gate-1-candidate").bot
    assert candidate.owner == "owners/ada"
    assert [each.name.rpartition("/")[2] for each in candidate.versions] == [NEW]
    assert arena.store.read(lambda tx: tx.tournaments.get("gate-1")).yields
    assert (arena.runtime.hosting_changes, arena.runtime.wakes) == (1, 1)


def test_the_field_is_the_best_hosted_bots_of_a_ladder(arena: Arena) -> None:
    ladder: dict[str, Any] = {"seeded_by": "ladders/main", "bots": []}
    field = create(arena, validate_only=True, gate=asked(field=2), **ladder).tournament.bots[2:]
    assert [name.removeprefix("bots/") for name in field] == ["owl", "cat"]
    both = create(arena, validate_only=True, gate=asked(field=9), seeded_by="ladders/main", bots=["bots/cat"])
    assert [name.removeprefix("bots/") for name in both.tournament.bots[2:]] == ["cat", "owl", "bee"]
    arena.call("SetBotChallenges", "bob", name="bots/owl", refused=True)
    without = create(arena, validate_only=True, gate=asked(field=2), **ladder).tournament.bots[2:]
    assert [name.removeprefix("bots/") for name in without] == ["cat", "bee"]
    by_organiser = create(arena, "organiser", validate_only=True, gate=asked(field=2), **ladder)
    assert by_organiser.tournament.bots[2] == "bots/owl"


def test_nothing_is_created_by_a_request_that_is_only_checked(arena: Arena) -> None:
    shown = create(arena, validate_only=True)
    assert (len(shown.pairings), shown.size.most_matches) == (4, 2_000)
    assert [len(each.bots) for each in shown.pairings] == [3] * 4
    assert arena.store.read(lambda tx: tx.tournaments.find("gate-1")) is None
    assert arena.store.read(lambda tx: tx.bots.find("gate-1-candidate")) is None


def test_an_owner_has_one_open_gate_and_an_organiser_any_number(arena: Arena) -> None:
    create(arena)
    assert refused(arena) == (FAILED, "TOURNAMENT_STATE")
    assert create(arena, "organiser").tournament.name == "tournaments/gate-2"
    arena.change(lambda tx: tx.tournaments.finish("gate-1", 9))
    assert create(arena).tournament.name == "tournaments/gate-3"


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"gate": None}, (INVALID, "FIELD_INVALID")),
        ({"tournament_id": "mine"}, (INVALID, "FIELD_INVALID")),
        ({"rounds": 2}, (INVALID, "FIELD_INVALID")),
        ({"seed_policy": match_pb2.SEED_POLICY_DERIVED}, (INVALID, "FIELD_INVALID")),
        ({"visibility": tournament_pb2.Tournament.VISIBILITY_LIVE}, (INVALID, "FIELD_INVALID")),
        ({"suite": {"name": "mine", "text": ""}}, (INVALID, "FIELD_INVALID")),
        ({"gate": asked(candidate=f"bots/ant/versions/{NEW[:5]}")}, (INVALID, "FIELD_INVALID")),
        ({"gate": asked(candidate="bots/ant/versions/zzzzzz")}, (INVALID, "FIELD_INVALID")),
        ({"gate": asked(candidate=f"bots/bee/versions/{NEW}")}, (INVALID, "FIELD_INVALID")),
        ({"gate": asked(candidate=f"bots/ant/versions/{OLD}")}, (INVALID, "FIELD_INVALID")),
        ({"gate": asked(candidate=f"bots/ant/versions/{LATER}")}, (MISSING, "VERSION_NOT_FOUND")),
        ({"gate": asked(bot="bots/no", candidate=f"bots/no/versions/{NEW}")}, (MISSING, "BOT_NOT_FOUND")),
        ({"gate": asked(bot="bots/owl", candidate=f"bots/owl/versions/{OLD}"), "bots": ["bots/bee"]},
         (DENIED, "NOT_OWNER")),
        ({"gate": asked(field=3)}, (INVALID, "FIELD_INVALID")),
        ({"seeded_by": "ladders/main"}, (INVALID, "FIELD_INVALID")),
        ({"gate": asked(field=101), "seeded_by": "ladders/main"}, (INVALID, "FIELD_INVALID")),
        ({"gate": asked(field=3), "seeded_by": "ladders/no"}, (MISSING, "LADDER_NOT_FOUND")),
        ({"gate": asked(field=3), "seeded_by": "ladders/main", "game": "caravanserai"},
         (INVALID, "FIELD_INVALID")),
        ({"game": "wasteland"}, (INVALID, "FIELD_INVALID")),
        ({"bots": []}, (INVALID, "FIELD_INVALID")),
        ({"bots": ["bots/ant"]}, (INVALID, "FIELD_INVALID")),
        ({"bots": ["bots/bee", "bots/bee"]}, (INVALID, "FIELD_INVALID")),
        ({"bots": ["bots/nobody"]}, (MISSING, "BOT_NOT_FOUND")),
        ({"bots": ["bots/dog"]}, (FAILED, "SHARED_SEED_REFUSED")),
        ({"bots": ["bots/bee"], "seats": 3}, (FAILED, "TOO_FEW_BOTS")),
        ({"seats": 9}, (INVALID, "FIELD_INVALID")),
        ({"parameters": {"gate": {"elo0_milli": 5, "elo1_milli": 5}}}, (INVALID, "FIELD_INVALID")),
        ({"parameters": {"gate": {"alpha_milli": 500}}}, (INVALID, "FIELD_INVALID")),
        ({"parameters": {"best_of": 3}}, (INVALID, "FIELD_INVALID")),
        ({"parameters": {"gate": {"set_ups": 1_001}}}, (FAILED, "PLAN_TOO_LARGE")),
        ({"format": tournament_pb2.Tournament.FORMAT_CHALLENGE}, (INVALID, "FIELD_INVALID")),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_refused(
    arena: Arena, fields: dict[str, Any], status: tuple[str, str]
) -> None:
    assert refused(arena, **fields) == status


SUITE = f"game caravan\nseats 2\nopen {'5e' * 32}\nshut {'0f' * 32}\n"


def test_a_gate_on_a_suite_plays_each_of_its_set_ups_at_most_once(arena: Arena) -> None:
    suite = {"name": "mine", "text": SUITE}
    shown = create(arena, validate_only=True, suite=suite)
    assert (shown.tournament.suite.name, shown.tournament.parameters.gate.set_ups) == ("mine", 2)
    assert len(shown.warnings) == 1  # of hidden draws
    one = create(arena, validate_only=True, suite=suite, parameters={"gate": {"set_ups": 1}})
    assert one.tournament.parameters.gate.set_ups == 1
    more = {"gate": {"set_ups": 3}}
    assert refused(arena, suite=suite, parameters=more) == (INVALID, "FIELD_INVALID")


def test_bots_that_refuse_challenges_and_long_clocks_are_for_organisers(arena: Arena) -> None:
    arena.call("SetBotChallenges", "bob", name="bots/owl", refused=True)
    assert refused(arena) == (FAILED, "CHALLENGE_REFUSED")
    slow = TimeControl(per_decision_ms=CHALLENGE_CLOCK["per_decision_ms"] + 1)
    control = time_control_pb2.TimeControl(
        **{name: getattr(slow, name) for name in ("per_decision_ms", "bank_ms", "strikes", "absence_ms", "hold_ms",
                                                  "seat_limit_ms")}
    )  # fmt: skip
    assert refused(arena, bots=["bots/bee"], time_control=control) == (INVALID, "FIELD_INVALID")
    create(arena, "organiser", time_control=control)


def test_a_bot_that_the_arena_does_not_run_cannot_be_compared(arena: Arena) -> None:
    arena.change(lambda tx: tx.hosting.set_mode("ant", HostingMode.OFF))
    assert refused(arena) == (FAILED, "TOURNAMENT_STATE")


def test_pinning_the_winner_needs_the_scope_that_pinning_needs(arena: Arena) -> None:
    arena.add_token("narrow", Role.OWNER, "ada", scopes=frozenset({Scope.READ, Scope.COMPETE}))
    assert refused(arena, "narrow", gate=asked(apply=True)) == (DENIED, "SCOPE_REQUIRED")
    assert not create(arena, "narrow").tournament.gate.apply


def test_nothing_can_be_done_with_the_bots_of_a_gate(arena: Arena) -> None:
    create(arena)
    bot = "bots/gate-1-candidate"
    calls: dict[str, dict[str, Any]] = {
        "SetBotHidden": {"name": bot, "hidden": False},
        "SetHosting": {"bot": bot, "mode": 1},
        "JoinLadder": {"name": "ladders/main", "bot": bot},
        "CreateToken": {"role": 1, "bot": bot},
        "CreateSubmission": {"bot": bot, "archive_sha256": "ef" * 32, "archive_bytes": 10},
        "CreateTournament": {
            "format": tournament_pb2.Tournament.FORMAT_CHALLENGE, "game": "caravan", "bots": [bot, "bots/bee"],
        },
    }  # fmt: skip
    for method, fields in calls.items():
        assert arena.refusal(method, "ada", **fields).status == (MISSING, "BOT_NOT_FOUND"), method
    assert arena.refusal("CreateBot", "ada", bot_id="gate-1-candidate").reason == "BOT_EXISTS"
    listed = {each.name for each in arena.call("ListBots", "organiser", show_hidden=True).bots}
    assert not {name for name in listed if "gate" in name}
    assert arena.call("GetUser", "ada", name="users/ada").user.usage.bots == 4


def test_a_gate_tells_how_it_stands(arena: Arena) -> None:
    create(arena)
    fresh = arena.call("GetTournament", "bob", name="tournaments/gate-1").tournament.gate
    assert fresh.verdict == tournament_pb2.Gate.VERDICT_UNDECIDED
    assert (fresh.set_ups, list(fresh.llr_milli), fresh.set_ups_left) == (0, [], 500)
    assert (fresh.lower_milli, fresh.upper_milli) == (-2944, 2944)
    assert not fresh.HasField("elo_milli")
    listed = arena.call("ListTournaments", "bob").tournaments[0].gate
    assert listed.verdict == tournament_pb2.Gate.VERDICT_UNSPECIFIED
    bots = ("gate-1-candidate", "gate-1-incumbent", "bee")
    arena.change(lambda tx: tx.rounds.add(tx.tournaments.get("gate-1"), NextRound((RoundPairing(bots),)), 9))
    pairing = arena.call("ListPairings", "bob", name="tournaments/gate-1").pairings[0]
    assert sorted(name.removeprefix("bots/") for name in pairing.bots) == sorted(bots)


def test_the_owner_withdraws_the_candidate_and_nobody_else_does(arena: Arena) -> None:
    create(arena)
    fields = {"name": "tournaments/gate-1", "bot": "bots/gate-1-candidate"}
    assert arena.refusal("WithdrawFromTournament", "bob", **fields).status == (DENIED, "NOT_OWNER")
    left = arena.call("WithdrawFromTournament", "ada", **fields).tournament
    assert [each.bot for each in left.withdrawals] == ["bots/gate-1-candidate"]


def test_a_gate_is_not_deleted_because_its_bots_stay(arena: Arena) -> None:
    name = create(arena).tournament.name
    assert arena.refusal("DeleteTournament", "organiser", name=name).status == (FAILED, "EVENT_NOT_EMPTY")
