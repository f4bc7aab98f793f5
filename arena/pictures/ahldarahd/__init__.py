"""Caravans of Ahldarahd as SVG."""
