"""Caravanserai on the wire."""
