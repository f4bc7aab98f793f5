"""Live Elo, its uncertainty and its ledger, in integers; beside it the refit of a whole history (docs/ratings.md)."""
