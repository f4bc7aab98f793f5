"""The scenarios that ask a bot for many choices."""

from typing import Final

CHOOSING: Final = ("hello", "seats", "several", "both", "load", "leave")
