"""The proof of a tournament: every round, pairing, bye and seat recomputed from results and the revealed secret."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.match_data import find_matches
from arena.core.errors import ArenaError
from arena.core.match import SuitePlace
from arena.core.pairing.formats.formats import format_of
from arena.core.pairing.formats.plan import (
    Bracket,
    History,
    NextRound,
    PlayedPairing,
    PlayedRound,
    RoundPairing,
    Withdrawal,
)
from arena.core.pairing.formats.played import GroupMatch, played_pairing
from arena.core.pairing.formats.verify import verify_rounds
from arena.core.pairing.groups import set_up_seats
from arena.core.pairing.round_robin import round_robin
from arena.core.seeds import SECRET_BYTES, match_seed, rotated, seat_order, secret_commitment
from arena.core.suites import Suite
from arena.core.tournaments import PLANNED_AT_ONCE, TournamentFormat
from arena.drawings.wording import counted
from arena.match_log.checks.check import Check, Status, not_checked
from arena.v1 import ending_pb2, match_pb2, tournament_pb2
from arena.wire.messages.tournament_format import parameters_of
from arena.wire.wording import short

SECRET: Final = "secret"
SEATS: Final = "seats"
RESULTS: Final = "results"
ROUNDS: Final = "rounds"
SEEDS: Final = "seeds"
"""Of a gate: that both versions have played each set-up on one seed."""
SUITE: Final = "suite"
"""Of a tournament on a suite: that each match was played on the entry that the plan gives it."""

_UNREVEALED: Final = "The secret of the tournament is published when it is over."


@dataclass(frozen=True, slots=True)
class LoggedMatch:
    """What the signed log of a match says."""

    placings: tuple[tuple[str, int], ...]
    """The bots with their placings, by seat."""
    seed: bytes
    suite: SuitePlace | None = None
    """The entry that it was played on."""


Logged = Mapping[str, LoggedMatch]
"""By match, "matches/{match}": those whose logs were verified."""


@dataclass(frozen=True, slots=True)
class TournamentRecords:
    """What an arena tells of a tournament."""

    tournament: tournament_pb2.Tournament
    pairings: Sequence[tournament_pb2.Pairing]
    rounds: Sequence[tournament_pb2.Round]
    matches: Sequence[match_pb2.Match]

    @classmethod
    def of(cls, arena: ArenaClient, name: str) -> "TournamentRecords":
        """Ask the arena for a tournament, "tournaments/{tournament}"."""
        request = tournament_pb2.GetTournamentRequest(name=name)
        pairings = tournament_pb2.ListPairingsRequest(name=name)
        rounds = tournament_pb2.ListRoundsRequest(name=name)
        return cls(
            arena.tournaments.GetTournament(request).tournament,
            fetch_all(arena.tournaments.ListPairings, pairings).pairings,
            fetch_all(arena.tournaments.ListRounds, rounds).rounds,
            find_matches(arena, match_pb2.ListMatchesRequest(tournament=name), limit=0).matches,
        )


def prove(records: TournamentRecords, logged: Logged, suite: Suite | None = None) -> tuple[Check, ...]:
    """Check a tournament. `suite`: the one that it is said to be played on; None if it is not known."""
    results, suites = _check_results(records, logged), _check_suite(records, logged, suite)
    return (*_check_by_secret(records, logged, results), *suites)


def _check_by_secret(records: TournamentRecords, logged: Logged, results: Check) -> tuple[Check, ...]:
    """Return the checks that need the secret, with that of the results in its place."""
    tournament = records.tournament
    derived = tournament.format == TournamentFormat.GATE.value and not tournament.suite.sha256
    others = (SEATS, ROUNDS, *([SEEDS] if derived else []))
    if not tournament.secret:
        rest = tuple(not_checked(name, _UNREVEALED) for name in others)
        return (not_checked(SECRET, _UNREVEALED), results, *rest)
    if (
        len(tournament.secret) != SECRET_BYTES
        or secret_commitment(tournament.secret) != tournament.secret_commitment
    ):
        sentence = "The secret is not the one that the tournament is committed to."
        rest = tuple(not_checked(name, sentence) for name in others)
        return (Check(SECRET, Status.FAILED, sentence), results, *rest)
    secret = Check(SECRET, Status.OK, "The secret is the one that was committed to before the first round.")
    checks = secret, results, _check_seats(records), _check_rounds(records)
    return (*checks, _check_seeds(records, logged)) if derived else checks


def _check(name: str, flaws: Iterable[str], sentence: str) -> Check:
    flaw = next(iter(flaws), "")
    return Check(name, Status.FAILED, flaw) if flaw else Check(name, Status.OK, sentence)


def _check_results(records: TournamentRecords, logged: Logged) -> Check:
    """Check that the pairings came to what their matches say, and the matches to what their logs say."""

    def flaws() -> Iterable[str]:
        for match in records.matches:
            placings = tuple((short(seat.bot), seat.placing) for seat in match.seats)
            log = logged.get(match.name)
            if log is not None and _is_finished(match) and log.placings != placings:
                yield f"The arena tells other placings of match {short(match.name)} than its log."
        for pairing, played in zip(records.pairings, _played(records), strict=True):
            told = tuple((each.score_milli, each.pairs, each.absent) for each in pairing.results)
            recomputed = tuple(zip(played.score_milli, played.pairs, played.absent, strict=True))
            if pairing.ended and told != recomputed:
                yield f"Pairing {pairing.number} came to something else than its matches say."

    return _check(
        RESULTS, flaws(), f"{counted(len(records.pairings), 'pairing')} came to what their matches say."
    )


def _check_seats(records: TournamentRecords) -> Check:
    """Check that the seats of each pairing and each match follow from the secret."""
    matches = {match.name: match for match in records.matches}

    def flaws() -> Iterable[str]:
        for pairing in records.pairings:
            bots = tuple(map(short, pairing.bots))
            planned = _planned_seats(records.tournament, bots)
            group = pairing.group.removeprefix("g")
            if not group.isdecimal() or bots != seat_order(records.tournament.secret, int(group), bots):
                yield f"The seats of pairing {pairing.number} do not follow from the secret."
            for slot, name in enumerate(pairing.matches):
                seats = tuple(short(seat.bot) for seat in matches[name].seats) if name in matches else ()
                if slot >= len(planned) or seats != planned[slot]:
                    yield f"Match {short(name)} of pairing {pairing.number} has other seats than planned."

    return _check(SEATS, flaws(), "The seats of all pairings follow from the secret.")


def _check_seeds(records: TournamentRecords, logged: Logged) -> Check:
    """Check that the matches of each set-up of a gate have the seed that follows from the secret."""
    matches = {match.name: match for match in records.matches}

    def flaws() -> Iterable[str]:
        for pairing in records.pairings:
            group = pairing.group.removeprefix("g")
            planned = match_seed(records.tournament.secret, int(group), 0, 0) if group.isdecimal() else b""
            for name in pairing.matches:
                if any(seed != planned for seed in _known_seeds(name, matches, logged)):
                    yield f"Match {short(name)} has another seed than the set-up of pairing {pairing.number}."

    return _check(SEEDS, flaws(), "All matches of a set-up have its seed, which follows from the secret.")


def _check_suite(records: TournamentRecords, logged: Logged, suite: Suite | None) -> tuple[Check, ...]:
    """Check that each match has seed and entry of its place in the suite; nothing if nothing speaks of a suite."""
    stated = records.tournament.suite
    logs = {match.name: logged[match.name] for match in records.matches if match.name in logged}
    if not stated.sha256 and suite is None and not any(log.suite for log in logs.values()):
        return ()
    if flaw := next(_flaws_of_statements(stated.sha256.hex(), logs, suite), ""):
        return (Check(SUITE, Status.FAILED, flaw),)
    if suite is None:
        why = f"The suite {stated.name} is not known here: name its file with --suite."
        return (not_checked(SUITE, why),)
    matches = {match.name: match for match in records.matches}
    known = sum(bool(_known_seeds(name, matches, logs)) for each in records.pairings for name in each.matches)
    if not known:
        return (not_checked(SUITE, "No seed of its matches can be read yet."),)
    sentence = f"{counted(known, 'match', 'matches')} had the seeds and entries of the suite {suite.name}."
    return (_check(SUITE, _flaws_of_entries(records, logs, suite), sentence),)


def _flaws_of_statements(stated: str, logs: Logged, suite: Suite | None) -> Iterator[str]:
    """Yield where tournament, logs and file are not of the same suite. `stated`: the hash, empty for none."""
    if suite is not None and suite.sha256 != stated:
        said = f"the hash {stated}" if stated else "no suite"
        yield f"The suite {suite.name} has the hash {suite.sha256}, but the tournament states {said}."
    for name, log in logs.items():
        if ("" if log.suite is None else log.suite.sha256) != stated:
            yield f"The log of match {short(name)} states another suite than the tournament."


def _flaws_of_entries(records: TournamentRecords, logs: Logged, suite: Suite) -> Iterator[str]:
    """Yield which matches were not played on the entry that the plan gives them."""
    matches = {match.name: match for match in records.matches}
    for place, pairing in enumerate(records.pairings, 1):
        if pairing.number != place:
            yield f"Pairing {pairing.number} is number {place} of the plan."
        shared = _shares_seeds(records.tournament, pairing.stage)
        for slot, name in enumerate(pairing.matches):
            entry = suite.entry_of_match(place, slot, shared=shared)
            if any(seed != entry.seed for seed in _known_seeds(name, matches, logs)):
                yield f"Match {short(name)} has another seed than its entry {entry.id} of the suite."
            played = logs[name].suite if name in logs else None
            if played is not None and played.entry != entry.id:
                yield f"Match {short(name)} was played on entry {played.entry}, but its place has {entry.id}."


def _shares_seeds(tournament: tournament_pb2.Tournament, stage: int) -> bool:
    """Return whether the matches of a pairing of this stage, from 1, share a seed."""
    stages = tournament.parameters.stages
    visibility = stages[stage - 1].visibility if 0 < stage <= len(stages) else 0
    return (visibility or tournament.visibility) == tournament_pb2.Tournament.VISIBILITY_SEALED


def _known_seeds(name: str, matches: Mapping[str, match_pb2.Match], logged: Logged) -> list[bytes]:
    """Return the seed of a match as the arena tells it and as its log has it, where they can be read."""
    told = matches[name].seed if name in matches else b""
    return [seed for seed in (told, logged[name].seed if name in logged else b"") if seed]


def _planned_seats(tournament: tournament_pb2.Tournament, order: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the bots by seat of each match of a pairing. `order`: all its bots, as drawn."""
    if tournament.format != TournamentFormat.GATE.value:
        return [rotated(order, slot) for slot in range(len(order))]
    candidate, incumbent = (short(bot) for bot in tournament.bots[:2])
    return set_up_seats(order, (candidate, incumbent))


