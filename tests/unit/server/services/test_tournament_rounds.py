"""TournamentService with formats that are planned round by round: creation, rounds, brackets, ranking, withdrawals."""

from hashlib import sha256
from typing import Any

import pytest

from arena.core.pairing.formats.formats import format_of
from arena.core.pairing.formats.plan import NextRound
from arena.store.bots.bots import BotRow
from arena.store.ladders.ladders import SecretRow
from arena.store.store import Transaction
from arena.v1 import match_pb2, tournament_pb2
from tests.unit.server.services.harness import Arena
from tests.unit.store.store_fixture import DAY, LADDER, StoreFixture, a_commitment, a_ladder

BOTS = [f"bots/{bot}" for bot in ("ant", "bee", "cat", "dog", "owl")]
FORMAT = tournament_pb2.Tournament.Format
LIVE, SEALED = tournament_pb2.Tournament.VISIBILITY_LIVE, tournament_pb2.Tournament.VISIBILITY_SEALED
CUP = "tournaments/cup"


@pytest.fixture(autouse=True)
def _bots(arena: Arena) -> None:
    """ada has ant, bee, cat and dog; bob has owl."""

    def add(tx: Transaction) -> None:
        for bot in ("bee", "cat", "dog"):
            tx.bots.add(BotRow(bot, "ada", "", False, arena.now_us))
        tx.bots.add(BotRow("owl", "bob", "", False, arena.now_us))

    arena.change(add)


def create(arena: Arena, kind: str = "KNOCKOUT", **fields: object) -> Any:
    """Create a tournament of five bots as the organiser."""
    usual = {
        "tournament_id": "cup",
        "format": FORMAT.Value(f"FORMAT_{kind}"),
        "game": "caravan",
        "bots": BOTS,
    }
    return arena.call("CreateTournament", "organiser", **(usual | fields))


def plan(arena: Arena) -> NextRound:
    """Plan and store the next round as the scheduler does."""

    def change(tx: Transaction) -> NextRound:
        row = tx.tournaments.get("cup")
        planned = format_of(row.format, row.seats, row.parameters).next_round(tx.rounds.history(row))
        tx.rounds.add(row, planned, arena.now_us)
        return planned

    return arena.store.write(change)


def test_a_new_tournament_of_rounds_has_its_bots_and_parameters_but_no_pairing_yet(arena: Arena) -> None:
    parameters = {"best_of": 3, "third_place": True}
    created = create(arena, parameters=parameters)
    tournament = created.tournament
    assert (tournament.pairings, tournament.current_round, list(created.pairings)) == (0, 0, [])
    assert (tournament.parameters.best_of, tournament.parameters.third_place) == (3, True)
    assert (created.size.fewest_rounds, created.size.fewest_pairings) == (3, 10)
    assert tournament.bots == BOTS


@pytest.mark.parametrize("kind", ["SWISS", "KNOCKOUT", "DOUBLE_ELIMINATION"])
@pytest.mark.parametrize("seeding", ["SEEDING_ORDER", "SEEDING_DRAWN"])
def test_before_it_runs_its_size_and_first_round_are_those_that_are_planned(
    arena: Arena, kind: str, seeding: str
) -> None:
    created = create(
        arena,
        kind,
        parameters={"seeding": tournament_pb2.FormatParameters.Seeding.Value(seeding)},
    )
    arena.call("WithdrawFromTournament", "bob", name=CUP, bot="bots/owl")
    known = arena.call("GetTournament", "bob", name=CUP)
    bracket = arena.call("GetBracket", "bob", name=CUP).ties
    assert known.size == created.size
    assert bool(bracket) is (kind != "SWISS")
    planned = plan(arena)
    assert [sorted(each.bots) for each in known.first_round] == [
        sorted(f"bots/{bot}" for bot in each.bots) for each in planned.pairings
    ]
    assert known.first_byes == [f"bots/{bot}" for bot in planned.byes]
    after = arena.call("GetTournament", "bob", name=CUP)
    assert (after.size, len(after.first_round), len(after.first_byes)) == (created.size, 0, 0)
    assert arena.call("GetBracket", "bob", name=CUP).ties == bracket


