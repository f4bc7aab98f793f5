"""The rules of the games: pure, deterministic, standard library only (docs/architecture.md)."""
