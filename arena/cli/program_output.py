"""What the programs of a match write: shown line by line on stderr, and kept in files."""

import asyncio
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from types import MappingProxyType
from typing import Final, TextIO

from arena.cli.explain.seat_summary import PRINTED
from arena.cli.framework.errors import CliError
from arena.cli.framework.output import print_note, printable
from arena.cli.framework.processes import Child, Streams
from arena.cli.program_files import format_line
from arena.core.match import DebugLine
from arena.hosting.host.output import LAST_WORDS_BYTES, LineSplitter, readable
from arena.v1 import match_pb2

UNBUFFERED: Final = MappingProxyType({"PYTHONUNBUFFERED": "1"})
"""The environment of a program whose output is shown: Python writes it at once then."""

MOST_BYTES: Final = 4 << 20
"""So much of a seat is shown and kept, each line counting for at least `_LEAST_BYTES`; then its last words."""

_LEAST_BYTES: Final = 64
_READ_BYTES: Final = 1 << 16
_READS: Final = 4
"""Pieces read at a time: a program that prints without end must not keep the clocks waiting."""

_LAST_LINES: Final = 15

_MOST_EXCEPTIONS: Final = 1_000
"""Kept of a seat whether or not there is room for its lines."""

_Source = match_pb2.DebugLine.Source


class LineWriter:
    """Writes to stderr and to files in a thread of its own, so that a slow terminal or disk delays no clock."""

    def __init__(self) -> None:
        """Begin. `close` ends it."""
        self._stderr = sys.stderr
        self._jobs: SimpleQueue[tuple[Path | None, str] | None] = SimpleQueue()
        self._files: dict[Path | None, TextIO] = {}
        self.trouble: dict[Path | None, OSError] = {}
        """Why a file could not be written."""
        self._thread = Thread(target=self._work, name="program output", daemon=True)
        self._thread.start()

    def write(self, text: str, path: Path | None = None) -> None:
        """Write to the file, or to stderr."""
        self._jobs.put((path, text))

    def close(self) -> None:
        """Write what is left and close the files."""
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        with ExitStack() as files:
            for path, text in iter(self._jobs.get, None):
                if path not in self.trouble:
                    try:
                        self._write(files, path, text)
                    except OSError as error:
                        self.trouble[path] = error

    def _write(self, files: ExitStack, path: Path | None, text: str) -> None:
        if path is None:
            # A progress bar has put itself before stderr on a terminal; it keeps its place below the lines.
            stream = sys.stderr if self._stderr.isatty() else self._stderr
        elif (stream := self._files.get(path)) is None:
            stream = self._files[path] = files.enter_context(path.open("w", encoding="utf-8"))
        stream.write(text)
        if path is None:
            stream.flush()


@contextmanager
def line_writer() -> Iterator[LineWriter]:
    """Yield a writer; afterwards all is written, and a file that could not be is reported."""
    writer = LineWriter()
    try:
        yield writer
    finally:
        writer.close()
        for path, error in writer.trouble.items():
            if path is not None:
                print_note(f"{path} could not be written: {error.strerror}.")


