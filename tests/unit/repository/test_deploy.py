"""The example units of docs/deploy call commands that there are, with options that they have."""

import re
from pathlib import Path

import pytest

from tests.unit.repository.test_docs import ARENA, follow, options

DEPLOY = Path(__file__).resolve().parents[3] / "docs" / "deploy"
UNITS = sorted(path.name for path in DEPLOY.iterdir())
CALL = re.compile(r"^ExecStart\w*=/opt/caravan-arena/bin/arena (.*)$", re.MULTILINE)


def calls(unit: str) -> list[list[str]]:
    """Return the words of the arena's command lines in a unit."""
    return [line.split() for line in CALL.findall((DEPLOY / unit).read_text())]


def test_there_is_a_unit_for_the_arena_and_one_for_its_backup_with_a_timer() -> None:
    assert UNITS == [
        "caravan-arena-backup.service",
        "caravan-arena-backup.timer",
        "caravan-arena.service",
        "hosted-bots-backup.conf",
        "hosted-bots.conf",
    ]
    assert [words[:2] for unit in UNITS for words in calls(unit)] == [["data", "backup"], ["serve", "--data"]]


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.endswith(".service")])
def test_the_command_lines_of_a_unit_can_be_understood(unit: str) -> None:
    for words in calls(unit):
        command = follow(words)
        assert command is not None
        assert {word for word in words if word.startswith("--")} <= options(ARENA) | options(command)


def test_the_capabilities_of_a_unit_for_hosted_bots_are_those_that_the_sandbox_is_said_to_need() -> None:
    said = (DEPLOY.parent / "sandbox.md").read_text().split("needs the capabilities")[1].split(";")[0]
    given = re.search(
        r"^CapabilityBoundingSet=(.*)$", (DEPLOY / "hosted-bots.conf").read_text(), re.MULTILINE
    )
    assert given is not None
    assert set(re.findall(r"CAP_\w+", said)) == set(given[1].split())


def test_the_arena_keeps_its_data_and_its_backups_apart_and_to_itself() -> None:
    for unit in UNITS:
        text = (DEPLOY / unit).read_text()
        if unit.endswith(".service"):
            assert "StateDirectoryMode=0700" in text
            assert "UMask=0077" in text
            assert "ProtectSystem=strict" in text
