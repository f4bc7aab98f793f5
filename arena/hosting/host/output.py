"""The output of a hosted bot, line by line, as private lines of the matches that it plays."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from arena.core.match import LineSource
from arena.sandbox.output import Stream
from arena.sessions.seat import DEBUG_LEAST_BYTES, DEBUG_LINE_BYTES, AssignedSeat

WAITING_BYTES: Final = 16_384
"""So much of what is printed while no match is played waits for the next one, counted as a match counts it."""

WAITING_CUT: Final = f"[cut: {WAITING_BYTES} bytes of what is printed between two matches are kept]"

LAST_WORDS_BYTES: Final = 2_048
"""So much of the end of each stream is kept of a program that has ended, also where the match keeps no more lines."""

_LAST_WORDS: Final = 20
"""At most so many lines of it."""

_SOURCES: Final = {Stream.STDOUT: LineSource.STDOUT, Stream.STDERR: LineSource.STDERR}

_UNSEEN: Final = (
    (0x00, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x061C, 0x061C), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F),
    (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0xE0000, 0xE007F),
)  # fmt: skip
"""Ranges of characters that are not seen, but steer a terminal or the direction of writing."""


def _escapes() -> Mapping[int, str]:
    steering = (code for first, last in _UNSEEN for code in range(first, last + 1))
    shown = {code: chr(code).encode("unicode_escape").decode() for code in steering}
    return shown | {ord("\t"): "    "}


_ESCAPES: Final = _escapes()


def readable(line: bytes) -> str:
    r"""Return a line as text without terminal controls: invisible characters and invalid UTF-8 as \x1b or \u202e."""
    text = line.decode("utf-8", errors="backslashreplace")
    return text if text.isprintable() else text.translate(_ESCAPES)


class LineSplitter:
    """Makes lines of pieces. It holds back one unfinished line, of at most `DEBUG_LINE_BYTES`."""

    def __init__(self) -> None:
        self._begun = b""
        self._amid = False
        """Whether the beginning of the line that comes was skipped."""

    def add(self, data: bytes) -> list[str]:
        """Return the lines that are complete by now, each of at most `DEBUG_LINE_BYTES`: a longer one becomes several.

        Empty lines are left out; one of blanks alone is an empty text.
        """
        if self._amid:
            _, found, data = data.partition(b"\n")
            self._amid = not found
        *whole, begun = (self._begun + data).split(b"\n")
        lines = [piece for line in whole if line for piece in _pieces(line)]
        while len(begun) > DEBUG_LINE_BYTES:
            cut = _boundary(begun, DEBUG_LINE_BYTES)
            lines += _pieces(begun[:cut])
            begun = begun[cut:]
        self._begun = begun
        return lines

    def skip(self, data: bytes) -> None:
        """Note that more was written that is not kept. Nothing more is reported of a line that is cut so."""
        self._begun = b""
        if data:
            self._amid = not data.endswith(b"\n")

    def rest(self) -> list[str]:
        """Return the unfinished line."""
        begun, self._begun = self._begun, b""
        return _pieces(begun) if begun else []


def _pieces(line: bytes) -> list[str]:
    """Return one line as text, or several if it is too long."""
    text = readable(line.removesuffix(b"\r")).rstrip()
    if len(text) <= DEBUG_LINE_BYTES // 4:  # as long as a character of UTF-8 can be
        return [text]
    left = text.encode()
    pieces: list[str] = []
    while left:
        cut = _boundary(left, DEBUG_LINE_BYTES)
        pieces.append(left[:cut].decode())
        left = left[cut:]
    return pieces


def _boundary(data: bytes, most: int) -> int:
    """Return how many bytes go into one piece, so that no character of UTF-8 is cut."""
    if len(data) <= most:
        return len(data)
    at = most
    while at > most - 3 and data[at] & 0xC0 == 0x80:
        at -= 1
    return at


class OutputLines:
    """Gives each line to the match and the decision that the process was most likely working on.

    That is the decision that has been open for the longest. With none open it is the last one of the match that was
    asked last. With no match it is the next match as a whole, up to `WAITING_BYTES`.
    """

    def __init__(self, seats: Callable[[], Iterable[AssignedSeat]]) -> None:
        """`seats`: those that the process has, of matches that have not begun as well."""
        self._seats = seats
        self._splitters = {stream: LineSplitter() for stream in Stream}
        self._passed_over = dict.fromkeys(Stream, b"")
        """The end of what was written since no more was kept."""
        self._waiting: list[tuple[str, LineSource]] = []
        self._waiting_left = WAITING_BYTES
        self._waiting_cut = False

    def add(self, stream: Stream, data: bytes) -> None:
        """Take output of the process; empty: a match may have begun that lines wait for."""
        seat = self._seat()
        if seat is not None:
            self._hand_over(seat)
        splitter = self._splitters[stream]
        if self._waiting_cut if seat is None else seat.debug_full:
            splitter.skip(data)
            self._passed_over[stream] = (self._passed_over[stream] + data)[-LAST_WORDS_BYTES:]
        elif data:
            self._keep(seat, splitter.add(data), _SOURCES[stream])
            full = seat is not None and seat.debug_full
            self._passed_over[stream] = data[-LAST_WORDS_BYTES:] if full else b""

    def close(self) -> None:
        """Keep unfinished lines and the last words of a process that has ended."""
        for stream, splitter in self._splitters.items():
            self.add(stream, b"")
            seat = self._seat()
            self._keep(seat, splitter.rest(), _SOURCES[stream])
            if seat is not None and seat.debug_full:
                last = [
                    piece
                    for line in self._passed_over[stream].split(b"\n")
                    for piece in _pieces(line)
                    if piece
                ]
                for line in last[-_LAST_WORDS:]:
                    seat.keep_last_words(line, _SOURCES[stream])

    def _seat(self) -> AssignedSeat | None:
        begun = [seat for seat in self._seats() if seat.started and not seat.match.closed]
        playing = [seat for seat in begun if not seat.forfeited] or begun
        asked = [seat for seat in playing if seat.out]
        if asked:
            return min(asked, key=lambda seat: seat.asked_at)
        return max(playing, key=lambda seat: seat.asked_at, default=None)

    def _keep(self, seat: AssignedSeat | None, lines: list[str], source: LineSource) -> None:
        for line in lines:
            if seat is None:
                self._wait(line, source)
            else:
                seat.keep_output(seat.asked, line, source)

    def _wait(self, line: str, source: LineSource) -> None:
        if self._waiting_cut:
            return
        self._waiting_left -= max(DEBUG_LEAST_BYTES, len(line.encode()))
        self._waiting_cut = self._waiting_left < 0
        self._waiting.append((WAITING_CUT if self._waiting_cut else line, source))

    def _hand_over(self, seat: AssignedSeat) -> None:
        waiting, self._waiting = self._waiting, []
        self._waiting_left, self._waiting_cut = WAITING_BYTES, False
        for line, source in waiting:
            seat.keep_output(0, line, source)
