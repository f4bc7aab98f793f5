"""The formats of tournaments in event files: checked as an arena does, so that what is wrong has a line."""

import re
from collections.abc import Collection
from typing import Final

from arena.cli.event.positions import Path
from arena.cli.event.schema import Problems, words_of
from arena.core.pairing.formats.formats import format_of, parameter_problems
from arena.core.pairing.formats.parameters import FormatParameters
from arena.core.pairing.formats.plan import PlanSize
from arena.core.tournaments import TournamentFormat
from arena.v1 import match_pb2, tournament_pb2
from arena.wire.messages.tournament_format import parameters_message, parameters_of, policy_of
from arena.wire.tournament_wording import PLANNED_AT_ONCE

_OTHERS: Final = ("bots", "clock", "game", "options", "state", "suite", "title", "hidden", "withdrawn")
"""Keys that the format and its parameters do not depend on."""
_STAGES: Final = tournament_pb2.Tournament.FORMAT_STAGES


def check_format(
    request: tournament_pb2.CreateTournamentRequest, seats: int, path: Path, problems: Problems
) -> None:
    """Check format and parameters of a request whose fields are filled. `seats`: of its matches, at least 2.

    Of a tournament or stage with a wrong key, only its stages are checked: what the key meant is missing.
    """
    wrong = {each.path[len(path) :] for each in problems.found if each.path[: len(path)] == path}
    stages = {each[:2] for each in wrong if each[:1] == ("stages",)}
    is_whole = not any(each[0] not in _OTHERS and each[:1] != ("stages",) for each in wrong if each)
    if is_whole:
        _check_seeds(request, path, problems)
    asked = tournament_pb2.CreateTournamentRequest()
    asked.CopyFrom(request)
    for number, stage in enumerate(asked.parameters.stages):
        if ("stages", str(number)) not in stages:
            _check_stage(stage, seats, (*path, "stages", str(number)), problems)
        if stage.format in (0, _STAGES):  # which is a problem already
            stage.format = tournament_pb2.Tournament.FORMAT_ROUND_ROBIN
    if is_whole and ("stages",) not in stages:
        unknown = {(*path, *each) for each in stages}
        _check(asked.format, seats, parameters_of(asked.parameters, asked.rounds), path, problems, unknown)


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


def _check(
    kind: int,
    seats: int,
    parameters: FormatParameters,
    path: Path,
    problems: Problems,
    unknown: Collection[Path] = (),
) -> None:
    """Add each problem of a format, one for a key. `unknown`: stages of which a key is missing."""
    found = list(parameter_problems(TournamentFormat(kind), seats, parameters))
    seen = {each.path for each in problems.found}
    for error in found:
        # "stages[0].pools" is a path like those of the file.
        field = error.metadata["field"]
        place = (*path, *re.findall(r"\w+", field))
        if (place not in seen or field == "stages") and place[: len(path) + 2] not in unknown:
            seen.add(place)
            sentence = error.sentence
            problems.add(
                place,
                f"it is {rest}" if (rest := sentence.removeprefix(f"{field} is ")) != sentence else sentence,
            )


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
