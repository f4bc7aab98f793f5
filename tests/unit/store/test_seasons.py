"""Seasons and anchors in the store: docs/seasons.md."""

from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from arena.core.errors import DataLossError, ErrorReason, FailedPreconditionError, NotFoundError
from arena.core.rating.ledger import EntryKind
from arena.core.rating.rating import INITIAL
from arena.core.rating.seasons import Anchor, pulled
from arena.core.seasons import FinalLine, FinalStandings, document_sha256, ranked, read_document
from arena.store.bots.bots import BotRow
from arena.store.ladders.ladders import Ladders
from arena.store.ladders.recompute import recompute
from arena.store.ladders.seasons import SeasonRow, Signature
from arena.store.store import Store, Transaction
from tests.unit.store.databases import copied_database
from tests.unit.store.solo_store_fixture import SoloStoreFixture
from tests.unit.store.store_fixture import LADDER, StoreFixture, a_ladder, open_store

KEEP = 75


def sign(document: str) -> Signature:
    return Signature("key", document_sha256(document).encode())


def close(db: StoreFixture, keep_percent: int = KEEP) -> SeasonRow:
    return db.store.write(lambda tx: tx.seasons.close(LADDER, keep_percent, sign, 9_000))


def final(db: StoreFixture, season: int) -> FinalStandings:
    return read_document(db.store.read(lambda tx: tx.seasons.get(LADDER, season)).document)


def anchor(db: StoreFixture, bot: str, rating_milli: int | None) -> None:
    db.store.write(lambda tx: tx.anchors.decide(LADDER, Anchor(bot, rating_milli), 8_000))


def play(db: StoreFixture, *bots: str) -> tuple[int, ...]:
    """Finish a group in which the first bot wins every match."""
    matches = db.pair(*bots)
    for number, match in enumerate(matches):
        order = bots[number:] + bots[:number]
        db.finish(match, *(1 + bots.index(bot) for bot in order))
    return matches


def identical(db: StoreFixture) -> bool:
    return db.store.read(lambda tx: recompute(tx, LADDER)).identical


@pytest.fixture
def played(db: StoreFixture) -> StoreFixture:
    db.populate("ant", "bee", "cat", "dog")
    play(db, "ant", "bee")
    play(db, "ant", "cat", "bee")
    return db


def test_a_close_stores_the_final_standings_and_starts_the_next_season(played: StoreFixture) -> None:
    before = played.entries()
    season = close(played)
    standings = final(played, 1)
    assert season == played.store.read(lambda tx: tx.seasons.find(LADDER, 1))
    assert (season.number, season.start_us, season.close_us, season.bots) == (1, 5, 9_000, 3)
    assert (standings.ladder, standings.season, standings.ledger_seq) == (LADDER, 1, 3)
    assert (standings.keep_percent, standings.previous_sha256) == (KEEP, "")
    lines = [(line.rank, line.bot, line.value_milli, line.matches) for line in standings.lines]
    ranks = sorted(("ant", "bee", "cat"), key=lambda bot: -before[bot].rating_milli)
    assert lines == [
        (rank, bot, before[bot].rating_milli, before[bot].matches) for rank, bot in enumerate(ranks, start=1)
    ]
    assert played.ladder().season == 2
    for bot, entry in played.entries().items():
        assert entry.rating == pulled(before[bot].rating, KEEP)
        assert (entry.matches, entry.placing_sum, entry.forfeits, entry.decisions, entry.used_us) == (
            0,
            0,
            0,
            0,
            0,
        )
    assert [entry.kind for entry in played.ledger()][-1] is EntryKind.SEASON_CLOSE
    assert identical(played)


def test_the_next_close_names_the_document_before(played: StoreFixture) -> None:
    first = close(played)
    play(played, "bee", "ant")
    second = close(played, 0)
    standings = final(played, 2)
    assert standings.previous_sha256 == document_sha256(first.document)
    assert (standings.start_us, second.number, second.bots) == (first.close_us, 2, 2)
    assert {entry.rating_milli for entry in played.entries().values()} == {1_500_000}
    assert played.store.read(lambda tx: tx.seasons.page(LADDER, before=2, limit=5)) == (first,)
    assert identical(played)


def test_a_group_in_flight_counts_for_the_season_in_which_it_completes(played: StoreFixture) -> None:
    one, two = played.pair("ant", "dog")
    played.finish(one, 1, 2)
    close(played)
    assert all(line.bot != "dog" for line in final(played, 1).lines)
    played.finish(two, 2, 1)
    assert played.entries()["dog"].matches == 2
    assert played.store.read(lambda tx: tx.groups.season_of(tx.matches.get(one).group)) == 2
    assert identical(played)


