"""`arena serve` in processes that begin at once: modules are imported once, and each arena is a fork of this process.

Standard input is a socket on which orders come, each one JSON datagram with two files: what the arena is to write its
service log to, and where its exit code is reported. The answer to an order is the process id.
"""

import gc
import json
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from select import select
from typing import Any, Final, NoReturn

import arena.server.app
import arena.server.serve
import arena.store.migrating  # noqa: F401
from arena.cli.app import main

MOST_BYTES: Final = 1 << 17
"""Of an order; most of it is the environment."""
ROOT: Final = Path(__file__).resolve().parents[3]
FILES: Final = 1024
"""More than are open here: none of them is an arena's."""


def run(order: dict[str, Any], log: int) -> NoReturn:
    """Run one arena, to its end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for old, new in ((nothing, 0), (nothing, 1), (log, 2)):
        os.dup2(old, new)
    os.closerange(3, FILES)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    if order["kill_at"] is not None:
        sys.path.append(str(ROOT))
        from tests.system.crash.points import Points

        Points(**order["kill_at"]).install()
    sys.argv = ["arena", *order["arguments"]]
    main()
    raise AssertionError("main has ended the process")


def serve() -> None:
    """Start an arena for every order, and report every end, until the other side of the socket is closed."""
    orders = socket.socket(fileno=os.dup(0))
    awake, wake = socket.socketpair()
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the test process decides what it means
    alive: dict[int, int] = {}
    gc.freeze()  # a fork then shares what it only reads
    while True:
        ready, _, _ = select([orders, awake], [], [])
        if awake in ready:
            awake.recv(4096)
            report_ends(alive)
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
                run(json.loads(order), log)
            os.close(log)
            alive[child] = ends
            orders.send(str(child).encode())


def report_ends(alive: dict[int, int]) -> None:
    """Report the exit codes of arenas that have ended. `alive`: process ids, and where their ends are reported."""
    while alive:
        child, status = os.waitpid(-1, os.WNOHANG)
        if child == 0:
            break
        ends = alive.pop(child)
        with suppress(BrokenPipeError):  # nobody waits any more
            os.write(ends, str(os.waitstatus_to_exitcode(status)).encode())
        os.close(ends)


if __name__ == "__main__":
    serve()