class SeatOutput:
    """The output and the debug lines of the program of one seat."""

    def __init__(
        self, seat: int, name: str, writer: LineWriter, *, path: Path | None = None, shows_debug: bool = True
    ) -> None:
        """`path`: the file that keeps all; None: none. `shows_debug`: whether debug lines are shown, too."""
        self._seat = seat
        self._name = name
        self._writer = writer
        self._path = path
        self._shows_debug = shows_debug
        self.decision: Callable[[], int] = lambda: 0
        """The decision that output belongs to; 0: the match as a whole."""
        self.exceptions: list[match_pb2.DebugLine] = []
        """The debug lines that name an exception."""
        self._pipes: dict[_Source.ValueType, int] = {}
        self._splitters: dict[_Source.ValueType, LineSplitter] = {}
        self._left = MOST_BYTES
        self._left_out = dict.fromkeys(PRINTED, b"")
        """The end of what was left out, by source."""
        self._last: deque[str] = deque(maxlen=_LAST_LINES)
        if path is not None:
            writer.write("", path)  # the file is there, be it empty

    @contextmanager
    def streams(self) -> Iterator[Streams]:
        """Yield the streams for the program, to be started inside. On the event loop."""
        loop, ends = asyncio.get_running_loop(), []
        for source in (_Source.SOURCE_STDOUT, _Source.SOURCE_STDERR):
            reading, writing = os.pipe()
            os.set_blocking(reading, False)
            self._pipes[source] = reading
            self._splitters[source] = LineSplitter()
            loop.add_reader(reading, self.read)
            ends.append(writing)
        try:
            yield Streams(stdout=ends[0], stderr=ends[1])
        finally:
            for end in ends:
                os.close(end)

    def read(self) -> None:
        """Take what the program has printed so far."""
        for source, pipe in list(self._pipes.items()):
            for _ in range(_READS):
                try:
                    data = os.read(pipe, _READ_BYTES)
                except BlockingIOError:
                    break
                if not data:
                    self._close_pipe(source)
                    break
                self._take(source, data)
                if len(data) < _READ_BYTES:
                    break

    def note(self, line: DebugLine) -> None:
        """Take a debug line that the bot has sent."""
        source = _Source.ValueType(line.source.value)
        if source == _Source.SOURCE_EXCEPTION and len(self.exceptions) < _MOST_EXCEPTIONS:
            named = match_pb2.DebugLine(
                seat=self._seat, decision=line.decision, source=source, text=line.text
            )
            self.exceptions.append(named)
        self._keep(line.decision, source, line.text)

    def close(self) -> None:
        """Take the rest of the output, with the last words if some were left out. On the event loop."""
        self.read()
        for source in list(self._pipes):
            self._close_pipe(source)
        for source, words in self._left_out.items():
            for word in words.splitlines()[-_LAST_LINES:]:
                self._put(self.decision(), source, readable(word))

    def tail(self) -> str:
        """Return the last lines of what it has printed."""
        words = b"".join(self._left_out.values()).splitlines()
        return "\n".join([*self._last, *map(readable, words)][-_LAST_LINES:])

    def _take(self, source: _Source.ValueType, data: bytes) -> None:
        splitter = self._splitters[source]
        if self._left > 0:
            for line in splitter.add(data):
                self._keep(self.decision(), source, line)
        else:
            splitter.skip(data)
        if self._left <= 0:
            self._left_out[source] = (self._left_out[source] + data)[-LAST_WORDS_BYTES:]

    def _close_pipe(self, source: _Source.ValueType) -> None:
        pipe = self._pipes.pop(source)
        asyncio.get_running_loop().remove_reader(pipe)
        os.close(pipe)
        for line in self._splitters[source].rest():
            self._keep(self.decision(), source, line)

    def _keep(self, decision: int, source: _Source.ValueType, text: str) -> None:
        """Show and keep a line, if there is room."""
        if self._left <= 0:
            return
        self._left -= max(_LEAST_BYTES, len(text))
        self._put(decision, source, text)
        if source in PRINTED:
            self._last.append(text)
        if self._left <= 0:
            cut = f"[more than {MOST_BYTES >> 20} MiB: lines are left out here, except for the last ones]"
            self._put(decision, source, cut)

    def _put(self, decision: int, source: _Source.ValueType, text: str) -> None:
        line = match_pb2.DebugLine(seat=self._seat, decision=decision, source=source, text=text)
        if source in PRINTED or self._shows_debug:
            self._writer.write(self._shown(line))
        if self._path is not None:
            self._writer.write(format_line(line), self._path)

    def _shown(self, line: match_pb2.DebugLine) -> str:
        when = f", decision {line.decision}" if line.decision else ""
        sent = "" if line.source in PRINTED else ", debug"
        return f"seat {self._seat} {self._name}{when}{sent}: {printable(line.text)}\n"


class ShownProcess:
    """A program whose output is shown: `arena.conformance.bot_process.BotProcess`."""

    def __init__(self, child: Child, output: SeatOutput) -> None:
        """`output`: that of the child."""
        self._child = child
        self._output = output

    def code(self) -> int | None:
        """Return the exit code, negative for a signal; None while it runs."""
        return self._child.code()

    def send_signal(self, number: int) -> None:
        """Send a signal, if it still runs."""
        self._child.send(number)

    async def kill(self) -> None:
        """End it with all that it has started, and take the rest of its output."""
        await asyncio.to_thread(self._child.kill)
        self._output.close()

    def waited_s(self) -> float:
        """Return 0: it is not known."""
        return 0.0

    async def output(self) -> str:
        """Return its last lines of output."""
        self._output.read()
        return self._output.tail()


def make_output_folder(folder: Path, files: Iterable[Path]) -> None:
    """Make the folder for the files. Raises CliError: one of them exists, or it cannot be made."""
    for file in files:
        if file.exists():
            raise CliError(f"{file} exists. Name another folder with --output.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CliError(f"The folder {folder} cannot be made: {error.strerror}.") from error