def test_a_season_in_which_nothing_counted_is_not_closed(played: StoreFixture) -> None:
    close(played)
    before = played.store.read(lambda tx: (tx.ladders.get(LADDER), tx.ledger.newest_seq(LADDER)))
    with pytest.raises(FailedPreconditionError) as refused:
        close(played)
    assert refused.value.reason is ErrorReason.TOO_FEW_MATCHES
    assert played.store.read(lambda tx: (tx.ladders.get(LADDER), tx.ledger.newest_seq(LADDER))) == before


def test_a_close_that_fails_at_its_end_has_stored_nothing(
    played: StoreFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("the machine stops here")

    before = (played.entries(), played.ledger(), played.ladder())
    monkeypatch.setattr(Ladders, "begin_season", fail)
    with pytest.raises(OSError, match="stops here"):
        close(played)
    assert (played.entries(), played.ledger(), played.ladder()) == before
    assert played.store.read(lambda tx: tx.seasons.all(LADDER)) == ()


def test_a_match_of_a_closed_season_that_is_voided_takes_back_what_is_left_of_it(
    played: StoreFixture,
) -> None:
    matches = play(played, "ant", "bee")
    deltas = {change.bot: change.delta_milli for change in played.ledger()[-1].changes}
    close(played, 50)
    document, before = final(played, 1), played.entries()
    play(played, "cat", "dog")
    played.void(matches[0])
    after = played.entries()
    for bot, delta in deltas.items():
        assert before[bot].rating_milli - after[bot].rating_milli == round(delta / 2)
        assert after[bot].matches == 0
    assert final(played, 1) == document
    assert identical(played)


def test_a_match_of_the_season_that_is_voided_leaves_its_counters_without_it(played: StoreFixture) -> None:
    close(played)
    matches = play(played, "ant", "bee")
    play(played, "ant", "bee")
    played.void(matches[1])
    assert played.entries()["ant"].matches == 2
    assert played.entries()["ant"].longest_us > 0
    assert identical(played)


def test_a_hidden_bot_is_not_in_the_final_standings(played: StoreFixture) -> None:
    played.store.write(lambda tx: tx.bots.set_hidden("ant", True))
    close(played)
    assert [line.bot for line in final(played, 1).lines if line.bot == "ant"] == []
    assert final(played, 1).lines[0].rank == 1


def test_an_anchor_keeps_its_rating_and_has_no_rank(played: StoreFixture) -> None:
    anchor(played, "bee", 1_800_000)
    play(played, "ant", "bee")
    play(played, "ant", "bee")
    assert played.entries()["bee"].rating_milli == 1_800_000
    close(played)
    ranks = {line.bot: (line.rank, line.anchor) for line in final(played, 1).lines}
    assert ranks == {"bee": (0, True), "ant": (1, False), "cat": (2, False)}
    assert played.entries()["bee"].rating_milli == 1_800_000
    assert identical(played)


def test_an_anchor_that_is_as_asked_already_changes_nothing(played: StoreFixture) -> None:
    anchor(played, "bee", None)
    assert len(played.ledger()) == 2
    for _ in range(2):
        anchor(played, "bee", 1_400_000)
    assert len(played.ledger()) == 3
    anchor(played, "bee", None)
    assert [entry.kind for entry in played.ledger()][2:] == [EntryKind.ANCHOR] * 2
    assert not played.entries()["bee"].anchor
    assert identical(played)


def test_a_bot_that_has_not_played_can_be_an_anchor(played: StoreFixture) -> None:
    anchor(played, "dog", 1_700_000)
    assert identical(played)
    assert played.store.read(lambda tx: tx.anchors.of(LADDER)) == {"dog": 1_700_000}


def test_what_has_no_entry_is_no_anchor(played: StoreFixture) -> None:
    with pytest.raises(NotFoundError) as refused:
        anchor(played, "elk", 1_700_000)
    assert refused.value.reason is ErrorReason.ENTRY_NOT_FOUND


def test_an_anchor_counts_for_nobodys_rank(played: StoreFixture) -> None:
    anchor(played, "cat", 3_000_000)
    assert played.store.read(lambda tx: tx.entries.count_ranked(LADDER)) == 2


def test_the_history_shows_closes_and_anchors(played: StoreFixture) -> None:
    close(played)
    play(played, "bee", "ant")
    anchor(played, "ant", 1_600_000)
    anchor(played, "ant", None)
    points = played.store.read(lambda tx: tx.ledger.history(LADDER, "ant"))
    assert [(point.closed_season, point.anchored, point.released) for point in points] == [
        (0, False, False),
        (0, False, False),
        (1, False, False),
        (0, False, False),
        (0, True, False),
        (0, False, True),
    ]
    assert [point.matches for point in points] == [2, 5, 5, 7, 7, 7]
    assert [point.group is None for point in points] == [False, False, True, False, True, True]
    assert (
        points[2].rating_milli
        == pulled(replace(INITIAL, rating_milli=points[1].rating_milli), KEEP).rating_milli
    )
    assert played.store.read(lambda tx: tx.ledger.history(LADDER, "dog")) == ()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE seasons SET document = replace(document, '\"rank\":1', '\"rank\":2')",
        "DELETE FROM seasons",
    ],
)
def test_final_standings_that_were_tampered_with_are_named(played: StoreFixture, change: str) -> None:
    close(played)
    played.store.write(lambda tx: tx._connection.exec_driver_sql(change).rowcount)
    with pytest.raises(DataLossError):
        identical(played)


