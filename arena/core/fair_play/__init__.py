"""Statistics of the fair play report: which bots decide alike, give to each other, or come and go together."""
