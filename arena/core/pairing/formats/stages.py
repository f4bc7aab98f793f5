"""Several formats one after another: pools that play side by side, the best of each advance to the next stage."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.core.pairing.formats.plan import (
    Format,
    History,
    NextRound,
    PlanSize,
    PlayedRound,
    RoundPairing,
    Withdrawal,
)
from arena.core.pairing.formats.progress import BotProgress, ProgressStatus, progress_of
from arena.core.pairing.formats.single_round import check_groups
from arena.core.pairing.formats.table_knockout import snake
from arena.core.pairing.formats.ties import BracketTie, ties_of


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage; its pools play the same format, each by itself, a round of each at the same time."""

    form: Format
    pools: int
    qualifiers: int
    """Of each pool; 0 in the last stage."""


@dataclass(frozen=True, slots=True)
class _Pool:
    number: int
    """0 if it is the only one."""
    history: History
    """Of this pool alone, with its own round numbers."""


@dataclass(frozen=True, slots=True)
class _Progress:
    """Where one stage stands."""

    number: int
    """From 1."""
    stage: Stage
    entrants: tuple[str, ...]
    """Best seed first."""
    pools: tuple[_Pool, ...]
    ended: bool


@dataclass(frozen=True, slots=True)
class Stages:
    """Two or more stages.

    The entrants of a stage are dealt to its pools by a snake draw. Of each pool the best that have not withdrawn
    advance; of bots that share a rank the better seeds. In the next stage the winners of the pools, in their order,
    have the first seeds, then come the second of the pools, and so on.
    """

    stages: tuple[Stage, ...]

    def check(self, entrants: Sequence[str]) -> None:
        """Check that each stage is possible with those that advance to it; see Format."""
        bots, groups = len(entrants), 0
        for number, stage in enumerate(self.stages, start=1):
            for size in _pool_sizes(bots, stage.pools):
                stage.form.check([f"{place}" for place in range(size)])
                groups += stage.form.expected_size(size).matches[0]
                if size < stage.qualifiers:
                    sentence = f"{stage.qualifiers} of each pool of stage {number} advance, but a pool has {size} bots."
                    raise FailedPreconditionError(ErrorReason.TOO_FEW_BOTS, sentence, bots=str(size))
            bots = stage.pools * stage.qualifiers
        check_groups(groups, 1)

    def expected_size(self, entrants: int) -> PlanSize:
        """Return the size; see Format."""
        bots, sizes = entrants, []
        for stage in self.stages:
            pools = [stage.form.expected_size(size) for size in _pool_sizes(bots, stage.pools)]
            sizes.append(
                PlanSize(
                    rounds=(max(each.rounds[0] for each in pools), max(each.rounds[1] for each in pools)),
                    groups=_sum([each.groups for each in pools]),
                    matches=_sum([each.matches for each in pools]),
                )
            )
            bots = stage.pools * stage.qualifiers
        return PlanSize(
            _sum([each.rounds for each in sizes]),
            _sum([each.groups for each in sizes]),
            _sum([each.matches for each in sizes]),
        )

    def next_round(self, history: History) -> NextRound:
        """Return the next round of the stage that is played; see Format."""
        newest = self._progress(history)[-1]
        pairings: list[RoundPairing] = []
        byes: list[str] = []
        for pool in newest.pools:
            following = newest.stage.form.next_round(pool.history)
            pairings.extend(
                replace(each, stage=newest.number, pool=pool.number, bots=_in_order(each.bots, history))
                for each in following.pairings
            )
            byes.extend(following.byes)
        return NextRound(tuple(pairings), _in_order(byes, history))

    def ranking(self, history: History) -> tuple[tuple[str, ...], ...]:
        """Rank by the last stage that a bot has reached, and by its rank there; see Format.

        Bots of the same rank in different pools share theirs, even if their pools are not equally strong.
        """
        ranks: list[tuple[str, ...]] = []
        ranked: set[str] = set()
        for progress in reversed(self._progress(history)):
            pools = [progress.stage.form.ranking(pool.history) for pool in progress.pools]
            for place in range(max(map(len, pools))):
                rank = [bot for pool in pools if place < len(pool) for bot in pool[place]]
                ranks.append(_in_order([bot for bot in rank if bot not in ranked], history))
            ranked.update(progress.entrants)
        ranks.append(tuple(bot for bot in history.entrants if bot not in ranked))
        return tuple(rank for rank in ranks if rank)

    def progress(self, history: History) -> dict[str, BotProgress]:
        """Return the last stage of each entrant, how far it came there, and whether it is eliminated."""
        gone = {each.bot for each in history.withdrawals}
        found = {bot: BotProgress(status=ProgressStatus.OUT) for bot in history.entrants}
        for stage in (reached := self._progress(history)):
            for pool in stage.pools:
                here = progress_of(stage.stage.form, pool.history)
                for bot in pool.history.entrants:
                    own = here.get(bot, BotProgress())
                    is_out = stage.number < len(reached) or own.status is ProgressStatus.OUT or bot in gone
                    status = ProgressStatus.OUT if is_out else ProgressStatus.IN
                    found[bot] = replace(own, status=status, stage=stage.number, pool=pool.number)
        return found

    def ties(self, history: History) -> tuple[BracketTie, ...]:
        """Return the ties of all stages so far that have brackets."""
        return tuple(
            replace(tie, stage=progress.number, pool=pool.number)
            for progress in self._progress(history)
            for pool in progress.pools
            for tie in ties_of(progress.stage.form, pool.history)
        )

    def _progress(self, history: History) -> list[_Progress]:
        """Return the stages that have begun, the newest last; each begins when the one before has ended."""
        reached: list[_Progress] = []
        begun, entrants = 1, history.entered(1)
        for number, stage in enumerate(self.stages, start=1):
            lasted = sum(
                any(played.pairing.stage == number for played in each.pairings) for each in history.rounds
            )
            pools = tuple(
                _Pool(place if stage.pools > 1 else 0, _pool_history(history, bots, begun, lasted))
                for place, bots in enumerate(snake(entrants, stage.pools), start=1)
            )
            begun += lasted
            ended = not any(stage.form.next_round(pool.history).pairings for pool in pools)
            reached.append(_Progress(number, stage, entrants, pools, ended))
            if not ended or number == len(self.stages):
                break
            entrants = _qualifiers(stage, pools, set(history.entered(begun)))
        return reached


