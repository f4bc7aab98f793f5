"""Takes more memory than it may have as messages that nobody reads."""

import socket

from attack import attempt

MIB = 1 << 20


def take() -> str:
    pairs: list[tuple[socket.socket, socket.socket]] = []
    held = 0
    while held < 144 * MIB and len(pairs) < 500:
        pair = socket.socketpair()
        pair[0].setblocking(False)
        pairs.append(pair)
        try:
            while True:
                held += pair[0].send(bytes(1 << 16))
        except BlockingIOError:
            continue
    return f"{'some' if held < 72 * MIB else 'enough'} MiB held"


attempt(take)
