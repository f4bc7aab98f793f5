"""Tables of accounts: users, teams, invites, tokens, answered requests."""
