"""Tables of tournaments and their planned pairings."""