def _check_rounds(records: TournamentRecords) -> Check:
    """Check that every round is what the format gives for what was known before it."""
    tournament = records.tournament
    entrants = tuple(map(short, tournament.bots))
    order = {bot: place for place, bot in enumerate(entrants)}
    if unknown := {short(bot) for each in records.pairings for bot in each.bots} - set(entrants):
        return Check(ROUNDS, Status.FAILED, f"{min(unknown)} plays, but is not in the tournament.")
    try:
        kind = TournamentFormat(tournament.format)
    except ValueError:
        return not_checked(ROUNDS, "This software does not know the format of the tournament.")
    planned = [(each.round, _round_pairing(each, order)) for each in records.pairings]
    try:
        if kind in PLANNED_AT_ONCE:
            flaws = _flaws_of_plan(planned, entrants, tournament)
        else:
            flaws = _flaws_of_rounds(records, kind, planned, entrants)
    except ModuleNotFoundError as error:
        return not_checked(
            ROUNDS, f"The test of a gate needs the package {error.name}, which is not installed."
        )
    except (ArenaError, ValueError, LookupError) as error:
        flaws = [f"The rounds cannot be recomputed from the results: {error}."]
    rounds = max((number for number, _ in planned), default=0)
    sentence = (
        f"{counted(len(planned), 'pairing')} in {counted(rounds, 'round')}, and all byes, are as recomputed."
    )
    return _check(ROUNDS, flaws, sentence)


