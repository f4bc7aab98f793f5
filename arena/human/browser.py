"""A decision of a person in a browser: a page of this machine alone, with the picture to click on."""

import http.server
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import resources
from queue import Empty, SimpleQueue
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from rich.console import Console, RenderableType

from arena.drawings.narration import WIDTH, Paragraph
from arena.human.lines import POLL_S, ClosedError, Question
from arena.human.rules import CLAUSES, Medium, clause_letter, clauses, rules_page, turn_in_short
from arena.human.spots import spots_of
from arena.human.terminal import Resigned, Seat
from arena.human.turn import Advice, Choice, Planned, PlannedTurn
from arena.pictures.panel import unsent
from arena.pictures.picture import Picture, picture_for
from arena.pictures.style import style_sheet
from engine.game import IllegalActionError, UnreadableActionError

_HOST: Final = "127.0.0.1"
_WAIT_S: Final = 20.0
"""A request for news is answered after so long, with or without some."""
_LAST_S: Final = 5.0
"""How long the end of the match waits for the browser to show it."""
_NEWS: Final = 300
"""Lines of news that the page keeps."""
_HEADERS: Final = (
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
)
_NOTHING_TO_DO: Final[dict[str, Any]] = {
    "choices": [], "planned": [], "open": False, "hint": "", "outlook": "", "sent": False
}  # fmt: skip
_FILES: Final = {"play.js": "text/javascript", "play.css": "text/css", "pictures.css": "text/css"}


