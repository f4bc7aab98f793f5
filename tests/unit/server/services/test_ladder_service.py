"""LadderService over a real connection: rated ladders, and solo ones (docs/ratings.md, "Solo")."""

from dataclasses import replace
from typing import Any

import pytest

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.core.match import SeedPolicy
from arena.core.rating.rating import INITIAL
from arena.core.unavailability import Unavailability, UnavailableReason
from arena.scheduling.queue_report import QueuePlace
from arena.server.services.new_ladders import asked_seed_policy
from arena.store.bots.bots import BotVersionRow, VersionOrigin
from arena.store.bots.hosting import HostingMode
from arena.v1 import ladder_pb2, match_pb2, time_control_pb2
from engine.registry import GAMES
from tests.unit.server.services.harness import DAY_US, Arena, refusal_of
from tests.unit.store.solo_store_fixture import GONE, SoloStoreFixture
from tests.unit.store.store_fixture import DAY, LADDER, StoreFixture


def create(arena: Arena, ladder: str = "cup", **fields: object) -> Any:
    """Return the ladder created."""
    usual = {"ladder_id": ladder, "game": "caravan"}
    return arena.call("CreateLadder", "organiser", **(usual | fields)).ladder


def get(arena: Arena, ladder: str = LADDER) -> Any:
    """Return the ladder as it is shown."""
    return arena.call("GetLadder", "bob", name=f"ladders/{ladder}").ladder


def standings(arena: Arena, **fields: object) -> Any:
    """Return a page of the standings."""
    return arena.call("ListStandings", "bob", **{"name": f"ladders/{LADDER}", **fields})


def ranked(arena: Arena, size: int) -> list[tuple[str, int]]:
    """Return bot and rank of all lines of the standings, read in pages of this size."""
    page = standings(arena, page_size=size)
    lines = list(page.standings)
    while page.next_page_token:
        page = standings(arena, page_size=size, page_token=page.next_page_token)
        lines += page.standings
    return [(line.bot.removeprefix("bots/"), line.rank) for line in lines]


def test_a_ladder_begins_paused_with_all_its_options_filled_in(arena: Arena) -> None:
    ladder = create(arena)
    assert (ladder.name, ladder.game, ladder.rules_version) == ("ladders/cup", "caravan", 1)
    assert list(ladder.seat_counts) == [2, 3, 4]
    assert [options.caravan.camels for options in ladder.options] == [5, 5, 5]
    assert len({options.caravan.no_progress_turns for options in ladder.options}) == 3
    assert (ladder.state, ladder.same_owner) == (ladder_pb2.Ladder.STATE_PAUSED, True)
    assert ladder.time_control.per_decision_ms == 1_000
    assert ladder.create_time.ToMicroseconds() == arena.now_us
    assert get(arena, "cup") == ladder


def test_a_ladder_has_the_options_and_the_clock_it_was_asked_for(arena: Arena) -> None:
    ladder = create(
        arena,
        seat_counts=[3, 2, 3],
        options={"camels": "6"},
        time_control=time_control_pb2.TimeControl(per_decision_ms=70, seat_limit_ms=5_000, strikes=4),
        forbid_same_owner=True,
    )
    assert list(ladder.seat_counts) == [2, 3]
    assert [options.caravan.camels for options in ladder.options] == [6, 6]
    assert (ladder.time_control.per_decision_ms, ladder.time_control.strikes) == (70, 4)
    assert (ladder.time_control.bank_ms, ladder.same_owner) == (0, False)


def test_a_clock_that_may_be_too_short_for_some_seat_count_is_warned_of(arena: Arena) -> None:
    def warnings(ladder: str, **clock: int) -> list[str]:
        control = time_control_pb2.TimeControl(per_decision_ms=30_000, **clock)
        fields = {"ladder_id": ladder, "game": "wasteland", "time_control": control}
        return list(arena.call("CreateLadder", "organiser", **fields).warnings)

    [warning] = warnings("short", seat_limit_ms=1_800_000)
    assert "seat_limit_ms=12600000" in warning
    assert not warnings("long", seat_limit_ms=12_600_000)
    assert refusal_of(warnings, "never", seat_limit_ms=29_999).reason == "FIELD_INVALID"


