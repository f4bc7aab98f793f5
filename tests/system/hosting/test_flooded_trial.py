"""A submission that floods those who try it, in a real arena: its memory is not the arena's."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.sandbox.proc_fs import descendants
from arena.v1 import submission_pb2
from tests.system.hosting.leftovers import trial_workers, wait_until_gone
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import WAIT_S, ArenaProcess
from tests.unit.cli.programs import finish, start
from tests.unit.hosting.sample_submissions import MANIFEST

pytestmark = needs_sandbox

FLOODING = r"""
import os, select, socket, time

def frame(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload

def literal(text):
    return (bytes((len(text),)) if len(text) < 127 else b"\x7f" + bytes((len(text) - 127,))) + text

FIELDS = {
    b":method": b"POST", b":scheme": b"http", b":path": b"/arena.v1.PlayService/Play", b":authority": b"localhost",
    b"te": b"trailers", b"content-type": b"application/grpc",
}
HEADERS = b"".join(b"\0" + literal(name) + literal(value) for name, value in FIELDS.items())
STREAMS = range(1, 129, 2)
BODY = b"\0" + (1_000_000).to_bytes(4, "big") + bytes(999_999)  # a message that lacks its last byte

class Connection:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.environ["ARENA_ADDRESS"].removeprefix("unix://"))
        self.window, self.initial, self.windows, self.heard = 65_535, 65_535, {}, b""
        self.sent = dict.fromkeys(STREAMS, 0)
        begun = b"".join(frame(1, 4, stream, HEADERS) for stream in STREAMS)
        self.socket.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0) + begun)

    def push(self):
        for stream, sent in self.sent.items():
            room = min(len(BODY) - sent, 16_384, self.window, self.windows.get(stream, self.initial))
            if room > 0:
                self.socket.sendall(frame(0, 0, stream, BODY[sent : sent + room]))
                self.sent[stream] += room
                self.window -= room
                self.windows[stream] = self.windows.get(stream, self.initial) - room

    def hear(self):
        data = self.socket.recv(65_536)
        if not data:
            raise OSError("closed")
        self.heard += data
        while len(self.heard) >= 9 + (size := int.from_bytes(self.heard[:3], "big")):
            kind, flags = self.heard[3], self.heard[4]
            stream, payload = int.from_bytes(self.heard[5:9], "big"), self.heard[9 : 9 + size]
            self.heard = self.heard[9 + size :]
            if kind == 4 and not flags & 1:
                for at in range(0, size, 6):
                    if payload[at : at + 2] == b"\0\x04":
                        new = int.from_bytes(payload[at + 2 : at + 6], "big")
                        self.windows = {each: left + new - self.initial for each, left in self.windows.items()}
                        self.initial = new
                self.socket.sendall(frame(4, 1, 0))
            elif kind == 8 and stream:
                self.windows[stream] = self.windows.get(stream, self.initial) + int.from_bytes(payload, "big")
            elif kind == 8:
                self.window += int.from_bytes(payload, "big")

connections = []
while True:
    if len(connections) < MOST:
        try:
            connections.append(Connection())
        except OSError:
            pass  # it is closed already: the next one floods
    for each in list(connections):
        try:
            each.push()
        except OSError:
            connections.remove(each)
    readable, _, _ = select.select([each.socket for each in connections], [], [], 0.01)
    for each in [each for each in connections if each.socket in readable]:
        try:
            each.hear()
        except OSError:
            connections.remove(each)
"""
"""Unfinished messages of 1 MB in as many streams as there may be, on connections that stay open."""

GROWTH_MIB = 64

CONNECTIONS, HELLO, MEMORY = (
    "it opened more than 8 connections at once",
    "it said no hello within 10 s",
    "took more than 256 MiB of memory",
)


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ArenaProcess]:
    """With the bot flood."""
    with ArenaProcess(tmp_path / "data", alone=True) as running:
        running.bot("flood")
        yield running


def a_flooding_bot(parent: Path, connections: int) -> Path:
    folder = parent / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text(FLOODING.replace("MOST", str(connections)))
    return folder


def highest_memory_mib(pid: int) -> int:
    """Return the most memory that the process has ever had."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) >> 10


@pytest.mark.parametrize(
    ("connections", "bounds"),
    [
        (100, (CONNECTIONS, HELLO, MEMORY)),  # which is met first is a question of speed
        (6, (HELLO,)),
    ],
    ids=["many connections", "few connections"],
)
def test_a_submission_that_floods_its_trial_is_rejected_and_fills_no_memory_of_the_arena(
    arena: ArenaProcess, tmp_path: Path, connections: int, bounds: tuple[str, ...]
) -> None:
    folder = a_flooding_bot(tmp_path, connections)
    before = highest_memory_mib(arena.process.pid)

    command = ("bot", "submit", "--data", str(arena.data), "flood", str(folder))
    code, out, err = finish(start(*command), within=180)

    said = " ".join((out + err).split())
    assert code == 1
    assert "BOT_START_FAILED" in said
    assert any(bound in said for bound in bounds), said
    assert highest_memory_mib(arena.process.pid) - before < GROWTH_MIB
    assert arena.terminate() == 0


def test_an_arena_that_is_killed_leaves_no_process_that_tries_a_submission(
    arena: ArenaProcess, tmp_path: Path
) -> None:
    folder = a_flooding_bot(tmp_path, 6)
    submit = start("bot", "submit", "--no-wait", "--data", str(arena.data), "flood", str(folder))
    assert finish(submit)[0] == 0
    for response in arena.submissions.WatchSubmission(name="bots/flood/submissions/1", timeout=WAIT_S):
        if response.submission.state == submission_pb2.Submission.STATE_TRYING:
            break
    deadline = time.monotonic() + WAIT_S
    while not trial_workers(arena.process.pid):
        assert time.monotonic() < deadline
    left = descendants(arena.process.pid)

    arena.kill()

    wait_until_gone(left)
