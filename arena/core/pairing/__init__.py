"""Who meets whom, on which seats, on which seed, and which match may start now (docs/matchmaking.md)."""
