"""Web pages of an arena: a client of it like any other, in a process of its own."""
