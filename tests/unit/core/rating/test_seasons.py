"""What seasons and anchors do to ratings: docs/seasons.md."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import DataLossError
from arena.core.finished_match import FinishedMatch
from arena.core.rating.ledger import (
    EntryKind,
    LedgerEntry,
    anchor_entry,
    group_entry,
    replay,
    season_entry,
    void_entry,
)
from arena.core.rating.rating import INFORMATION_UNIT, INITIAL, PRIOR_INFORMATION, Rating
from arena.core.rating.seasons import ANCHOR_INFORMATION, Anchor, SeasonClose, anchored, pulled, pulled_delta
from tests.unit.core.rating.histories import BOTS, a_match, a_rating, groups

PERCENTS = st.integers(0, 100)
RATINGS = st.builds(
    Rating,
    st.integers(-1_000_000, 5_000_000),
    st.integers(PRIOR_INFORMATION, ANCHOR_INFORMATION),
    st.just("1"),
    st.integers(0, 99),
)


@dataclass
class Ladder:
    """A ladder as the store keeps it: ratings in force, and the ledger."""

    ratings: dict[str, Rating] = field(default_factory=lambda: dict.fromkeys(BOTS, INITIAL))
    anchors: dict[str, int] = field(default_factory=dict)
    entries: list[LedgerEntry] = field(default_factory=list)
    season: int = 1

    @property
    def seq(self) -> int:
        return len(self.entries) + 1

    def add(self, entry: LedgerEntry) -> None:
        self.entries.append(entry)
        self.ratings |= {change.bot: change.after for change in entry.changes}

    def play(self, matches: Sequence[FinishedMatch]) -> int:
        """Rate a group and return its number."""
        self.add(
            group_entry(self.ratings, seq=self.seq, group=self.seq, matches=matches, anchors=self.anchors)
        )
        return len(self.entries)

    def close(self, keep_percent: int) -> None:
        close = SeasonClose(self.season, keep_percent)
        self.add(season_entry(self.ratings, seq=self.seq, close=close, anchors=self.anchors))
        self.season += 1

    def anchor(self, bot: str, rating_milli: int | None) -> None:
        if rating_milli is None and self.anchors.pop(bot, None) is None:
            return
        if rating_milli is not None:
            self.anchors[bot] = rating_milli
        self.add(anchor_entry(self.ratings[bot], seq=self.seq, anchor=Anchor(bot, rating_milli)))

    def void(self, group: int) -> None:
        """Take a group back, unless it is none or has been taken back."""
        done = {entry.group for entry in self.entries if entry.kind is EntryKind.VOID}
        voided = next(
            (each for each in self.entries if each.matches and each.group == group and group not in done),
            None,
        )
        if voided is not None:
            later = [each for each in self.entries[voided.seq :] if each.group is None]
            self.add(void_entry(self.ratings, seq=self.seq, voided=voided, later=later))


STEPS = st.one_of(
    st.tuples(st.just("play"), groups()),
    st.tuples(st.just("play"), groups()),
    st.tuples(st.just("close"), PERCENTS),
    st.tuples(st.just("anchor"), st.sampled_from(BOTS), st.none() | st.integers(0, 4_000_000)),
    st.tuples(st.just("void"), st.integers(1, 12)),
)


def lived(steps: Sequence[tuple[object, ...]]) -> Ladder:
    ladder = Ladder()
    for name, *arguments in steps:
        getattr(ladder, str(name))(*arguments)
    return ladder


@given(st.lists(STEPS, max_size=14))
def test_replaying_a_ledger_of_seasons_and_anchors_gives_every_rating_to_the_same_bits(
    steps: list[tuple[object, ...]],
) -> None:
    ladder = lived(steps)
    replayed = replay(ladder.entries)
    assert (replayed.entries, replayed.differing) == (len(ladder.entries), ())
    assert dict.fromkeys(BOTS, INITIAL) | dict(replayed.ratings) == ladder.ratings
    assert replayed.anchors == set(ladder.anchors)
    assert [*replayed.final_ratings] == [*range(1, ladder.season)]
    taken_back = {entry.group for entry in ladder.entries if entry.kind is EntryKind.VOID}
    assert replay(ladder.entries, {group for group in taken_back if group is not None}) == replayed


@given(st.lists(STEPS, max_size=14))
def test_only_the_organiser_moves_an_anchor(steps: list[tuple[object, ...]]) -> None:
    ladder = lived(steps)
    for bot, rating in ladder.anchors.items():
        assert (ladder.ratings[bot].rating_milli, ladder.ratings[bot].information) == (
            rating,
            ANCHOR_INFORMATION,
        )


@given(st.lists(STEPS, max_size=10), PERCENTS)
def test_a_close_keeps_the_order_of_all_but_anchors(steps: list[tuple[object, ...]], keep: int) -> None:
    ladder = lived(steps)
    before = dict(ladder.ratings)
    ladder.close(keep)
    rated = [bot for bot in BOTS if bot not in ladder.anchors]
    for one in rated:
        for other in rated:
            if before[one].rating_milli <= before[other].rating_milli:
                assert ladder.ratings[one].rating_milli <= ladder.ratings[other].rating_milli


@given(RATINGS, PERCENTS)
def test_a_pulled_rating_is_nearer_to_the_mean_and_less_certain(rating: Rating, keep: int) -> None:
    after = pulled(rating, keep)
    exact = 1_500_000 + Fraction(keep, 100) * (rating.rating_milli - 1_500_000)
    assert abs(after.rating_milli - exact) <= Fraction(1, 2)
    assert PRIOR_INFORMATION <= after.information <= rating.information
    assert (after.version, after.version_matches) == (rating.version, 0)


@given(RATINGS, PERCENTS)
def test_the_variance_after_a_close_is_that_of_the_formula(rating: Rating, keep: int) -> None:
    kept = Fraction(keep, 100) ** 2
    variance = kept * Fraction(INFORMATION_UNIT, rating.information) + (1 - kept) * 350**2
    assert abs(pulled(rating, keep).information - INFORMATION_UNIT / variance) <= 1


def test_a_close_leaves_a_bot_that_has_not_played_as_it_was() -> None:
    assert {pulled(INITIAL, keep) for keep in range(101)} == {INITIAL}


def test_a_close_that_keeps_everything_or_nothing() -> None:
    rating = replace(a_rating(1700.5), information=10**9)
    assert pulled(rating, 100) == replace(rating, version_matches=0)
    assert pulled(rating, 0) == replace(INITIAL, version="1")


def test_the_example_of_the_documentation() -> None:
    after = pulled(Rating(1_700_000, INFORMATION_UNIT // 40**2, "1", 80), 75)
    assert (after.rating_milli, round(after.uncertainty_milli / 1000)) == (1_650_000, 458)


@given(groups(), groups(), PERCENTS)
def test_a_group_voided_after_a_close_leaves_what_a_close_without_it_would_have_left(
    first: tuple[FinishedMatch, ...], last: tuple[FinishedMatch, ...], keep: int
) -> None:
    ladder, without = Ladder(), Ladder()
    ladder.play(first)
    without.play(first)
    group = ladder.play(last)
    for each in (ladder, without):
        each.close(keep)
    ladder.void(group)
    for bot in BOTS:
        assert abs(ladder.ratings[bot].rating_milli - without.ratings[bot].rating_milli) <= 1


def test_a_group_from_before_a_bot_was_an_anchor_takes_nothing_from_its_rating() -> None:
    ladder = Ladder()
    group = ladder.play([a_match(1, "ant", "bee")])
    ladder.anchor("ant", 1_600_000)
    ladder.void(group)
    assert ladder.ratings["ant"].rating_milli == 1_600_000
    assert ladder.ratings["bee"].rating_milli == INITIAL.rating_milli


def test_an_anchor_counts_as_an_opponent_whose_rating_is_known() -> None:
    rated, beside = Ladder(), Ladder()
    rated.anchor("ant", 1_500_000)
    for each in (rated, beside):
        each.play([a_match(1, "ant", "bee")])
    assert rated.ratings["ant"] == Rating(1_500_000, ANCHOR_INFORMATION, "1", 1)
    assert rated.ratings["bee"].rating_milli == beside.ratings["bee"].rating_milli
    assert rated.ratings["bee"].information > beside.ratings["bee"].information


def test_a_released_anchor_is_rated_from_there_as_uncertain_as_a_new_bot() -> None:
    fixed = anchored(a_rating(1400), Anchor("ant", 2_000_000))
    assert anchored(fixed, Anchor("ant", None)) == Rating(2_000_000, PRIOR_INFORMATION, "1", 0)


@given(st.integers(-(10**7), 10**7), PERCENTS)
def test_a_delta_is_pulled_alike_in_both_directions(delta: int, keep: int) -> None:
    assert pulled_delta(-delta, keep) == -pulled_delta(delta, keep)


def test_a_season_closed_twice_or_left_out_and_a_release_of_no_anchor_are_damage() -> None:
    ladder = Ladder()
    ladder.play([a_match(1, "ant", "bee")])
    ladder.close(75)
    again = replace(ladder.entries[1], seq=3)
    release = anchor_entry(INITIAL, seq=3, anchor=Anchor("ant", None))
    later = replace(again, season=SeasonClose(3, 75))
    for wrong in (again, later, release, replace(again, season=None)):
        with pytest.raises(DataLossError, match="entry 3"):
            replay([*ladder.entries, wrong])


def test_a_close_and_an_anchor_with_wrong_changes_are_named() -> None:
    ladder = Ladder()
    ladder.play([a_match(1, "ant", "bee")])
    ladder.close(75)
    ladder.anchor("bee", 1_000_000)
    tampered = [ladder.entries[0], *(replace(entry, changes=()) for entry in ladder.entries[1:])]
    assert replay(tampered).differing == (2, 3)
