"""Attacks on the limits of output and folder."""

import os
import sys
import time

from attack import attack, program


@program
def flood_stdout() -> None:
    """Write four MiB to its standard output."""
    for number in range(1 << 16):
        sys.stdout.write(f"{number:63}\n")
    sys.stdout.write("ESCAPED all of it\n")


@program
def flood_stderr() -> None:
    """Write four MiB to its standard error, without a line's end."""
    for _ in range(64):
        os.write(2, b"x" * (1 << 16))
    os.write(2, b"\nESCAPED all of it\n")


@program
def flood_from_child() -> None:
    """Let a child write four MiB, after it has ended itself."""
    if not os.fork():
        for _ in range(64):
            os.write(1, b"x" * (1 << 16))
        os.write(1, b"\nESCAPED all of it\n")
        os._exit(0)
    os.wait()


@attack
def fill_disk() -> str:
    """Fill the disk of the host, as a build that may write its folder."""
    for number in range(40):
        with open(f"/bot/{number}.o", "wb") as heap:
            heap.write(bytes(1 << 20))
    time.sleep(2)
    return "40 MiB written"


@attack
def fill_disk_unseen() -> str:
    """Fill the disk of the host with files that have lost their names, as a build that may write its folder."""
    heaps = []
    for _ in range(4):
        heap = open("/bot/heap", "wb")  # noqa: SIM115 - it stays open
        os.unlink("/bot/heap")
        heap.write(bytes(10 << 20))
        heap.flush()
        heaps.append(heap)
    time.sleep(2)
    return f"{10 * len(heaps)} MiB kept"
