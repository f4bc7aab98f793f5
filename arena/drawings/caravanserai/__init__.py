"""Caravanserai on a terminal."""