def _pool_history(history: History, bots: tuple[str, ...], begun: int, lasted: int) -> History:
    """Return the history of these bots in `lasted` rounds from the one with the number `begun`.

    Rounds in which the pool no longer played are left out.
    """
    members = set(bots)
    rounds: list[PlayedRound] = []
    own_number = {begun - 1: 0}  # by number of the round: how many rounds of the pool there were until then
    for number in range(begun, begun + lasted):
        each = history.rounds[number - 1]
        own = tuple(played for played in each.pairings if members.issuperset(played.pairing.bots))
        byes = tuple(bot for bot in each.byes if bot in members)
        if own or byes:
            rounds.append(PlayedRound(own, byes))
        own_number[number] = len(rounds)
    gone = tuple(
        Withdrawal(each.bot, own_number[each.after_round])
        for each in history.withdrawals
        if each.bot in members
        and each.after_round in own_number  # what comes later changes no stage that has ended
    )
    return History(bots, tuple(rounds), gone, history.secret)


def _qualifiers(stage: Stage, pools: Sequence[_Pool], entered: set[str]) -> tuple[str, ...]:
    """Return who advances, best seed first: all winners of pools, all second ones, and so on."""
    orders = [
        [bot for rank in stage.form.ranking(pool.history) for bot in rank if bot in entered] for pool in pools
    ]
    return tuple(order[place] for place in range(stage.qualifiers) for order in orders if place < len(order))


def _pool_sizes(bots: int, pools: int) -> list[int]:
    return [bots // pools + (place < bots % pools) for place in range(pools)]


def _in_order(bots: Sequence[str], history: History) -> tuple[str, ...]:
    return tuple(sorted(bots, key=history.entrants.index))


def _sum(ranges: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return sum(least for least, _ in ranges), sum(most for _, most in ranges)
