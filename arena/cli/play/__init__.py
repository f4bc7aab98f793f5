"""`arena play`: one match on this machine, without account or arena."""
