"""Quotients of whole numbers, rounded: exactly what fractions give, without bringing each to its lowest terms."""

from __future__ import annotations


def half_to_even(numerator: int, denominator: int) -> int:
    """The quotient to the nearest whole number, halves to the even one. `denominator` is above 0."""
    whole, rest = divmod(numerator, denominator)
    twice = 2 * rest
    if twice > denominator or (twice == denominator and whole & 1):
        return whole + 1
    return whole
