"""Live Elo for matches of two and more seats, its uncertainty and its ledger, in integers (docs/ratings.md)."""
