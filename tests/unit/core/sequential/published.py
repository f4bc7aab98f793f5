"""Results of fastchess as it prints them, with the numbers of pairs of games by their points: 0, 1/2, 1, 3/2, 2."""

from dataclasses import dataclass

from arena.core.sequential.sprt import GroupScore


@dataclass(frozen=True)
class PublishedElo:
    """An Elo difference, half the width of its interval of 95 %, and the likelihood of superiority in percent."""

    pairs: tuple[int, ...]
    elo: float
    error: float
    superiority: float


@dataclass(frozen=True)
class PublishedRatio:
    """A log-likelihood ratio of logistic Elo."""

    pairs: tuple[int, ...]
    elo0: float
    elo1: float
    ratio: float


ELO = {
    "brunocodutra/cinder pull request 901": PublishedElo((31, 612, 1434, 834, 16), 11.40, 4.69, 100.00),
    "brunocodutra/cinder pull request 879": PublishedElo((115, 1156, 2443, 1233, 141), 4.40, 3.91, 98.64),
    "brunocodutra/cinder pull request 916": PublishedElo((339, 4640, 8717, 4594, 403), 0.76, 2.01, 77.11),
    "lynx-chess/Lynx pull request 1899": PublishedElo((235, 1384, 2521, 1341, 239), -1.06, 4.05, 30.33),
    "fastchess elo_test.cpp, pentanomial 1": PublishedElo((34, 54, 63, 64, 75), 55.58, 27.65, 100.00),
    "fastchess elo_test.cpp, pentanomial 2": PublishedElo((332, 433, 498, 333, 334), -8.64, 10.33, 5.05),
}

RATIOS = {
    "fastchess sprt_test.cpp, logistic pentanomial 1": PublishedRatio(
        (223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07
    ),
    "fastchess sprt_test.cpp, logistic pentanomial 2": PublishedRatio(
        (871, 26175, 55983, 26678, 821), 0, 2, -4.98
    ),
}


def scores(pairs: tuple[int, ...]) -> list[GroupScore]:
    """Return the groups of so many pairs of games; in some order."""
    return [GroupScore(points, 4 - points, 4) for points, count in enumerate(pairs) for _ in range(count)]
