"""Control groups: limits on memory, processes and processors, in versions 1 and 2."""
