"""`arena cluster`: match nodes in a table with what there is to say of them, and draining."""

import json

import pytest

from tests.unit.cli.fake_arena import Answer
from tests.unit.cli.screens import Screens, check_screen, check_screens

WAITS = 'name: "nodes/lab1" address: "10.0.0.2" state: NODE_STATE_JOINING why: "It has not described itself."'
READY = """
    name: "nodes/lab2" address: "10.0.0.3" state: NODE_STATE_READY workers: 8 playing: 3 programs: 6 places: 16
    finished: 1200 lost: 2 refused { key: "untrue" value: 4 } refused { key: "late" value: 1 } think_ratio: 1.254
    missing_runtimes: ["go", "rust"]
"""
DRAINED = """
    name: "nodes/lab3.example.org" address: "10.0.0.4" state: NODE_STATE_DRAINED workers: 8 playing: 1 places: 16
    why: "An organiser has drained it: `arena cluster drain lab3.example.org --off` begins matches on it again."
"""
EXCLUDED = """
    name: "nodes/lab4" address: "10.0.0.5" state: NODE_STATE_EXCLUDED workers: 8 places: 16 think_ratio: 0.9
    why: "It has caravan-arena 1.7, and the arena 1.8: install the same version."
"""
LOST = 'name: "nodes/lab5" state: NODE_STATE_LOST lost: 3 why: "It does not answer since 30 s."'
CLUSTER = 'address: "10.0.0.1:6379" connected: true'
NODES = " ".join(f"nodes {{ {node} }}" for node in (WAITS, READY, DRAINED, EXCLUDED, LOST))


def listed(answer: str) -> tuple[str, dict[str, Answer]]:
    """Return how the cluster is shown."""
    return "cluster show", {"ListNodes": answer}


def drained(node: str, *words: str) -> tuple[str, dict[str, Answer]]:
    """Return how the answer to a command that drains is shown."""
    return " ".join(("cluster drain lab2", *words)), {"SetNodeDrained": f"node {{ {node} }}"}


SCREENS: Screens = {
    "cluster_show": {
        "nodes in every state": listed(f"{CLUSTER} {NODES}"),
        "one node, of which there is nothing to say": listed(f"{CLUSTER} nodes {{ name: 'nodes/lab2' }}"),
        "no nodes": listed(CLUSTER),
        "the head does not answer": listed(f"address: '10.0.0.1:6379' nodes {{ {LOST} }}"),
        "no cluster": listed(""),
    },
    "cluster_drain": {
        "drained": drained(DRAINED),
        "ready again": drained(READY, "--off"),
        "still excluded": drained(EXCLUDED, "--off"),
    },
}


@pytest.mark.parametrize("name", SCREENS)
def test_nodes_are_shown_with_why_no_match_begins_on_them(fake, ask, name):
    check_screens(name, SCREENS, fake, ask)


def test_nodes_fit_80_columns(fake, ask, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    fake.answers["ListNodes"] = f"{CLUSTER} {NODES}"

    shown = ask("cluster", "show")

    assert max(map(len, shown.stdout.splitlines())) <= 80
    check_screen("cluster_narrow", shown)


def test_nodes_as_json_have_a_ratio_where_it_is_known_and_numbers_by_reason(fake, ask):
    fake.answers["ListNodes"] = f"{CLUSTER} {NODES}"

    document = json.loads(ask("cluster", "show", "--format", "json").stdout)

    waits, ready, *_ = document["nodes"]
    assert (document["address"], document["connected"]) == ("10.0.0.1:6379", True)
    assert (ready["state"], ready["think_ratio"], ready["refused"]) == (
        "NODE_STATE_READY",
        1.254,
        {"late": 1, "untrue": 4},
    )
    assert "think_ratio" not in waits
