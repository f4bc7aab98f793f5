"""The threads in which a bot's own code runs, apart from the one that talks to the arena."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue

Job = Callable[[], None]


class Workers:
    """A fixed number of daemon threads: a `choose` that never returns cannot keep the program from ending."""

    def __init__(self, threads: int) -> None:
        """Starts the threads."""
        self._lanes: SimpleQueue[Lane | None] = SimpleQueue()
        self._threads = threads
        for number in range(threads):
            threading.Thread(target=self._work, name=f"bot-{number}", daemon=True).start()

    def lane(self) -> Lane:
        """A new lane whose jobs these threads do."""
        return Lane(self._lanes.put)

    def stop(self) -> None:
        """Ends each thread after the job it is at; jobs that have not begun by then may be left undone."""
        for _ in range(self._threads):
            self._lanes.put(None)

    def _work(self) -> None:
        while (lane := self._lanes.get()) is not None:
            lane.do_next()


class Lane:
    """Jobs that are done one after the other, in order, while other lanes go on beside."""

    def __init__(self, wake: Callable[[Lane], None]) -> None:
        """`wake` asks for one `do_next`."""
        self._wake = wake
        self._lock = threading.Lock()
        self._jobs: deque[Job] = deque()

    def put(self, job: Job) -> None:
        """The job will be done after those put before. It must not raise."""
        with self._lock:
            self._jobs.append(job)
            asleep = len(self._jobs) == 1
        if asleep:
            self._wake(self)

    def do_next(self) -> None:
        """Does the first job, then asks for the next one if there is one."""
        self._jobs[0]()
        with self._lock:
            self._jobs.popleft()
            more = bool(self._jobs)
        if more:
            self._wake(self)
