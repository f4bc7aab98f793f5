"""What is counted of hosted programs, for the metrics of the arena."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class HostStats:
    """Plain numbers since the start of the arena."""

    starts: int = 0
    """Programs started."""
    ends: Counter[str] = field(default_factory=Counter)
    """Programs that have ended: by verdict if by themselves, else by what the arena had against them."""
    overstayed: int = 0
    """Programs that had to be ended after the arena's goodbye."""
    benchings: int = 0
    """Versions benched."""
    hellos: int = 0
    """Programs that said hello."""
    hello_s: float = 0.0
    """How long these took from their start, all together."""
    waited_s: float = 0.0
    """How long programs were ready to run and got no processor, as far as they had something to answer."""
