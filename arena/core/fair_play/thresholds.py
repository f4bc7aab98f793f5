"""From where on what was seen of two bots is worth a look (docs/fair_play.md); to import it costs nothing."""

from typing import Final

RARE: Final = 0.01
"""A corrected chance up to this is more than chance explains."""

NAMED: Final = 5
"""With each finding so many matches to look at are named."""

ALIKE: Final = 0.7
"""Two bots are worth a look if the lower end of their overlap is at least this."""
