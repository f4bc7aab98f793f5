"""The growth as a picture: the same bytes for the same figures."""

import math
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")

from matplotlib import pyplot as plt

from benchmarks.growth.table import Panel


def draw(panels: Sequence[Panel], file: Path) -> None:
    """Draw the panels side by side, both axes logarithmic, as SVG."""
    with plt.rc_context({"svg.hashsalt": "growth", "svg.fonttype": "none", "font.size": 9}):
        figure, places = plt.subplots(1, len(panels), figsize=(4 * len(panels), 3.2), layout="constrained")
        for panel, place in zip(panels, places, strict=True):
            for line in panel.lines:
                place.loglog(panel.sizes, line.values, marker="o", label=line.name)
            place.set(title=panel.title, xlabel=panel.of, ylabel=panel.unit)
            place.set_xticks(panel.sizes, [f"{size:,}" for size in panel.sizes], minor=False)
            place.minorticks_off()
            place.grid(alpha=0.3)
            place.set_ylim(*_two_decades(*place.get_ylim()))
            place.legend()
        figure.savefig(file, metadata={"Date": None, "Creator": None})
        plt.close(figure)


def _two_decades(low: float, high: float) -> tuple[float, float]:
    """Return the limits of an axis that shows these and a factor of 100 at least: noise is not to look like growth."""
    stretch = max(1.0, math.sqrt(100 * low / high))
    return low / stretch, high * stretch