def _flaws_of_plan(
    planned: Sequence[tuple[int, RoundPairing]],
    entrants: Sequence[str],
    tournament: tournament_pb2.Tournament,
) -> list[str]:
    """Return how a plan that was known as a whole differs from the recomputed one."""
    plan = round_robin(entrants, seats=tournament.seats, rounds=tournament.rounds)
    same = [(each.round, each.bots) for each in plan] == [(number, each.bots) for number, each in planned]
    return [] if same else ["The pairings are not those of the plan of all combinations."]


def _flaws_of_rounds(
    records: TournamentRecords,
    kind: TournamentFormat,
    planned: Sequence[tuple[int, RoundPairing]],
    entrants: Sequence[str],
) -> list[str]:
    """Return which rounds differ from those that follow from the results before them."""
    tournament = records.tournament
    numbers = [each.number for each in records.rounds]
    if numbers != list(range(1, len(numbers) + 1)) or {number for number, _ in planned} != set(numbers):
        return ["The rounds of the pairings are not those that the arena lists."]
    played: dict[int, list[PlayedPairing]] = {number: [] for number in numbers}
    order = {bot: place for place, bot in enumerate(entrants)}
    for pairing, each in zip(records.pairings, _played(records), strict=True):
        played[pairing.round].append(_in_order(each, _round_pairing(pairing, order)))
    byes = {each.number: tuple(map(short, each.byes)) for each in records.rounds}
    history = History(
        tuple(entrants),
        tuple(PlayedRound(tuple(played[number]), byes[number]) for number in numbers),
        tuple(Withdrawal(short(each.bot), each.after_round) for each in tournament.withdrawals),
        tournament.secret,
    )
    made = [
        NextRound(tuple(pairing for of, pairing in planned if of == number), byes[number])
        for number in numbers
    ]
    parameters = parameters_of(tournament.parameters, tournament.rounds)
    form = format_of(kind, tournament.seats, parameters)
    differences = verify_rounds(form, history, [*made, NextRound(())])
    return [
        f"Round {each.round} does not follow from the results before it."
        if each.made.pairings
        else "The tournament was ended although there was more to play."
        for each in differences
    ]