class Browser:
    """Asks a person in a browser. It has the methods of `arena.human.terminal.Terminal` that the bot uses."""

    def __init__(self, files: Sequence[str] = ()) -> None:
        """Open a port. The address has a secret, so that no other user of this machine can play.

        `files`: where the match is found when it is over, a sentence each, for the end of the page.
        """
        self._files = files
        self._seat: Seat | None = None
        self._commands: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._changed = threading.Condition()
        self._version = self._delivered = self._turn = self._turns_before = 0
        self._question = Question()
        self._state: dict[str, Any] = {
            "news": [], **_NOTHING_TO_DO, "over": "", "files": [], "waiting": True, "short": "", "clause": "",
            "answer": [], "step": 0,
        }  # fmt: skip
        self._server = _Server(self)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        """The page."""
        return f"http://{_HOST}:{self._server.server_port}/{self._server.secret}/"

    def close(self) -> None:
        """Close the port."""
        self._server.shutdown()
        self._server.server_close()

    def begin(self, seat: Seat, sentence: str) -> None:
        """Begin a match; the news of the one before stay. `sentence`: who plays."""
        self._seat = seat
        self._turns_before = self._turn
        self._add([sentence])
        self._publish(
            **_NOTHING_TO_DO,
            over="",
            waiting=True,
            short=turn_in_short(seat.game, Medium.PICTURE),
            clause=clause_letter(seat.game),
        )

    def show(self, parts: Iterable[RenderableType]) -> None:
        """Add what happened to the news: a paragraph is a line that begins with a space, and the page wraps it."""
        self._add(line for part in parts for line in _lines(part))

    def note(self, sentence: str) -> None:
        """Add a sentence to the news."""
        self._add([sentence])

    def show_end(self, observation: object, sentence: str) -> None:
        """Show the last position and the result, and wait a moment until the browser has it."""
        self._add([sentence])
        self._publish(
            picture=self._drawn(observation).markup(),
            **_NOTHING_TO_DO,
            over=sentence,
            files=list(self._files),
        )
        with self._changed:
            self._changed.wait_for(lambda: self._delivered >= self._version, _LAST_S)

    def ask(
        self, turn: PlannedTurn, advise: Callable[[PlannedTurn], Advice], question: Question
    ) -> list[Planned]:
        """Return the actions to send, at least one. `advise`: gives a hint.

        Raises Resigned. Raises ClosedError: the arena waits no longer.
        """
        self._turn += 1
        self._question = question
        self._show_turn(turn)
        sent: dict[str, Any] = {}
        try:
            while True:
                command = self._next_command()
                if self._is_current(command) and self._is_sent(turn, command, advise):
                    sent = {"picture": self._planned(turn, sent=True).markup()}
                    return list(turn.planned)
        finally:
            self._question = Question()
            self._publish(**{**_NOTHING_TO_DO, "sent": bool(sent)}, **sent, waiting=True, step=self._step())

    def _is_current(self, command: dict[str, Any]) -> bool:
        """Return whether a command is meant for this decision, and not from a second click or an old page.

        Who resigns gives up the match, so that only has to be of the same match.
        """
        turn = command.get("turn", self._turn)
        match command.get("do"):
            case "resign":
                return isinstance(turn, int) and self._turns_before < turn <= self._turn
        return bool(turn == self._turn)

    def _next_command(self) -> dict[str, Any]:
        """Wait for a command. Raises ClosedError."""
        while self._question.is_open():
            with suppress(Empty):
                return self._commands.get(timeout=POLL_S)
        raise ClosedError

    def _is_sent(
        self, turn: PlannedTurn, command: dict[str, Any], advise: Callable[[PlannedTurn], Advice]
    ) -> bool:
        """Do what a command says; return whether to send what is planned. Raises Resigned."""
        match command.get("do"):
            case "plan":
                self._plan(turn, str(command.get("notation", "")))
            case "undo":
                turn.undo()
                self._show_turn(turn)
            case "send" if turn.planned:
                return True
            case "hint" if turn.is_open:
                advice = advise(turn)
                self._add([advice.sentence])
                self._publish(hint="" if advice.choice is None else advice.choice.notation)
            case "resign":
                raise Resigned
        return False

    def _plan(self, turn: PlannedTurn, notation: str) -> None:
        if not turn.is_open:
            self._refuse("The plan is complete: send it, or take the last action back.")
            return
        try:
            turn.plan(turn.read(notation))
        except IllegalActionError as error:
            self._refuse(f"{notation} is not possible now: {error}")
            return
        except UnreadableActionError as error:
            self._refuse(str(error))
            return
        self._show_turn(turn)

    def _refuse(self, sentence: str) -> None:
        """Say why nothing was planned."""
        self.note(sentence)
        self._publish(step=self._step())

    def _step(self) -> int:
        """Return the number of the next answer to what the page wanted to change."""
        return int(self._state["step"]) + 1

    def _show_turn(self, turn: PlannedTurn) -> None:
        self._publish(
            picture=self._planned(turn).markup(),
            choices=[self._described(turn, choice) for choice in turn.choices()],
            planned=[each.choice.told for each in turn.planned],
            open=turn.is_open,
            outlook=turn.outlook,
            over="",  # the end of the match before may have been shown after this one began
            waiting=False,
            sent=False,
            hint="",
            turn=self._turn,
            step=self._step(),
        )

    def _described(self, turn: PlannedTurn, choice: Choice) -> dict[str, object]:
        return {
            "notation": choice.notation,
            "words": choice.words,
            "note": choice.note,
            "gain": turn.gain(choice),
            "spots": spots_of(self._game, turn.step_of(choice), self._names),
        }

    def _answer(self, words: str) -> None:
        """Show what the rules say with these words. It is asked at any time, also when nothing can be played."""
        found = clauses(self._game, words) if words else []
        left = len(found) - CLAUSES
        more = [f"{left} more places have these words: {rules_page(self._game)}."] if left > 0 else []
        missing = f"No rule has the words {words!r}. " if words else ""
        self._publish(answer=[*found[:CLAUSES], *more] or [f"{missing}The rules: {rules_page(self._game)}."])

    @property
    def _game(self) -> str:
        return "" if self._seat is None else self._seat.game

    @property
    def _names(self) -> Sequence[str]:
        return () if self._seat is None else self._seat.names

    def _drawn(self, observation: object) -> Picture:
        return picture_for(self._game).draw(observation, self._names)

    def _planned(self, turn: PlannedTurn, *, sent: bool = False) -> Picture:
        """Return the position with what is planned. As long as it is not played it is the turn of this seat."""
        picture = self._drawn(turn.observation)
        if turn.is_open and not sent:
            return picture
        return unsent(picture, self._drawn(turn.observation_before), turn.seat, self._names, sent=sent)

    def _add(self, lines: Iterable[str]) -> None:
        news = [*self._state["news"], *(line for line in lines if line)][-_NEWS:]
        self._publish(news=news)

    def _publish(self, **changes: object) -> None:
        with self._changed:
            self._version += 1
            self._state = {**self._state, **changes, "version": self._version}
            self._changed.notify_all()

    def take(self, command: dict[str, Any]) -> None:
        """Take a command of the page."""
        if command.get("do") == "rules":
            self._answer(str(command.get("words", "")))
        else:
            self._commands.put(command)

    def state_after(self, version: int) -> bytes:
        """Return the state as JSON, as soon as it is newer than what the page has; after a while in any case."""
        with self._changed:
            self._delivered = max(self._delivered, version)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._version > version, _WAIT_S)
            deadline = self._question.deadline
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            return json.dumps({**self._state, "time_left_s": left}).encode()


