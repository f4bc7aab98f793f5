"""Lengths of time for people."""

from __future__ import annotations

from typing import Final

from arena.core.clock.time_control import NS_PER_MS

_NS_PER_S: Final = 1_000 * NS_PER_MS


def duration(ns: int) -> str:
    """Nanoseconds for people: 0.4 ms, 12 ms, 3.20 s."""
    if ns < 10 * NS_PER_MS:
        return f"{ns / NS_PER_MS:.1f} ms"
    if ns < _NS_PER_S:
        return f"{ns / NS_PER_MS:.0f} ms"
    return f"{ns / _NS_PER_S:.2f} s"
