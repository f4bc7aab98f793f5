"""Tournaments that are planned round by round (docs/tournaments.md), on a real database with bots that are told."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from arena.core.errors import FailedPreconditionError
from arena.core.match import MatchState, SeedPolicy
from arena.core.match_record import MatchRecord
from arena.core.pairing.formats.formats import format_of
from arena.core.pairing.formats.parameters import FormatParameters, StageParameters
from arena.core.pairing.formats.plan import History, NextRound, RoundPairing
from arena.core.pairing.formats.verify import verify_rounds
from arena.core.seeds import seat_order
from arena.core.tournaments import TournamentFormat, TournamentState
from arena.scheduling.rounds import RoundPlanning
from arena.scheduling.scheduler import MADE, NOTHING
from arena.scheduling.tournaments import TournamentMatchmaking
from arena.store.matches.results import MatchReport, ReplacementMatch
from arena.store.store import Transaction
from arena.store.tournaments.pairings import PairingRow
from tests.unit.scheduling.fakes import FakeHost, TournamentFixture, opened
from tests.unit.store.store_fixture import a_commitment, a_result, a_tournament

BOTS: Final = ("ann", "bob", "cid", "dan", "eve")
STRENGTH: Final = {bot: place for place, bot in enumerate(BOTS)}
GROUP: Final = 2
"""Matches of a pairing of two."""

FORMATS: Final[Mapping[TournamentFormat, FormatParameters]] = {
    TournamentFormat.GAUNTLET: FormatParameters(),
    TournamentFormat.SWISS: FormatParameters(rounds=3),
    TournamentFormat.KNOCKOUT: FormatParameters(third_place=True),
    TournamentFormat.DOUBLE_ELIMINATION: FormatParameters(),
}


class RoundsFixture(TournamentFixture):
    """A running tournament of five bots, all with room, of which the first named is the strongest."""

    name = "cup"

    def __init__(
        self,
        folder: Path,
        kind: TournamentFormat = TournamentFormat.KNOCKOUT,
        parameters: FormatParameters | None = None,
        host: FakeHost | None = None,
    ) -> None:
        super().__init__(folder, *BOTS, host=host)
        parameters = FORMATS[kind] if parameters is None else parameters
        cup = a_tournament(self.name, *BOTS)
        row = replace(cup, format=kind, parameters=parameters, rounds=parameters.rounds)
        self.db.store.write(lambda tx: tx.tournaments.add(row))
        self.sessions.room = dict.fromkeys(BOTS, 9)

    def pairings(self) -> tuple[PairingRow, ...]:
        """Return all pairings planned so far."""
        row = self.row()
        return self.db.store.read(
            lambda tx: tx.pairings.page(self.name, after=0, limit=99, withdrawals=row.withdrawals)
        )

    def finish(self, match: MatchRecord) -> None:
        """End a match: the stronger bot wins, except that the weakest beats the strongest."""
        strengths = [
            (-1 if bot == BOTS[-1] and BOTS[0] in match.bots else STRENGTH[bot]) for bot in match.bots
        ]
        self.db.finish(match.id, *(1 + sum(other < mine for other in strengths) for mine in strengths))

    def play_round(self) -> None:
        """Make and end all matches of the round."""
        while self.make() is MADE:
            pass
        for match in self.matches():
            self.finish(match)

    def withdraw(self, bot: str) -> int:
        """Withdraw a bot; return how many of its pairings will not be played."""
        return self.db.store.write(lambda tx: tx.tournaments.withdraw(tx.tournaments.get(self.name), bot, 9))


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[RoundsFixture]:
    yield from opened(RoundsFixture(tmp_path))


@pytest.mark.parametrize("kind", FORMATS)
def test_a_tournament_is_played_to_its_end_and_every_round_can_be_recomputed(
    tmp_path: Path, kind: TournamentFormat
) -> None:
    for cup in opened(RoundsFixture(tmp_path, kind)):
        cup.play_to_the_end()
        row, history = cup.row(), cup.history()
        made = [NextRound(tuple(p.pairing for p in each.pairings), each.byes) for each in history.rounds]
        form = format_of(kind, 2, FORMATS[kind])
        assert verify_rounds(form, history, [*made, NextRound(())]) == []
        assert row.current_round == len(made) > 0
        assert row.pairings == sum(len(each.pairings) for each in made) == len(cup.pairings())
        assert (row.ended_matches, row.unplayed_matches) == (GROUP * row.pairings, 0)
        for pairing in cup.pairings():
            assert pairing.bots == seat_order(row.secret, pairing.group, pairing.bots)


class StagesFixture(RoundsFixture):
    """The groups are live, and the final is sealed: a game with hidden draws, so that only hosted bots play it."""

    parameters = FormatParameters(
        stages=(
            StageParameters(TournamentFormat.SWISS, FormatParameters(rounds=1), qualifiers=2),
            StageParameters(TournamentFormat.KNOCKOUT, seed_policy=SeedPolicy.SHARED),
        )
    )

    def __init__(self, folder: Path) -> None:
        host = FakeHost(*BOTS)
        super().__init__(folder, TournamentFormat.STAGES, self.parameters, host)


def test_each_stage_has_the_seeds_that_it_asks_for(tmp_path: Path) -> None:
    for cup in opened(StagesFixture(tmp_path)):
        cup.play_round()
        made = cup.db.store.read(lambda tx: [tx.matches.get(match) for match in (1, 2, 3, 4)])
        assert {match.seed_policy for match in made} == {SeedPolicy.DERIVED}
        assert len({match.seed_commitment for match in made}) == 4
        assert cup.make() is MADE, "the finalists are hosted"
        final = cup.matches()
        assert {match.seed_policy for match in final} == {SeedPolicy.SHARED}
        assert len({match.seed_commitment for match in final}) == 1
        assert [(each.stage, each.seed_policy) for each in cup.pairings()] == [
            (1, SeedPolicy.DERIVED),
            (1, SeedPolicy.DERIVED),
            (2, SeedPolicy.SHARED),
        ]


def test_a_sealed_stage_waits_for_the_arena_to_run_its_bots_and_a_live_one_does_not(tmp_path: Path) -> None:
    for cup in opened(StagesFixture(tmp_path)):
        cup.host.versions.clear()
        cup.play_round()
        assert [each.ended for each in cup.pairings()] == [True, True]
        assert cup.make() is NOTHING
        assert cup.tournaments.waiting_for("cup") == "none of its bots is run by the arena"


@pytest.mark.parametrize("kind", FORMATS)
def test_a_restart_at_any_step_changes_no_pairing(tmp_path: Path, kind: TournamentFormat) -> None:
    """Matches are made, rounds planned and the end found, each by an arena that has just begun."""
    found = []
    for restarts in (False, True):
        folder = tmp_path / str(restarts)
        folder.mkdir()
        for cup in opened(RoundsFixture(folder, kind)):
            cup.play_to_the_end(restarts=restarts)
            found.append(cup.pairings())
    assert found[0] == found[1] != ()


def test_the_next_round_is_planned_only_when_all_pairings_of_the_newest_have_ended(
    cup: RoundsFixture,
) -> None:
    cup.make()
    assert (cup.row().current_round, [each.round for each in cup.pairings()]) == (1, [1])
    cup.make()
    first, second = cup.matches()
    cup.finish(first)
    assert (cup.make(), cup.row().current_round) == (NOTHING, 1)
    cup.finish(second)
    assert (cup.make(), cup.row().current_round) == (MADE, 2)


def test_a_round_is_not_stored_if_a_bot_has_withdrawn_meanwhile(cup: RoundsFixture) -> None:
    class Meanwhile:
        """A format, while whose round is planned a bot withdraws."""

        def __init__(self) -> None:
            self.asked = 0

        def next_round(self, history: History) -> NextRound:
            self.asked += 1
            if self.asked == 1:
                cup.withdraw("eve")
            bots = history.entered(len(history.rounds) + 1)
            return NextRound((RoundPairing((bots[0], bots[-1])),))

    form = Meanwhile()
    cup.tournaments = TournamentMatchmaking(cup.database, cup.room, lambda *_: form)  # type: ignore[arg-type]
    assert (cup.make(), cup.pairings()) == (NOTHING, ())
    assert (cup.make(), form.asked) == (MADE, 2)
    assert [set(each.bots) for each in cup.pairings()] == [{"ann", "dan"}]


def test_a_round_that_was_planned_twice_is_stored_once(cup: RoundsFixture) -> None:
    """As after a crash between planning and storing, or by two that plan at once."""
    import asyncio

    async def twice() -> list[bool]:
        before = cup.row()
        planning = RoundPlanning(cup.database, format_of)
        return [await planning.plan_next(before), await planning.plan_next(before)]

    assert asyncio.run(twice()) == [True, False]
    assert cup.row().current_round == 1


def test_a_paused_tournament_plans_nothing(cup: RoundsFixture) -> None:
    cup.db.store.write(lambda tx: tx.tournaments.set_state("cup", TournamentState.PAUSED))
    assert (cup.make(), cup.pairings()) == (NOTHING, ())


def test_a_bot_that_withdraws_before_the_first_round_is_in_none(cup: RoundsFixture) -> None:
    assert cup.withdraw("ann") == 0
    cup.play_to_the_end()
    assert all("ann" not in each.bots for each in cup.pairings())
    assert cup.row().withdrawals[0].after_round == 0


def test_pairings_of_a_bot_that_withdraws_end_as_walkovers_if_nothing_of_them_was_made(
    tmp_path: Path,
) -> None:
    for cup in opened(RoundsFixture(tmp_path, TournamentFormat.SWISS)):
        cup.make()  # the first pairing; the other is planned only
        planned = next(each for each in cup.pairings() if not each.matches)
        leaver, other = planned.bots
        assert cup.withdraw(leaver) == 1
        ended = next(each for each in cup.pairings() if each.number == planned.number)
        assert (ended.ended, ended.matches) == (True, ())
        assert ended.played is not None
        assert (ended.played.pairs, ended.played.absent) == ((0, 0), (True, False))
        assert (cup.row().ended_matches, cup.row().unplayed_matches) == (GROUP, GROUP)
        cup.play_to_the_end()
        later = [each for each in cup.pairings() if each.round > 1]
        assert later
        assert all(leaver not in each.bots for each in later)
        ranked = [
            bot
            for equals in format_of(TournamentFormat.SWISS, 2, FORMATS[TournamentFormat.SWISS]).ranking(
                cup.history()
            )
            for bot in equals
        ]
        assert sorted(ranked) == sorted(BOTS)
        assert ranked.index(other) < ranked.index(leaver)


def test_a_withdrawal_stops_matches_that_are_just_being_made(cup: RoundsFixture) -> None:
    """The withdrawal is stored between the look that makes the matches and their storing."""
    import asyncio

    from tests.unit.scheduling.fakes import planning

    async def turn() -> None:
        now = await planning(cup.database, cup.room, cup.supplier)
        assert await cup.supplier.make("cup", now, first=True, held=frozenset()) is MADE
        cup.withdraw(cup.pairings()[0].bots[0])
        await now.store(cup.database)

    asyncio.run(turn())
    assert cup.matches() == []
    assert cup.pairings()[0].ended


def test_bots_that_never_came_are_absent_and_the_round_goes_on(cup: RoundsFixture) -> None:
    cup.make()
    cup.make()
    absent = cup.matches()[0].bots[0]
    for match in cup.matches():
        result = a_result(0, 0, state=MatchState.NO_CONTEST, absent=match.bots.index(absent))
        cup.db.report(MatchReport(match.id, result, None, ""))
    played = cup.pairings()[0].played
    assert played is not None
    assert played.pairs == (0, 0)
    assert dict(zip(cup.pairings()[0].bots, played.absent, strict=True))[absent]
    assert sum(played.absent) == 1
    assert cup.make() is MADE
    assert cup.row().current_round == 2
    assert all(absent not in each.bots for each in cup.pairings()[1:])


def test_a_void_match_that_waits_for_the_organiser_holds_the_next_round_up(cup: RoundsFixture) -> None:
    cup.make()
    first, second = cup.matches()
    cup.finish(first)
    replay = cup.db.abort(second.id, ReplacementMatch(1, a_commitment("again"))).replay
    assert replay is not None
    cup.db.abort(replay, None)
    assert (cup.make(), cup.row().current_round) == (NOTHING, 1)
    assert "left to the organiser" in cup.tournaments.waiting_for("cup")
    cup.db.store.write(lambda tx: tx.rulings.void(tx.matches.get(replay), "the host failed", 99))
    assert (cup.make(), cup.row().current_round) == (MADE, 2)


def test_a_match_from_which_a_round_was_planned_cannot_be_made_void(cup: RoundsFixture) -> None:
    cup.make()
    first, second = cup.matches()

    def cheat(number: int, tx: Transaction) -> None:
        tx.rulings.void(tx.matches.get(number), "a cheat", 99)

    change = cup.db.store.write
    cup.finish(first)
    cup.finish(second)
    change(partial(cheat, first.id))  # nothing follows from it yet
    assert (cup.make(), cup.row().current_round) == (MADE, 2)
    with pytest.raises(FailedPreconditionError, match="was planned from its result"):
        change(partial(cheat, second.id))
    cup.play_to_the_end()
    last = cup.pairings()[-1].matches[0]
    with pytest.raises(FailedPreconditionError, match="was planned from its result"):
        change(partial(cheat, last))


def test_open_matches_of_a_bot_are_those_that_were_made_and_have_not_ended(cup: RoundsFixture) -> None:
    def still_open() -> tuple[int, ...]:
        return cup.db.store.read(lambda tx: tx.tournaments.open_matches(cup.name, BOTS[-1]))

    assert still_open() == ()
    while cup.make() is MADE:
        pass
    own = [match for match in cup.matches() if BOTS[-1] in match.bots]
    assert still_open() == tuple(match.id for match in own)
    assert len(own) == GROUP
    cup.finish(own[0])
    assert still_open() == tuple(match.id for match in own[1:])
