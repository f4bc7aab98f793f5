"""Monte Carlo tree search for any game of the arena; what a game adds lies in its own folder."""
