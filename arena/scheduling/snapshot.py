"""What the database holds for one look of the scheduler: one read transaction, so all of it is of one moment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.core.match import MatchState
from arena.core.match_record import MatchRecord
from arena.core.pairing.matchmaker import RECENT_GROUPS
from arena.scheduling.isolation import is_isolated
from arena.store.ladders.entries import Contender
from arena.store.ladders.ladders import LadderRow
from arena.store.matches.groups import GroupSecret
from arena.store.matches.open_matches import OpenMatch
from arena.store.store import Transaction
from arena.store.tournaments.tournaments import TournamentRow


@dataclass(frozen=True, slots=True)
class StoredLadder:
    """What is stored of a ladder."""

    ladder: LadderRow
    entries: tuple[Contender, ...]
    """Those that may be paired."""
    recent: Sequence[tuple[str, ...]]
    """The bots of its newest groups, newest first."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is open and what is running."""

    matches: Sequence[OpenMatch]
    """Those of the whole arena, oldest first."""
    ladders: Sequence[StoredLadder]
    """Those that are running, by id."""
    tournaments: Sequence[TournamentRow]
    """Likewise."""
    begun: frozenset[int]
    """The match groups of these matches of which something has begun."""
    played: Mapping[int, Mapping[str, str]]
    """By isolated group with a match that is not decided: the versions of its bots that have begun matches."""


@dataclass(frozen=True, slots=True)
class SeatableMatch:
    """What the match manager needs to seat a match."""

    match: MatchRecord
    secret: GroupSecret
    versions: Mapping[str, str]
    """Of bots whose seats were forfeited before, or that win without play: those that have played the group, or else
    the newest."""


def read_snapshot(tx: Transaction) -> Snapshot:
    """Return what is stored now."""
    matches = tx.open_matches.all()
    running = {match.group for match in matches if match.state is MatchState.RUNNING}
    pending = {match.group for match in matches} - running
    return Snapshot(
        matches=matches,
        ladders=tuple(stored_ladder(tx, ladder) for ladder in tx.ladders.running()),
        tournaments=tx.tournaments.running(),
        begun=tx.open_matches.begun(pending) | running,
        played=versions_played(tx, [match for match in matches if not match.decided]),
    )


def stored_ladder(tx: Transaction, ladder: LadderRow) -> StoredLadder:
    """Return the ladder with its entries and newest groups."""
    recent = [group.bots for group in tx.groups.recent(ladder.id, RECENT_GROUPS)]
    return StoredLadder(ladder, tx.entries.active(ladder.id), recent)


def versions_played(tx: Transaction, matches: Sequence[OpenMatch]) -> Mapping[int, Mapping[str, str]]:
    """Return, by isolated group of these matches: the versions of their bots that have begun matches."""
    isolated = {match.group for match in matches if is_isolated(match.game, match.seed_policy)}
    return tx.open_matches.versions_played(isolated)


def seatable(tx: Transaction, matches: Mapping[int, int]) -> list[SeatableMatch]:
    """Return those of these matches (with their groups) whose seeds are not given by hand, in the same order."""
    rows = tx.matches.several(matches)
    secrets = tx.groups.secrets_of(set(matches.values()))
    forfeited = [match for match in rows if any(seat.ending is not None for seat in match.seats)]
    played = tx.open_matches.versions_played({match.group for match in forfeited})
    bots = {bot for match in forfeited for bot in match.bots}
    newest = {bot: versions[0].label for bot, versions in tx.bots.newest_versions(sorted(bots), 1).items()}
    return [
        SeatableMatch(
            match,
            secrets[match.group],
            {**dict.fromkeys(bots, ""), **newest, **played.get(match.group, {})},
        )
        for match in rows
        if match.group in secrets
    ]
