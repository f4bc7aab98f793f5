"""The knockout of more than two seats: from each table the best advance, until one table is left, the final."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from arena.core.pairing.formats.plan import Bracket, History, NextRound, PlanSize, PlayedPairing, RoundPairing
from arena.core.pairing.formats.progress import BotProgress, bracket_progress
from arena.core.pairing.formats.single_round import check_enough, check_groups
from arena.core.pairing.formats.ties import EXTRA_GROUPS, BracketTie, TieResult, decide, tie_points


@dataclass(slots=True)
class _Table:
    number: int
    bracket: Bracket
    level: int
    bots: tuple[str, ...]
    """Best seed first."""
    groups: list[PlayedPairing] = field(default_factory=list)
    result: TieResult | None = None
    due: int = 0
    """Groups to be played next."""


@dataclass(slots=True)
class _State:
    seeds: tuple[str, ...]
    still_in: list[str]
    """Best seed first."""
    level: int = 0
    tables: list[_Table] = field(default_factory=list)
    """Of all levels."""
    byes: list[str] = field(default_factory=list)
    """Of this level."""
    had_bye: dict[str, int] = field(default_factory=dict)
    """The number of byes of each bot."""
    out: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Level and place at the table by which a bot was eliminated."""
    fresh: bool = False
    """Whether this level begins now."""
    ended: bool = False

    def open_tables(self) -> list[_Table]:
        return [table for table in self.tables if table.result is None]


