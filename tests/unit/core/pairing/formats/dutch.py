"""The Dutch system of FIDE as py4swiss has it (the edition in force until January 2026), for bots without a colour."""

from collections.abc import Sequence
from dataclasses import dataclass

from py4swiss.engines.common import ColorPreference, ColorPreferenceSide, ColorPreferenceStrength, Float
from py4swiss.engines.dutch.bracket import BracketPairer, Brackets
from py4swiss.engines.dutch.player import Player
from py4swiss.engines.dutch.validity_matcher import ValidityMatcher

from arena.core.pairing.formats.plan import History
from arena.core.pairing.formats.swiss_scores import SwissScores, swiss_scores

NO_COLOUR = ColorPreference(side=ColorPreferenceSide.NONE, strength=ColorPreferenceStrength.NONE)


@dataclass(frozen=True)
class DutchRound:
    """A round as py4swiss pairs it."""

    pairs: frozenset[frozenset[str]]
    bye: str | None
    collapsed: bool
    """Whether the last brackets were joined, which the edition of 2026 does no longer."""


def dutch_round(history: History) -> DutchRound | None:
    """Return the next round; None if there is none without a rematch or a second bye.

    The steps are those of `Engine.generate_pairings` of py4swiss.
    """
    number = len(history.rounds) + 1
    entered = history.entered(number)
    scores = swiss_scores(history, 2)
    place = {bot: at for at, bot in enumerate(history.entrants, start=1)}
    players = sorted((_player(bot, place, scores) for bot in entered), reverse=True)
    validity, brackets = ValidityMatcher(players, set()), Brackets(players, number)
    if not validity.is_valid_matching():
        return None
    found: list[tuple[Player, Player]] = []
    collapsed = False
    while not brackets.is_finished():
        pairs = _bracket_pairs(BracketPairer(brackets.get_current_bracket(), validity, True))
        if pairs is None:
            collapsed = True
            brackets.collapse()
        else:
            brackets.apply_bracket_pairings(pairs)
            found.extend(pairs)
    bots = history.entrants
    byes = [bots[one.id - 1] for one, other in found if one == other]
    return DutchRound(
        frozenset(frozenset((bots[one.id - 1], bots[other.id - 1])) for one, other in found if one != other),
        byes[0] if byes else None,
        collapsed,
    )


def _player(bot: str, place: dict[str, int], scores: SwissScores) -> Player:
    points = scores.points[bot] // 100
    return Player(
        id=place[bot],
        number=place[bot],
        points=points,
        points_with_acceleration=points,
        color_preference=NO_COLOUR,
        color_difference=0,
        color_double=False,
        float_1=_float(scores, bot, 1),
        float_2=_float(scores, bot, 2),
        opponents={place[other] for other in scores.met[bot]},
        colors=[],
        bye_received=bool(scores.byes[bot]),
        top_scorer=False,
    )


def _float(scores: SwissScores, bot: str, rounds_ago: int) -> Float:
    down, up = scores.down.get(bot, []), scores.up.get(bot, [])
    if len(down) < rounds_ago:
        return Float.NONE
    return Float.DOWN if down[-rounds_ago] else Float.UP if up[-rounds_ago] else Float.NONE


def _bracket_pairs(pairer: BracketPairer) -> Sequence[tuple[Player, Player]] | None:
    pairer.determine_heterogeneous_s1()
    pairer.determine_heterogeneous_s2()
    pairer.determine_homogeneous_exchanges()
    pairer.determine_moves_from_s1_to_s2()
    pairer.determine_moves_from_s2_to_s1()
    pairer.perform_homogeneous_exchanges()
    pairer.transpose_homogeneous_s2()
    return pairer.get_player_pairs() if pairer.check_completion_criterium() else None
