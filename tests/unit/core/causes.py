"""Why matches of the tests are void."""

from arena.core.endings.arena_faults import ArenaFault, VoidCause


def a_cause(why: str = "the disk was full") -> VoidCause:
    """Return a fault of the arena."""
    return VoidCause(ArenaFault.ERROR, why)
