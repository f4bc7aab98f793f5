"""Tables of matches: matches, open matches, match groups, results, rulings."""
