"""Tables of accounts: users, invites, tokens, answered requests."""