def test_a_final_rating_that_does_not_follow_from_the_ledger_is_named(played: StoreFixture) -> None:
    season = close(played)
    line = read_document(season.document).lines[0]
    wrong = season.document.replace(str(line.value_milli), str(line.value_milli + 1))
    change = text("UPDATE seasons SET document = :wrong")
    played.store.write(lambda tx: tx._connection.execute(change, {"wrong": wrong}).rowcount)
    found = played.store.read(lambda tx: recompute(tx, LADDER))
    assert [(each.bot, each.stored_milli, each.recomputed_milli) for each in found.differences] == [
        (line.bot, line.value_milli + 1, line.value_milli)
    ]


def test_an_anchor_of_which_the_ledger_knows_nothing_is_named(played: StoreFixture) -> None:
    played.store.write(lambda tx: tx.entries.set_anchor(LADDER, "cat", anchor=True))
    found = played.store.read(lambda tx: recompute(tx, LADDER))
    assert [each.bot for each in found.differences] == ["cat"]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a database with a ladder of three bots."""
    folder = tmp_path_factory.mktemp("template")
    store = open_store(folder)
    StoreFixture(store).populate("ant", "bee", "cat")
    store.close()
    return folder


STEPS = st.one_of(
    st.tuples(st.just("play"), st.permutations(["ant", "bee", "cat"]).map(lambda bots: bots[:2])),
    st.tuples(st.just("play"), st.permutations(["ant", "bee", "cat"])),
    st.tuples(st.just("close"), st.integers(0, 100)),
    st.tuples(st.just("anchor"), st.sampled_from(["ant", "bee"]), st.none() | st.integers(0, 4_000_000)),
    st.tuples(st.just("void"), st.integers(0, 20)),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
@given(st.lists(STEPS, min_size=3, max_size=10))
def test_the_ledger_gives_the_stored_ratings_after_any_closes_anchors_and_voids(
    template: Path, steps: list[tuple[Any, ...]]
) -> None:
    store = Store(copied_database(template, Path(mkdtemp(dir=template))))
    db, matches = StoreFixture(store), list[int]()
    for name, *arguments in steps:
        if name == "play":
            matches += play(db, *arguments[0])
        elif name == "anchor":
            anchor(db, *arguments)
        elif name == "void" and matches:
            db.void(matches.pop(arguments[0] % len(matches)))
        elif name == "close" and any(entry.matches for entry in db.entries().values()):
            close(db, *arguments)
    assert identical(db)
    assert {bot: entry.rating_milli for bot, entry in db.entries().items() if entry.anchor} == store.read(
        lambda tx: tx.anchors.of(LADDER)
    )
    store.close()


def test_the_boards_of_a_solo_ladder_begin_anew_with_a_season(store: Store) -> None:
    db = SoloStoreFixture(store)
    db.join("ant", "bee")
    board = db.play({"ant": 30, "bee": 21})
    db.play({"ant": 10, "bee": 31})
    close(db)
    lines = [(line.rank, line.bot, line.value_milli, line.matches) for line in final(db, 1).lines]
    assert lines == [(1, "bee", 26_000, 2), (2, "ant", 20_000, 2)]
    assert (final(db, 1).solo, final(db, 1).keep_percent, final(db, 1).ledger_seq) == (True, 0, 0)
    assert store.read(lambda tx: tx.solo_boards.all(LADDER)) == ()
    assert [entry.best_score for entry in db.entries().values()] == [None, None]
    db.void(board["ant"])
    assert db.entries()["ant"].matches == 0
    db.play({"ant": 7, "bee": 5})
    void = db.play({"ant": 9, "bee": 5})
    assert db.entries()["ant"].best_score == 9
    db.void(void["ant"])
    assert db.entries()["ant"].best_score == 7
    assert identical(db)


LOWER = "lower"


def lower_ladder(db: StoreFixture, *bots: str, ladder: str = LOWER) -> None:
    """Make another ladder whose season 1 has ended with these bots in this order."""

    def change(tx: Transaction) -> None:
        tx.ladders.add(replace(a_ladder(), id=ladder))
        for bot in bots:
            if tx.bots.find(bot) is None:
                tx.bots.add(BotRow(bot, "ada", "", False, 1))
            tx.entries.join(ladder, bot, 1)
        lines = (
            FinalLine(0, bot, "1", False, 2_000_000 - place, 1, 2, 3, 0) for place, bot in enumerate(bots)
        )
        ended = FinalStandings(ladder, "caravan", 1, False, 1, 1, 2, KEEP, 1, "", ranked(lines))
        tx.seasons.add(SeasonRow(ladder, 1, 1, 2, KEEP, len(bots), ended.document(), "key", bytes(64)))
        tx.ladders.begin_season(ladder, 2)

    db.store.write(change)


def active(db: StoreFixture, ladder: str) -> set[str]:
    return {each.bot for each in db.store.read(lambda tx: tx.entries.active(ladder))}


def swap(
    db: StoreFixture, most: int, divisions: tuple[str, ...] = (LADDER, LOWER)
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who has moved up, and who down."""
    moves = db.store.write(lambda tx: tx.seasons.swap(divisions, most, 9_000))
    up = [divisions.index(move.target) < divisions.index(move.source) for move in moves]
    return (
        tuple(move.bot for move, is_up in zip(moves, up, strict=True) if is_up),
        tuple(move.bot for move, is_up in zip(moves, up, strict=True) if not is_up),
    )


