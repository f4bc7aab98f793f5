"""`arena serve` in processes that die where they are told to: one short life after the other.

The modules are imported once; each life is a fork of this process, so that a thousand of them take minutes. Orders
come as JSON lines on standard input; for each the process id of the life is answered, and then how it ended.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

import arena.server.app
import arena.server.serve
import arena.store.store  # noqa: F401
from arena.cli.app import main
from tests.system.crash.points import Points


def live(order: dict[str, Any]) -> NoReturn:
    """One life."""
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    nothing = os.open(os.devnull, os.O_RDWR)
    for old, new in ((nothing, 0), (nothing, 1), (log, 2)):
        os.dup2(old, new)
    trace = Path(order["trace"]) if order["trace"] else None
    Points(Path(order["data"]), point=order["point"], passage=order["passage"], trace=trace).install()
    sys.argv = [
        "arena",
        "serve",
        "--data",
        order["data"],
        "--port",
        "0",
        "--log-format",
        "json",
        *order["options"],
    ]
    main()
    raise AssertionError("main has ended the process")


def answer(**fields: object) -> None:
    """One line to who gives the orders."""
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def obey() -> None:
    """Every order is carried out, one life at a time."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            live(json.loads(line))
        answer(born=child)
        _, status = os.waitpid(child, 0)
        answer(ended=os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    obey()
