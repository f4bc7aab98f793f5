"""The rating ledger of a ladder: the append-only entries from which every rating follows, bit for bit."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import assert_never

from arena.core.errors import DataLossError, ErrorReason
from arena.core.finished_match import FinishedMatch
from arena.core.rating.elo import Change, rate_group
from arena.core.rating.rating import INITIAL, PRIOR_INFORMATION, Rating
from arena.core.rating.seasons import Anchor, SeasonClose, anchored, pulled, pulled_delta


class EntryKind(Enum):
    """What an entry does."""

    MATCH_GROUP = 1
    """Rates a complete match group."""
    VOID = 2
    """Takes the deltas of an earlier entry back."""
    SEASON_CLOSE = 3
    """Closes a season: pulls the ratings of all bots but anchors to the mean."""
    ANCHOR = 4
    """Fixes the rating of a bot, or lets it be rated again."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One entry: what was rated, and what it changed."""

    seq: int
    """Its place in the ladder's ledger, from 1 without gaps."""
    kind: EntryKind
    group: int | None
    """The match group that is rated, or whose deltas are taken back; None where there is none."""
    matches: tuple[FinishedMatch, ...]
    """By id; empty but in a MATCH_GROUP."""
    changes: tuple[Change, ...]
    """By bot."""
    season: SeasonClose | None = None
    """In a SEASON_CLOSE: what is closed."""
    anchor: Anchor | None = None
    """In an ANCHOR: what was decided."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What replaying a ledger gave."""

    entries: int
    ratings: Mapping[str, Rating]
    """By bot: all bots that the ledger names."""
    differing: tuple[int, ...]
    """The seq of each entry whose recorded changes are not those that it gives now."""
    anchors: frozenset[str]
    """The bots whose rating is fixed at its end."""
    final_ratings: Mapping[int, Mapping[str, Rating]]
    """By closed season, from 1: the ratings in which it ended, by bot."""


def group_entry(
    ratings: Mapping[str, Rating],
    *,
    seq: int,
    group: int,
    matches: Sequence[FinishedMatch],
    anchors: Collection[str] = (),
) -> LedgerEntry:
    """Return the entry that rates a complete group; `ratings`: its bots before it; `anchors`: those of fixed rating.

    Raises ValueError for matches that cannot be rated together.
    """
    ordered = tuple(sorted(matches, key=lambda match: match.match))
    return LedgerEntry(seq, EntryKind.MATCH_GROUP, group, ordered, rate_group(ratings, ordered, anchors))


def void_entry(
    ratings: Mapping[str, Rating], *, seq: int, voided: LedgerEntry, later: Sequence[LedgerEntry] = ()
) -> LedgerEntry:
    """Return the entry that reverts what is left of the deltas of `voided`; `ratings`: its bots now.

    `later`: the SEASON_CLOSE and ANCHOR entries after `voided`, in order: a close has pulled the delta with the rating,
    and an anchor's rating holds none of it. Later groups keep their deltas. The information stays at least that of a
    new bot: a new version may have reduced it since.
    """
    changes = tuple(_taken_back(change, ratings[change.bot], voided, later) for change in voided.changes)
    return LedgerEntry(seq, EntryKind.VOID, voided.group, (), changes)


def season_entry(
    ratings: Mapping[str, Rating], *, seq: int, close: SeasonClose, anchors: Collection[str]
) -> LedgerEntry:
    """Return the entry that closes a season; `ratings`: all bots of the ladder. It names those that change."""
    after = {bot: pulled(rating, close.keep_percent) for bot, rating in ratings.items() if bot not in anchors}
    changes = tuple(
        Change(bot, 0, ratings[bot], after[bot]) for bot in sorted(after) if after[bot] != ratings[bot]
    )
    return LedgerEntry(seq, EntryKind.SEASON_CLOSE, None, (), changes, season=close)


def anchor_entry(before: Rating, *, seq: int, anchor: Anchor) -> LedgerEntry:
    """Return the entry that fixes a bot's rating or releases it; `before`: its rating now."""
    change = Change(anchor.bot, 0, before, anchored(before, anchor))
    return LedgerEntry(seq, EntryKind.ANCHOR, None, (), (change,), anchor=anchor)


