"""What is stored of bots, tokens, ladders and requests, and in which order it is listed."""

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.core.errors import AlreadyExistsError, ErrorReason
from arena.core.match import MatchState
from arena.core.rating.rating import INITIAL, Rating
from arena.store.accounts.idempotency import RequestKey
from arena.store.audit.entries import AuditEntry, AuditFilter, AuditKind
from arena.store.bots.bots import BotVersionRow, VersionOrigin
from arena.store.ladders.entries import EntryCounts, EntryPlace
from arena.store.store import Store, Transaction
from tests.unit.store.store_fixture import LADDER, StoreFixture


def test_a_bot_version_keeps_what_was_first_said_about_it(db: StoreFixture) -> None:
    db.populate("ant")
    first = BotVersionRow("ant", "1", VersionOrigin.DECLARED, "python", 5)
    newer = BotVersionRow("ant", "2", VersionOrigin.DECLARED, "rust", 6)
    assert db.store.write(lambda tx: tx.bots.ensure_version(first)) == first
    assert db.store.write(lambda tx: tx.bots.ensure_version(newer)) == newer
    late = replace(first, language="go", created_us=9)
    assert db.store.write(lambda tx: tx.bots.ensure_version(late)) == first
    for each, expected in ((20, (newer, first)), (1, (newer,))):
        found = db.store.read(lambda tx, each=each: tx.bots.newest_versions(["ant", "bee"], each))  # type: ignore[misc]
        assert found == {"ant": expected}


def test_a_bot_that_leaves_and_joins_again_keeps_its_rating(db: StoreFixture) -> None:
    db.populate("ant", "bee")
    db.pair("ant", "bee")
    rating = Rating(1_620_000, 33, "2", 4)
    db.store.write(lambda tx: tx.entries.set_rating(LADDER, "ant", rating))
    db.store.write(lambda tx: tx.entries.leave(LADDER, "ant"))
    assert [entry.bot for entry in db.store.read(lambda tx: tx.entries.active(LADDER))] == ["bee"]
    db.pair("bee", "bee")
    db.store.write(lambda tx: tx.entries.join(LADDER, "ant", 9))
    ant = db.entries()["ant"]
    assert (ant.rating_milli, ant.version_matches, ant.active) == (1_620_000, 4, True)
    assert ant.last_group_number == 2


def test_a_hidden_bot_is_neither_paired_nor_ranked(db: StoreFixture) -> None:
    db.populate("ant", "bee")
    db.store.write(lambda tx: tx.bots.set_hidden("ant", True))
    assert [entry.bot for entry in db.store.read(lambda tx: tx.entries.active(LADDER))] == ["bee"]
    assert db.store.read(lambda tx: tx.entries.count_active(LADDER)) == 1
    page = db.store.read(lambda tx: tx.entries.standings(LADDER, after=None, limit=9))
    assert [entry.bot for entry in page] == ["bee"]


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    ratings=st.lists(st.integers(-3, 3), min_size=6, max_size=6),
    matches=st.lists(st.integers(0, 2), min_size=6, max_size=6),
    limit=st.integers(1, 4),
)
def test_the_pages_of_the_standings_are_the_whole_in_order(
    db: StoreFixture, ratings: list[int], matches: list[int], limit: int
) -> None:
    bots = [f"bot-{n}" for n in range(6)]
    if db.store.read(lambda tx: tx.bots.find("bot-0")) is None:
        db.populate(*bots)

    def rate(tx: Transaction) -> None:
        entries = {entry.bot: entry for entry in tx.entries.all(LADDER)}
        for bot, rating, played in zip(bots, ratings, matches, strict=True):
            before = entries[bot]
            more = EntryCounts(played - before.matches, 0, 0, 0, 0, 0, None)
            tx.entries.add_counts(before, more, replace(INITIAL, rating_milli=rating))

    def read_pages(tx: Transaction) -> list[str]:
        seen: list[str] = []
        after: EntryPlace | None = None
        while page := tx.entries.standings(LADDER, after=after, limit=limit):
            seen += [entry.bot for entry in page]
            after = EntryPlace(page[-1].rating_milli, page[-1].bot, page[-1].matches > 0)
        return seen

    db.store.write(rate)
    seen = db.store.read(read_pages)
    lines = sorted((not n, -r, bot) for n, r, bot in zip(matches, ratings, bots, strict=True))
    assert seen == [bot for *_, bot in lines]
    before = db.store.read(lambda tx: tx.entries.count_before(LADDER, EntryPlace(0, "bot-3")))
    assert before == sum(
        played > 0 and (r > 0 or (r == 0 and n < 3))
        for n, (r, played) in enumerate(zip(ratings, matches, strict=True))
    )


