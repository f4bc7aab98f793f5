"""Wasteland as SVG."""
