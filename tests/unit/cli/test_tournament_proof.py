"""`arena log verify --tournament`: the rounds of a tournament recomputed, and forgeries of each kind found."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path

import pytest

from arena.cli.log.tournament_proof import TournamentRecords, prove
from arena.codecs.codec import codec_for
from arena.core.seeds import match_seed
from arena.core.tournaments import TournamentFormat
from arena.match_log.checks.check import Status
from arena.store.matches.matches import MatchFilter
from arena.store.store import Transaction
from arena.v1 import match_pb2
from arena.wire.game_catalogue import GameCatalogue
from arena.wire.messages.match import match_message
from arena.wire.messages.tournament import TournamentView, pairing_message, round_message, tournament_message
from engine.registry import GAMES
from tests.unit.scheduling.fakes import SchedulingFixture, opened
from tests.unit.scheduling.test_gates import GateFixture
from tests.unit.scheduling.test_rounds import BOTS, RoundsFixture

CATALOGUE = GameCatalogue(GAMES, codec_for)


def records_of(cup: SchedulingFixture) -> TournamentRecords:
    """Return what an arena tells of the tournament."""

    def read(tx: Transaction) -> TournamentRecords:
        row = tx.tournaments.get(cup.name)
        pairings = tx.pairings.page(cup.name, after=0, limit=99, withdrawals=row.withdrawals)
        matches = tx.matches.page(MatchFilter(tournament=cup.name), before=None, limit=199)
        tournament = tournament_message(TournamentView(row), CATALOGUE, "")
        return TournamentRecords(
            tournament,
            list(map(pairing_message, pairings)),
            list(map(round_message, tx.rounds.page(cup.name, after=0, limit=99))),
            [match_message(match, CATALOGUE) for match in matches],
        )

    return cup.db.store.read(read)


def statuses(records: TournamentRecords, **logged: tuple[tuple[str, int], ...]) -> dict[str, Status]:
    """Return the outcome of each check."""
    return {check.name: check.status for check in prove(records, logged)}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TournamentRecords]:
    """Yield the records of a Swiss that has ended, from which a bot has withdrawn in the second round."""
    for cup in opened(RoundsFixture(tmp_path_factory.mktemp("swiss"), TournamentFormat.SWISS)):
        cup.play_round()
        cup.make()
        cup.withdraw(
            next(bot for each in cup.pairings() if not each.ended and not each.matches for bot in each.bots)
        )
        cup.play_to_the_end()
        yield records_of(cup)


@pytest.fixture
def records(played: TournamentRecords) -> TournamentRecords:
    """Return a copy, to be forged."""
    return deepcopy(played)


def test_a_tournament_that_was_played_as_planned_is_proven(records: TournamentRecords) -> None:
    assert any(each.ended and not each.matches for each in records.pairings)
    assert any(each.byes for each in records.rounds)
    assert statuses(records) == dict.fromkeys(("secret", "results", "seats", "rounds"), Status.OK)


def other_pairing(records: TournamentRecords) -> None:
    """Swap two bots of the second round, and let everything else fit."""
    first, second = [each for each in records.pairings if each.round == 3][:2]
    for pairing in (first, second):
        del pairing.results[:]
        pairing.ended = False
    one, other = first.bots[0], second.bots[0]
    first.bots[0], second.bots[0] = other, one


def other_bye(records: TournamentRecords) -> None:
    bye = records.rounds[0].byes[0]
    records.rounds[0].byes[0] = next(f"bots/{bot}" for bot in BOTS if f"bots/{bot}" != bye)


def other_result(records: TournamentRecords) -> None:
    """Turn the results of a pairing around, with the matches that they follow from."""
    pairing = records.pairings[0]
    scores = [each.score_milli for each in pairing.results]
    assert scores[0] != scores[1]
    for result, score in zip(pairing.results, reversed(scores), strict=True):
        result.score_milli = score
    for match in records.matches:
        if match.name in pairing.matches:
            placings = [seat.placing for seat in match.seats]
            for seat, placing in zip(match.seats, reversed(placings), strict=True):
                seat.placing = placing


def other_score(records: TournamentRecords) -> None:
    records.pairings[0].results[0].score_milli += 1000


def other_seats(records: TournamentRecords) -> None:
    bots = records.pairings[0].bots
    bots[0], bots[1] = bots[1], bots[0]


def other_secret(records: TournamentRecords) -> None:
    records.tournament.secret = bytes(31) + b"x"


def less_withdrawn(records: TournamentRecords) -> None:
    del records.tournament.withdrawals[:]


def ended_early(records: TournamentRecords) -> None:
    """Leave out the last round."""
    last = records.rounds[-1].number
    records.rounds.pop()  # type: ignore[attr-defined]
    records.pairings[:] = [each for each in records.pairings if each.round < last]  # type: ignore[index]


@pytest.mark.parametrize(
    ("forge", "failed"),
    [
        (other_pairing, "rounds"),
        (other_bye, "rounds"),
        (other_result, "rounds"),
        (other_score, "results"),
        (other_seats, "seats"),
        (other_secret, "secret"),
        (less_withdrawn, "rounds"),
        (ended_early, "rounds"),
    ],
)
def test_a_forgery_is_found(
    records: TournamentRecords, forge: Callable[[TournamentRecords], None], failed: str
) -> None:
    forge(records)
    assert statuses(records)[failed] is Status.FAILED


def test_placings_that_differ_from_the_signed_log_are_found(records: TournamentRecords) -> None:
    match = next(each for each in records.matches if each.state == match_pb2.MATCH_STATE_FINISHED)
    told = tuple((seat.bot.removeprefix("bots/"), seat.placing) for seat in match.seats)
    assert statuses(records, **{match.name: told})["results"] is Status.OK
    signed = tuple((bot, 3 - placing) for bot, placing in told)
    assert statuses(records, **{match.name: signed})["results"] is Status.FAILED


def test_before_its_end_only_results_are_checked(tmp_path: Path) -> None:
    for cup in opened(RoundsFixture(tmp_path)):
        cup.play_round()
        unknown = dict.fromkeys(("secret", "seats", "rounds"), Status.NOT_CHECKED)
        assert statuses(records_of(cup)) == {"results": Status.OK, **unknown}


@pytest.fixture(scope="module")
def played_gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TournamentRecords]:
    """Yield the records of a gate that has ended."""
    for gate in opened(GateFixture(tmp_path_factory.mktemp("gate"))):
        gate.play_to_the_end()
        yield records_of(gate)


@pytest.fixture
def gate(played_gate: TournamentRecords) -> TournamentRecords:
    """Return a copy, to be forged; the seeds of its matches are those that follow from the secret."""
    records = deepcopy(played_gate)
    groups = {name: int(each.group[1:]) for each in records.pairings for name in each.matches}
    for match in records.matches:
        match.seed = match_seed(records.tournament.secret, groups[match.name], 0, 0)
    return records


def test_a_gate_that_was_played_as_planned_is_proven_with_its_seeds(gate: TournamentRecords) -> None:
    checks = ("secret", "results", "seats", "rounds", "seeds")
    logged = {match.name: match.seed for match in gate.matches}
    assert {check.name: check.status for check in prove(gate, {}, logged)} == dict.fromkeys(checks, Status.OK)


def other_opponent(records: TournamentRecords) -> None:
    """Have the incumbent play one match of a set-up against another bot than the candidate."""
    match = next(each for each in records.matches if each.seats[0].bot.endswith("incumbent"))
    match.seats[1].bot = next(
        bot for bot in records.tournament.bots[2:] if bot not in [seat.bot for seat in match.seats]
    )


def seats_not_turned(records: TournamentRecords) -> None:
    """Have the candidate play both of its matches of a set-up on the same seat."""
    first = records.pairings[0].matches
    seats = {match.name: match for match in records.matches}
    seats[first[2]].seats[0].bot, seats[first[2]].seats[1].bot = [seat.bot for seat in seats[first[0]].seats]


def another_seed(records: TournamentRecords) -> None:
    records.matches[-1].seed = bytes(32)


def stopped_early(records: TournamentRecords) -> None:
    """Let the gate have been asked to be surer than it was when it stopped."""
    records.tournament.parameters.gate.alpha_milli = 1


@pytest.mark.parametrize(
    ("forge", "failed"),
    [
        (other_opponent, "seats"),
        (seats_not_turned, "seats"),
        (another_seed, "seeds"),
        (stopped_early, "rounds"),
        (other_secret, "secret"),
    ],
)
def test_a_forged_gate_is_found(
    gate: TournamentRecords, forge: Callable[[TournamentRecords], None], failed: str
) -> None:
    forge(gate)
    assert statuses(gate)[failed] is Status.FAILED


def test_a_seed_that_differs_from_the_signed_log_is_found(gate: TournamentRecords) -> None:
    logged = {gate.matches[0].name: bytes(32)}
    found = {check.name: check.status for check in prove(gate, {}, logged)}
    assert found["seeds"] is Status.FAILED
