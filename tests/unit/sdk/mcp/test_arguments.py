"""Arguments of the tools that are wrong: each is named, and nothing is guessed."""

from typing import Any

import pytest

from arena.sdk.mcp.arguments import Act, Explain, Join, State, Wait, read
from arena.sdk.mcp.errors import Reason, RefusedCallError
from arena.sdk.mcp.server import TOOLS


@pytest.mark.parametrize(
    ("kind", "given", "named"),
    [
        (Act, {}, "decision"),
        (Act, {"decision": "7-1-x"}, "action"),
        (Act, {"decision": 7, "action": 1}, "decision"),
        (Act, {"decision": "7-1-x", "action": True}, "action"),
        (Act, {"decision": "7-1-x", "action": 1.5}, "action"),
        (Act, {"decision": "7-1-x", "action": None}, "action"),
        (Act, {"decision": "7-1-x", "action": [1]}, "action"),
        (Act, {"decision": "7-1-x", "action": 1, "seat": 0}, "seat"),
        (Act, {"decision": "7-1-x", "action": 1, "thoughts": "x" * 5000}, "thoughts"),
        (Wait, {"seconds": -1}, "seconds"),
        (Wait, {"seconds": 301}, "seconds"),
        (Wait, {"seconds": "5"}, "seconds"),
        (Wait, {"seconds": float("nan")}, "seconds"),
        (Wait, {"seconds": float("inf")}, "seconds"),
        (Join, {"matches": -1}, "matches"),
        (Join, {"matches": 17}, "matches"),
        (Join, {"matches": "1"}, "matches"),
        (Join, {"ladder": 1}, "ladder"),
        (State, {"match": 7}, "match"),
        (Explain, {"rule": ["a"]}, "rule"),
    ],
)
def test_a_wrong_argument_is_named(kind: Any, given: dict[str, Any], named: str) -> None:
    with pytest.raises(RefusedCallError) as refused:
        read(kind, given)
    assert refused.value.reason is Reason.ARGUMENT_INVALID
    assert str(refused.value).startswith(f"{named}: ")


def test_a_whole_number_of_seconds_is_a_number() -> None:
    assert read(Wait, {"seconds": 5}).seconds == 5


def test_every_tool_says_what_it_does_and_what_its_arguments_mean() -> None:
    for tool in TOOLS.values():
        assert len(tool.description) > 40
        for field in tool.arguments.model_fields.values():
            assert field.description
