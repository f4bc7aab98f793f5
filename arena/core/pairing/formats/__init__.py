"""Tournament formats: each a pure function from the rounds so far to the next one (docs/tournaments.md)."""
