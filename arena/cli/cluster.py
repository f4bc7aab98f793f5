"""`arena cluster`: the match nodes of an arena."""

import os
import re
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import shorten
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, command, group
from arena.cli.framework.errors import server_packages
from arena.cli.framework.names import resource
from arena.cli.framework.output import Columns, facts, listing_table, out, plain
from arena.cli.framework.target import DEFAULT_DATA, check_data_folder, check_host_and_port
from arena.drawings.wording import counted
from arena.v1 import cluster_pb2
from arena.wire.wording import enum_word, short

app = group("Match nodes: other machines that play matches of hosted bots.")

NodeArgument = Annotated[
    str, typer.Argument(metavar="NODE", help="The node, as `arena cluster show` lists it.")
]


FirstPortOption = Annotated[
    int,
    typer.Option(
        min=1024,
        max=65_000,
        help="The first of the 100 ports that this machine's part of the cluster listens on.",
    ),
]


@command(app, "start", example="arena cluster start --host 192.0.2.10 --data data")
def start_cluster(
    data: Annotated[
        Path,
        typer.Option(metavar="DIR", envvar="ARENA_DATA", callback=check_data_folder, help="The data folder."),
    ] = DEFAULT_DATA,
    host: Annotated[str, typer.Option(help="This machine's address in the cluster's network.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535, help="The port of the cluster's head.")] = 6379,
    first_port: FirstPortOption = 7460,
) -> None:
    """Run the head of a cluster beside the arena until it is stopped. It plays no matches.

    The first start writes the cluster's token to cluster.token in the data folder. No machine joins without it.
    """
    with server_packages("cluster"):
        from arena.server.cluster.ray_commands import (
            head_command,
            make_token,
            ports_of,
            ray_environment,
            require_ray,
        )
        from arena.server.cluster.start_checks import check_own_address, check_ports_free
        from arena.server.data_folder import DataFolder, storage_errors

        require_ray()
    check_own_address(host)
    check_ports_free(host, (port,), "--port")
    check_ports_free(host, (*ports_of(first_port).values(), first_port + 9), "--first-port")
    token = DataFolder(data).cluster_token
    with storage_errors(f"The token of the cluster cannot be written to {token}", "choose another folder"):
        is_new = make_token(token)
    out().print(
        plain(
            f"{'A new token is' if is_new else 'The token is'} in {token}. Copy it to each node, and run there: "
            f"arena cluster join {host}:{port} --token-file FILE. "
            "What Ray prints now is about Ray alone; Ctrl-C ends the head."
        )
    )
    _become(head_command(host=host, port=port, first_port=first_port), ray_environment(token))


@command(app, "join", example="arena cluster join 192.0.2.10:6379 --token-file cluster.token")
def join_cluster(
    head: Annotated[
        str,
        typer.Argument(metavar="HEAD", callback=check_host_and_port, help="Address of the head, host:port."),
    ],
    token_file: Annotated[Path, typer.Option(metavar="FILE", help="The token of the cluster.")],
    data: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            callback=check_data_folder,
            help="The folder for versions of bots, made if missing.",
        ),
    ] = Path("node"),
    name: Annotated[
        str | None, typer.Option(show_default="the host name", help="The node's name, unique in the cluster.")
    ] = None,
    matches: Annotated[
        int | None,
        typer.Option(min=1, max=64, show_default="processors", help="Matches that it plays at once."),
    ] = None,
    programs: Annotated[
        int | None,
        typer.Option(
            min=1, show_default="by cores and memory", help="Programs of bots that it runs at once."
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(show_default="as Ray finds it", help="This machine's address in the cluster's network."),
    ] = None,
    first_port: FirstPortOption = 7460,
    allow_weak_sandbox: Annotated[
        bool,
        typer.Option(help="Run bots although the sandbox lacks a protection: only for your own bots."),
    ] = False,
) -> None:
    """Join a cluster as a match node until it is stopped: play matches of the arena's hosted bots on this machine."""
    with server_packages("cluster"):
        from arena.hosting.environment import MOST_WORKERS, default_slots, least_slots, processors
        from arena.server.cluster.node_settings import NodeSettings
        from arena.server.cluster.ray_commands import (
            check_token,
            node_command,
            ports_of,
            ray_environment,
            require_ray,
        )

        require_ray()
    called = _node_name(name)
    workers = matches or min(MOST_WORKERS, processors())
    places = programs or default_slots(workers)
    if places < least_slots():
        raise typer.BadParameter(f"--programs must be at least {least_slots()}: a match may need that many.")
    check_token(token_file)
    _check_start(head, token_file, host, ports_of(first_port).values(), data)
    settings = NodeSettings(called, data.resolve(), workers, places, allow_weak_sandbox)
    out().print(
        plain(
            f"Node {called} joins the cluster at {head}: {counted(workers, 'match', 'matches')} at once. "
            "What Ray prints now is about Ray alone; Ctrl-C ends the node."
        )
    )
    _become(
        node_command(head, name=called, host=host, first_port=first_port),
        ray_environment(token_file, settings.to_environment()),
    )


def _node_name(given: str | None) -> str:
    """Return the name of the node: the one given, or the host's. Raises BadParameter."""
    name = given or socket.gethostname()
    if not _NODE_NAME.fullmatch(name):
        raise typer.BadParameter(
            f"{name} is no name of a node: letters, digits, '.', '_' and '-', at most 64."
        )
    return name


def _check_start(head: str, token: Path, host: str | None, ports: Iterable[int], data: Path) -> None:
    """Raise ArenaError if the node could not join, which Ray would say late; hold its folder."""
    from arena.server.cluster.start_checks import check_head, check_own_address, check_ports_free, lock_folder
    from arena.server.data_folder import storage_errors

    if host is not None:
        check_own_address(host)
    check_ports_free(host or "", ports, "--first-port")
    with storage_errors(f"The folder {data} cannot be used", "choose another one with --data"):
        lock_folder(data)
    check_head(head, token)


def _become(command_line: list[str], environment: dict[str, str]) -> None:
    """Replace this process by Ray's command."""
    out().file.flush()
    os.execve(command_line[0], command_line, environment)


@arena_command(app, "show", example="arena cluster show --format json")
def show_cluster(context: CommandContext) -> None:
    """Show the cluster and its match nodes: what they play, and why no match begins on some of them."""
    context.call(lambda arena: arena.cluster.ListNodes(cluster_pb2.ListNodesRequest()), _cluster)


@arena_command(app, "drain", example="arena cluster drain lab2")
def drain_node(
    context: CommandContext,
    node: NodeArgument,
    off: Annotated[bool, typer.Option("--off", help="Begin matches on it again.")] = False,
) -> None:
    """Begin no more matches on a node. Those that it plays are played to their end."""
    request = cluster_pb2.SetNodeDrainedRequest(name=resource("nodes", node), drained=not off)
    context.call(lambda arena: arena.cluster.SetNodeDrained(request).node, _answer)


_NODE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def _state(node: cluster_pb2.Node) -> str:
    return enum_word(cluster_pb2.NodeState, node.state)


_NO_CLUSTER: Final = (
    "This arena has no cluster: it plays all matches on its own machine. `arena cluster start` starts one, and "
    "`arena serve --cluster` plays matches on its nodes."
)
_NO_NODES: Final = (
    "No match node has joined since the arena started: `arena cluster join` on a machine adds it."
)
_EXCERPT: Final = 32
"""Characters of a reason in the table; it is whole below."""

_COLUMNS: Final[Columns[cluster_pb2.Node]] = {
    "!node": lambda node: short(node.name),
    "?address": lambda node: node.address,
    "state": _state,
    ">playing": lambda node: f"{node.playing} of {node.workers}",
    "?>programs": lambda node: f"{node.programs} of {node.places}",
    "?>finished": lambda node: node.finished,
    ">lost": lambda node: node.lost,
    ">refused": lambda node: sum(node.refused.values()),
    "?>think ratio": lambda node: f"{node.think_ratio:.2f}" if node.HasField("think_ratio") else "",
    "?reason": lambda node: shorten(node.why, _EXCERPT, placeholder=" ..."),
}


def _cluster(listing: cluster_pb2.ListNodesResponse) -> RenderableType:
    if not listing.address:
        return plain(_NO_CLUSTER)
    answers = "" if listing.connected else " does not answer"
    return Group(
        facts(("cluster", f"{listing.address}{answers}")),
        listing_table(_COLUMNS, listing.nodes, _NO_NODES),
        facts(*(remark for node in listing.nodes for remark in _remarks(node))),
    )


def _remarks(node: cluster_pb2.Node) -> Iterator[tuple[str, str]]:
    """Yield what there is to say of a node, each with its name."""
    name = short(node.name)
    if node.why:
        yield name, node.why
    if node.missing_runtimes:
        which = ", ".join(node.missing_runtimes)
        yield name, f"No match of a bot that needs one of these runtimes begins on it: {which}."
    if node.refused:
        by_reason = ", ".join(f"{reason} {number}" for reason, number in sorted(node.refused.items()))
        yield name, f"Refused results: {by_reason}."


def _answer(node: cluster_pb2.Node) -> str:
    state = f"{short(node.name)} is {_state(node)}"
    if node.state == cluster_pb2.NODE_STATE_READY:
        return plain(f"{state}: matches begin on it.")
    runs = f" It plays {counted(node.playing, 'match', 'matches')} to the end." if node.playing else ""
    why = f" {node.why}" if node.why else ""
    return plain(f"{state}: no match begins on it.{runs}{why}")
