"""The replay viewer: a match as one HTML file."""
