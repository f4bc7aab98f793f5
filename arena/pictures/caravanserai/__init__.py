"""Caravanserai as SVG."""
