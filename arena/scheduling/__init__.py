"""Which match is played when, and what becomes of its result."""
