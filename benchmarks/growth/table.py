"""What was measured, size by size."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.measuring.figures import significant


@dataclass(frozen=True, slots=True)
class Series:
    """One thing at all sizes."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """What belongs together: the same sizes, the same unit."""

    title: str
    of: str
    """What the sizes count."""
    unit: str
    sizes: tuple[int, ...]
    lines: tuple[Series, ...]


def markdown(panels: Sequence[Panel]) -> str:
    """Return the panels as tables for a page, one below the other."""
    return "\n\n".join(_table(panel) for panel in panels)


def _table(panel: Panel) -> str:
    rows = [
        [f"{panel.title}, {panel.unit}; {panel.of}:", *(f"{size:,}" for size in panel.sizes)],
        ["---"] * (len(panel.sizes) + 1),
        *([line.name, *map(significant, line.values)] for line in panel.lines),
    ]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)