def test_a_plan_that_is_known_as_a_whole_has_no_first_round_and_no_bracket(arena: Arena) -> None:
    create(arena, "ROUND_ROBIN", bots=BOTS[:3])
    known = arena.call("GetTournament", "bob", name=CUP)
    assert (known.HasField("size"), len(known.first_round)) == (False, 0)
    assert arena.call("GetBracket", "bob", name=CUP) == tournament_pb2.GetBracketResponse()


def test_standings_say_who_has_how_many_points_and_who_is_still_in(arena: Arena) -> None:
    create(arena, "SWISS", bots=BOTS[:3], rounds=1)
    [bye] = plan(arena).byes
    assert {line.points_milli for line in arena.call("GetCrosstable", "bob", name=CUP).standings} == {0}
    pairing = arena.call("ListPairings", "bob", name=CUP).pairings[0]
    arena.call("WithdrawFromTournament", "organiser", name=CUP, bot=pairing.bots[0])
    points = {line.bot: line for line in arena.call("GetCrosstable", "bob", name=CUP).standings}
    assert [points[f"bots/{bye}"].points_milli, points[pairing.bots[1]].points_milli] == [1000, 1000]
    assert (points[pairing.bots[0]].points_milli, points[pairing.bots[0]].HasField("points_milli")) == (
        0,
        True,
    )
    assert not any(line.HasField("progress") for line in points.values())


def test_the_winner_of_a_knockout_has_won_when_it_has_ended(arena: Arena) -> None:
    create(arena, bots=BOTS[:2])
    plan(arena)
    status = tournament_pb2.BotProgress.Status
    final = tournament_pb2.Pairing.BRACKET_FINAL

    def reached() -> dict[str, Any]:
        lines = arena.call("GetCrosstable", "bob", name=CUP).standings
        assert {(line.progress.bracket, line.progress.level, line.progress.stage) for line in lines} == {
            (final, 1, 1)
        }
        assert not any(line.HasField("points_milli") for line in lines)
        return {line.bot: line.progress.status for line in lines}

    assert reached() == {"bots/ant": status.STATUS_IN, "bots/bee": status.STATUS_IN}
    arena.call("WithdrawFromTournament", "ada", name=CUP, bot="bots/ant")
    assert reached() == {"bots/ant": status.STATUS_OUT, "bots/bee": status.STATUS_IN}
    assert not plan(arena).pairings
    assert reached() == {"bots/ant": status.STATUS_OUT, "bots/bee": status.STATUS_WON}
    [tie] = arena.call("GetBracket", "bob", name=CUP).ties
    assert {place.bot: place.advances for place in tie.places} == {"bots/ant": False, "bots/bee": True}


def test_a_dry_run_shows_a_first_round_and_creates_nothing(arena: Arena) -> None:
    shown = create(arena, validate_only=True)
    assert len(shown.byes) == 3
    assert len(shown.pairings) * 2 + len(shown.byes) == len(BOTS)
    assert shown.pairings[0].bracket == tournament_pb2.Pairing.BRACKET_WINNERS
    assert arena.store.read(lambda tx: tx.tournaments.find("cup")) is None


def test_stages_keep_all_their_parameters(arena: Arena) -> None:
    stages = [
        {"format": FORMAT.FORMAT_SWISS, "rounds": 2, "qualifiers": 2, "pools": 1},
        {"format": FORMAT.FORMAT_KNOCKOUT, "parameters": {"best_of": 3}},
    ]
    stored = create(arena, "STAGES", parameters={"stages": stages}).tournament.parameters.stages
    assert [(each.format, each.rounds, each.qualifiers, each.pools) for each in stored] == [
        (FORMAT.FORMAT_SWISS, 2, 2, 1),
        (FORMAT.FORMAT_KNOCKOUT, 0, 0, 1),
    ]
    assert stored[1].parameters.best_of == 3


