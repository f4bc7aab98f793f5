"""How versions are shown."""

import pytest

from arena.core.versions import is_hash, shown_version


@pytest.mark.parametrize("label", ["1.0", "", "ab" * 31, "AB" * 32, "ab" * 33, f"{'ab' * 32}\n"])
def test_what_a_bot_calls_itself_is_shown_whole(label: str) -> None:
    assert not is_hash(label)
    assert shown_version(label) == label


def test_a_hash_is_shown_by_its_beginning() -> None:
    assert is_hash("ab" * 32)
    assert shown_version("ab" * 32) == "ab" * 6
