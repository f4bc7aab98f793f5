"""The threads of a bot: what was put before the end is done before it."""

import threading

import pytest

from arena.sdk.workers import Workers


@pytest.mark.parametrize("threads", [1, 3])
def test_jobs_queued_behind_a_running_one_are_done_before_the_threads_end(threads: int) -> None:
    workers, done = Workers(threads), list[str]()
    begun, stopping = threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        stopping.wait()
        done.append("slow")

    lane = workers.lane()
    lane.put(slow)
    lane.put(lambda: done.append("the end"))
    begun.wait()
    # The order to end is given while the first job runs: the lane asks for its second one only after it.
    stopper = threading.Thread(target=workers.stop)
    stopper.start()
    while not workers._lanes.qsize():
        pass
    stopping.set()
    stopper.join()
    assert not any(thread.is_alive() for thread in workers._threads)
    assert done == ["slow", "the end"]
