"""Whatever path is allowed lies below its folder, under the very name that it says; and no two of them are one."""

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import ArenaError, ErrorReason
from arena.submissions.limits import SubmissionLimits
from arena.submissions.paths import Paths, checked

PIECES = st.sampled_from(
    ["a", "A", "é", "e\u0301", "b.py", ".", "..", "", "/", "\\", "C:", "~", "\0", "-", " ", "\u202e"]
)
PATHS = st.lists(PIECES, max_size=8).map("/".join) | st.lists(PIECES, max_size=8).map("".join) | st.text()


def allowed(path: str) -> str | None:
    """Return the path as it is written to; None if it is refused."""
    try:
        return checked(path, SubmissionLimits())
    except ArenaError as error:
        if error.reason is not ErrorReason.ARCHIVE_PATH or not error.sentence.isprintable():
            raise
        return None


@given(path=PATHS)
def test_an_allowed_path_stays_below_its_folder_and_is_written_as_it_is(path: str) -> None:
    inner = allowed(path)
    if inner:
        place = posixpath.join("/top/folder", inner)
        assert posixpath.normpath(place) == place
        assert place.startswith("/top/folder/")
        assert path in {inner, f"./{inner}"}
        assert allowed(inner) == inner


@given(
    paths=st.lists(
        st.sampled_from(["a", "A", "a/b", "a/B", "A/b", "é", "e\u0301", "é/x", "c/d/e", "c"]), max_size=6
    )
)
def test_files_are_taken_if_and_only_if_they_could_lie_beside_each_other_anywhere(paths: list[str]) -> None:
    def taken(order: list[str]) -> bool:
        known = Paths(SubmissionLimits())
        try:
            for path in order:
                known.add_file(path)
        except ArenaError:
            return False
        return True

    assert taken(paths) == taken(paths[::-1])
    if taken(paths):
        assert len({path.casefold() for path in paths}) == len(paths)
        assert not [
            one for one in paths for other in paths if other.casefold().startswith(f"{one.casefold()}/")
        ]


@pytest.mark.parametrize("path", [".", "./"])
def test_the_top_itself_is_an_empty_path(path: str) -> None:
    assert checked(path, SubmissionLimits()) == ""


def test_new_folders_are_named_once_and_from_the_outside_in() -> None:
    paths = Paths(SubmissionLimits())
    assert paths.add_file("a/b/c") == ["a", "a/b"]
    assert paths.add_folder("a/b/d") == ["a/b/d"]
    assert paths.add_file("a/b/d/e") == []
