"""A bot as a web server, as arenas that call their bots have it: JSON over HTTP/1.1, the connection kept open."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

_STRIDE: Final = 7_919


class _Move(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps the connection
    disable_nagle_algorithm = True  # otherwise header and body wait for each other, 40 ms each time

    def do_POST(self) -> None:
        """Pick an action as every measured bot does."""
        decision = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        index = decision["decision"] * _STRIDE % len(decision["packed_legal_actions"])
        body = json.dumps({"decision": decision["decision"], "index": index}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Log nothing."""


def main() -> None:
    """Serve on any port, which is printed first, for ever."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Move) as server:
        print(server.server_port, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