def test_rounds_byes_brackets_and_results_are_told(arena: Arena) -> None:
    create(arena)
    planned = plan(arena)
    [first] = arena.call("ListRounds", "bob", name=CUP).rounds
    assert (first.number, first.pairings, first.ended_pairings) == (1, 1, 0)
    assert first.byes == [f"bots/{bot}" for bot in planned.byes]
    [pairing] = arena.call("ListPairings", "bob", name=CUP).pairings
    assert (pairing.round, pairing.stage, pairing.game, list(pairing.results)) == (1, 1, 1, [])
    arena.call("WithdrawFromTournament", "bob", name=CUP, bot="bots/owl")
    [ended] = arena.call("ListPairings", "bob", name=CUP).pairings
    assert ended.ended
    assert {each.bot: each.absent for each in ended.results} == {"bots/owl": True, "bots/dog": False}
    ties = arena.call("GetBracket", "bob", name=CUP).ties
    over = [tie for tie in ties if tie.end]
    assert {tie.end for tie in over} == {tournament_pb2.Tie.END_BYE, tournament_pb2.Tie.END_POINTS}
    [lost] = [tie for tie in over if tie.end == tournament_pb2.Tie.END_POINTS]
    assert {place.bot: place.rank for place in lost.places} == {"bots/dog": 1, "bots/owl": 2}
    standings = arena.call("GetCrosstable", "bob", name=CUP).standings
    assert [line.bot for line in standings if line.withdrawn] == ["bots/owl"]
    assert standings[-1].bot == "bots/owl"
    assert standings[-1].rank == len(BOTS)


def test_a_bot_is_withdrawn_by_its_owner_or_an_organiser_and_only_once(arena: Arena) -> None:
    create(arena)
    wakes = arena.runtime.wakes
    first = arena.call("WithdrawFromTournament", "bob", name=CUP, bot="bots/owl")
    assert arena.runtime.wakes == wakes + 1
    second = arena.call("WithdrawFromTournament", "organiser", name=CUP, bot="bots/owl")
    assert [(each.unchanged, each.dropped_pairings) for each in (first, second)] == [(False, 0), (True, 0)]
    tournament, again = first.tournament, second.tournament
    assert [(each.bot, each.after_round) for each in tournament.withdrawals] == [("bots/owl", 0)]
    assert again.withdrawals == tournament.withdrawals
    plan(arena)
    arena.call("WithdrawFromTournament", "organiser", name=CUP, bot="bots/cat")
    last = arena.call("GetTournament", "bob", name=CUP).tournament.withdrawals[-1]
    assert (last.bot, last.after_round) == ("bots/cat", 1)


def test_pairings_of_a_round_robin_that_were_not_made_end_with_a_withdrawal(arena: Arena) -> None:
    create(arena, "ROUND_ROBIN", bots=BOTS[:3])
    answer = arena.call("WithdrawFromTournament", "ada", name=CUP, bot="bots/ant")
    assert (answer.dropped_pairings, list(answer.open_matches)) == (2, [])
    pairings = arena.call("ListPairings", "bob", name=CUP).pairings
    assert [each.ended for each in pairings] == ["bots/ant" in each.bots for each in pairings]
    ended = arena.call("WithdrawFromTournament", "ada", name=CUP, bot="bots/bee").tournament
    assert (ended.state, ended.ended_matches) == (tournament_pb2.Tournament.STATE_FINISHED, 6)
    assert len(ended.secret) == 32


