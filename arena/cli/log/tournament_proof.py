"""The proof of a tournament: every round, pairing, bye and seat recomputed from results and the revealed secret."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.match_data import find_matches
from arena.core.errors import ArenaError
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

_UNREVEALED: Final = "The secret of the tournament is published when it is over."

Placings = Mapping[str, tuple[tuple[str, int], ...]]
"""By match, "matches/{match}": the bots and placings by seat that its signed log has."""


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


def prove(
    records: TournamentRecords, logged: Placings, seeds: Mapping[str, bytes] | None = None
) -> tuple[Check, ...]:
    """Check a tournament. `logged`: what the verified logs of its matches say; `seeds`: the seeds that they have."""
    tournament = records.tournament
    results, gate = _check_results(records, logged), tournament.format == TournamentFormat.GATE.value
    others = (SEATS, ROUNDS, *([SEEDS] if gate else []))
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
    return (*checks, _check_seeds(records, seeds or {})) if gate else checks


def _check(name: str, flaws: Iterable[str], sentence: str) -> Check:
    flaw = next(iter(flaws), "")
    return Check(name, Status.FAILED, flaw) if flaw else Check(name, Status.OK, sentence)


def _check_results(records: TournamentRecords, logged: Placings) -> Check:
    """Check that the pairings came to what their matches say, and the matches to what their logs say."""

    def flaws() -> Iterable[str]:
        for match in records.matches:
            placings = tuple((short(seat.bot), seat.placing) for seat in match.seats)
            if match.name in logged and _is_finished(match) and logged[match.name] != placings:
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


def _check_seeds(records: TournamentRecords, seeds: Mapping[str, bytes]) -> Check:
    """Check that the matches of each set-up of a gate have the seed that follows from the secret. `seeds`: of logs."""
    matches = {match.name: match for match in records.matches}

    def flaws() -> Iterable[str]:
        for pairing in records.pairings:
            group = pairing.group.removeprefix("g")
            for name in pairing.matches:
                told = matches[name].seed if name in matches else b""
                planned = (
                    match_seed(records.tournament.secret, int(group), 0, 0) if group.isdecimal() else b""
                )
                if any(seed != planned for seed in (told, seeds.get(name, b"")) if seed):
                    yield f"Match {short(name)} has another seed than the set-up of pairing {pairing.number}."

    return _check(SEEDS, flaws(), "All matches of a set-up have its seed, which follows from the secret.")


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
