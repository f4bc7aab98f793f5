"""The text of ledger entries."""

from __future__ import annotations

import pytest

from arena.core.errors import DataLossError
from arena.store.ladders.ledger import unpack_body


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "null", '{"matches": [3], "changes": []}', '{"matches": [], "changes": [{}]}']
)
def test_a_damaged_entry_is_named_as_damage(text: str) -> None:
    with pytest.raises(DataLossError, match="ledger is damaged"):
        unpack_body(text)