def test_a_group_sets_the_last_group_number_of_its_bots(db: StoreFixture) -> None:
    db.populate("ant", "bee", "cat")
    db.pair("ant", "bee")
    db.pair("bee", "cat")
    numbers = {e.bot: e.last_group_number for e in db.store.read(lambda tx: tx.entries.active(LADDER))}
    assert numbers == {"ant": 1, "bee": 2, "cat": 2}
    assert db.ladder().groups_created == 2
    (newest,) = db.store.read(lambda tx: tx.groups.recent(LADDER, 1))
    assert (newest.number, newest.bots) == (2, ("bee", "cat"))


def test_the_matches_of_open_groups_are_counted_for_each_bot(db: StoreFixture) -> None:
    db.populate("ant", "bee", "cat")
    done = db.pair("ant", "bee")
    for match in done:
        db.finish(match, 1, 2)
    open_group = db.pair("bee", "cat")
    db.finish(open_group[0], 1, 2)
    counts = db.store.read(lambda tx: tx.tallies.in_open_groups(LADDER, ["ant", "bee", "cat"]))
    assert counts == {"bee": 2, "cat": 2}
    assert db.store.read(lambda tx: tx.ladders.count_matches(LADDER, MatchState.PENDING)) == 1


def test_finished_matches_are_counted_since_a_moment(db: StoreFixture) -> None:
    db.populate("ant", "bee", "cow")
    for now_us, bots in ((1_000, ("ant", "bee")), (5_000, ("ant", "cow"))):
        db.now_us = now_us
        first, second = db.pair(*bots)
        db.finish(first, 1, 2)
        db.abort(second, None)

    def counted(since_us: int) -> dict[str, int]:
        return db.store.read(lambda tx: tx.tallies.finished_since(LADDER, since_us))

    assert counted(0) == {"ant": 2, "bee": 1, "cow": 1}
    assert counted(1_500) == counted(0)
    assert counted(1_501) == {"ant": 1, "cow": 1}
    assert counted(5_501) == {}


def test_a_match_is_started_once(db: StoreFixture) -> None:
    db.populate("ant", "bee")
    match = db.pair("ant", "bee")[0]
    assert db.store.write(lambda tx: tx.matches.start(match, ["1", "7"], 50))
    assert not db.store.write(lambda tx: tx.matches.start(match, ["2", "8"], 60))
    assert db.store.write(lambda tx: tx.matches.start(match, ["1", "7"], 70)), "the same once more"
    row = db.match(match)
    assert (row.started_us, [seat.version for seat in row.seats]) == (50, ["1", "7"])


def test_a_request_id_is_refused_with_another_method_or_body(store: Store) -> None:
    """Row 32."""
    key = RequestKey("ada", "11111111-2222", "CreateBot", bytes(32))
    store.write(lambda tx: tx.users.ensure("ada"))
    store.write(lambda tx: tx.requests.remember(key, b"answer", 1))
    assert store.read(partial(_find_response, key)) == b"answer"
    for other in (replace(key, body_sha256=b"x" * 32), replace(key, method="CreateLadder")):
        with pytest.raises(AlreadyExistsError) as caught:
            store.read(partial(_find_response, other))
        assert caught.value.reason is ErrorReason.REQUEST_ID_REUSED


def _find_response(key: RequestKey, tx: Transaction) -> bytes | None:
    return tx.requests.find_response(key)


def test_joining_twice_changes_nothing(db: StoreFixture) -> None:
    db.populate("ant", "bee")
    before = db.entries()["ant"]
    db.pair("bee", "bee")
    db.store.write(lambda tx: tx.entries.join(LADDER, "ant", 9))
    assert db.entries()["ant"] == before


@pytest.mark.parametrize(
    ("since_us", "found"), [(0, "edcba"), (11, "edcb"), (21, "edc"), (31, "dc"), (41, "c"), (51, "")]
)
@pytest.mark.parametrize("about", [None, "bots/ant"])
def test_entries_since_a_moment_are_all_found_after_the_clock_was_set_back(
    store: Store, about: str | None, since_us: int, found: str
) -> None:
    def add(tx: Transaction) -> None:
        for sentence, at_us in (("a", 10), ("b", 20), ("c", 50), ("d", 40), ("e", 30)):
            tx.audit.add(AuditEntry(AuditKind.BAN, at_us, sentence, ("bots/ant",)))

    store.write(add)
    wanted = AuditFilter(about=about, since_us=since_us)
    for before, shown in ((None, found), (3, found.lstrip("edc"))):
        entries = store.read(partial(_page, wanted, before))
        assert "".join(entry.sentence for entry in entries) == shown


def _page(wanted: AuditFilter, before: int | None, tx: Transaction) -> tuple[AuditEntry, ...]:
    return tx.audit.page(wanted, before=before, limit=9)
