"""What the arena keeps in its database: accounts, bots, ladders, matches, ratings (docs/storage.md)."""
