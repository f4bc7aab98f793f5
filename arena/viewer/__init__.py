"""The replay viewer: a match as one HTML file, or in a notebook (`Replay`)."""

from arena.viewer.notebook import Replay

__all__ = ["Replay"]
