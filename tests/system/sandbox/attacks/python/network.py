"""Attacks by the network."""

import errno
import socket
from pathlib import Path

from attack import attack, read_from, refused, setting


@attack
def connect_by_tcp() -> str:
    """Connect by TCP to a server on the host."""
    return str(read_from(("127.0.0.1", int(setting("TCP_PORT"))), socket.AF_INET))


@attack
def connect_by_tcp6() -> str:
    """Connect by TCP over IPv6 to a server on the host."""
    return str(read_from(("::1", int(setting("TCP6_PORT"))), socket.AF_INET6))


@attack
def send_by_udp() -> str:
    """Send a datagram to a server on the host and wait for the answer."""
    return str(read_from(("127.0.0.1", int(setting("UDP_PORT"))), socket.AF_INET, socket.SOCK_DGRAM))


@attack
def listen_by_tcp() -> str:
    """Open a port on which it could be reached."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"listens {bool(server.getsockname()[1])}"


@attack
def connect_to_abstract_socket() -> str:
    """Connect to a Unix socket of the host that has a name and no file."""
    return str(read_from("\0" + setting("ABSTRACT_NAME")))


@attack
def read_host_connections() -> str:
    """Read in /proc/net which Unix sockets the host has."""
    if setting("ABSTRACT_NAME") not in Path("/proc/net/unix").read_text():
        raise refused(errno.ENOENT)
    return "sees the host's socket"


@attack
def bind_vsock() -> str:
    """Take a port in the address family between virtual machines, which no namespace separates."""
    with socket.socket(socket.AF_VSOCK) as server:
        server.bind((socket.VMADDR_CID_ANY, socket.VMADDR_PORT_ANY))
        return "bound"


@attack
def ask_netlink() -> str:
    """Open a netlink socket, the door to the kernel's network code."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW) as door:
        door.bind((0, 0))
        return "bound"


@attack
def ask_family_for_pair() -> str:
    """Have another address family than that of Unix sockets asked for a pair of sockets, which loads its module."""
    try:
        for end in socket.socketpair(socket.AF_INET, socket.SOCK_STREAM):
            end.close()
    except OSError as error:
        if error.errno != errno.EOPNOTSUPP:
            raise
    return "asked the family itself"
