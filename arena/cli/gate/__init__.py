"""`arena gate`."""
