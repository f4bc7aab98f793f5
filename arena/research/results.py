"""Results of a data set by bot, version, opponent, seat and length, with 95 % intervals (docs/analysis.ipynb)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

import numpy as np
import numpy.typing as npt

from arena.core.fair_play.significance import wilson
from arena.research.setting import RefusedError

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

Measure = Literal["score", "first"]
"""`score`: the share of opponents beaten, ties as half.
`first`: 1 for the best placing, divided among those who share it."""

Key = Literal["bot", "version", "opponent", "opponent_version", "seats", "seat", "length"]
"""What results can be broken down by."""

ENOUGH: Final = 10
"""Match groups from which on a breakdown says `enough`."""

_WEIGHT: Final = 10.0
"""The weight, in groups, of the assumption that results of a group agree; the tens of docs/ratings.md are alike."""


class Table(Protocol):
    """Columns by name: a DataFrame of pandas or polars, or a dict of lists."""

    def __getitem__(self, name: Any, /) -> Any:
        """Return the values of a column, by row."""

    def __contains__(self, name: Any, /) -> bool:
        """Whether there is such a column."""


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """The results of seats, one row for each seat of a match; arrays by row."""

    match: Numbers
    """The match, numbered from 0."""
    group: Numbers
    """Its match group, numbered from 0; a match without one is a group of its own."""
    bot: tuple[str, ...]
    version: tuple[str, ...]
    """Empty where the table has none."""
    seats: Numbers
    """How many seats the match has."""
    seat: Numbers
    plies: Numbers
    placing: Numbers
    """1 is best."""


def read_results(matches: Table, seats: Table) -> Results:
    """Return the results of all finished matches of two seats or more. `matches`, `seats`: tables of a data set.

    Of several rows of a match the newest counts. Void matches and those without a contest are left out; forfeits count,
    with the last placing. Filter the table of matches before, never that of seats.

    Raises RefusedError: no such match, matches of several games, or a column or a seat of a match is missing.
    """
    newest = _newest(
        matches, ("match",), ("ladder", "tournament", "match_group", "game", "seats", "state", "plies")
    )
    kept = {row["match"]: row for row in newest if row["state"] == "FINISHED" and row["seats"] >= 2}
    games = sorted({row["game"] for row in kept.values()})
    if len(games) != 1:
        raise RefusedError(
            f"The matches are of the games {', '.join(games)}: keep those of one game."
            if games
            else "There is no finished match of two seats or more: check the filter of the export."
        )
    rows = [
        row
        for row in _newest(seats, ("match", "seat"), ("bot", "bot_version", "final_placing"))
        if row["match"] in kept
    ]
    _check_seats(rows, kept)
    of = [kept[row["match"]] for row in rows]
    groups = [
        (row["match"],)
        if row["match_group"] is None
        else (row["ladder"], row["tournament"], row["match_group"])
        for row in of
    ]
    return Results(
        match=_numbered(row["match"] for row in rows),
        group=_numbered(groups),
        bot=tuple(str(row["bot"]) for row in rows),
        version=tuple("" if row["bot_version"] is None else str(row["bot_version"]) for row in rows),
        seats=np.array([row["seats"] for row in of], np.int64),
        seat=np.array([row["seat"] for row in rows], np.int64),
        plies=np.array([row["plies"] for row in of], np.int64),
        placing=np.array([row["final_placing"] for row in rows], np.int64),
    )


def _newest(table: Table, key: tuple[str, ...], more: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the row with the largest position of each key, the last one if positions are null; in order of keys."""
    names = (*key, "position", *more)
    missing = [name for name in names if name not in table]
    if missing:
        raise RefusedError(
            f"There is no column {', '.join(missing)}: give the tables matches and seats of a data set, in this order."
        )
    kept: dict[tuple[Any, ...], dict[str, Any]] = {}
    for values in zip(*([_plain(value) for value in table[name]] for name in names), strict=True):
        row = dict(zip(names, values, strict=True))
        known = kept.setdefault(tuple(row[name] for name in key), row)
        if (row["position"] or 0) >= (known["position"] or 0):
            kept[tuple(row[name] for name in key)] = row
    return [kept[each] for each in sorted(kept)]


