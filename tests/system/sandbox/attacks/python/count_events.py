"""Opens a counter of the processor's, which tells about others on the same core."""

import ctypes
import struct

from attack import attempt, call


def count() -> str:
    attributes = struct.pack("<IIQ24xQ", 1, 112, 1, 0b1100000).ljust(112, b"\0")
    call("perf_event_open", ctypes.create_string_buffer(attributes), 0, -1, -1, 0)
    return "counter opened"


attempt(count)
