"""`arena log verify --tournament`: the rounds of a tournament recomputed, and forgeries of each kind found."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.log.tournament_proof import Logged, LoggedMatch, TournamentRecords, prove
from arena.cli.log.verification import TournamentVerdict
from arena.codecs.codec import codec_for
from arena.core.match import SeedPolicy, SuitePlace
from arena.core.seeds import match_seed
from arena.core.suites import Suite, parse_suite
from arena.core.tournaments import TournamentFormat
from arena.match_log.checks.check import Status
from arena.scheduling.scheduler import MADE
from arena.store.matches.matches import MatchFilter
from arena.store.store import Transaction
from arena.v1 import match_pb2, tournament_pb2
from arena.wire.game_catalogue import GameCatalogue
from arena.wire.messages.match import match_message
from arena.wire.messages.tournament import TournamentView, pairing_message, round_message, tournament_message
from engine.randomness import commitment
from engine.registry import GAMES
from tests.unit.scheduling.fakes import FakeHost, SchedulingFixture, opened
from tests.unit.scheduling.test_gates import GateFixture
from tests.unit.scheduling.test_rounds import BOTS, RoundsFixture
from tests.unit.scheduling.test_tournaments import SUITE, RunningTournament

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


def statuses(
    records: TournamentRecords, logged: Logged | None = None, suite: Suite | None = None
) -> dict[str, Status]:
    """Return the outcome of each check."""
    return {check.name: check.status for check in prove(records, logged or {}, suite)}


def as_logged(records: TournamentRecords) -> dict[str, LoggedMatch]:
    """Return logs that say what the arena tells of the matches."""
    return {
        match.name: LoggedMatch(
            tuple((seat.bot.removeprefix("bots/"), seat.placing) for seat in match.seats), match.seed
        )
        for match in records.matches
    }


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
    assert statuses(records, {match.name: LoggedMatch(told, b"")})["results"] is Status.OK
    signed = tuple((bot, 3 - placing) for bot, placing in told)
    assert statuses(records, {match.name: LoggedMatch(signed, b"")})["results"] is Status.FAILED


def test_before_its_end_only_results_are_checked(tmp_path: Path) -> None:
    for cup in opened(RoundsFixture(tmp_path)):
        cup.play_round()
        unknown = dict.fromkeys(("secret", "seats", "rounds"), Status.NOT_CHECKED)
        assert statuses(records_of(cup)) == {"results": Status.OK, **unknown}


@pytest.fixture(scope="module")
def played_gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TournamentRecords]:
    """Yield the records of a gate that has ended."""
    for gate in opened(GateFixture(tmp_path_factory.mktemp("gate"))):
        yield _played(gate)


def _played(gate: GateFixture) -> TournamentRecords:
    gate.play_to_the_end()
    return records_of(gate)


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
    assert statuses(gate, as_logged(gate)) == dict.fromkeys(checks, Status.OK)


def test_of_a_gate_on_a_suite_the_entries_are_proven_instead_of_the_seeds(tmp_path: Path) -> None:
    lines = [f"at-{number} {number:064x}" for number in range(1, 13)]
    suite = parse_suite("mine", "\n".join(["game caravan", "seats 2", *lines]))
    (records,) = [_played(gate) for gate in opened(GateFixture(tmp_path, suite=suite))]
    place = {name: each.number - 1 for each in records.pairings for name in each.matches}
    for match in records.matches:
        match.seed = suite.entries[place[match.name]].seed
    logged = {
        name: replace(log, suite=SuitePlace(suite.name, suite.sha256, suite.entries[place[name]].id))
        for name, log in as_logged(records).items()
    }
    checks = ("secret", "results", "seats", "rounds", "suite")
    assert statuses(records, logged, suite) == dict.fromkeys(checks, Status.OK)
    records.matches[-1].seed = suite.entries[place[records.matches[0].name]].seed
    assert statuses(records, logged, suite)["suite"] is Status.FAILED


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
    logged = as_logged(gate)
    name = gate.matches[0].name
    assert statuses(gate, logged | {name: replace(logged[name], seed=bytes(32))})["seeds"] is Status.FAILED


OTHER_SUITE = parse_suite("other", f"{SUITE.text}more {'cd' * 32}\n")
"""It has an entry more, on which no match is played if each pairing has one."""
SEALED, LIVE = tournament_pb2.Tournament.VISIBILITY_SEALED, tournament_pb2.Tournament.VISIBILITY_LIVE
UNSET = tournament_pb2.Tournament.VISIBILITY_UNSPECIFIED
Evidence = tuple[TournamentRecords, dict[str, LoggedMatch]]


@pytest.fixture(scope="module", params=[SeedPolicy.SHARED, SeedPolicy.DERIVED])
def played_on_suite(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Evidence]:
    """Yield records and logs of six matches on a suite of three entries: one for each pairing, or for each match."""
    folder, host = tmp_path_factory.mktemp("suite"), FakeHost(*BOTS[:3])
    for cup in opened(RunningTournament(folder, host, seed_policy=request.param, suite=SUITE)):
        cup.sessions.room = dict.fromkeys(cup.sessions.room, 9)
        while cup.make() is MADE:
            for match in cup.matches():
                cup.db.finish(match.id, 1, 2)
        records = records_of(cup)
        assert len(records.matches) == 6
        entries = {commitment(entry.seed): entry for entry in SUITE.entries}
        played = {each.name: entries[each.seed_commitment] for each in records.matches}
        for each in records.matches:
            each.seed = played[each.name].seed
        yield (
            records,
            {
                name: replace(log, suite=SuitePlace("mine", SUITE.sha256, played[name].id))
                for name, log in as_logged(records).items()
            },
        )


@pytest.fixture
def evidence(played_on_suite: Evidence) -> Evidence:
    """Return a copy, to be forged."""
    return deepcopy(played_on_suite)


def test_matches_on_the_entries_of_the_plan_are_proven_also_before_the_secret(evidence: Evidence) -> None:
    records, logged = evidence
    assert statuses(records, logged, SUITE)["suite"] is Status.OK
    assert statuses(records, {}, SUITE)["suite"] is Status.OK, "the arena tells the seeds, too"
    records.tournament.secret = b""
    assert statuses(records, logged, SUITE)["suite"] is Status.OK


def test_the_verdict_on_a_proof_with_unchecked_parts_is_not_that_on_a_whole_one(
    records: TournamentRecords,
) -> None:
    words = []
    for secret in (records.tournament.secret, b"", bytes(31) + b"x"):
        records.tournament.secret = secret
        words.append(TournamentVerdict("tournaments/cup", prove(records, {})).word)
    assert len(set(words)) == 3


def test_without_its_file_a_suite_is_named_as_not_checked(evidence: Evidence) -> None:
    records, logged = evidence
    assert statuses(records, logged)["suite"] is Status.NOT_CHECKED
    for match in records.matches:
        match.seed = b""
    assert statuses(records, {}, SUITE)["suite"] is Status.NOT_CHECKED, "no seed is known"


def test_only_tournaments_on_a_suite_have_the_check(records: TournamentRecords) -> None:
    assert "suite" not in statuses(records)
    assert statuses(records, {}, SUITE)["suite"] is Status.FAILED


def test_the_file_of_another_suite_refutes(evidence: Evidence) -> None:
    assert statuses(*evidence, OTHER_SUITE)["suite"] is Status.FAILED


def other_told_seed(records: TournamentRecords, logged: dict[str, LoggedMatch]) -> None:
    records.matches[-1].seed = bytes(32)


def other_logged_seed(records: TournamentRecords, logged: dict[str, LoggedMatch]) -> None:
    name = records.matches[-1].name
    logged[name] = replace(logged[name], seed=bytes(32))


def other_entry(records: TournamentRecords, logged: dict[str, LoggedMatch]) -> None:
    """Have a match played on another entry of the suite, with the seed of that."""
    match = records.matches[-1]
    place = logged[match.name].suite
    assert place is not None
    entry = next(each for each in SUITE.entries if each.id != place.entry)
    match.seed = entry.seed
    logged[match.name] = replace(logged[match.name], seed=entry.seed, suite=replace(place, entry=entry.id))


def other_entry_id(records: TournamentRecords, logged: dict[str, LoggedMatch]) -> None:
    """Have a log name another entry than that of its seed."""
    name, log = next(iter(logged.items()))
    assert log.suite is not None
    logged[name] = replace(log, suite=replace(log.suite, entry="none-of-them"))


def pairings_turned(records: TournamentRecords, logged: dict[str, LoggedMatch]) -> None:
    """Tell the pairings in another order, so that the first one has the entry of the second."""
    records.pairings[:2] = reversed(records.pairings[:2])  # type: ignore[index]
    for number, pairing in enumerate(records.pairings, 1):
        pairing.number = number


def pairings_renumbered(records: TournamentRecords, logged: dict[str, LoggedMatch]) -> None:
    """Give the pairings the numbers of other entries."""
    for pairing in records.pairings:
        pairing.number += 1


@pytest.mark.parametrize(
    "forge",
    [other_told_seed, other_logged_seed, other_entry, other_entry_id, pairings_turned, pairings_renumbered],
)
def test_another_entry_or_seed_than_planned_is_found(
    evidence: Evidence, forge: Callable[[TournamentRecords, dict[str, LoggedMatch]], None]
) -> None:
    forge(*evidence)
    assert statuses(*evidence, SUITE)["suite"] is Status.FAILED


@pytest.mark.parametrize("place", [None, SuitePlace("mine", OTHER_SUITE.sha256, "open")])
def test_a_log_that_states_another_suite_is_found_without_its_file(
    evidence: Evidence, place: SuitePlace | None
) -> None:
    records, logged = evidence
    name, log = next(iter(logged.items()))
    assert statuses(records, logged | {name: replace(log, suite=place)})["suite"] is Status.FAILED


def test_logs_of_a_suite_that_the_tournament_does_not_state_are_found(evidence: Evidence) -> None:
    records, logged = evidence
    records.tournament.ClearField("suite")
    assert statuses(records, logged)["suite"] is Status.FAILED
    records.matches.clear()  # type: ignore[attr-defined]
    assert "suite" not in statuses(replace(records, pairings=[]), logged), "logs of other matches say nothing"


@pytest.mark.parametrize("played_on_suite", [SeedPolicy.DERIVED], indirect=True)
def test_the_visibility_of_a_stage_says_whether_a_pairing_has_one_entry(evidence: Evidence) -> None:
    records, logged = evidence
    stage = records.tournament.parameters.stages.add()
    for told, of_stage, status in (
        (SEALED, LIVE, Status.OK),
        (LIVE, SEALED, Status.FAILED),
        (LIVE, UNSET, Status.OK),
        (SEALED, UNSET, Status.FAILED),
    ):
        records.tournament.visibility, stage.visibility = told, of_stage
        assert statuses(records, logged, SUITE)["suite"] is status