def replay(entries: Iterable[LedgerEntry], taken_back: Collection[int] | None = None) -> Replayed:
    """Compute every rating again from what the entries say was played; recorded changes are only compared.

    `taken_back`: the groups that have a VOID entry, if known beforehand. Then the changes of other groups need not be
    kept in memory. Raises DataLossError: STORAGE, an entry is missing, rates a group a second time, reverts what is not
    rated, closes another season than the current one, or releases a bot that is no anchor.
    """
    state = _State()
    differing: list[int] = []
    seq = 0
    for seq, entry in enumerate(entries, start=1):
        if entry.seq != seq:
            raise _damaged(f"entry {seq} is missing: entry {entry.seq} stands in its place")
        again = state.computed(entry)
        if taken_back is not None and entry.group is not None and entry.group not in taken_back:
            state.standing[entry.group] = None
        if again != entry:
            differing.append(seq)
        state.ratings.update((change.bot, change.after) for change in again.changes)
    return Replayed(seq, state.ratings, tuple(differing), frozenset(state.anchors), state.final_ratings)


@dataclass(slots=True)
class _State:
    """What the entries replayed so far have led to."""

    ratings: dict[str, Rating] = field(default_factory=dict)
    anchors: set[str] = field(default_factory=set)
    final_ratings: dict[int, Mapping[str, Rating]] = field(default_factory=dict)
    standing: dict[int, LedgerEntry | None] = field(default_factory=dict)
    """The groups rated and not void, by id; None: those that are known not to be taken back."""
    marks: list[LedgerEntry] = field(default_factory=list)
    """The SEASON_CLOSE and ANCHOR entries, in order."""

    def computed(self, entry: LedgerEntry) -> LedgerEntry:
        """Return the entry as it should be; its changes are not in the ratings yet."""
        match entry.kind:
            case EntryKind.MATCH_GROUP:
                return self._group(entry)
            case EntryKind.VOID:
                return self._void(entry)
            case EntryKind.SEASON_CLOSE:
                return self._season(entry)
            case EntryKind.ANCHOR:
                return self._anchor(entry)
            case _:
                assert_never(entry.kind)

    def _group(self, entry: LedgerEntry) -> LedgerEntry:
        if entry.group is None or entry.group in self.standing:
            raise _damaged(f"entry {entry.seq} rates match group g{entry.group} a second time")
        for match in entry.matches:
            for bot in match.bots:
                self.ratings.setdefault(bot, INITIAL)
        again = group_entry(
            self.ratings, seq=entry.seq, group=entry.group, matches=entry.matches, anchors=self.anchors
        )
        self.standing[entry.group] = again
        return again

    def _void(self, entry: LedgerEntry) -> LedgerEntry:
        voided = None if entry.group is None else self.standing.pop(entry.group, None)
        if voided is None:
            raise _damaged(f"entry {entry.seq} takes back match group g{entry.group}, which is not rated")
        later = [mark for mark in self.marks if mark.seq > voided.seq]
        return void_entry(self.ratings, seq=entry.seq, voided=voided, later=later)

    def _season(self, entry: LedgerEntry) -> LedgerEntry:
        current = len(self.final_ratings) + 1
        if entry.season is None or entry.season.number != current:
            raise _damaged(f"entry {entry.seq} does not close season {current}, the current one")
        self.final_ratings[current] = dict(self.ratings)
        again = season_entry(self.ratings, seq=entry.seq, close=entry.season, anchors=self.anchors)
        self.marks.append(again)
        return again

    def _anchor(self, entry: LedgerEntry) -> LedgerEntry:
        anchor = entry.anchor
        if anchor is None or (anchor.rating_milli is None and anchor.bot not in self.anchors):
            raise _damaged(f"entry {entry.seq} releases a bot that is no anchor")
        if anchor.rating_milli is None:
            self.anchors.remove(anchor.bot)
        else:
            self.anchors.add(anchor.bot)
        again = anchor_entry(self.ratings.setdefault(anchor.bot, INITIAL), seq=entry.seq, anchor=anchor)
        self.marks.append(again)
        return again


def _taken_back(change: Change, now: Rating, voided: LedgerEntry, later: Sequence[LedgerEntry]) -> Change:
    left, is_reset = change.delta_milli, False
    for mark in later:
        if mark.season is not None:
            left, is_reset = pulled_delta(left, mark.season.keep_percent), True
        elif mark.anchor is not None and mark.anchor.bot == change.bot:
            left, is_reset = 0, True
    after = replace(now, rating_milli=now.rating_milli - left)
    if not is_reset:  # else neither the information nor the matches of the version go back to that group
        own_matches = sum(match.version_of(change.bot) == now.version for match in voided.matches)
        after = replace(
            after,
            information=max(PRIOR_INFORMATION, now.information - change.information_delta),
            version_matches=max(0, now.version_matches - own_matches),
        )
    return Change(change.bot, change.k, now, after)


def _damaged(what: str) -> DataLossError:
    return DataLossError(
        ErrorReason.STORAGE, f"The rating ledger is damaged: {what}; restore the data folder from a backup."
    )
