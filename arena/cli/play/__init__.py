"""`arena play`: play one match on this machine, without an arena."""
