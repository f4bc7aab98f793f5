"""Plays and leaves as it should, but leaves a process behind that ignores SIGTERM."""

import subprocess
import sys

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision

DAEMON = """
import os, signal, time
if os.fork():
    os._exit(0)
os.setsid()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(86_400)
"""


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    subprocess.Popen((sys.executable, "-c", DAEMON, "tests.system.misbehaving.python.leaves_a_daemon"))


if __name__ == "__main__":
    at_its_first_decision(misbehave)