def test_owners_and_organisers_enter_and_withdraw_a_bot(arena: Arena, db: StoreFixture) -> None:
    for caller in ("ada", "organiser"):
        assert arena.call("JoinLadder", caller, name="ladders/main", bot="bots/ant").ladder.entries == 3
    assert arena.call("LeaveLadder", "ada", name="ladders/main", bot="bots/ant").ladder.entries == 2
    assert arena.runtime.wakes == 3


def run(arena: Arena, ladder: str, matches: int = 0) -> Any:
    """Return the ladder, running."""
    return arena.call("RunLadder", "organiser", name=f"ladders/{ladder}", matches=matches).ladder


def test_a_ladder_runs_and_pauses(arena: Arena, db: StoreFixture) -> None:
    ladder = run(arena, LADDER, 20)
    assert (ladder.state, ladder.remaining_matches) == (ladder_pb2.Ladder.STATE_RUNNING, 20)
    assert ladder.waiting_for == "two more bots"
    assert run(arena, LADDER).remaining_matches == 0
    ladder = arena.call("PauseLadder", "organiser", name="ladders/main").ladder
    assert (ladder.state, ladder.waiting_for) == (ladder_pb2.Ladder.STATE_PAUSED, "")
    assert arena.runtime.wakes == 3


def queue(arena: Arena, token: str) -> list[ladder_pb2.ListQueueResponse.QueuePlace]:
    """Return the queue of the ladder as it is shown with a token."""
    return list(arena.call("ListQueue", token, name="ladders/main").places)


def test_the_queue_hides_the_opponents_of_pending_matches(arena: Arena, db: StoreFixture) -> None:
    """Else a bot could take the matches with the opponents that it likes."""
    arena.change(lambda tx: tx.users.ensure("bob"))
    db.populate_more("yak", "zoe", owner="bob")

    def place(bot: str, position: int) -> QueuePlace:
        return QueuePlace(
            bot,
            position,
            3,
            5,
            2,
            1,
            7,
            None if position else Unavailability(UnavailableReason.PAUSED, "it rests"),
        )

    arena.runtime.places = (place("zoe", 1), place("cat", 2), place("bee", 3), place("yak", 0))
    everything = queue(arena, "organiser")
    assert [each.bot for each in everything] == ["bots/zoe", "bots/cat", "bots/bee", "bots/yak"]
    own, others = queue(arena, "ada")[:2], queue(arena, "ada")[2:]
    assert own == everything[1:3]
    hidden = ladder_pb2.ListQueueResponse.QueuePlace
    assert others == [hidden(bot=f"bots/{bot}", matches_last_hour=7) for bot in ("yak", "zoe")]


def test_bots_waited_for_are_named_to_organisers_and_owners(arena: Arena, db: StoreFixture) -> None:
    run(arena, LADDER)
    for caller, named in (("organiser", None), ("ada", {"ant", "bee", "cat"})):
        arena.call("GetLadder", caller, name="ladders/main")
        assert arena.runtime.named == named
        arena.call("ListLadders", caller)
        assert arena.runtime.named == named
    arena.call("JoinLadder", "ada", name="ladders/main", bot="bots/bee")
    assert arena.runtime.named == ()


def test_a_ladder_without_enough_bots_does_not_run(arena: Arena, db: StoreFixture) -> None:
    arena.change(lambda tx: tx.entries.leave(LADDER, "bee"))
    assert refusal_of(run, arena, LADDER).status == ("FAILED_PRECONDITION", "TOO_FEW_BOTS")
    assert get(arena).state == ladder_pb2.Ladder.STATE_PAUSED


def test_a_ladder_counts_its_matches(arena: Arena, db: StoreFixture) -> None:
    first, second = db.pair("bee", "cat")
    db.finish(first, 1, 2)
    db.start(second)
    ladder = get(arena)
    assert (ladder.finished_matches, ladder.running_matches, ladder.entries) == (1, 1, 2)


def test_a_secret_is_committed_to_and_shown_after_its_day(arena: Arena, db: StoreFixture) -> None:
    (secret,) = get(arena).secrets
    assert (secret.day, len(secret.commitment), secret.secret) == (DAY, 32, b"")
    arena.change(lambda tx: tx.ladders.reveal_secrets(LADDER, today="2026-11-22", now_us=DAY_US))
    assert get(arena).secrets[0].secret == bytes(32)


