"""What Ray lists, and which match nodes these are."""

from typing import Any

from arena.server.cluster.node_names import MatchNode, NodeNames
from arena.submissions.manifest import Grant


def listed(
    ray_node: str, name: str | None, address: str = "192.0.2.1", *, alive: bool = True
) -> dict[str, Any]:
    """Return an entry as Ray lists it; `name` is None for a machine that is no match node."""
    resources = {"CPU": 2.0, "memory": 3.5 * 2**30} | ({} if name is None else {f"arena_node:{name}": 1.0})
    return {"NodeID": ray_node, "Alive": alive, "Resources": resources, "NodeManagerAddress": address}


def test_machines_that_are_gone_or_play_no_matches_are_no_nodes() -> None:
    entries = [listed("a", None), listed("b", "lab1"), listed("c", "lab2", "192.0.2.2", alive=False)]
    assert NodeNames().of(entries) == [MatchNode("b", "lab1", "192.0.2.1", Grant(2, 3_584))]


def test_a_machine_that_joins_again_before_ray_has_noticed_that_it_was_gone_keeps_its_name() -> None:
    names = NodeNames()
    names.of([listed("old", "lab1")])
    for entries in (
        [listed("new", "lab1"), listed("old", "lab1")],
        [listed("old", "lab1"), listed("new", "lab1")],
        [listed("old", "lab1", alive=False), listed("new", "lab1")],
    ):
        assert names.of(entries) == [MatchNode("new", "lab1", "192.0.2.1", Grant(2, 3_584))]


def test_of_two_machines_with_one_name_the_later_one_has_its_address_added() -> None:
    names = NodeNames()
    first, second = listed("a", "lab1"), listed("b", "lab1", "192.0.2.2")
    assert names.of([first, second]) == names.of([second, first])[::-1]
    assert [node.name for node in names.of([first, second])] == ["lab1", "lab1-192-0-2-2"]
    again = listed("c", "lab1", "192.0.2.2")
    assert [node.name for node in names.of([first, again])] == ["lab1", "lab1-192-0-2-2"]


def test_a_machine_whose_address_has_changed_keeps_its_name() -> None:
    names = NodeNames()
    names.of([listed("a", "lab1")])
    names.of([])
    assert [node.name for node in names.of([listed("b", "lab1", "192.0.2.2")])] == ["lab1"]
    back = [listed("b", "lab1", "192.0.2.2"), listed("c", "lab1")]
    assert [node.name for node in names.of(back)] == ["lab1", "lab1-192-0-2-1"]
