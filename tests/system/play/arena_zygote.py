"""`arena serve` in processes that begin at once: modules are imported once, and each arena is a fork of this process.

Standard input is a socket on which orders come, each one JSON datagram with two files: what the arena is to write its
service log to, and where its exit code is told. The answer to an order is the process id.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
from contextlib import suppress
from select import select
from typing import Any, Final, NoReturn

import arena.server.app
import arena.server.serve
import arena.store.migrating  # noqa: F401
from arena.cli.app import main

MOST_BYTES: Final = 1 << 17
"""Of an order; most of it is the environment."""
FILES: Final = 1024
"""More than are open here: none of them is an arena's."""


def live(order: dict[str, Any], log: int) -> NoReturn:
    """One arena, to its end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for old, new in ((nothing, 0), (nothing, 1), (log, 2)):
        os.dup2(old, new)
    os.closerange(3, FILES)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    sys.argv = ["arena", *order["arguments"]]
    main()
    raise AssertionError("main has ended the process")


def obey() -> None:
    """Every order is carried out, and every end is told, until nobody is left to give orders."""
    orders = socket.socket(fileno=os.dup(0))
    awake, wake = socket.socketpair()
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who gives the orders decides what it means
    alive: dict[int, int] = {}
    gc.freeze()  # a fork then shares what it only reads
    while True:
        ready, _, _ = select([orders, awake], [], [])
        if awake in ready:
            awake.recv(4096)
            tell_ends(alive)
        if orders in ready:
            order, files, _, _ = socket.recv_fds(orders, MOST_BYTES, 2)
            if not order:
                return
            log, ends = files
            child = os.fork()
            if child == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                live(json.loads(order), log)
            os.close(log)
            alive[child] = ends
            orders.send(str(child).encode())


def tell_ends(alive: dict[int, int]) -> None:
    """Who waits for an arena that has ended learns of it. `alive`: process ids, and where their ends are told."""
    while alive:
        child, status = os.waitpid(-1, os.WNOHANG)
        if child == 0:
            break
        ends = alive.pop(child)
        with suppress(BrokenPipeError):  # nobody waits any more
            os.write(ends, str(os.waitstatus_to_exitcode(status)).encode())
        os.close(ends)


if __name__ == "__main__":
    obey()