def test_the_best_of_the_lower_and_the_worst_of_the_upper_division_swap(played: StoreFixture) -> None:
    lower_ladder(played, "elk", "fox", "gnu")
    close(played)
    worst = [line.bot for line in final(played, 1).lines][::-1]
    assert swap(played, 2) == (("elk", "fox"), tuple(worst[:2]))
    assert active(played, LADDER) == {"elk", "fox", "dog", worst[2]}
    assert active(played, LOWER) == {"gnu", *worst[:2]}
    assert played.entries()["elk"].rating == INITIAL
    assert identical(played)


def test_as_many_move_up_as_down(played: StoreFixture) -> None:
    lower_ladder(played, "elk")
    close(played)
    promoted, relegated = swap(played, 3)
    assert (promoted, len(relegated)) == (("elk",), 1)


def test_withdrawn_hidden_and_anchored_bots_and_those_on_both_ladders_stay(played: StoreFixture) -> None:
    lower_ladder(played, "ant", "elk", "fox", "gnu")
    anchor(played, "bee", 0)
    close(played)
    played.store.write(lambda tx: tx.entries.leave(LOWER, "elk"))
    played.store.write(lambda tx: tx.bots.set_hidden("fox", True))
    assert swap(played, 5) == (("gnu",), ("cat",))


def test_who_comes_back_to_a_division_has_the_rating_of_before(played: StoreFixture) -> None:
    lower_ladder(played, "elk")
    close(played, 100)
    before = played.entries()
    (_, (down,)) = swap(played, 1)
    played.store.write(lambda tx: tx.entries.join(LADDER, down, 9_500))
    assert played.entries()[down].rating == before[down].rating


def test_nobody_moves_twice_between_three_divisions(played: StoreFixture) -> None:
    lower_ladder(played, "elk", "fox")
    lower_ladder(played, "gnu", "hen", "jay", ladder="lowest")
    close(played)
    worst = [line.bot for line in final(played, 1).lines][::-1]
    assert swap(played, 1, (LADDER, LOWER, "lowest")) == (("elk", "gnu"), (worst[0], "fox"))
    assert active(played, LOWER) == {worst[0], "gnu"}
    assert active(played, "lowest") == {"fox", "hen", "jay"}


def test_who_is_promoted_is_not_relegated_as_well(played: StoreFixture) -> None:
    lower_ladder(played, "elk")
    lower_ladder(played, "gnu", ladder="lowest")
    close(played)
    promoted, relegated = swap(played, 1, (LADDER, LOWER, "lowest"))
    assert (promoted, len(relegated)) == (("elk",), 1)
    assert active(played, "lowest") == {"gnu"}