def _plain(value: Any) -> Any:
    """Return None for a null of pandas."""
    return None if isinstance(value, float) and math.isnan(value) else value


def _check_seats(rows: list[dict[str, Any]], matches: dict[Any, dict[str, Any]]) -> None:
    found = dict.fromkeys(matches, 0)
    for row in rows:
        found[row["match"]] += 1
    for match, count in found.items():
        if count != matches[match]["seats"]:
            raise RefusedError(
                f"Match {match} has {matches[match]['seats']} seats, and the table of seats has {count} of them:"
                " filter the table of matches alone."
            )


def _numbered(keys: Iterable[Any]) -> Numbers:
    """Return for each key its number, in the order in which keys appear first."""
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of values from 0 to 1 with its 95 % interval."""

    results: int
    """How many values."""
    groups: int
    """How many match groups they are from."""
    mean: float
    low: float
    high: float
    effective: float
    """How many independent results they are worth."""


def estimate(values: Floats, groups: Numbers) -> Estimate:
    """Return the mean of at least one value. `groups`: the match group of each.

    The interval is that of a share by E. B. Wilson (*Journal of the American Statistical Association* 22, 1927). It
    takes a value between 0 and 1 for as uncertain as a share of 0s and 1s with the same mean, which is the most that
    values can be. In place of the number of values n it has n / d, with the design effect d of L. Kish (*Survey
    Sampling*, 1965), because results of a match group depend on each other. With N groups of m(g) values,

        d = max( 1, (10 sum m(g)^2 / n + (N - 1) X) / (10 + N - 1) )
        X = sum over groups of (sum of (value - mean))^2 / (n mean (1 - mean))

    X is what the groups show; sum m(g)^2 / n, as if all results of a group were the same, is assumed at first and
    weighs as much as ten groups. Of single independent matches d is 1.
    """
    n, mean = len(values), float(values.mean())
    _, numbers = np.unique(groups, return_inverse=True)
    sizes = np.bincount(numbers)
    spread = n * mean * (1 - mean)
    agreeing, count = float((sizes**2).sum() / n), len(sizes)
    shown = float((np.bincount(numbers, values - mean) ** 2).sum()) / spread if spread > 1e-12 else 0.0
    effect = max(1.0, (_WEIGHT * agreeing + (count - 1) * shown) / (_WEIGHT + count - 1))
    low, high = wilson(mean * n / effect, n / effect)
    return Estimate(n, count, mean, low, high, n / effect)


def scores(
    results: Results, by: Sequence[Key], measure: Measure = "score", *, bins: int = 4
) -> dict[str, list[Any]]:
    """Return the mean of a measure for each combination of keys that occurs, as a table: values by column and row.

    Its columns are the keys (`length` is `plies_from` and `plies_to`, at most `bins` quantiles of the matches' plies);
    `results` and match `groups`; `mean`, and `low` and `high`, its 95 % interval (`estimate`); and `enough`: whether
    there are at least 10 groups. With a key of the opponent a result is that of a pair of seats (`pairs`).

    Raises RefusedError: an unknown key or measure, `first` of a pair, or no bins.
    """
    _check_keys(by, measure)
    if bins < 1:
        raise RefusedError(f"At least one bin is needed, not {bins}.")
    rows = np.arange(len(results.match))
    others = rows
    if {"opponent", "opponent_version"} & set(by):
        has_version = "version" in by or "opponent_version" in by
        rows, others, values = pairs(results, has_version=has_version)
    else:
        values = _seat_values(results, measure)
    columns: dict[str, list[Any]] = {}
    for key in by:
        columns.update(_column(results, key, rows, others, bins))
    numbers, firsts = _cells(columns)
    order = np.argsort(numbers, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1) if len(order) else []
    found = [estimate(values[part], results.group[rows[part]]) for part in parts]
    return {
        **{name: [column[first] for first in firsts] for name, column in columns.items()},
        "results": [each.results for each in found],
        "groups": [each.groups for each in found],
        "mean": [each.mean for each in found],
        "low": [each.low for each in found],
        "high": [each.high for each in found],
        "enough": [each.groups >= ENOUGH for each in found],
    }


def pairs(results: Results, *, has_version: bool) -> tuple[Numbers, Numbers, Floats]:
    """Return the pairs of seats of the same match: the row of each, that of its opponent, and its score.

    The score is 1 for a better placing, 1/2 for the same one and 0 for a worse one. Each pair is there twice, from both
    sides. Seats of the same bot are no pair; with `has_version` seats of different versions of it are.
    """
    rows, others = _opponents(results)
    players = [*zip(results.bot, results.version, strict=True)] if has_version else [*results.bot]
    player = _numbered(players)
    differ = player[rows] != player[others]
    rows, others = rows[differ], others[differ]
    return rows, others, _pair_scores(results, rows, others)


def _opponents(results: Results) -> tuple[Numbers, Numbers]:
    """Return the rows of all ordered pairs of seats of the same match."""
    order = np.argsort(results.match, kind="stable")
    starts = np.flatnonzero(np.diff(results.match[order], prepend=-1))
    rows: list[int] = []
    others: list[int] = []
    for start, size in zip(starts.tolist(), results.seats[order[starts]].tolist(), strict=True):
        match = order[start : start + size].tolist()
        for row in match:
            rows += [row] * (size - 1)
            others += [other for other in match if other != row]
    return np.array(rows, np.int64), np.array(others, np.int64)


def _pair_scores(results: Results, rows: Numbers, others: Numbers) -> Floats:
    signs: Floats = np.sign(results.placing[others] - results.placing[rows]).astype(np.float64)
    return (1 + signs) / 2


def _seat_values(results: Results, measure: Measure) -> Floats:
    """Return the measure of each row."""
    rows, others = _opponents(results)
    size = len(results.match)
    if measure == "score":
        beaten = np.bincount(rows, _pair_scores(results, rows, others), size)
        return beaten.astype(np.float64) / (results.seats - 1)
    equals = 1 + np.bincount(rows, results.placing[others] == results.placing[rows], size)
    return np.where(results.placing == 1, 1 / equals, 0.0)


def _column(results: Results, key: Key, rows: Numbers, others: Numbers, bins: int) -> dict[str, list[Any]]:
    """Return the columns of a key, by row."""
    if key == "length":
        start, end = _length_bins(results, bins)
        return {"plies_from": start[rows].tolist(), "plies_to": end[rows].tolist()}
    if key in {"seats", "seat"}:
        numbers: Numbers = getattr(results, key)
        return {key: numbers[rows].tolist()}
    texts = results.version if key.endswith("version") else results.bot
    of = others if key.startswith("opponent") else rows
    return {key: [texts[row] for row in of.tolist()]}


def _length_bins(results: Results, bins: int) -> tuple[Numbers, Numbers]:
    """Return the fewest and the most plies of the bin of each row's match."""
    _, firsts = np.unique(results.match, return_index=True)
    lengths = np.sort(results.plies[firsts])
    # The largest of each bin; equal lengths are never divided.
    ends = np.unique(lengths[[math.ceil(len(lengths) * part / bins) - 1 for part in range(1, bins + 1)]])
    place = np.searchsorted(ends, results.plies)
    starts = lengths[np.concatenate(([0], np.searchsorted(lengths, ends[:-1], side="right")))]
    return starts[place], ends[place]


def _cells(columns: dict[str, list[Any]]) -> tuple[Numbers, list[int]]:
    """Return for each row the number of its combination of values, in sorted order, and a row of each combination."""
    combined = [*zip(*columns.values(), strict=True)]
    first: dict[Any, int] = {}
    for row, values in enumerate(combined):
        first.setdefault(values, row)
    order = {values: number for number, values in enumerate(sorted(first))}
    return np.array([order[values] for values in combined], np.int64), [first[values] for values in order]


def _check_keys(by: Sequence[str], measure: str) -> None:
    known = Key.__args__  # type: ignore[attr-defined]
    if isinstance(by, str) or not by or not set(by) <= set(known):
        raise RefusedError(f"Results are broken down by a list of {', '.join(known)}, not {by!r}.")
    if measure not in Measure.__args__:  # type: ignore[attr-defined]
        raise RefusedError(f"The measure is 'score' or 'first', not {measure!r}.")
    if measure == "first" and {"opponent", "opponent_version"} & set(by):
        raise RefusedError("Against an opponent there is no 'first': use the measure 'score'.")
