"""An arena with probes: `arena serve` in this process. Arguments: a socket for questions, then those of `arena`.

Whoever connects to the socket names the set of probes to put in place, and gets the figures so far as JSON.
"""

import asyncio
import json
import sys
import threading
from collections.abc import Coroutine
from functools import partial
from multiprocessing.connection import Listener
from pathlib import Path
from typing import Any, Final

from arena.cli import app
from arena.server import event_loop
from benchmarks.decision_account.account import LOOP_THREAD, TELLER
from benchmarks.decision_account.entry_points import LOOP, CallbackSections, Probes
from benchmarks.decision_account.probes import ProbedLoop, SectionClock, measure_costs

_NATIVE: Final = "native"
"""A thread that Python has not started."""


def figures(clock: SectionClock) -> dict[str, Any]:
    """Return the nanoseconds of processor time of all threads and sections so far."""
    names = {thread.native_id: thread.name for thread in threading.enumerate()}
    names[threading.main_thread().native_id] = LOOP_THREAD
    threads: dict[str, int] = {}
    for folder in Path("/proc/self/task").iterdir():
        name = names.get(int(folder.name), _NATIVE)
        try:
            spent = int((folder / "schedstat").read_text().split()[0])
        except FileNotFoundError:
            continue  # it has ended meanwhile
        threads[name] = threads.get(name, 0) + spent
    return {
        "threads": threads,
        "sections": {name: section.counts() for name, section in list(clock.sections.items())},
    }


def _tell(listener: Listener, clock: SectionClock, probes: Probes, costs: dict[str, Any]) -> None:
    fixed = {"costs": costs, "compiled": probes.compiled}
    while True:
        with listener.accept() as caller:
            probes.place(caller.recv_bytes().decode())
            clock.settle()
            caller.send_bytes(json.dumps(figures(clock) | fixed).encode())


def main() -> None:
    """Run the arena until it is killed."""
    socket = sys.argv.pop(1)
    costs = measure_costs(CallbackSections)
    clock = SectionClock(LOOP)
    probes = Probes(clock)

    def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
        with asyncio.Runner(loop_factory=partial(ProbedLoop, clock, CallbackSections(clock))) as runner:
            return runner.run(coroutine)

    vars(event_loop)["run"] = run
    listener = Listener(socket, "AF_UNIX")
    threading.Thread(target=_tell, args=(listener, clock, probes, costs), name=TELLER, daemon=True).start()
    app.main()


if __name__ == "__main__":
    main()
