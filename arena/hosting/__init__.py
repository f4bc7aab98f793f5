"""Bots that the arena runs itself: submissions are tried and admitted here, and admitted versions run."""