class _Server(http.server.ThreadingHTTPServer):
    """The server of one page."""

    daemon_threads = True

    def __init__(self, browser: Browser) -> None:
        """Listen at any free port of this machine alone."""
        super().__init__((_HOST, 0), _Handler)
        self.browser = browser
        self.secret = secrets.token_urlsafe(16)


class _Handler(http.server.BaseHTTPRequestHandler):
    """Answers one connection of the page."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        """Answer with the page, its files, or the state."""
        parts = urlsplit(self.path)
        name = self._asked_for(parts.path)
        if name == "":
            self._answer(200, _file("play.html"), "text/html; charset=utf-8")
        elif name in _FILES:
            self._answer(200, _file(name), f"{_FILES[name]}; charset=utf-8")
        elif name == "state":
            after = parse_qs(parts.query).get("after", ["0"])[0]
            version = int(after) if after.isdecimal() and len(after) < 10 else 0
            self._answer(200, self.server.browser.state_after(version), "application/json")
        else:
            self._answer(404, b"There is no such page.", "text/plain")

    def do_POST(self) -> None:
        """Take a command."""
        size = self.headers.get("content-length", "")
        is_json = self.headers.get("content-type") == "application/json"
        self.close_connection = True
        if self._asked_for(self.path) != "do" or not is_json or not size.isdecimal() or len(size) > 5:
            self._answer(400, b"This is no command of the page.", "text/plain")
            return
        try:
            command = json.loads(self.rfile.read(int(size)))
        except ValueError:
            command = None
        if isinstance(command, dict):
            self.server.browser.take(command)
            self._answer(204, b"", "text/plain")
        else:
            self._answer(400, b"The command is no JSON object.", "text/plain")

    def _asked_for(self, path: str) -> str | None:
        """Return what is asked for below the secret; None without it, or if the server is called by another name."""
        given, _, name = path.removeprefix("/").partition("/")
        known = self.headers.get("host") == f"{_HOST}:{self.server.server_port}"
        right = secrets.compare_digest(given.encode(errors="replace"), self.server.secret.encode())
        return name if known and right else None

    def _answer(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in (("content-type", kind), *_HEADERS):
            self.send_header(name, value)
        if status != 204:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - of the library
        """Print nothing: the terminal belongs to the match."""


def _lines(part: RenderableType) -> list[str]:
    if isinstance(part, Paragraph):
        return [f" {part.text.plain}"]
    console = Console(width=WIDTH, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(part, highlight=False)
    return [line.rstrip() for line in capture.get().splitlines()]


def _file(name: str) -> bytes:
    if name == "pictures.css":
        return style_sheet().encode()
    return (resources.files("arena.human") / "files" / name).read_bytes()
