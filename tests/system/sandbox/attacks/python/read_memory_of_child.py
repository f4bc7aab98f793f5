"""Reads the memory of another process of its own."""

import ctypes
import os
import signal

from attack import attempt, call


class Part(ctypes.Structure):
    """A `struct iovec`."""

    _fields_ = (("address", ctypes.c_void_p), ("length", ctypes.c_size_t))


def read() -> str:
    there = ctypes.create_string_buffer(b"memory of the child")
    child = os.fork()
    if not child:
        signal.pause()
        os._exit(0)
    here = ctypes.create_string_buffer(len(there))
    try:
        call(
            "process_vm_readv",
            child,
            ctypes.byref(Part(ctypes.addressof(here), len(here))),
            1,
            ctypes.byref(Part(ctypes.addressof(there), len(there))),
            1,
            0,
        )
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return here.value.decode()


attempt(read)
