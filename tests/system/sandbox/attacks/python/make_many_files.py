"""Makes more files in /tmp than it was promised: each takes memory of the kernel's and no byte of the file system."""

import os

from attack import attempt


def make() -> str:
    for number in range(60_000):
        os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))
    return "60000 files made"


attempt(make)
