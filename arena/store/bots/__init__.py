"""Tables of bots: bots, versions, submissions, hosting."""
