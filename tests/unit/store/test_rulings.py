"""The organiser's last word on a match, in the database (docs/storage.md, row 46 of docs/bad_inputs.md)."""

import pytest

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.core.match import MatchState
from arena.core.rating.ledger import EntryKind
from arena.store.ladders.recompute import recompute
from arena.store.matches.results import MatchReport, ReplacementMatch
from tests.unit.store.store_fixture import DAY, LADDER, StoreFixture, a_commitment, a_result

AGAIN = ReplacementMatch(3, a_commitment("again"))


def replay(db: StoreFixture, match: int) -> int:
    """Replay the match as the organiser."""
    return db.store.write(lambda tx: tx.rulings.replay(tx.matches.get(match), AGAIN, 7_000))


def kinds(db: StoreFixture) -> list[tuple[EntryKind, int | None]]:
    """Return the ledger: what each entry does to which group."""
    return [(entry.kind, entry.group) for entry in db.ledger()]


def test_a_match_left_to_the_organiser_is_replayed(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.abort(pair[0], None)
    db.finish(pair[1], 1, 2)
    new = db.match(replay(db, pair[0]))
    old = db.match(pair[0])
    assert (old.left_to_organiser, old.replayed_as) == (False, new.id)
    assert (db.match(pair[1]).replay_of, new.replay_of) == (None, old.id)
    assert (new.state, new.slot, new.voids, new.seed_attempt) == (
        MatchState.PENDING,
        old.slot,
        old.voids + 1,
        3,
    )
    assert [seat.bot for seat in new.seats] == [seat.bot for seat in old.seats]
    assert db.finish(new.id, 1, 2).group_complete
    assert kinds(db) == [(EntryKind.MATCH_GROUP, 1)]
    assert db.entries()["ant"].matches == 2


def test_a_group_counts_without_its_void_match(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.abort(pair[0], None)
    db.finish(pair[1], 1, 2)
    db.void(pair[0], "it crashes the arena")
    match = db.match(pair[0])
    assert match.group_complete
    assert match.void_reason.endswith("it crashes the arena.")
    assert kinds(db) == [(EntryKind.MATCH_GROUP, 1)]
    assert db.entries()["ant"].matches == 1


def test_a_group_waits_for_a_ruling_on_each_match(db: StoreFixture, pair: tuple[int, ...]) -> None:
    for match in pair:
        db.abort(match, None)
    db.void(pair[0])
    assert not db.match(pair[0]).group_complete
    db.void(pair[1])
    assert db.match(pair[0]).group_complete
    assert kinds(db) == []


def test_a_void_reverts_the_ratings_of_its_group(db: StoreFixture, pair: tuple[int, ...]) -> None:
    """Design: a void is an entry that takes its own deltas back."""
    before = db.entries()
    db.finish(pair[0], 1, 2)
    db.finish(pair[1], 2, 1)
    rated = db.entries()
    assert rated["ant"].rating_milli > before["ant"].rating_milli
    db.void(pair[0])
    after = db.entries()
    for bot in ("ant", "bee"):
        assert after[bot].rating_milli == before[bot].rating_milli
        assert (after[bot].matches, after[bot].placing_sum, after[bot].longest_us) == (0, 0, 0)
        assert (after[bot].decisions, after[bot].used_us, after[bot].forfeits) == (0, 0, 0)
    assert kinds(db) == [(EntryKind.MATCH_GROUP, 1), (EntryKind.VOID, 1)]
    assert db.store.read(lambda tx: recompute(tx, LADDER)).identical
    assert db.match(pair[0]).state is MatchState.ABORTED
    assert db.match(pair[1]).state is MatchState.FINISHED
    assert db.ladder().finished_matches == 1


def test_a_reverted_group_keeps_later_deltas(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.finish(pair[0], 1, 2)
    db.finish(pair[1], 2, 1)
    first = {bot: entry.rating_milli for bot, entry in db.entries().items()}
    db.populate_more("cat")
    for match in db.pair("ant", "cat"):
        db.finish(match, 2, 1)
    second = {bot: entry.rating_milli for bot, entry in db.entries().items()}
    db.void(pair[1])
    now = db.entries()
    new_bot = 1_500_000
    assert now["ant"].rating_milli == second["ant"] - (first["ant"] - new_bot)
    assert now["bee"].rating_milli == new_bot
    assert now["cat"].rating_milli == second["cat"]
    assert (now["ant"].matches, now["ant"].longest_us) == (2, 9_002)
    assert db.store.read(lambda tx: recompute(tx, LADDER)).identical


def test_a_second_void_of_a_group_reverts_nothing(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.finish(pair[0], 1, 2)
    db.finish(pair[1], 2, 1)
    db.void(pair[0])
    once = db.entries()
    db.void(pair[1])
    assert db.entries() == once
    assert kinds(db) == [(EntryKind.MATCH_GROUP, 1), (EntryKind.VOID, 1)]


def test_a_match_voided_early_is_never_rated(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.finish(pair[0], 1, 2)
    db.void(pair[0])
    assert not db.match(pair[0]).left_to_organiser
    assert db.finish(pair[1], 2, 1).group_complete
    (entry,) = db.ledger()
    assert [match.match for match in entry.matches] == [pair[1]]


def test_a_secret_stays_hidden_while_a_replay_is_possible(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.abort(pair[0], None)
    db.finish(pair[1], 1, 2)

    def revealed() -> bool:
        db.store.write(lambda tx: tx.ladders.reveal_secrets(LADDER, today="2027-01-01", now_us=1))
        secret = db.store.read(lambda tx: tx.ladders.find_secret(LADDER, DAY))
        return secret is not None and secret.revealed_us is not None

    assert not revealed()
    db.void(pair[0])
    assert revealed()


@pytest.mark.parametrize("rule", [StoreFixture.void, replay])
def test_other_matches_cannot_be_ruled_on(db: StoreFixture, pair: tuple[int, ...], rule: object) -> None:
    replayed = db.abort(pair[0], ReplacementMatch(1, a_commitment("first"))).replay
    assert replayed is not None
    nobody = a_result(0, 0, state=MatchState.NO_CONTEST)
    db.report(MatchReport(pair[1], nobody, bytes(32), ""))
    for match, words in (
        (pair[0], f"replayed as match {replayed}"),
        (replayed, "PENDING"),
        (pair[1], "NO_CONTEST"),
    ):
        with pytest.raises(FailedPreconditionError, match=words) as refused:
            rule(db, match)  # type: ignore[operator]
        assert refused.value.reason is ErrorReason.MATCH_STATE


def test_a_ruling_is_made_once(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.abort(pair[0], None)
    db.void(pair[0])
    for rule in (StoreFixture.void, replay):
        with pytest.raises(FailedPreconditionError, match="ABORTED for good"):
            rule(db, pair[0])
    db.finish(pair[1], 1, 2)
    with pytest.raises(FailedPreconditionError, match="only a void match"):
        replay(db, pair[1])


def test_a_ladder_pauses_after_the_last_ruling(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.store.write(lambda tx: tx.ladders.run(LADDER, 1))
    db.finish(pair[1], 1, 2)
    db.abort(pair[0], None)
    assert db.ladder().remaining_matches == 0
    db.void(pair[0])
    assert db.ladder().remaining_matches is None
