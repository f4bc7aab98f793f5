"""Takes a page of the machine's store of huge ones, which no limit of memory counts."""

import ctypes
import mmap

from attack import attempt, libc, refused

MAP_HUGETLB = 0x40000
SIZE = 2 << 20

libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long)


def take() -> str:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_HUGETLB
    if libc.mmap(None, SIZE, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0) == ctypes.c_void_p(-1).value:
        raise refused(ctypes.get_errno())
    return "huge page reserved"


attempt(take)
