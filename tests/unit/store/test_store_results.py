"""The transaction in which a match ends: all of it or nothing, and only once (docs/storage.md)."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.core.errors import ErrorReason, InvalidArgumentError, NotFoundError
from arena.core.match import MatchState
from arena.core.rating.ledger import EntryKind, LedgerEntry
from arena.store.ladders.ladders import LadderState
from arena.store.matches import results
from arena.store.matches.matches import MatchFilter
from arena.store.matches.results import MatchReport, ReplacementMatch
from arena.store.store import Store
from tests.unit.store.store_fixture import DAY, LADDER, StoreFixture, a_commitment, a_result, a_seat


def ratings(db: StoreFixture) -> dict[str, int]:
    """Return the rating of every bot."""
    return {bot: entry.rating_milli for bot, entry in db.entries().items()}


def test_a_forfeit_keeps_its_evidence_in_order(db: StoreFixture, pair: tuple[int, ...]) -> None:
    result = a_result(1, 2)
    forfeit = a_seat(2, forfeited=True)
    changed = replace(result, seats=(result.seats[0], forfeit))
    db.report(MatchReport(pair[0], changed, bytes(32), "ab" * 32))
    seat = db.match(pair[0]).seats[1]
    assert seat.ending == forfeit.ending
    assert seat.strikes == 3


def test_a_group_is_rated_when_its_last_match_has_ended(db: StoreFixture, pair: tuple[int, ...]) -> None:
    first = db.finish(pair[0], 1, 2)
    assert not first.group_complete
    assert ratings(db) == {"ant": 1_500_000, "bee": 1_500_000}
    second = db.finish(pair[1], 2, 1)
    assert second.group_complete
    assert ratings(db) == {"ant": 1_540_000, "bee": 1_460_000}
    (entry,) = db.ledger()
    assert (entry.seq, entry.kind) == (1, EntryKind.MATCH_GROUP)
    assert [match.match for match in entry.matches] == list(pair)
    assert {change.bot: change.delta_milli for change in entry.changes} == {"ant": 40_000, "bee": -40_000}


def test_the_counters_of_a_bot_are_over_complete_groups(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.finish(pair[0], 1, 2)
    assert db.entries()["ant"].matches == 0
    db.finish(pair[1], 1, 2)
    ant = db.entries()["ant"]
    assert (ant.matches, ant.placing_sum, ant.forfeits) == (2, 1 + 2, 0)
    assert (ant.decisions, ant.used_us, ant.longest_us) == (20, 40_000, 9_002)


def test_a_result_reported_twice_counts_once(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.finish(pair[0], 1, 2)
    db.finish(pair[1], 2, 1)
    again = db.finish(pair[1], 1, 2)
    assert not again.applied
    assert ratings(db) == {"ant": 1_540_000, "bee": 1_460_000}
    assert len(db.ledger()) == 1
    assert db.ladder().finished_matches == 2
    assert db.match(pair[1]).seats[0].placing == 2


def test_an_error_while_rating_is_rolled_back(
    db: StoreFixture, pair: tuple[int, ...], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.finish(pair[0], 1, 2)

    def fail(*args: object, **kwargs: object) -> LedgerEntry:
        raise RuntimeError("the power is gone")

    monkeypatch.setattr(results, "group_entry", fail)
    report = MatchReport(pair[1], a_result(2, 1), bytes(32), "cd" * 32)
    with pytest.raises(RuntimeError):
        db.store.write(lambda tx: tx.record_result(report, now_us=9))
    monkeypatch.undo()
    second = Store(url)
    match = second.read(lambda tx: tx.matches.get(pair[1]))
    assert (match.state, match.seed, match.seats[0].placing) == (MatchState.RUNNING, None, 0)
    assert second.read(lambda tx: tx.ladders.get(LADDER)).finished_matches == 1
    assert second.read(lambda tx: tuple(tx.ledger.all(LADDER))) == ()
    second.close()
    assert db.finish(pair[1], 2, 1).group_complete


def test_an_aborted_match_is_replayed_in_its_slot(db: StoreFixture, pair: tuple[int, ...]) -> None:
    done = db.abort(pair[0], ReplacementMatch(seed_attempt=1, seed_commitment=a_commitment("again")))
    assert done.replay is not None
    old = db.match(pair[0])
    new = db.match(done.replay or 0)
    assert (old.state, old.void_reason) == (MatchState.ABORTED, "The arena was stopped.")
    assert (new.state, new.seed_attempt, new.voids) == (MatchState.PENDING, 1, 1)
    assert (new.slot, new.seed_group_index, new.group) == (old.slot, old.seed_group_index, old.group)
    assert [seat.bot for seat in new.seats] == [seat.bot for seat in old.seats]
    assert new.seed_commitment == a_commitment("again")


def test_a_group_waits_for_its_replays(db: StoreFixture, pair: tuple[int, ...]) -> None:
    replay = db.abort(pair[0], ReplacementMatch(1, a_commitment("again"))).replay
    assert replay is not None
    assert not db.finish(pair[1], 1, 2).group_complete
    assert db.finish(replay, 2, 1).group_complete
    ant = db.entries()["ant"]
    assert (ant.matches, ant.placing_sum, ant.version_matches) == (2, 4, 2)


def test_a_group_without_a_result_is_not_rated(db: StoreFixture, pair: tuple[int, ...]) -> None:
    nobody = a_result(0, 0, state=MatchState.NO_CONTEST)
    db.report(MatchReport(pair[0], nobody, bytes(32), ""))
    assert db.report(MatchReport(pair[1], nobody, bytes(32), "")).group_complete
    assert db.ledger() == ()
    assert ratings(db) == {"ant": 1_500_000, "bee": 1_500_000}


def test_a_seed_used_again_by_a_replay_is_sealed(db: StoreFixture, pair: tuple[int, ...]) -> None:
    same = db.match(pair[0]).seed_commitment
    db.abort(pair[0], ReplacementMatch(0, same))
    match = db.match(pair[0])
    assert match.seed is None
    assert match.sealed


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (lambda match: MatchReport(match, a_result(1, 2, 3), bytes(32), "ab" * 32), "seats"),
        (lambda match: MatchReport(match, a_result(1, 2), None, "ab" * 32), "seed"),
        (lambda match: MatchReport(match, a_result(1, 2), bytes(32), ""), "log"),
        (lambda match: MatchReport(match, a_result(1, 2, state=MatchState.RUNNING), None, ""), "not the end"),
        (
            lambda match: MatchReport(
                match, a_result(1, 2), bytes(32), "ab" * 32, ReplacementMatch(1, bytes(32))
            ),
            "only an aborted",
        ),
    ],
)
def test_a_report_that_does_not_fit_is_refused(
    db: StoreFixture, pair: tuple[int, ...], report: Callable[[int], MatchReport], words: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=words):
        db.report(report(pair[0]))
    assert db.match(pair[0]).state is MatchState.RUNNING


def test_a_result_of_a_match_that_has_not_begun_or_is_none_is_refused(db: StoreFixture) -> None:
    db.populate("ant", "bee")
    match = db.pair("ant", "bee")[0]
    with pytest.raises(InvalidArgumentError, match="not begun"):
        db.report(MatchReport(match, a_result(1, 2), bytes(32), "ab" * 32))
    with pytest.raises(NotFoundError) as caught:
        db.report(MatchReport(99, a_result(1, 2), bytes(32), "ab" * 32))
    assert caught.value.reason is ErrorReason.MATCH_NOT_FOUND


def test_a_ladder_pauses_after_its_last_group(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.store.write(lambda tx: tx.ladders.run(LADDER, 1))
    db.finish(pair[0], 1, 2)
    ladder = db.ladder()
    assert (ladder.state, ladder.remaining_matches) == (LadderState.RUNNING, 0)
    db.finish(pair[1], 1, 2)
    ladder = db.ladder()
    assert (ladder.state, ladder.remaining_matches, ladder.finished_matches) == (LadderState.PAUSED, None, 2)


def test_an_aborted_match_uses_up_no_match_of_the_run(db: StoreFixture, pair: tuple[int, ...]) -> None:
    db.store.write(lambda tx: tx.ladders.run(LADDER, 5))
    db.abort(pair[0], ReplacementMatch(1, a_commitment("again")))
    assert db.ladder().remaining_matches == 5
    db.report(MatchReport(pair[1], a_result(0, 0, state=MatchState.NO_CONTEST), bytes(32), ""))
    assert db.ladder().remaining_matches == 4


def test_a_secret_is_revealed_after_its_day_and_groups(db: StoreFixture, pair: tuple[int, ...]) -> None:
    def revealed(today: str) -> int | None:
        db.store.write(lambda tx: tx.ladders.reveal_secrets(LADDER, today=today, now_us=77))
        (secret,) = db.store.read(lambda tx: tx.ladders.secrets(LADDER, 30))
        return secret.revealed_us

    assert revealed("2026-11-22") is None
    db.finish(pair[0], 1, 2)
    db.finish(pair[1], 1, 2)
    assert revealed(DAY) is None
    assert revealed("2026-11-22") == 77


def test_a_bot_on_two_seats_has_the_match_listed_once(db: StoreFixture) -> None:
    db.populate("ant")
    matches = db.pair("ant", "ant")
    page = db.store.read(lambda tx: tx.matches.page(MatchFilter(bot="ant"), before=None, limit=10))
    assert [match.id for match in page] == [matches[1], matches[0]]
