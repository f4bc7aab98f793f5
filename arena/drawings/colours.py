"""Colours that are readable on dark and on light terminals (a test measures their contrast)."""

from typing import Final

SEATS: Final = ("dodger_blue3", "red3", "green4", "magenta3", "dark_orange3", "turquoise4")
"""By seat."""


def seat_style(seat: int) -> str:
    """Return the style of what belongs to a seat."""
    return f"bold {SEATS[seat % len(SEATS)]}"


def badge_style(seat: int) -> str:
    """Return the style of a seat's piece on a board."""
    return f"bold bright_white on {SEATS[seat % len(SEATS)]}"
