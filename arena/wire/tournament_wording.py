"""The words for tournaments that commands and pages share: parameters, brackets, points."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.v1 import tournament_pb2
from arena.wire.wording import enum_word

PLANNED_AT_ONCE: Final = (
    tournament_pb2.Tournament.FORMAT_ROUND_ROBIN,
    tournament_pb2.Tournament.FORMAT_CHALLENGE,
)
"""Formats without rounds that follow from results."""


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
    for number, stage in enumerate(parameters.stages, start=1):
        words = [enum_word(tournament_pb2.Tournament.Format, stage.format).replace("_", "-")]
        words += _parameters(stage.parameters, stage.rounds)
        words += [f"{stage.pools} pools"] * (stage.pools > 1)
        words += [f"{stage.qualifiers} of each pool advance"] * bool(stage.qualifiers)
        yield f"stage {number}: {', '.join(words)}"


def part_of(pairing: tournament_pb2.Pairing | tournament_pb2.Tie) -> str:
    """Return stage, pool and bracket of a pairing or a tie, "stage 2 pool 1 winners"; empty if it has none of these."""
    words = [f"stage {pairing.stage}"] * (pairing.stage > 1 or bool(pairing.pool))
    words += [f"pool {pairing.pool}"] * bool(pairing.pool)
    if pairing.bracket:
        words.append(enum_word(tournament_pb2.Pairing.Bracket, pairing.bracket).replace("_", " "))
    return " ".join(words)


def format_results(results: Sequence[tournament_pb2.PairingResult]) -> str:
    """Return what each bot of a pairing scored, in its order: "1.5 - 0.5", "absent" for one that was not there."""
    if results and not any(result.pairs for result in results):
        return " - ".join("absent" if result.absent else "-" for result in results)
    return " - ".join("absent" if result.absent else points(result.score_milli) for result in results)
