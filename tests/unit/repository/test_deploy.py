"""The example units of docs/deploy call commands that there are, with options that they have."""

import re
from pathlib import Path

import pytest

from tests.unit.repository.test_docs import ARENA, follow, options

DEPLOY = Path(__file__).resolve().parents[3] / "docs" / "deploy"
UNITS = sorted(path.name for path in DEPLOY.iterdir() if path.is_file())
CALL = re.compile(r"^ExecStart\w*=/opt/caravan-arena/bin/arena (.*)$", re.MULTILINE)


def calls(unit: str) -> list[list[str]]:
    """Return the words of the arena's command lines in a unit."""
    return [line.split() for line in CALL.findall((DEPLOY / unit).read_text())]


def test_there_are_units_for_the_arena_and_its_backup_and_for_the_head_and_the_nodes_of_a_cluster() -> None:
    assert UNITS == [
        "caravan-arena-backup.service",
        "caravan-arena-backup.timer",
        "caravan-arena-head.service",
        "caravan-arena-node.service",
        "caravan-arena.service",
        "hosted-bots-backup.conf",
        "hosted-bots.conf",
    ]
    assert [words[:2] for unit in UNITS for words in calls(unit)] == [
        ["data", "backup"],
        ["cluster", "start"],
        ["cluster", "join"],
        ["serve", "--data"],
    ]


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.endswith(".service")])
def test_the_command_lines_of_a_unit_can_be_understood(unit: str) -> None:
    for words in calls(unit):
        command = follow(words)
        assert command is not None
        assert {word for word in words if word.startswith("--")} <= options(ARENA) | options(command)


@pytest.mark.parametrize("unit", ["hosted-bots.conf", "caravan-arena-node.service"])
def test_the_capabilities_of_a_unit_for_hosted_bots_are_those_that_the_sandbox_is_said_to_need(
    unit: str,
) -> None:
    said = (DEPLOY.parent / "sandbox.md").read_text().split("needs the capabilities")[1].split(";")[0]
    assert set(re.findall(r"CAP_\w+", said)) == set(setting(unit, "CapabilityBoundingSet").split())


def setting(unit: str, name: str) -> str:
    """Return the last value of a setting; empty if it is not set."""
    values = re.findall(rf"^{name}=(.*)$", (DEPLOY / unit).read_text(), re.MULTILINE)
    return str(values[-1]) if values else ""


def test_a_node_takes_nothing_away_that_bots_get_on_the_arenas_machine() -> None:
    """What hosted-bots.conf sets for the arena, a node's unit sets likewise, or leaves as it is by default."""
    node = "caravan-arena-node.service"
    for name in ("User", "Group", "Delegate", "SystemCallFilter"):
        assert setting(node, name) == setting("hosted-bots.conf", name)
    given_back = re.findall(r"^(\w+)=no$", (DEPLOY / "hosted-bots.conf").read_text(), re.MULTILINE)
    assert {setting(node, name) for name in given_back} <= {"", "no"}
    assert "AF_NETLINK" in setting(node, "RestrictAddressFamilies")


def test_a_machine_of_the_cluster_joins_again_whatever_has_ended_it() -> None:
    for unit in ("caravan-arena-head.service", "caravan-arena-node.service"):
        assert (setting(unit, "Restart"), setting(unit, "StartLimitIntervalSec")) == ("always", "0")
        assert setting(unit, "KillMode") == "mixed", "bots must not be told to end before their match is void"


def test_the_head_shares_its_temporary_folder_with_the_arena_whose_client_reaches_it_there() -> None:
    assert setting("caravan-arena-head.service", "JoinsNamespaceOf") == "caravan-arena.service"
    assert {setting(f"caravan-arena{part}.service", "PrivateTmp") for part in ("", "-head")} == {"yes"}


def test_the_arena_keeps_its_data_and_its_backups_apart_and_to_itself() -> None:
    for unit in UNITS:
        text = (DEPLOY / unit).read_text()
        if unit.endswith(".service"):
            assert "StateDirectoryMode=0700" in text
            assert "UMask=0077" in text
            assert "ProtectSystem=strict" in text
