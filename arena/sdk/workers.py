"""The threads in which a bot's own code runs, apart from the one that talks to the arena."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

Job = Callable[[], None]

STOP_WITHIN_S: Final = 2.0
"""How long the program's end waits for a bot that is still in one of its methods."""


class Workers:
    """A fixed number of daemon threads: a `choose` that never returns cannot keep the program from ending."""

    def __init__(self, threads: int) -> None:
        self._lanes: SimpleQueue[Lane | None] = SimpleQueue()
        self._threads = [
            threading.Thread(target=self._work, name=f"bot-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def lane(self) -> Lane:
        """Return a new lane whose jobs these threads do."""
        return Lane(self._lanes.put)

    def stop(self, within_s: float | None = STOP_WITHIN_S) -> None:
        """Finish all jobs and end the threads, but wait at most so many seconds; None: as long as it takes."""
        self._lanes.put(None)
        deadline = None if within_s is None else time.monotonic() + within_s
        for thread in self._threads:
            thread.join(None if deadline is None else max(0.0, deadline - time.monotonic()))

    def _work(self) -> None:
        while True:
            lane = self._lanes.get()
            if lane is not None:
                lane.do_next()
                continue
            # The one order to end passes from thread to thread, behind every lane that still has jobs.
            last = self._lanes.empty()
            self._lanes.put(None)
            if last:
                return


class Lane:
    """Jobs that are done one after the other, in order, while other lanes go on beside."""

    def __init__(self, wake: Callable[[Lane], None]) -> None:
        """`wake` asks for one `do_next`."""
        self._wake = wake
        self._lock = threading.Lock()
        self._jobs: deque[Job] = deque()

    def put(self, job: Job) -> None:
        """Queue a job; it must not raise."""
        with self._lock:
            self._jobs.append(job)
            asleep = len(self._jobs) == 1
        if asleep:
            self._wake(self)

    def do_next(self) -> None:
        """Do the first job, then ask for the next one if there is one."""
        self._jobs[0]()
        with self._lock:
            self._jobs.popleft()
            more = bool(self._jobs)
        if more:
            self._wake(self)
