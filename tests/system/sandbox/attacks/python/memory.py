"""Attacks on the limit of memory."""

import errno
import mmap
import os
import socket

from attack import attack, fill, refused


@attack
def take_memory() -> str:
    """Take more memory than it may have."""
    held = [b"\1" * (1 << 20) for _ in range(192)]
    return f"{len(held)} MiB held"


@attack
def take_memory_in_children() -> str:
    """Take more memory than it may have, in eight processes that each stay below the limit."""
    ready, done = os.pipe(), os.pipe()
    children = []
    for _ in range(8):
        child = os.fork()
        if not child:
            os.close(done[1])
            block = b"\1" * (24 << 20)
            os.write(ready[1], block[:1])
            os.read(done[0], 1)
            os._exit(0)
        children.append(child)
    os.close(ready[1])
    held = sum(len(os.read(ready[0], 1)) for _ in children)
    os.close(done[1])
    for child in children:
        os.waitpid(child, 0)
    if held < len(children):
        raise refused(errno.ENOMEM)
    return "8 times 24 MiB held"


@attack
def take_shared_memory() -> str:
    """Take more memory than it may have as shared memory, which counts for no single process."""
    shared = mmap.mmap(-1, 192 << 20)
    for page in range(0, len(shared), mmap.PAGESIZE):
        shared[page] = 1
    return "192 MiB held"


@attack
def take_memory_as_file() -> str:
    """Take more memory than it may have as a file in /tmp that it is allowed to write."""
    return f"{fill('/tmp/heap', 192)} MiB held"


@attack
def take_memory_without_name() -> str:
    """Take more memory than it may have in a file that has no name, and that limits of a process do not count."""
    heap = os.memfd_create("heap")
    for _ in range(192):
        os.write(heap, b"\1" * (1 << 20))
    return "192 MiB held"


@attack
def take_memory_as_orphan() -> str:
    """Take more memory than it may have in a process that has left its parent."""
    said = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.close(said[0])
        held = b"\1" * (192 << 20)
        os.write(said[1], held[:1])
        os._exit(0)
    os.close(said[1])
    os.waitpid(child, 0)
    if not os.read(said[0], 1):
        raise refused(errno.ENOMEM)
    return "192 MiB held"


MIB = 1 << 20


@attack
def take_memory_in_sockets() -> str:
    """Take more memory than it may have as messages that nobody reads."""
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


@attack
def make_many_files() -> str:
    """Make more files in /tmp than it was promised: each takes kernel memory and no byte of the file system."""
    for number in range(60_000):
        os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))
    return "60000 files made"
