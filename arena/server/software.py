"""Name and version of this software."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def software() -> str:
    """Return the name and version that logs record."""
    try:
        return f"caravan-arena {version('caravan-arena')}"
    except PackageNotFoundError:
        return "caravan-arena"
