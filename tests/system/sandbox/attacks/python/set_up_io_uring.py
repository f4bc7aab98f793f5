"""Sets up a ring through which calls go past the filter."""

import ctypes

from attack import attempt, call


def set_up() -> str:
    call("io_uring_setup", 4, ctypes.create_string_buffer(120))
    return "ring set up"


attempt(set_up)
