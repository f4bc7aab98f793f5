"""Takes more memory than it may have, in eight processes that each stay below the limit."""

import errno
import os

from attack import attempt, refused


def take() -> str:
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


attempt(take)
