"""`arena season`."""
