"""The organiser's last word on a match, in the database (docs/storage.md, row 46 of docs/bad_inputs.md)."""

from __future__ import annotations

import pytest

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.core.match import MatchState
from arena.core.match_record import MatchRecord
from arena.core.rating.ledger import EntryKind
from arena.store.ladders.entries import EntryRow
from arena.store.ladders.recompute import recompute
from arena.store.matches.results import MatchReport, ReplacementMatch
from tests.unit.store.world import DAY, LADDER, World, a_commitment, a_result

AGAIN = ReplacementMatch(3, a_commitment("again"))


@pytest.fixture
def pair(world: World) -> tuple[int, ...]:
    """Return the two running matches of a group."""
    world.populate("ant", "bee", "cat")
    matches = world.pair("ant", "bee")
    for match in matches:
        world.start(match)
    return matches


def get(world: World, match: int) -> MatchRecord:
    """Return the match as stored."""
    return world.store.read(lambda tx: tx.matches.get(match))


def void(world: World, match: int, reason: str = "the board was wrong") -> None:
    """Void the match as the organiser."""
    world.store.write(lambda tx: tx.rulings.void(tx.matches.get(match), reason, 7_000))


def replay(world: World, match: int) -> int:
    """Replay the match as the organiser."""
    return world.store.write(lambda tx: tx.rulings.replay(tx.matches.get(match), AGAIN, 7_000))


def entries(world: World) -> dict[str, EntryRow]:
    """Ratings and counters by bot."""
    return {entry.bot: entry for entry in world.store.read(lambda tx: tx.entries.all(LADDER))}


def kinds(world: World) -> list[tuple[EntryKind, int]]:
    """Return the ledger: what each entry does to which group."""
    return [(entry.kind, entry.group) for entry in world.store.read(lambda tx: tuple(tx.ledger.all(LADDER)))]


def test_a_match_left_to_the_organiser_is_played_again_and_then_its_group_counts(
    world: World, pair: tuple[int, ...]
) -> None:
    world.abort(pair[0], None)
    world.finish(pair[1], 1, 2)
    new = get(world, replay(world, pair[0]))
    old = get(world, pair[0])
    assert (old.left_to_organiser, old.replayed_as) == (False, new.id)
    assert (get(world, pair[1]).replay_of, new.replay_of) == (None, old.id)
    assert (new.state, new.slot, new.voids, new.seed_attempt) == (
        MatchState.PENDING,
        old.slot,
        old.voids + 1,
        3,
    )
    assert [seat.bot for seat in new.seats] == [seat.bot for seat in old.seats]
    assert world.finish(new.id, 1, 2).group_complete
    assert kinds(world) == [(EntryKind.MATCH_GROUP, 1)]
    assert entries(world)["ant"].matches == 2


def test_a_match_left_to_the_organiser_may_be_left_out_and_its_group_counts_without_it(
    world: World, pair: tuple[int, ...]
) -> None:
    world.abort(pair[0], None)
    world.finish(pair[1], 1, 2)
    void(world, pair[0], "it crashes the arena")
    match = get(world, pair[0])
    assert match.group_complete
    assert match.void_reason.endswith("it crashes the arena.")
    assert kinds(world) == [(EntryKind.MATCH_GROUP, 1)]
    assert entries(world)["ant"].matches == 1


def test_a_group_waits_until_the_organiser_has_decided_on_each_of_its_matches(
    world: World, pair: tuple[int, ...]
) -> None:
    for match in pair:
        world.abort(match, None)
    void(world, pair[0])
    assert not get(world, pair[0]).group_complete
    void(world, pair[1])
    assert get(world, pair[0]).group_complete
    assert kinds(world) == []


def test_a_void_match_takes_back_what_its_group_did_to_ratings_and_counters(
    world: World, pair: tuple[int, ...]
) -> None:
    """Design: a void is an entry that takes its own deltas back."""
    before = entries(world)
    world.finish(pair[0], 1, 2)
    world.finish(pair[1], 2, 1)
    rated = entries(world)
    assert rated["ant"].rating_milli > before["ant"].rating_milli
    void(world, pair[0])
    after = entries(world)
    for bot in ("ant", "bee"):
        assert after[bot].rating_milli == before[bot].rating_milli
        assert (after[bot].matches, after[bot].placing_sum, after[bot].longest_us) == (0, 0, 0)
        assert (after[bot].decisions, after[bot].used_us, after[bot].forfeits) == (0, 0, 0)
    assert kinds(world) == [(EntryKind.MATCH_GROUP, 1), (EntryKind.VOID, 1)]
    assert world.store.read(lambda tx: recompute(tx, LADDER)).identical
    assert get(world, pair[0]).state is MatchState.ABORTED
    assert get(world, pair[1]).state is MatchState.FINISHED
    assert world.store.read(lambda tx: tx.ladders.get(LADDER)).finished_matches == 1


