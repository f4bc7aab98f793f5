"""A receiver of webhooks on this machine: a real HTTP server whose answer depends on the path."""

import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

WAIT_S = 60.0


@dataclass(frozen=True)
class Received:
    """One request."""

    path: str
    headers: dict[str, str]
    """By lower-case name."""
    body: bytes


class Receiver:
    """Answers /ok with 204, /status/N with N, and behaves badly at /hang, /drip, /endless, /redirect and /garbage."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        """`tls`: how to encrypt connections; None: they are plain."""
        self.received: list[Received] = []
        self.behave: Callable[[Received], str] = lambda request: request.path
        """Which path a request is answered like."""
        self._changed = threading.Condition()
        self._closing = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                receiver._answer(self)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                """Say nothing: the client may have closed the connection."""

        self._server = Server(("127.0.0.1", 0), Handler)
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._scheme = "http" if tls is None else "https"
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=lambda: self._server.serve_forever(0.05), daemon=True)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        """Return the URL of a path."""
        return f"{self._scheme}://{host}:{self.port}{path}"

    def wait_for(self, count: int) -> list[Received]:
        """Return the requests once there are so many."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.received) >= count, WAIT_S), self.received
            return list(self.received)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(WAIT_S)

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["content-length"]))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        request = Received(handler.path, headers, body)
        path = self.behave(request)
        with self._changed:
            self.received.append(request)
            self._changed.notify_all()
        handler.close_connection = True
        match path.split("/")[1:]:
            case ["hang"]:
                self._closing.wait(WAIT_S)
            case ["drip"]:
                handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                while not self._closing.wait(0.02):
                    handler.wfile.write(b"x")
            case ["garbage"]:
                handler.wfile.write(b"\x00\xffno HTTP\r\n\r\n")
            case ["endless"]:
                handler.send_response(200)
                handler.end_headers()
                while not self._closing.is_set():
                    handler.wfile.write(b"more " * 1_000)
            case ["redirect"]:
                self._send(handler, 302, location=self.url("/ok"))
            case ["status", number]:
                self._send(handler, int(number), b"the <b>receiver</b>\nsays so")
            case _:
                self._send(handler, 204)

    def _send(self, handler: BaseHTTPRequestHandler, status: int, body: bytes = b"", **headers: str) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        if status != 204:
            handler.send_header("content-length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