@dataclass(frozen=True, slots=True)
class TableKnockout:
    """As many full tables as there are bots for; the remaining bots, best seeds first, have a bye.

    From each table `advance` bots do. If fewer bots than seats are left for the next table, the best of those that
    were eliminated last fill it.
    """

    seats: int
    best_of: int = 1
    advance: int = 1

    def check(self, entrants: Sequence[str]) -> None:
        """Check that there is a final; see Format."""
        check_enough(len(entrants), self.seats, f"A knockout of {self.seats} seats")
        check_groups(sum(self._tables(len(entrants))) * self.best_of, self.seats)

    def expected_size(self, entrants: int) -> PlanSize:
        """Return the size; see Format."""
        levels = self._tables(entrants)
        least, most = self.best_of // 2 + 1, self.best_of + EXTRA_GROUPS
        return PlanSize(
            rounds=(len(levels), len(levels) * (most - least + 1)),
            groups=(sum(levels) * least, sum(levels) * most),
            matches=(sum(levels) * least * self.seats, sum(levels) * most * self.seats),
        )

    def next_round(self, history: History) -> NextRound:
        """Return the groups of the tables that are undecided; see Format."""
        state = self._state(history)
        entry = {bot: place for place, bot in enumerate(history.entrants)}
        pairings = tuple(
            RoundPairing(
                tuple(sorted(table.bots, key=entry.__getitem__)),
                bracket=table.bracket,
                table=table.number,
                game=len(table.groups) + game,
            )
            for table in state.open_tables()
            for game in range(1, table.due + 1)
        )
        byes = sorted(state.byes, key=entry.__getitem__) if pairings and state.fresh else ()
        return NextRound(pairings, tuple(byes))

    def ranking(self, history: History) -> tuple[tuple[str, ...], ...]:
        """Rank by how far a bot has come, then by the place at its table; bots still in share the first rank.

        The final ranks all its bots. Who withdrew before the first round comes last.
        """
        state = self._state(history)
        still_in = tuple(bot for bot in state.seeds if bot not in state.out)
        exits = sorted(set(state.out.values()), key=lambda each: (-each[0], each[1]))
        ranks = [
            still_in,
            *(tuple(bot for bot in state.seeds if state.out.get(bot) == each) for each in exits),
        ]
        ranks.append(tuple(bot for bot in history.entrants if bot not in set(state.seeds)))
        return tuple(rank for rank in ranks if rank)

    def progress(self, history: History) -> dict[str, BotProgress]:
        """Return the newest table of each entrant, a bye counted as one, and whether it is eliminated."""
        state = self._state(history)
        reached = {bot: (table.bracket, table.level) for table in state.tables for bot in table.bots}
        reached |= dict.fromkeys(state.byes, (Bracket.WINNERS, state.level))
        return bracket_progress(history, reached, state.out)

    def ties(self, history: History) -> tuple[BracketTie, ...]:
        """Return the tables so far."""
        return tuple(
            BracketTie(
                number=table.number,
                bracket=table.bracket,
                level=table.level,
                bots=table.bots,
                points_milli=tuple(tie_points(table.bots, table.groups).values()),
                groups=len(table.groups),
                result=table.result,
                advance=1 if table.bracket is Bracket.FINAL else self.advance,
            )
            for table in self._state(history).tables
        )

    def _tables(self, entrants: int) -> list[int]:
        """Return the number of tables of each level."""
        levels = []
        while entrants > self.seats:
            levels.append(entrants // self.seats)
            entrants = max(self.seats, entrants - levels[-1] * (self.seats - self.advance))
        return [*levels, 1]

    def _state(self, history: History) -> _State:
        """Return the state after all rounds, each settled by those who had withdrawn by then."""
        seeds = history.entered(1)
        state = _State(seeds, list(seeds))
        for number in range(1, len(history.rounds) + 2):
            state.fresh = False
            self._settle(state, set(history.entered(number)))
            if number <= len(history.rounds):
                tables = {(table.bracket, table.number): table for table in state.tables}
                for played in history.rounds[number - 1].pairings:
                    tables[played.pairing.bracket, played.pairing.table].groups.append(played)
        return state

    def _settle(self, state: _State, entered: Collection[str]) -> None:
        while not state.ended:
            for table in state.open_tables():
                final = table.bracket is Bracket.FINAL
                outcome = decide(
                    table.bots,
                    table.groups,
                    entered,
                    best_of=self.best_of,
                    advance=1 if final else self.advance,
                )
                if isinstance(outcome, TieResult):
                    table.result = outcome
                else:
                    table.due = outcome
            if state.open_tables():
                return
            self._close_level(state)
            if not state.ended:
                self._open_level(state, entered)

    def _close_level(self, state: _State) -> None:
        going_on = set(state.byes)
        for table in state.tables:
            if table.level == state.level and table.result is not None:
                last = table.bracket is Bracket.FINAL
                state.ended = state.ended or last
                advance = 1 if last else self.advance
                going_on.update(table.result.order[:advance])
                for place, bot in enumerate(table.result.order[advance:], start=advance + 1):
                    state.out[bot] = (state.level, place)
        if state.level:
            state.still_in = [bot for bot in state.seeds if bot in going_on]

    def _open_level(self, state: _State, entered: Collection[str]) -> None:
        for bot in state.still_in:
            if bot not in entered:
                state.out[bot] = (state.level, self.seats + 1)
        bots = [bot for bot in state.still_in if bot in entered]
        seed = {bot: place for place, bot in enumerate(state.seeds)}
        latest = sorted(
            (bot for bot in state.out if bot in entered),
            key=lambda bot: (-state.out[bot][0], state.out[bot][1], seed[bot]),
        )
        for bot in latest[: max(0, self.seats - len(bots))]:
            del state.out[bot]
            bots.append(bot)
        bots.sort(key=seed.__getitem__)
        state.still_in = bots
        if len(bots) < self.seats:
            state.byes, state.ended = [], True
            return
        state.level += 1
        state.fresh = True
        order = sorted(bots, key=lambda bot: (state.had_bye.get(bot, 0), seed[bot]))
        state.byes = order[: len(bots) % self.seats]
        for bot in state.byes:
            state.had_bye[bot] = state.had_bye.get(bot, 0) + 1
        playing = [bot for bot in bots if bot not in set(state.byes)]
        tables = snake(playing, len(playing) // self.seats)
        final = len(bots) == self.seats
        number = 0 if final else len(state.tables)
        bracket = Bracket.FINAL if final else Bracket.WINNERS
        state.tables.extend(
            _Table(number + place, bracket, state.level, bots_of)
            for place, bots_of in enumerate(tables, start=1)
        )


def snake(bots: Sequence[str], tables: int) -> list[tuple[str, ...]]:
    """Deal bots, best first, to so many tables: to table 1, 2, ... and then back, so that tables are equally strong."""
    dealt: list[list[str]] = [[] for _ in range(tables)]
    for place, bot in enumerate(bots):
        turn, at = divmod(place, tables)
        dealt[at if turn % 2 == 0 else tables - 1 - at].append(bot)
    return [tuple(each) for each in dealt]
