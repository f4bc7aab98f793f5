"""The transaction in which a match ends: all of it or nothing, and only once (docs/storage.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from arena.core.errors import ErrorReason, InvalidArgumentError, NotFoundError
from arena.core.match import MatchState, SeedPolicy
from arena.core.rating.ledger import EntryKind, LedgerEntry, group_entry
from arena.core.rating.rating import Rating
from arena.store.ladders.ladders import LadderState
from arena.store.matches import results
from arena.store.matches.matches import MatchFilter
from arena.store.matches.results import MatchReport, ReplacementMatch
from arena.store.store import Store
from tests.unit.store.world import DAY, LADDER, World, a_commitment, a_result, a_seat


@pytest.fixture
def pair(world: World) -> tuple[int, ...]:
    """Return the two running matches of a group."""
    world.populate("ant", "bee")
    matches = world.pair("ant", "bee")
    for match in matches:
        world.start(match)
    return matches


def ratings(store: Store) -> dict[str, int]:
    """Return the rating of every bot."""
    return {entry.bot: entry.rating_milli for entry in store.read(lambda tx: tx.entries.all(LADDER))}


def test_a_finished_match_shows_its_result(world: World, pair: tuple[int, ...]) -> None:
    world.finish(pair[0], 1, 2)
    match = world.store.read(lambda tx: tx.matches.get(pair[0]))
    assert (match.state, match.ending, match.plies) == (MatchState.FINISHED, "FINAL_DELIVERY", 40)
    assert (match.seed, match.log) == (bytes(32), "ab" * 32)
    assert (match.started_us, match.ended_us) == (1_000, 1_500)
    assert [(seat.bot, seat.version, seat.placing, seat.used_us) for seat in match.seats] == [
        ("ant", "1", 1, 20_000),
        ("bee", "1", 2, 20_000),
    ]


def test_a_forfeit_keeps_its_evidence_in_order(world: World, pair: tuple[int, ...]) -> None:
    result = a_result(1, 2)
    forfeit = a_seat(2, forfeited=True)
    changed = replace(result, seats=(result.seats[0], forfeit))
    world.report(MatchReport(pair[0], changed, bytes(32), "ab" * 32))
    seat = world.store.read(lambda tx: tx.matches.get(pair[0])).seats[1]
    assert seat.ending == forfeit.ending
    assert seat.strikes == 3


def test_a_group_is_rated_when_its_last_match_has_ended(world: World, pair: tuple[int, ...]) -> None:
    first = world.finish(pair[0], 1, 2)
    assert not first.group_complete
    assert ratings(world.store) == {"ant": 1_500_000, "bee": 1_500_000}
    second = world.finish(pair[1], 2, 1)
    assert second.group_complete
    assert ratings(world.store) == {"ant": 1_540_000, "bee": 1_460_000}
    (entry,) = world.store.read(lambda tx: tuple(tx.ledger.all(LADDER)))
    assert (entry.seq, entry.kind) == (1, EntryKind.MATCH_GROUP)
    assert [match.match for match in entry.matches] == list(pair)
    assert {change.bot: change.delta_milli for change in entry.changes} == {"ant": 40_000, "bee": -40_000}


def test_the_counters_of_a_bot_are_over_complete_groups(world: World, pair: tuple[int, ...]) -> None:
    world.finish(pair[0], 1, 2)
    assert world.store.read(lambda tx: tx.entries.find(LADDER, "ant")).matches == 0  # type: ignore[union-attr]
    world.finish(pair[1], 1, 2)
    ant = world.store.read(lambda tx: tx.entries.find(LADDER, "ant"))
    assert ant is not None
    assert (ant.matches, ant.placing_sum, ant.forfeits) == (2, 1 + 2, 0)
    assert (ant.decisions, ant.used_us, ant.longest_us) == (20, 40_000, 9_002)


def test_a_result_reported_twice_counts_once(world: World, pair: tuple[int, ...]) -> None:
    world.finish(pair[0], 1, 2)
    world.finish(pair[1], 2, 1)
    again = world.finish(pair[1], 1, 2)
    assert not again.applied
    assert ratings(world.store) == {"ant": 1_540_000, "bee": 1_460_000}
    assert len(world.store.read(lambda tx: tuple(tx.ledger.all(LADDER)))) == 1
    assert world.store.read(lambda tx: tx.ladders.get(LADDER)).finished_matches == 2
    assert world.store.read(lambda tx: tx.matches.get(pair[1])).seats[0].placing == 2


def test_a_fault_while_rating_leaves_nothing_behind(
    world: World, pair: tuple[int, ...], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.finish(pair[0], 1, 2)

    def fail(*args: object, **kwargs: object) -> LedgerEntry:
        raise RuntimeError("the power is gone")

    monkeypatch.setattr(results, "group_entry", fail)
    report = MatchReport(pair[1], a_result(2, 1), bytes(32), "cd" * 32)
    with pytest.raises(RuntimeError):
        world.store.write(lambda tx: tx.record_result(report, now_us=9))
    monkeypatch.undo()
    second = Store(url)
    match = second.read(lambda tx: tx.matches.get(pair[1]))
    assert (match.state, match.seed, match.seats[0].placing) == (MatchState.RUNNING, None, 0)
    assert second.read(lambda tx: tx.ladders.get(LADDER)).finished_matches == 1
    assert second.read(lambda tx: tuple(tx.ledger.all(LADDER))) == ()
    second.close()
    assert world.finish(pair[1], 2, 1).group_complete


def test_nothing_of_a_transaction_is_seen_before_its_end(
    world: World, pair: tuple[int, ...], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = Store(url)
    seen: list[MatchState] = []

    def look(ratings: Mapping[str, Rating], **entry: Any) -> LedgerEntry:
        seen.append(second.read(lambda tx: tx.matches.get(pair[1])).state)
        return group_entry(ratings, **entry)

    monkeypatch.setattr(results, "group_entry", look)
    world.finish(pair[0], 1, 2)
    report = MatchReport(pair[1], a_result(2, 1), bytes(32), "cd" * 32)
    world.store.write(lambda tx: tx.record_result(report, now_us=9))
    assert seen == [MatchState.RUNNING]
    assert second.read(lambda tx: tx.matches.get(pair[1])).state is MatchState.FINISHED
    second.close()


def test_an_aborted_match_is_replayed_in_its_slot(world: World, pair: tuple[int, ...]) -> None:
    done = world.abort(pair[0], ReplacementMatch(seed_attempt=1, seed_commitment=a_commitment("again")))
    assert done.replay is not None
    old = world.store.read(lambda tx: tx.matches.get(pair[0]))
    new = world.store.read(lambda tx: tx.matches.get(done.replay or 0))
    assert (old.state, old.void_reason) == (MatchState.ABORTED, "The arena was stopped.")
    assert (new.state, new.seed_attempt, new.voids) == (MatchState.PENDING, 1, 1)
    assert (new.slot, new.seed_group_index, new.group) == (old.slot, old.seed_group_index, old.group)
    assert [seat.bot for seat in new.seats] == [seat.bot for seat in old.seats]
    assert new.seed_commitment == a_commitment("again")


def test_a_group_waits_for_its_replays_and_void_matches_do_not_count(
    world: World, pair: tuple[int, ...]
) -> None:
    replay = world.abort(pair[0], ReplacementMatch(1, a_commitment("again"))).replay
    assert replay is not None
    assert not world.finish(pair[1], 1, 2).group_complete
    assert world.finish(replay, 2, 1).group_complete
    ant = world.store.read(lambda tx: tx.entries.find(LADDER, "ant"))
    assert ant is not None
    assert (ant.matches, ant.placing_sum, ant.version_matches) == (2, 4, 2)


def test_a_group_waits_for_the_organiser_where_a_void_match_is_not_replayed(
    world: World, pair: tuple[int, ...]
) -> None:
    world.abort(pair[0], None)
    assert not world.finish(pair[1], 1, 2).group_complete
    assert world.store.read(lambda tx: tx.matches.get(pair[0])).left_to_organiser
    assert world.store.read(lambda tx: tuple(tx.ledger.all(LADDER))) == ()


def test_a_group_without_a_result_is_not_rated(world: World, pair: tuple[int, ...]) -> None:
    nobody = a_result(0, 0, state=MatchState.NO_CONTEST)
    world.report(MatchReport(pair[0], nobody, bytes(32), ""))
    assert world.report(MatchReport(pair[1], nobody, bytes(32), "")).group_complete
    assert world.store.read(lambda tx: tuple(tx.ledger.all(LADDER))) == ()
    assert ratings(world.store) == {"ant": 1_500_000, "bee": 1_500_000}


def test_a_shared_seed_is_sealed_until_the_group_is_complete(world: World) -> None:
    world.populate("ant", "bee")
    first, second = world.pair("ant", "bee", policy=SeedPolicy.SHARED)
    assert world.store.read(lambda tx: tx.matches.get(first)).sealed
    world.finish(first, 1, 2)
    assert world.store.read(lambda tx: tx.matches.get(first)).sealed
    world.finish(second, 1, 2)
    assert not world.store.read(lambda tx: tx.matches.get(first)).sealed


def test_a_seed_of_its_own_is_open_when_the_match_has_ended(world: World, pair: tuple[int, ...]) -> None:
    assert world.store.read(lambda tx: tx.matches.get(pair[0])).sealed
    world.finish(pair[0], 1, 2)
    assert not world.store.read(lambda tx: tx.matches.get(pair[0])).sealed


def test_a_seed_that_the_replay_uses_again_is_not_shown_with_the_void_match(
    world: World, pair: tuple[int, ...]
) -> None:
    same = world.store.read(lambda tx: tx.matches.get(pair[0])).seed_commitment
    world.abort(pair[0], ReplacementMatch(0, same))
    match = world.store.read(lambda tx: tx.matches.get(pair[0]))
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
def test_a_report_that_does_not_fit_the_match_is_refused(
    world: World, pair: tuple[int, ...], report: Callable[[int], MatchReport], words: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=words):
        world.report(report(pair[0]))
    assert world.store.read(lambda tx: tx.matches.get(pair[0])).state is MatchState.RUNNING


def test_a_match_that_has_not_begun_cannot_be_finished(world: World) -> None:
    world.populate("ant", "bee")
    match = world.pair("ant", "bee")[0]
    with pytest.raises(InvalidArgumentError, match="not begun"):
        world.report(MatchReport(match, a_result(1, 2), bytes(32), "ab" * 32))


def test_a_result_of_no_match_is_refused(world: World) -> None:
    with pytest.raises(NotFoundError) as caught:
        world.report(MatchReport(99, a_result(1, 2), bytes(32), "ab" * 32))
    assert caught.value.reason is ErrorReason.MATCH_NOT_FOUND


def test_a_ladder_pauses_itself_when_its_matches_are_played_and_the_group_is_complete(
    world: World, pair: tuple[int, ...]
) -> None:
    world.store.write(lambda tx: tx.ladders.run(LADDER, 1))
    world.finish(pair[0], 1, 2)
    ladder = world.store.read(lambda tx: tx.ladders.get(LADDER))
    assert (ladder.state, ladder.remaining_matches) == (LadderState.RUNNING, 0)
    world.finish(pair[1], 1, 2)
    ladder = world.store.read(lambda tx: tx.ladders.get(LADDER))
    assert (ladder.state, ladder.remaining_matches, ladder.finished_matches) == (LadderState.PAUSED, None, 2)


def test_an_aborted_match_uses_up_none_of_the_ladders_matches(world: World, pair: tuple[int, ...]) -> None:
    world.store.write(lambda tx: tx.ladders.run(LADDER, 5))
    world.abort(pair[0], ReplacementMatch(1, a_commitment("again")))
    assert world.store.read(lambda tx: tx.ladders.get(LADDER)).remaining_matches == 5
    world.report(MatchReport(pair[1], a_result(0, 0, state=MatchState.NO_CONTEST), bytes(32), ""))
    assert world.store.read(lambda tx: tx.ladders.get(LADDER)).remaining_matches == 4


def test_a_restarted_arena_finds_what_was_not_finished(world: World, url: str) -> None:
    world.populate("ant", "bee")
    first, second = world.pair("ant", "bee")
    third, fourth = world.pair("bee", "ant")
    world.start(first)
    world.finish(third, 1, 2)
    world.store.close()
    again = Store(url)
    again.migrate()
    found = again.read(lambda tx: tx.matches.unfinished())
    assert [(match.id, match.state) for match in found] == [
        (first, MatchState.RUNNING),
        (second, MatchState.PENDING),
        (fourth, MatchState.PENDING),
    ]
    assert again.read(lambda tx: tx.groups.secret_of(found[0].group)) is not None
    again.close()


def test_a_secret_is_revealed_when_its_day_is_over_and_its_groups_are_complete(
    world: World, pair: tuple[int, ...]
) -> None:
    def revealed(today: str) -> int | None:
        world.store.write(lambda tx: tx.ladders.reveal_secrets(LADDER, today=today, now_us=77))
        (secret,) = world.store.read(lambda tx: tx.ladders.secrets(LADDER, 30))
        return secret.revealed_us

    assert revealed("2026-11-22") is None
    world.finish(pair[0], 1, 2)
    world.finish(pair[1], 1, 2)
    assert revealed(DAY) is None
    assert revealed("2026-11-22") == 77


def test_matches_are_listed_newest_first_by_ladder_bot_and_state(world: World) -> None:
    world.populate("ant", "bee", "cat")
    first = world.pair("ant", "bee")
    second = world.pair("bee", "cat")
    world.finish(first[0], 1, 2)

    def ids(which: MatchFilter, before: int | None = None) -> list[int]:
        page = world.store.read(lambda tx: tx.matches.page(which, before=before, limit=2))
        return [match.id for match in page]

    assert ids(MatchFilter()) == [second[1], second[0]]
    assert ids(MatchFilter(), before=second[0]) == [first[1], first[0]]
    assert ids(MatchFilter(bot="ant")) == [first[1], first[0]]
    assert ids(MatchFilter(bot="ant", state=MatchState.FINISHED)) == [first[0]]
    assert ids(MatchFilter(ladder="other")) == []


def test_a_bot_on_two_seats_has_the_match_listed_once(world: World) -> None:
    world.populate("ant")
    matches = world.pair("ant", "ant")
    page = world.store.read(lambda tx: tx.matches.page(MatchFilter(bot="ant"), before=None, limit=10))
    assert [match.id for match in page] == [matches[1], matches[0]]
