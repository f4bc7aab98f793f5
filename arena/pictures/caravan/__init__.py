"""Caravan as SVG."""
