"""What the rounds of a Swiss tournament so far say of each bot: points, opponents, byes and floats."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

from arena.core.pairing.formats.outcomes import duels, group_points, score_share, was_played
from arena.core.pairing.formats.plan import History, PlayedPairing
from arena.core.tournaments import WIN_MILLI


@dataclass(slots=True)
class SwissScores:
    """The scores after some rounds."""

    points: dict[str, int]
    """In thousandths."""
    met: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """How often two bots have met."""
    byes: Counter[str] = field(default_factory=Counter)
    """Byes, and groups won because the other bots were absent."""
    unplayed: Counter[str] = field(default_factory=Counter)
    """Rounds in which a bot played no match, byes among them."""
    down: dict[str, list[bool]] = field(default_factory=dict)
    """By round: whether a bot met one that had fewer points, or played no match."""
    up: dict[str, list[bool]] = field(default_factory=dict)
    """By round: whether a bot met one that had more points."""
    duels: defaultdict[str, list[tuple[str, int]]] = field(default_factory=lambda: defaultdict(list))
    """The other bots of all groups that were played, with the points against them."""
    pairs: defaultdict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    """Score and pairs of each group."""


def swiss_scores(history: History, seats: int) -> SwissScores:
    """Return the scores after all rounds of the history. A bye counts as a win against all others of a table."""
    scores = SwissScores(dict.fromkeys(history.entrants, 0))
    for number, each in enumerate(history.rounds, start=1):
        before = dict(scores.points)
        down: dict[str, bool] = dict.fromkeys(history.entered(number), True)
        up: dict[str, bool] = {}
        for played in each.pairings:
            _count(scores, played, before, down, up)
        for bot in each.byes:
            scores.points[bot] += WIN_MILLI * (seats - 1)
            scores.byes[bot] += 1
            scores.unplayed[bot] += 1
        for bot in history.entrants:
            scores.down.setdefault(bot, []).append(down.get(bot, False))
            scores.up.setdefault(bot, []).append(up.get(bot, False))
    return scores


def _count(
    scores: SwissScores,
    played: PlayedPairing,
    before: dict[str, int],
    down: dict[str, bool],
    up: dict[str, bool],
) -> None:
    bots, gained = played.pairing.bots, group_points(played)
    for place, bot in enumerate(bots):
        scores.points[bot] += gained[place]
        scores.pairs[bot].append((played.score_milli[place], played.pairs[place]))
    if not was_played(played):
        for place, bot in enumerate(bots):
            scores.unplayed[bot] += 1
            scores.byes[bot] += not played.absent[place] and any(played.absent)
        return
    for one, other, ones, others in duels(played):
        scores.met[bots[one]][bots[other]] += 1
        scores.met[bots[other]][bots[one]] += 1
        scores.duels[bots[one]].append((bots[other], ones))
        scores.duels[bots[other]].append((bots[one], others))
    for bot in bots:
        down[bot] = any(before[bot] > before[other] for other in bots)
        up[bot] = any(before[bot] < before[other] for other in bots)


def swiss_merit(scores: SwissScores, bot: str, seats: int) -> tuple[Fraction | int, ...]:
    """Return what ranks a bot: points, Buchholz without the lowest, Buchholz, Sonneborn-Berger, score per pair.

    As the FIDE Handbook, C.07, has them, with all other bots of a table as opponents. A round that a bot has not played
    counts as one against opponents with its own points.
    """
    own = scores.points[bot]
    opponents = [scores.points[other] for other, _ in scores.duels[bot]]
    opponents.extend([own] * (scores.unplayed[bot] * (seats - 1)))
    berger = sum(scores.points[other] * gained for other, gained in scores.duels[bot])
    berger += own * scores.byes[bot] * (seats - 1) * WIN_MILLI
    buchholz = sum(opponents)
    return own, buchholz - min(opponents, default=0), buchholz, berger, score_share(scores.pairs[bot])
