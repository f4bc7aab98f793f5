"""The rating ledger of a ladder: the append-only entries from which every rating follows, bit for bit."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import assert_never

from arena.core.errors import DataLossError, ErrorReason
from arena.core.finished_match import FinishedMatch
from arena.core.rating.elo import Change, rate_group
from arena.core.rating.rating import INITIAL, PRIOR_INFORMATION, Rating


class EntryKind(Enum):
    """What an entry does."""

    MATCH_GROUP = 1
    """Rates a complete match group."""
    VOID = 2
    """Takes the deltas of an earlier entry back."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One entry: what was rated, and what it changed."""

    seq: int
    """Its place in the ladder's ledger, from 1 without gaps."""
    kind: EntryKind
    group: int
    """The match group that is rated, or whose deltas are taken back."""
    matches: tuple[FinishedMatch, ...]
    """By id; empty in a VOID."""
    changes: tuple[Change, ...]
    """By bot."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What replaying a ledger gave."""

    entries: int
    ratings: Mapping[str, Rating]
    """By bot: all bots that the ledger names."""
    differing: tuple[int, ...]
    """The seq of each entry whose recorded changes are not those that it gives now."""


def group_entry(
    ratings: Mapping[str, Rating], *, seq: int, group: int, matches: Sequence[FinishedMatch]
) -> LedgerEntry:
    """Return the entry that rates a complete group; `ratings`: its bots before it.

    Raises ValueError for matches that cannot be rated together.
    """
    ordered = tuple(sorted(matches, key=lambda match: match.match))
    return LedgerEntry(seq, EntryKind.MATCH_GROUP, group, ordered, rate_group(ratings, ordered))


def void_entry(ratings: Mapping[str, Rating], *, seq: int, voided: LedgerEntry) -> LedgerEntry:
    """Return the entry that reverts the deltas of `voided`; `ratings`: its bots now.

    Later entries keep their deltas. The information stays at least that of a new bot: a new version may have reduced
    it since.
    """
    changes = tuple(_taken_back(change, ratings[change.bot], voided) for change in voided.changes)
    return LedgerEntry(seq, EntryKind.VOID, voided.group, (), changes)


def replay(entries: Iterable[LedgerEntry], taken_back: Collection[int] | None = None) -> Replayed:
    """Compute every rating again from what the entries say was played; recorded changes are only compared.

    `taken_back`: the groups that have a VOID entry, if known beforehand. Then the changes of other groups need not be
    kept in memory. Raises DataLossError: STORAGE, an entry is missing, rates a group a second time, or reverts what is
    not rated.
    """
    ratings: dict[str, Rating] = {}
    standing: dict[int, LedgerEntry | None] = {}
    differing: list[int] = []
    seq = 0
    for seq, entry in enumerate(entries, start=1):
        if entry.seq != seq:
            raise _damaged(f"entry {seq} is missing: entry {entry.seq} stands in its place")
        for match in entry.matches:
            for bot in match.bots:
                ratings.setdefault(bot, INITIAL)
        again = _computed(ratings, entry, standing)
        if taken_back is not None and entry.group not in taken_back:
            standing[entry.group] = None
        if again != entry:
            differing.append(seq)
        ratings.update((change.bot, change.after) for change in again.changes)
    return Replayed(seq, ratings, tuple(differing))


def _computed(
    ratings: Mapping[str, Rating], entry: LedgerEntry, standing: dict[int, LedgerEntry | None]
) -> LedgerEntry:
    """Return the entry as it should be, and update `standing`: the groups rated and not void, by id."""
    match entry.kind:
        case EntryKind.MATCH_GROUP:
            if entry.group in standing:
                raise _damaged(f"entry {entry.seq} rates match group g{entry.group} a second time")
            again = group_entry(ratings, seq=entry.seq, group=entry.group, matches=entry.matches)
            standing[entry.group] = again
            return again
        case EntryKind.VOID:
            voided = standing.pop(entry.group, None)  # None, too, if the group was said not to be taken back
            if voided is None:
                raise _damaged(f"entry {entry.seq} takes back match group g{entry.group}, which is not rated")
            return void_entry(ratings, seq=entry.seq, voided=voided)
        case _:
            assert_never(entry.kind)


def _taken_back(change: Change, now: Rating, voided: LedgerEntry) -> Change:
    own_matches = sum(match.version_of(change.bot) == now.version for match in voided.matches)
    after = replace(
        now,
        rating_milli=now.rating_milli - change.delta_milli,
        information=max(PRIOR_INFORMATION, now.information - change.information_delta),
        version_matches=max(0, now.version_matches - own_matches),
    )
    return Change(change.bot, change.k, now, after)


def _damaged(what: str) -> DataLossError:
    return DataLossError(
        ErrorReason.STORAGE, f"The rating ledger is damaged: {what}; restore the data folder from a backup."
    )
