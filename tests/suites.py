"""The suites: each folder of tests/unit and tests/system. `make test` runs the default selection of pyproject.toml."""

from collections.abc import Sequence

from tests.checkout import files

TIERS = ("tests/unit", "tests/system")


def files_with_tests() -> list[str]:
    """Return the paths of all files with tests, from the root."""
    return [
        path for path in files() if path.startswith("tests/") and path.rpartition("/")[2].startswith("test_")
    ]


def suite_of(path: str) -> str:
    """Return the suite that a file belongs to, such as "tests/system/crash"."""
    return "/".join(path.split("/")[:3])


def suites_left_out(selection: Sequence[str]) -> list[str]:
    """Return the suites of which a run of these files and folders leaves something out."""
    chosen = tuple(selection)
    return sorted({suite_of(path) for path in files_with_tests() if not path.startswith(chosen)})