def _played(records: TournamentRecords) -> list[PlayedPairing]:
    """Return what each pairing came to by its matches, its bots as it has them."""
    matches = {match.name: match for match in records.matches}
    withdrawals = {short(each.bot): each.after_round for each in records.tournament.withdrawals}
    found = []
    for pairing in records.pairings:
        order = {short(bot): place for place, bot in enumerate(pairing.bots)}
        of_group = [matches[name] for name in pairing.matches if name in matches]
        counting = [_group_match(match) for match in of_group if _counts(match)]
        # Those with other bots are found by the check of the seats.
        counting = [match for match in counting if set(match.bots) <= set(order)]
        gone = (
            () if pairing.matches else [bot for bot, after in withdrawals.items() if after <= pairing.round]
        )
        found.append(played_pairing(_round_pairing(pairing, order), counting, gone))
    return found


def _counts(match: match_pb2.Match) -> bool:
    return match.state in (match_pb2.MATCH_STATE_FINISHED, match_pb2.MATCH_STATE_NO_CONTEST)


def _is_finished(match: match_pb2.Match) -> bool:
    return match.state == match_pb2.MATCH_STATE_FINISHED


def _group_match(match: match_pb2.Match) -> GroupMatch:
    finished = _is_finished(match)
    return GroupMatch(
        bots=tuple(short(seat.bot) for seat in match.seats),
        placings=tuple(seat.placing for seat in match.seats) if finished else (),
        missing=tuple(
            seat.ending.termination == ending_pb2.TERMINATION_NO_SHOW
            if finished
            else seat.ending.fault == ending_pb2.FAULT_BOT
            for seat in match.seats
        ),
    )


def _round_pairing(pairing: tournament_pb2.Pairing, order: Mapping[str, int]) -> RoundPairing:
    """Return a pairing as its format plans it, its bots in this order."""
    return RoundPairing(
        bots=tuple(sorted(map(short, pairing.bots), key=order.__getitem__)),
        stage=pairing.stage,
        bracket=Bracket(pairing.bracket),
        table=pairing.table,
        game=pairing.game,
        pool=pairing.pool,
    )


def _in_order(played: PlayedPairing, pairing: RoundPairing) -> PlayedPairing:
    """Return what a pairing came to with its bots in the order of `pairing`."""
    places = [played.pairing.bots.index(bot) for bot in pairing.bots]
    return PlayedPairing(
        pairing,
        score_milli=tuple(played.score_milli[place] for place in places),
        pairs=tuple(played.pairs[place] for place in places),
        absent=tuple(played.absent[place] for place in places),
    )
