"""Tables of ladders: entries, the rating ledger, solo boards."""