def test_the_standings_show_what_was_played(arena: Arena, db: StoreFixture) -> None:
    version = BotVersionRow("bee", "1", VersionOrigin.DECLARED, "rust", 1)
    arena.change(lambda tx: tx.bots.ensure_version(version))
    for match in db.pair("bee", "cat"):
        db.finish(match, 1, 2)
    open_match = db.pair("bee", "cat")[0]
    db.finish(open_match, 1, 2)
    lines = standings(arena).standings
    shown = [(line.bot, line.rank, line.rating_milli) for line in lines]
    assert shown == [("bots/bee", 1, 1_500_000), ("bots/cat", 1, 1_500_000)]
    bee = lines[0]
    assert (bee.matches, bee.mean_placing_milli, bee.forfeits) == (2, 1_500, 0)
    assert (bee.decisions, bee.mean_think_us, bee.max_think_us) == (20, 2_000, 9_002)
    assert (bee.language, bee.pending_matches) == ("rust", 2)
    assert 0 < bee.uncertainty_milli < INITIAL.uncertainty_milli


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_equal_ratings_share_a_rank_over_page_ends(arena: Arena, db: StoreFixture, size: int) -> None:
    db.populate_more("dog", "eel", "elk", "fox", "gnu")
    played = ("bee", "cat", "dog", "eel", "fox")
    for match in db.pair(*played):
        db.finish(match, 1, 2, 3, 4, 5)
    for match in db.pair("bee", "gnu")[:1]:
        db.finish(match, 1, 2)  # the group is not complete
    points = {"bee": 9, "cat": 7, "dog": 7, "eel": 7, "elk": 8, "fox": 5, "gnu": 7}
    for bot, rating in points.items():
        wanted = replace(INITIAL, rating_milli=rating)
        arena.change(lambda tx, bot=bot, wanted=wanted: tx.entries.set_rating(LADDER, bot, wanted))  # type: ignore[misc]
    expected = [("bee", 1), ("cat", 2), ("dog", 2), ("eel", 2), ("fox", 5), ("elk", 0), ("gnu", 0)]
    assert ranked(arena, size) == expected


def test_recomputing_finds_the_same_ratings_or_names_what_differs(arena: Arena, db: StoreFixture) -> None:
    for match in db.pair("bee", "cat"):
        db.finish(match, 1, 2)
    found = arena.call("RecomputeLadder", "organiser", name="ladders/main")
    assert (found.entries, found.identical, list(found.differences)) == (1, True, [])
    wrong = replace(INITIAL, rating_milli=1_499_999)
    arena.change(lambda tx: tx.entries.set_rating(LADDER, "bee", wrong))
    found = arena.call("RecomputeLadder", "organiser", name="ladders/main")
    assert not found.identical
    (difference,) = found.differences
    assert difference.bot == "bots/bee"
    assert (difference.stored_milli, difference.recomputed_milli) == (1_499_999, 1_500_000)


@pytest.mark.parametrize(
    ("game", "asked", "seed_policy", "hosted_only"),
    [
        ("caravan", "UNSPECIFIED", "DERIVED", False),
        ("caravan", "DERIVED", "DERIVED", False),
        ("caravan", "SHARED", "SHARED", True),
        ("caravanserai", "UNSPECIFIED", "SHARED", False),
        ("caravanserai", "SHARED", "SHARED", False),
        ("caravanserai", "DERIVED", "DERIVED", False),
    ],
)
def test_the_seed_policy_of_a_ladder(
    arena: Arena, game: str, asked: str, seed_policy: str, hosted_only: bool
) -> None:
    ladder = create(arena, game=game, seed_policy=match_pb2.SeedPolicy.Value(f"SEED_POLICY_{asked}"))
    assert match_pb2.SeedPolicy.Name(ladder.seed_policy) == f"SEED_POLICY_{seed_policy}"
    assert ladder.hosted_only is hosted_only
    assert get(arena, "cup") == ladder


def test_only_hosted_bots_enter_a_ladder_of_hosted_bots(arena: Arena, db: StoreFixture) -> None:
    create(arena, seed_policy=match_pb2.SEED_POLICY_SHARED)

    def join(bot: str) -> Any:
        return arena.call("JoinLadder", "ada", name="ladders/cup", bot=f"bots/{bot}").ladder

    for mode in (None, HostingMode.OFF):
        if mode is not None:
            db.submit("bee", "ab" * 32)
            arena.change(lambda tx: tx.hosting.set_mode("bee", HostingMode.OFF))
        assert refusal_of(join, "bee").status == ("FAILED_PRECONDITION", "SHARED_SEED_REFUSED")
    arena.change(lambda tx: tx.hosting.set_mode("bee", HostingMode.NEWEST))
    assert join("bee").entries == 1


