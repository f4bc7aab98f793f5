"""The words for tournaments that commands and pages share: parameters, brackets, points."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.drawings.wording import counted
from arena.v1 import match_pb2, tournament_pb2
from arena.wire.wording import enum_word, format_seed_policy

PLANNED_AT_ONCE: Final = (
    tournament_pb2.Tournament.FORMAT_ROUND_ROBIN,
    tournament_pb2.Tournament.FORMAT_CHALLENGE,
)
"""Formats without rounds that follow from results."""


_POLICIES: Final = {
    tournament_pb2.Tournament.VISIBILITY_LIVE: match_pb2.SEED_POLICY_DERIVED,
    tournament_pb2.Tournament.VISIBILITY_SEALED: match_pb2.SEED_POLICY_SHARED,
}

_BRACKETS: Final = (
    tournament_pb2.Tournament.FORMAT_KNOCKOUT,
    tournament_pb2.Tournament.FORMAT_DOUBLE_ELIMINATION,
)


def format_kind(kind: tournament_pb2.Tournament.Format.ValueType) -> str:
    """Return the word for a format that commands use: "double-elimination"."""
    return enum_word(tournament_pb2.Tournament.Format, kind).replace("_", "-")


def has_bracket(tournament: tournament_pb2.Tournament) -> bool:
    """Return whether its format, or that of one of its stages, has a bracket."""
    return any(
        kind in _BRACKETS for kind in (tournament.format, *(s.format for s in tournament.parameters.stages))
    )


def why_no_bracket(tournament: tournament_pb2.Tournament) -> str:
    """Return a sentence part for a tournament without a bracket, which says what has one."""
    kinds = " and ".join(map(format_kind, _BRACKETS))
    own = f"a {format_kind(tournament.format)} has no bracket"
    if tournament.format == tournament_pb2.Tournament.FORMAT_STAGES:
        own = "none of its stages has a bracket"
    return f"{own}; {kinds} have one, and stages of these kinds"


def points(score_milli: int) -> str:
    """Format whole and half points: "3" or "3.5"."""
    return f"{score_milli / 1000:g}"


def format_parameters(tournament: tournament_pb2.Tournament) -> str:
    """Return the parameters of its format that differ from their defaults, "rounds 7, best of 3"."""
    by_rounds = tournament.format not in PLANNED_AT_ONCE
    return ", ".join(_parameters(tournament.parameters, tournament.rounds if by_rounds else 0))


def _parameters(parameters: tournament_pb2.FormatParameters, rounds: int) -> Iterator[str]:
    if rounds:
        yield f"rounds {rounds}"
    if parameters.best_of > 1:
        yield f"best of {parameters.best_of}"
    if parameters.challengers > 1:
        yield f"challengers {parameters.challengers}"
    if parameters.advance > 1:
        yield f"advance {parameters.advance}"
    if parameters.third_place:
        yield "third place"
    if parameters.seeding == tournament_pb2.FormatParameters.SEEDING_DRAWN:
        yield "drawn seeds"
    if parameters.HasField("gate"):
        gate = parameters.gate
        yield f"at most {gate.set_ups} set-ups, risks {gate.alpha_milli / 10:g} % and {gate.beta_milli / 10:g} %"
    for number, stage in enumerate(parameters.stages, start=1):
        words = [format_kind(stage.format)]
        words += _parameters(stage.parameters, stage.rounds)
        words += [f"{stage.pools} pools"] * (stage.pools > 1)
        words += [f"{stage.qualifiers} of each pool advance"] * bool(stage.qualifiers)
        words += [enum_word(tournament_pb2.Tournament.Visibility, stage.visibility)] * bool(stage.visibility)
        yield f"stage {number}: {', '.join(words)}"


def visibility_lines(tournament: tournament_pb2.Tournament) -> list[str]:
    """Return when its matches can be seen: "live", or a line for each stage if they differ; none if it is not known."""
    visibilities = _visibilities(tournament)
    if not all(visibilities):
        return []  # of an older arena
    return _by_stage([enum_word(tournament_pb2.Tournament.Visibility, each) for each in visibilities])


def seed_lines(tournament: tournament_pb2.Tournament) -> list[str]:
    """Return the seed policy and what follows from it, a line for each stage if they differ."""
    policies = [_POLICIES.get(each, tournament.seed_policy) for each in _visibilities(tournament)]
    return _by_stage([format_seed_policy(each, hosted_only=tournament.hosted_only) for each in policies])


def _visibilities(
    tournament: tournament_pb2.Tournament,
) -> list[tournament_pb2.Tournament.Visibility.ValueType]:
    """Return the visibility of each stage, or that of a tournament without stages."""
    stages = tournament.parameters.stages
    return [stage.visibility or tournament.visibility for stage in stages] or [tournament.visibility]


def _by_stage(words: Sequence[str]) -> list[str]:
    if len(set(words)) == 1:
        return [words[0]]
    return [f"stage {number}: {each}" for number, each in enumerate(words, start=1)]


def format_suite(suite: tournament_pb2.TournamentSuite) -> str:
    """Return name, size and hash of a suite; empty if it is not set."""
    if not suite.entries:
        return ""
    return f"{suite.name}, {suite.entries} set-ups, SHA-256 {suite.sha256.hex()}"


def part_of(pairing: tournament_pb2.Pairing | tournament_pb2.Tie | tournament_pb2.BotProgress) -> str:
    """Return stage, pool and bracket of a pairing, a tie or a bot, "stage 2 pool 1 winners"; empty without these."""
    words = [f"stage {pairing.stage}"] * (pairing.stage > 1 or bool(pairing.pool))
    words += [f"pool {pairing.pool}"] * bool(pairing.pool)
    if pairing.bracket:
        words.append(enum_word(tournament_pb2.Pairing.Bracket, pairing.bracket).replace("_", " "))
    return " ".join(words)


def format_results(results: Sequence[tournament_pb2.PairingResult]) -> str:
    """Return what each bot of a pairing scored, in its order: "1.5 - 0.5", "absent" for one that was not there."""
    if results and not any(result.pairs for result in results):
        absent = any(result.absent for result in results)
        words = ("absent" if result.absent else "present" for result in results)
        return " - ".join(words) if absent else "no result"
    return " - ".join("absent" if result.absent else points(result.score_milli) for result in results)


def format_progress(progress: tournament_pb2.BotProgress) -> str:
    """Return how far a bot has come, "out: winners round 2"; empty if its format eliminates nobody."""
    if not progress.status:
        return ""
    status = enum_word(tournament_pb2.BotProgress.Status, progress.status)
    if progress.status == tournament_pb2.BotProgress.STATUS_WON:
        return status
    where = part_of(progress)
    if progress.bracket in _WITH_ROUNDS:
        where += f" round {progress.level}"
    return f"{status}: {where}" if where else status


_WITH_ROUNDS: Final = (tournament_pb2.Pairing.BRACKET_WINNERS, tournament_pb2.Pairing.BRACKET_LOSERS)


def format_tie_end(tie: tournament_pb2.Tie) -> str:
    """Return what has decided a tie, "points"; empty if it is not decided."""
    return enum_word(tournament_pb2.Tie.End, tie.end).replace("_", " ") if tie.end else ""


def format_pairing_state(pairing: tournament_pb2.Pairing) -> str:
    """Return "ended", "playing", or "to come" before its matches are made."""
    return "ended" if pairing.ended else "playing" if pairing.matches else "to come"


def format_size(size: tournament_pb2.PlanSize) -> str:
    """Return how large a tournament becomes, "3 rounds with 7 to 14 pairings, 14 to 28 matches"."""
    rounds = at_least_to_most(size.fewest_rounds, size.most_rounds, "round")
    pairings = at_least_to_most(size.fewest_pairings, size.most_pairings, "pairing")
    return f"{rounds} with {pairings}, {at_least_to_most(size.fewest_matches, size.most_matches, 'match', 'matches')}"


def at_least_to_most(least: int, most: int, one: str, many: str = "") -> str:
    """Return how many there are at least and at most, "1 round" or "5 to 7 rounds"."""
    return (
        counted(most, one, many or f"{one}s") if least == most else f"{least} to {most} {many or f'{one}s'}"
    )
