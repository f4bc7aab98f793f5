"""Rulings of the organiser: a void match is played again, or a match is made void and its rating taken back."""

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.core.match import MatchState
from arena.core.match_record import MatchRecord
from arena.core.rating.ledger import void_entry
from arena.store.ladders.entries import count_seats, rated_matches
from arena.store.matches.groups import Groups
from arena.store.matches.results import ReplacementMatch, Results


class Rulings(Results):
    """Where the organiser has the last word."""

    def replay(self, match: MatchRecord, replay: ReplacementMatch, now_us: int) -> int:
        """Store the match that is played instead of a void one, in its slot of the group; return its id.

        Raises FailedPreconditionError: MATCH_STATE, the match is not left to the organiser.
        """
        if not match.left_to_organiser:
            raise _refused(match, "played again", "only a void match that is left to the organiser can be")
        return self.add_replay(match, replay, now_us)

    def void(self, match: MatchRecord, reason: str, now_us: int) -> tuple[int, ...]:
        """Make the match void for good; its group continues without it.

        Returns the matches that had changed ratings and do not any more, itself among them; none if nothing had.

        If the group was rated, its deltas are taken back from the ratings, and its matches from the counters. On a solo
        ladder bots do not meet, so only the match itself is taken back. Final standings of closed seasons stay: of a
        group of theirs only what is left of its deltas is taken back.
        `reason`: for people, without a full stop.

        Raises FailedPreconditionError: MATCH_STATE, it has no result and is not left to the organiser either, or a
            round of its tournament was planned from its result.
        """
        finished = match.state is MatchState.FINISHED
        if not (finished or match.left_to_organiser):
            raise _refused(match, "made void", "only a finished match, or one left to the organiser, can be")
        if match.terms.tournament is not None and self._tournaments.was_planned_from(match.group):
            rule = "the next round of its tournament was planned from its result, and no pairing changes afterwards"
            raise _refused(match, "made void", rule)
        before = self._matches.of_group(match.group)
        self._matches.void(match.id, _words(match, reason), now_us)
        if finished and match.terms.ladder is not None:
            self._ladders.count_finished(match.terms.ladder, -1)
        if match.terms.tournament is not None:
            self._tournaments.count(match.terms.tournament, ended=not finished, unplayed=True)
        if match.group_complete:
            self._export_order.move_to_end(match)
        if match.group_complete and match.terms.ladder is not None:
            return self._take_back(match.terms.ladder, match, before, now_us)
        if not match.group_complete:
            self.close_group(match, now_us)
        return ()

    def _take_back(
        self, ladder: str, match: MatchRecord, matches: tuple[MatchRecord, ...], now_us: int
    ) -> tuple[int, ...]:
        """Take back what the match's group has changed. `matches`: its matches when it was complete."""
        row = self._ladders.get(ladder)
        is_current = Groups(self._connection).season_of(match.group) == row.season
        if row.solo:
            if is_current:
                self._solo_boards.take_back(ladder, matches, match.id)
            return ()
        voided = self._ledger.in_force(ladder, match.group)
        if voided is None:
            return ()
        bots = [change.bot for change in voided.changes]
        entries = self._entries.of_bots(ladder, bots)
        seq = self._ladders.next_ledger_seq(ladder)
        ratings = {each.bot: each.rating for each in entries}
        later = self._ledger.marks(ladder, after=voided.seq)
        entry = void_entry(ratings, seq=seq, voided=voided, later=later)
        self._ledger.append(ladder, entry, now_us)
        for change in entry.changes:
            self._entries.set_rating(ladder, change.bot, change.after)
        for before in entries if is_current else ():
            counts = count_seats(before.bot, rated_matches(matches))
            self._entries.take_back_counts(before, counts)
        return tuple(each.id for each in rated_matches(matches))


def _words(match: MatchRecord, reason: str) -> str:
    """Return why the match is void: what was known before, and what the organiser says."""
    ruling = f"Void by the organiser: {reason.rstrip('.')}."
    return f"{match.void_reason} {ruling}".lstrip()


def _refused(match: MatchRecord, what: str, rule: str) -> FailedPreconditionError:
    state = match.state.name
    if match.replayed_as is not None:
        state = f"{state} and replayed as match {match.replayed_as}"
    elif match.state is MatchState.ABORTED:
        state = f"{state} for good"
    return FailedPreconditionError(
        ErrorReason.MATCH_STATE,
        f"Match {match.id} cannot be {what}: {rule}, and it is {state}; `arena match show {match.id}` tells more.",
        match=str(match.id),
    )