def test_boards_with_hidden_draws_never_share_a_seed() -> None:
    """No game has such boards yet."""
    spec = GAMES["caravan"].spec
    with pytest.raises(FailedPreconditionError) as refusal:
        asked_seed_policy(match_pb2.SEED_POLICY_SHARED, spec, board=True)
    assert refusal.value.reason is ErrorReason.SHARED_SEED_REFUSED
    assert asked_seed_policy(match_pb2.SEED_POLICY_DERIVED, spec, board=True) is SeedPolicy.DERIVED


@pytest.fixture
def solo(arena: Arena) -> SoloStoreFixture:
    """Return a solo ladder of four bots."""
    solo = SoloStoreFixture(arena.store)
    solo.join("bee", "cat", "dog", "eel")
    return solo


def test_a_ladder_of_one_seat_is_made_by_asking_for_it_alone(arena: Arena) -> None:
    ladder = create(arena, game="caravanserai", seat_counts=[1, 1])
    assert list(ladder.seat_counts) == [1]
    assert len(ladder.options) == 1


def test_without_seat_counts_a_ladder_is_a_rated_one(arena: Arena) -> None:
    assert list(create(arena, game="caravanserai").seat_counts) == [2, 3, 4, 5, 6]


def test_standings_rank_by_adjusted_score(arena: Arena, solo: SoloStoreFixture) -> None:
    solo.play({"bee": 44, "cat": 30})
    solo.play({"bee": 28, "cat": GONE})
    solo.play({"bee": 20, "cat": 10, "dog": 20})
    lines = {line.bot.removeprefix("bots/"): line for line in standings(arena).standings}
    assert {bot: line.rank for bot, line in lines.items()} == {"bee": 1, "dog": 2, "cat": 3, "eel": 0}
    bee, cat, eel = lines["bee"].solo, lines["cat"].solo, lines["eel"].solo
    assert (bee.bot_version, bee.boards, bee.best_score) == ("bots/bee/versions/1", 3, 44)
    assert (bee.mean_score_milli, bee.adjusted_score_milli) == (30_667, 30_667)
    assert bee.level == "Great camel driver"
    assert (cat.mean_score_milli, cat.best_score, cat.level) == (13_333, 30, "")
    assert lines["dog"].solo.adjusted_score_milli > lines["dog"].solo.mean_score_milli == 20_000
    assert bee.HasField("uncertainty_milli")
    assert not lines["dog"].solo.HasField("uncertainty_milli")
    assert (eel.boards, eel.bot_version, eel.HasField("best_score")) == (0, "", False)
    assert (lines["cat"].matches, lines["cat"].forfeits, lines["cat"].rating_milli) == (3, 1, 0)
    assert (lines["cat"].mean_placing_milli, lines["cat"].uncertainty_milli) == (0, 0)


def test_pages_of_the_standings_split_equal_scores(arena: Arena, solo: SoloStoreFixture) -> None:
    solo.join("fox")
    solo.play({"bee": 9, "cat": 7, "dog": 7})
    assert ranked(arena, 2) == [("bee", 1), ("cat", 2), ("dog", 2), ("eel", 0), ("fox", 0)]


def test_a_hidden_bot_is_not_ranked_but_its_boards_count(arena: Arena, solo: SoloStoreFixture) -> None:
    solo.play({"bee": 40, "cat": 20})
    solo.play({"cat": 20, "dog": 40})
    before = {line.bot: line.solo.adjusted_score_milli for line in standings(arena).standings}
    arena.change(lambda tx: tx.bots.set_hidden("cat", True))
    after = {line.bot: line.solo.adjusted_score_milli for line in standings(arena).standings}
    assert after == {bot: score for bot, score in before.items() if bot != "bots/cat"}


