"""Tables of accounts: users, tokens, answered requests."""