def test_the_order_of_entry_follows_the_ratings_of_a_ladder(arena: Arena) -> None:
    def enter(tx: Transaction) -> None:
        tx.ladders.add(a_ladder())
        tx.ladders.add_secret(LADDER, SecretRow(DAY, bytes(32), a_commitment("day"), None))
        for bot in ("bee", "cat"):
            tx.entries.join(LADDER, bot, arena.now_us)

    arena.change(enter)
    db = StoreFixture(arena.store)
    for match in db.pair("bee", "cat"):
        db.finish(match, *(2 if seat.bot == "bee" else 1 for seat in db.match(match).seats))
    entered = create(arena, seeded_by="ladders/main").tournament
    assert list(entered.bots) == ["bots/cat", "bots/bee", "bots/ant", "bots/dog", "bots/owl"]
    assert entered.seeded_by == "ladders/main"


def test_each_stage_may_be_live_or_sealed(arena: Arena) -> None:
    db = StoreFixture(arena.store)
    for bot, version in (("ant", "ab" * 32), ("bee", "cd" * 32)):
        db.submit(bot, version)
    swiss = {"format": FORMAT.FORMAT_SWISS, "rounds": 1, "qualifiers": 2}
    stages = {"stages": [swiss | {"visibility": SEALED}, {"format": FORMAT.FORMAT_KNOCKOUT}]}
    two = ["bots/ant", "bots/bee"]
    made = create(arena, "STAGES", bots=two, parameters=stages, visibility=LIVE).tournament
    assert (made.visibility, made.hosted_only) == (LIVE, True)
    assert [stage.visibility for stage in made.parameters.stages] == [SEALED, 0]
    plan(arena)
    stored = arena.store.read(lambda tx: tx.pairings.page("cup", after=0, limit=9))
    assert [each.seed_policy.value for each in stored] == [match_pb2.SEED_POLICY_SHARED]
    live = {"stages": [swiss | {"visibility": LIVE}, {"format": FORMAT.FORMAT_KNOCKOUT, "visibility": LIVE}]}
    assert not create(arena, "STAGES", bots=two, tournament_id="c2", parameters=live).tournament.hosted_only


SUITE = f"game caravan\nseats 2\n# both\nopen {'5e' * 32}\nshut {'0f' * 32}\n"


@pytest.mark.parametrize("kind", ["KNOCKOUT", "ROUND_ROBIN"])
def test_a_tournament_shows_the_suite_that_it_is_played_on(arena: Arena, kind: str) -> None:
    asked = {"name": "mine", "text": SUITE}
    checked = create(arena, kind, suite=asked, validate_only=True)
    created = create(arena, kind, suite=asked)
    assert created.tournament.suite == checked.tournament.suite
    assert any("hidden draws" in warning for warning in created.warnings)
    shown = arena.call("GetTournament", "bob", name=CUP).tournament.suite
    plain = SUITE.replace("# both\n", "")
    assert (shown.name, shown.sha256, shown.entries) == ("mine", sha256(plain.encode()).digest(), 2)
    stored = arena.store.read(lambda tx: tx.tournaments.get("cup")).suite
    assert stored is not None
    assert stored.text == plain
    other = create(arena, kind, tournament_id="c2")
    assert (other.tournament.HasField("suite"), list(other.warnings)) == (False, [])


@pytest.mark.parametrize("kind", ["KNOCKOUT", "ROUND_ROBIN"])
def test_live_matches_have_seeds_of_their_own_and_sealed_ones_share_them(arena: Arena, kind: str) -> None:
    db = StoreFixture(arena.store)
    two = ["bots/ant", "bots/bee"]
    for bot, version in (("ant", "ab" * 32), ("bee", "cd" * 32)):
        db.submit(bot, version)
    sealed = create(arena, kind, bots=two).tournament
    asked = create(arena, kind, bots=two, tournament_id="c2", visibility=SEALED).tournament
    live = create(arena, kind, bots=two, tournament_id="c3", visibility=LIVE).tournament
    assert (sealed.visibility, asked.visibility, live.visibility) == (SEALED, SEALED, LIVE)
    assert live.seed_policy == match_pb2.SEED_POLICY_DERIVED
    assert asked.seed_policy == match_pb2.SEED_POLICY_SHARED
