"""What the compiler of the engine has to be told, in a form that needs nothing of it at run time.

The modules that `setup.py` names are compiled with mypyc into the wheel and run as plain Python everywhere else, with
the same results: docs/performance.md.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

__all__ = ["i64", "mypyc_attr"]

if TYPE_CHECKING:
    from mypy_extensions import i64, mypyc_attr
else:
    i64 = int
    """Compiled, a machine word. Only for numbers that fit, and never for what is shifted left by 31 bits or more."""

    Class = TypeVar("Class")

    def mypyc_attr(**_attributes: bool) -> Callable[[Class], Class]:
        """Return the class as it is: only the compiler knows these attributes."""
        return lambda decorated: decorated
