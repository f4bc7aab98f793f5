"""Lets a child write four MiB, after it has ended itself."""

import os

if not os.fork():
    for _ in range(64):
        os.write(1, b"x" * (1 << 16))
    os.write(1, b"\nESCAPED all of it\n")
    os._exit(0)
os.wait()
