"""Time: time control, seat clocks, network credit, stalls of the arena."""
