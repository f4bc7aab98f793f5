"""`arena tournament` and `arena challenge`."""
