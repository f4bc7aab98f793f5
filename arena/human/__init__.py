"""A person at a seat: they see the position and choose from the legal actions."""
