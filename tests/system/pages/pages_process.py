"""The web pages in a process of their own, and what a reader asks of them."""

import http.client
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from arena.cli.framework.processes import without_arena
from tests.system.play.arena_process import WAIT_S

ARENA = (sys.executable, "-m", "arena.cli.app")


@dataclass(frozen=True)
class Answer:
    """An answer of the pages; of a stream its first event."""

    status: int
    headers: dict[str, str]
    """By name in small letters."""
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    @property
    def all(self) -> bytes:
        """Headers and body."""
        return repr(self.headers).encode() + self.body


class PagesProcess:
    """`arena pages` at any free port."""

    def __init__(self, *options: str, **variables: str) -> None:
        """`options`: such as the data folder; `variables`: of the environment."""
        self.source = "127.0.0.1"
        """The address of this machine from which requests come."""
        self.process = subprocess.Popen(
            [*ARENA, "pages", "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=without_arena({}) | variables,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = [word for word in line.split() if word.startswith("http")]
        assert found, self.process.communicate(timeout=WAIT_S)
        self.address = urlsplit(found[0].rstrip("."))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate(timeout=WAIT_S)

    def connect(self) -> http.client.HTTPConnection:
        """Return a connection of its own."""
        assert self.address.port is not None
        host, port = self.address.hostname or "", self.address.port
        return http.client.HTTPConnection(host, port, timeout=WAIT_S, source_address=(self.source, 0))

    def get(self, place: str, method: str = "GET", **headers: str) -> Answer:
        """Return the answer for a place without its first slash. `headers`: with _ for -."""
        return self.send(method, place, None, **headers)

    def send(self, method: str, place: str, body: bytes | None, **headers: str) -> Answer:
        """Return the answer to a request with a body."""
        connection = self.connect()
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, f"/{place}", body, headers=named)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            is_stream = found.get("content-type", "").startswith("text/event-stream") and method == "GET"
            return Answer(answer.status, found, first_event(answer) if is_stream else answer.read())
        finally:
            connection.close()


def first_event(answer: http.client.HTTPResponse) -> bytes:
    """Return the lines of a stream until the first empty one."""
    lines = []
    while (line := answer.readline()).strip():
        lines.append(line)
    return b"".join(lines)


def export(folder: Path, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `arena pages export`."""
    return subprocess.run(
        [*ARENA, "pages", "export", str(folder), *options],
        check=False,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        env=without_arena({}) | variables,
    )