def test_later_groups_keep_their_deltas_when_an_earlier_one_is_taken_back(
    world: World, pair: tuple[int, ...]
) -> None:
    world.finish(pair[0], 1, 2)
    world.finish(pair[1], 2, 1)
    first = {bot: entry.rating_milli for bot, entry in entries(world).items()}
    for match in world.pair("ant", "cat"):
        world.finish(match, 2, 1)
    second = {bot: entry.rating_milli for bot, entry in entries(world).items()}
    void(world, pair[1])
    now = entries(world)
    new_bot = 1_500_000
    assert now["ant"].rating_milli == second["ant"] - (first["ant"] - new_bot)
    assert now["bee"].rating_milli == new_bot
    assert now["cat"].rating_milli == second["cat"]
    assert (now["ant"].matches, now["ant"].longest_us) == (2, 9_002)
    assert world.store.read(lambda tx: recompute(tx, LADDER)).identical


def test_a_second_void_match_of_a_group_takes_nothing_back_again(world: World, pair: tuple[int, ...]) -> None:
    world.finish(pair[0], 1, 2)
    world.finish(pair[1], 2, 1)
    void(world, pair[0])
    once = entries(world)
    void(world, pair[1])
    assert entries(world) == once
    assert kinds(world) == [(EntryKind.MATCH_GROUP, 1), (EntryKind.VOID, 1)]


def test_a_match_made_void_before_its_group_is_complete_is_never_rated(
    world: World, pair: tuple[int, ...]
) -> None:
    world.finish(pair[0], 1, 2)
    void(world, pair[0])
    assert not get(world, pair[0]).left_to_organiser
    assert world.finish(pair[1], 2, 1).group_complete
    (entry,) = world.store.read(lambda tx: tuple(tx.ledger.all(LADDER)))
    assert [match.match for match in entry.matches] == [pair[1]]


def test_the_secret_of_a_day_is_not_revealed_while_the_organiser_may_have_a_match_replayed_on_it(
    world: World, pair: tuple[int, ...]
) -> None:
    world.abort(pair[0], None)
    world.finish(pair[1], 1, 2)

    def revealed() -> bool:
        world.store.write(lambda tx: tx.ladders.reveal_secrets(LADDER, today="2027-01-01", now_us=1))
        secret = world.store.read(lambda tx: tx.ladders.find_secret(LADDER, DAY))
        return secret is not None and secret.revealed_us is not None

    assert not revealed()
    void(world, pair[0])
    assert revealed()


@pytest.mark.parametrize("rule", [void, replay])
def test_what_is_played_or_decided_is_not_the_organisers_to_rule_on(
    world: World, pair: tuple[int, ...], rule: object
) -> None:
    replayed = world.abort(pair[0], ReplacementMatch(1, a_commitment("first"))).replay
    assert replayed is not None
    nobody = a_result(0, 0, state=MatchState.NO_CONTEST)
    world.report(MatchReport(pair[1], nobody, bytes(32), ""))
    for match, words in (
        (pair[0], f"replayed as match {replayed}"),
        (replayed, "PENDING"),
        (pair[1], "NO_CONTEST"),
    ):
        with pytest.raises(FailedPreconditionError, match=words) as refused:
            rule(world, match)  # type: ignore[operator]
        assert refused.value.reason is ErrorReason.MATCH_STATE


def test_a_ruling_is_made_once(world: World, pair: tuple[int, ...]) -> None:
    world.abort(pair[0], None)
    void(world, pair[0])
    for rule in (void, replay):
        with pytest.raises(FailedPreconditionError, match="ABORTED for good"):
            rule(world, pair[0])
    world.finish(pair[1], 1, 2)
    with pytest.raises(FailedPreconditionError, match="only a void match"):
        replay(world, pair[1])


def test_a_ladder_that_has_played_its_matches_pauses_when_the_organiser_has_decided(
    world: World, pair: tuple[int, ...]
) -> None:
    world.store.write(lambda tx: tx.ladders.run(LADDER, 1))
    world.finish(pair[1], 1, 2)
    world.abort(pair[0], None)
    assert world.store.read(lambda tx: tx.ladders.get(LADDER)).remaining_matches == 0
    void(world, pair[0])
    assert world.store.read(lambda tx: tx.ladders.get(LADDER)).remaining_matches is None
