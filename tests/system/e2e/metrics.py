"""Where an arena of a test serves its metrics."""

import re

from tests.system.play.arena_process import ArenaProcess


def metrics_url(arena: ArenaProcess) -> str:
    """Return the address that the service log names."""
    (url,) = {
        found[0] for line in arena.log if (found := re.search(r"http://127\.0\.0\.1:\d+/metrics", line))
    }
    return url
