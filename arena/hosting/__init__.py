"""Bots that the arena runs itself: which programs run, what becomes of them, and how new ones are admitted."""
