"""Wording that all drawings share: names of seats, lists, numbers, the leader."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from arena.core.units import NS_PER_MS, NS_PER_S
from arena.drawings.colours import badge_style, seat_style

QUIET: Final = "dim"
"""The style of frames and headings."""

LOUD: Final = "bold red3"
"""The style of important news."""

LONGEST_NAME: Final = 20
"""Of a name within a line."""

SCREEN: Final = 80
"""Columns that a drawing may take."""

_NAME_WIDTH: Final = 12


def named(seat: int, names: Sequence[str]) -> Text:
    """Return a seat, by its bot where that is known."""
    return Text(names[seat] if seat < len(names) else f"seat {seat}", style=seat_style(seat))


def counted(number: int, one: str, many: str = "") -> str:
    """Return the number with its noun, for example "1 match"; `many` is needed where the plural is not regular."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def amounts(sums: Mapping[str, int], most: int | None = None) -> str:
    """Return amounts, the most first, for example "3 gold + 1 salt"; "nothing" if there are none.

    `most`: so many kinds by name, the others together; None: all by name.
    """
    order = sorted(sums.items(), key=lambda each: (-each[1], each[0]))
    told = [f"{number} {word}" for word, number in order[:most]]
    others = sum(number for _, number in order[len(told) :])
    return " + ".join([*told, *([f"{others} of other kinds"] if others else [])]) or "nothing"


def listed(parts: Sequence[Text]) -> Text:
    """Return "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return parts[0].copy() if parts else Text()
    return Text(", ").join(parts[:-1]).append(" and ").append_text(parts[-1])


def scores_of(seen: Any) -> list[int]:
    """Return the scores by seat of an observation whose seats have one."""
    return [seat.score for seat in seen.seats]


def leader(scores: Sequence[int]) -> int | None:
    """Return the seat ahead of all others; None if there is none."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None


def overtaken(before: Sequence[int], after: Sequence[int]) -> bool:
    """Return whether another seat leads now than before."""
    leads = leader(before), leader(after)
    return None not in leads and leads[0] != leads[1]


def ranked(keys: Sequence[tuple[int, ...]], names: Sequence[str], notes: Sequence[str] = ()) -> Text:
    """Return the seats with their scores, the best first, for example "ant 12, bee 9".

    `keys`: by seat its score, then what breaks ties, as for `engine.game.outcome_of`. `notes`: by seat what follows
    its score.
    """
    order = sorted(range(len(keys)), key=lambda seat: keys[seat], reverse=True)
    noted = {seat: f" ({note})" for seat, note in enumerate(notes) if note}
    parts = [named(seat, names).append(f" {keys[seat][0]}{noted.get(seat, '')}") for seat in order]
    return Text(", ").join(parts)


def change(
    what: str,
    before: Sequence[int],
    after: Sequence[int],
    names: Sequence[str],
    reasons: Sequence[str] = (),
) -> Iterator[Text]:
    """Yield the changed scores, and a new leader, unless nothing has changed.

    `what`: a score's name. `reasons`: by seat what its change is made of; empty where that is clear.
    """
    noted = {seat: f" ({reason})" for seat, reason in enumerate(reasons) if reason}
    changes = [
        named(seat, names).append(f" {old} → {new}", style="bold").append(noted.get(seat, ""))
        for seat, (old, new) in enumerate(zip(before, after, strict=True))
        if old != new
    ]
    if not changes:
        return
    text = Text.assemble((f"{what}: ", QUIET), listed(changes))
    first = leader(after)
    if first is not None and first != leader(before) and len(after) > 1:
        text.append("; ").append_text(named(first, names)).append(" takes the lead", style="bold")
    yield text.append(".")


def seat_title(names: Sequence[str]) -> str:
    """Return the head of the column of `seat_label`."""
    return f"  seat{'':{_NAME_WIDTH - 1 if names else 0}}"


def seat_label(seat: int, names: Sequence[str], *, acts: bool) -> Text:
    """Return the first column of a seat's line: whether it acts, its number, and its name where known."""
    name = f" {names[seat][: _NAME_WIDTH - 1]:<{_NAME_WIDTH - 1}}" if names else " "
    return Text.assemble(
        ("▶ " if acts else "  ", seat_style(seat)),
        (f" {seat} ", badge_style(seat)),
        (name, seat_style(seat)),
    )


def duration(ns: int) -> str:
    """Return nanoseconds for people: 0.4 ms, 12 ms, 3.20 s."""
    if ns < 10 * NS_PER_MS:
        return f"{ns / NS_PER_MS:.1f} ms"
    if ns < NS_PER_S:
        return f"{ns / NS_PER_MS:.0f} ms"
    return f"{ns / NS_PER_S:.2f} s"