def test_frozen_standings_of_a_solo_ladder_are_revealed_by_score(
    arena: Arena, solo: SoloStoreFixture
) -> None:
    solo.play({"bee": 40, "cat": 20, "dog": 10})
    before = standings(arena).standings
    arena.call("SetLadderFreeze", "organiser", name=f"ladders/{LADDER}", freeze_time={"seconds": 1})
    solo.play({"bee": 0, "cat": 20, "dog": 60})
    frozen = standings(arena).standings
    solo.join("fox")
    [line] = arena.call("ListBotStandings", "bob", bot="bots/fox").standings
    assert line.standing.HasField("solo")
    assert [line.solo for line in frozen] == [line.solo for line in before]
    answer = arena.call("RevealLadderRanks", "organiser", name=f"ladders/{LADDER}")
    assert [(line.bot, line.rank) for line in answer.standings] == [
        *(("bots/bee", 2), ("bots/cat", 2)),
        *(("bots/eel", 0), ("bots/fox", 0)),
    ]
    assert standings(arena).standings[0].bot == "bots/dog"


def test_recomputing_names_bots_with_another_score(arena: Arena, solo: SoloStoreFixture) -> None:
    first = solo.play({"bee": 44, "cat": GONE})
    solo.play({"bee": 20, "cat": 30})
    solo.play({"dog": 7})
    solo.void(first["cat"])
    open_board = solo.board("bee", "dog")
    solo.finish(open_board["bee"], 20)
    found = arena.call("RecomputeLadder", "organiser", name="ladders/main")
    assert (found.entries, found.identical, list(found.differences)) == (3, True, [])
    arena.change(lambda tx: tx.solo_boards.close(LADDER, [replace(tx.matches.get(5), slot=0)]))
    found = arena.call("RecomputeLadder", "organiser", name="ladders/main")
    assert not found.identical
    assert [each.bot for each in found.differences] == ["bots/dog"]


def test_one_bot_is_enough_to_run_it(arena: Arena) -> None:
    solo = SoloStoreFixture(arena.store)
    assert arena.refusal("RunLadder", "organiser", name="ladders/main").reason == "TOO_FEW_BOTS"
    solo.join("bee")
    running = arena.call("RunLadder", "organiser", name="ladders/main").ladder
    assert running.state == ladder_pb2.Ladder.STATE_RUNNING


@pytest.mark.parametrize(("score", "level"), [(45, "Chief of the 5 tribes"), (24, ""), (GONE, "")])
def test_a_match_of_one_seat_has_a_level(
    arena: Arena, solo: SoloStoreFixture, score: int, level: str
) -> None:
    """S43."""
    match = solo.play({"bee": score})["bee"]
    shown = arena.call("GetMatch", "bob", name=f"matches/{match}").match
    assert [seat.level for seat in shown.seats] == [level]
    assert not shown.rated


def test_ids_of_ladders_and_tournaments_may_begin_with_a_digit(arena: Arena) -> None:
    ladder = arena.call("CreateLadder", "organiser", ladder_id="2026-spring", game="caravan").ladder
    assert arena.call("GetLadder", "ada", name="ladders/2026-spring").ladder.name == ladder.name
    for wrong in ("-2026", "2026_spring", ""):
        assert (
            arena.refusal("CreateLadder", "organiser", ladder_id=wrong, game="caravan").reason
            == "FIELD_INVALID"
        )
    assert arena.refusal("GetTournament", "ada", name="tournaments/2026").reason == "TOURNAMENT_NOT_FOUND"
    assert arena.refusal("CreateBot", "ada", bot_id="2026").reason == "FIELD_INVALID"


def test_a_bot_that_an_organiser_has_locked_out_is_entered_again_by_organisers_alone(arena: Arena) -> None:
    arena.call("CreateLadder", "organiser", ladder_id="club", game="caravan", seat_counts=[2])
    entry = {"name": "ladders/club", "bot": "bots/ant"}
    arena.call("JoinLadder", "ada", **entry)
    assert arena.refusal("LeaveLadder", "ada", **entry, lock=True).reason == "ROLE_REQUIRED"
    arena.call("LeaveLadder", "organiser", **entry, lock=True)
    [standing] = arena.call("ListBotStandings", "ada", bot="bots/ant").standings
    assert (standing.withdrawn, standing.locked) == (True, True)
    arena.call("LeaveLadder", "ada", **entry)  # it does not unlock
    assert arena.refusal("JoinLadder", "ada", **entry).status == ("PERMISSION_DENIED", "ENTRY_LOCKED")
    arena.call("JoinLadder", "organiser", **entry)
    [standing] = arena.call("ListBotStandings", "ada", bot="bots/ant").standings
    assert (standing.withdrawn, standing.locked) == (False, False)
    arena.call("LeaveLadder", "organiser", **entry)
    arena.call("JoinLadder", "ada", **entry)
