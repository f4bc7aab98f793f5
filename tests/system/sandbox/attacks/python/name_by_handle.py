"""Gets a handle of a file, by which the file can be opened where no path leads to it."""

import ctypes
import struct

from attack import attempt, call

AT_FDCWD = -100


def name() -> str:
    handle = ctypes.create_string_buffer(struct.pack("<Ii", 128, 0), 136)
    call("name_to_handle_at", AT_FDCWD, b"/bot/watched", handle, ctypes.byref(ctypes.c_int()), 0)
    return f"handle of {'some' if struct.unpack_from('<I', handle)[0] else 'no'} bytes"


attempt(name)
