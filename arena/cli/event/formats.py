"""The formats of tournaments in event files: checked as an arena does, so that what is wrong has a line."""

import re
from typing import Final

from arena.cli.event.positions import Path
from arena.cli.event.schema import Problems, words_of
from arena.core.errors import InvalidArgumentError
from arena.core.pairing.formats.formats import format_of
from arena.core.pairing.formats.parameters import FormatParameters
from arena.core.pairing.formats.plan import PlanSize
from arena.core.tournaments import TournamentFormat
from arena.v1 import match_pb2, tournament_pb2
from arena.wire.messages.tournament_format import parameters_message, parameters_of, policy_of
from arena.wire.tournament_wording import PLANNED_AT_ONCE

_STAGES: Final = tournament_pb2.Tournament.FORMAT_STAGES


def check_format(
    request: tournament_pb2.CreateTournamentRequest, seats: int, path: Path, problems: Problems
) -> None:
    """Check format and parameters of a request whose fields are filled. `seats`: of its matches, at least 2."""
    before = len(problems.found)
    _check_seeds(request, path, problems)
    for number, stage in enumerate(request.parameters.stages):
        _check_stage(stage, seats, (*path, "stages", str(number)), problems)
    if len(problems.found) == before:
        _check(request.format, seats, parameters_of(request.parameters, request.rounds), path, problems)


def _check_seeds(request: tournament_pb2.CreateTournamentRequest, path: Path, problems: Problems) -> None:
    """Check what the arena would refuse about seeds of bots and of matches."""
    is_drawn = request.parameters.seeding == tournament_pb2.FormatParameters.SEEDING_DRAWN
    asked = [key for key, is_set in (("seeding", is_drawn), ("seeded_by", bool(request.seeded_by))) if is_set]
    if asked and request.format in PLANNED_AT_ONCE:
        problems.add(
            (*path, asked[0]), "every pairing of a round-robin is played, so it has no seeds: leave it out."
        )
    elif is_drawn and request.seeded_by:
        problems.add(
            (*path, "seeded_by"), "seeds are drawn or follow ratings: leave out seeding or seeded_by."
        )
    policy = policy_of(request.visibility, "visibility")
    if policy is not None and request.seed_policy not in (match_pb2.SEED_POLICY_UNSPECIFIED, policy.value):
        problems.add(
            (*path, "visibility"),
            "live matches have seeds of their own, and sealed ones share the seed of their group: leave out visibility "
            "or seed_policy.",
        )


def _check_stage(
    stage: tournament_pb2.FormatParameters.Stage, seats: int, path: Path, problems: Problems
) -> None:
    words = words_of(tournament_pb2.Tournament.Format.DESCRIPTOR)
    possible = ", ".join(word for word, number in words.items() if number != _STAGES)
    if not stage.format:
        problems.add(path, f'it has no format: add format = "...". Possible: {possible}.')
    elif stage.format == _STAGES:
        problems.add((*path, "format"), f"a stage has no stages of its own. Possible: {possible}.")
    else:
        _check(stage.format, seats, parameters_of(stage.parameters, stage.rounds), path, problems)


def _check(kind: int, seats: int, parameters: FormatParameters, path: Path, problems: Problems) -> None:
    try:
        format_of(TournamentFormat(kind), seats, parameters)
    except InvalidArgumentError as error:
        # "stages[0].pools" is a path like those of the file.
        problems.add((*path, *re.findall(r"\w+", error.metadata["field"])), error.sentence)


def complete_parameters(
    request: tournament_pb2.CreateTournamentRequest,
) -> tournament_pb2.FormatParameters:
    """Return the parameters of a checked request with the defaults of what it leaves out, as an arena tells them."""
    return parameters_message(parameters_of(request.parameters, request.rounds))


def size_of_format(tournament: tournament_pb2.Tournament) -> PlanSize:
    """Return how large a tournament of the arena becomes if no bot withdraws or is missing."""
    parameters = parameters_of(tournament.parameters, tournament.rounds)
    form = format_of(TournamentFormat(tournament.format), tournament.seats, parameters)
    return form.expected_size(len(tournament.bots))
