"""What every attack in Python shares: one line about how it ended, and system calls by their number.

The line is `HELD <errno> ...` or `ESCAPED <what it got>`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys
from collections.abc import Callable

_NUMBERS = {
    "x86_64": {
        "mbind": 237,
        "io_setup": 206,
        "unshare": 272,
        "sync": 162,
        "clone": 56,
        "ptrace": 101,
        "personality": 135,
        "add_key": 248,
        "request_key": 249,
        "keyctl": 250,
        "perf_event_open": 298,
        "name_to_handle_at": 303,
        "process_vm_readv": 310,
        "kcmp": 312,
        "userfaultfd": 323,
        "inotify_add_watch": 254,
        "fanotify_init": 300,
    },
    "aarch64": {
        "mbind": 235,
        "io_setup": 0,
        "unshare": 97,
        "sync": 81,
        "clone": 220,
        "ptrace": 117,
        "personality": 92,
        "add_key": 217,
        "request_key": 218,
        "keyctl": 219,
        "perf_event_open": 241,
        "name_to_handle_at": 264,
        "process_vm_readv": 270,
        "kcmp": 272,
        "userfaultfd": 282,
        "inotify_add_watch": 27,
        "fanotify_init": 262,
    },
}
_EVERYWHERE = {"io_uring_setup": 425, "pidfd_open": 434, "clone3": 435, "pidfd_getfd": 438}
"""Newer calls have one number on every architecture."""

libc = ctypes.CDLL(None, use_errno=True)


def attempt(action: Callable[[], str]) -> None:
    """Says how the attack ended. The action gives what it got, or raises OSError when it is refused."""
    try:
        line = f"ESCAPED {action()}"
    except OSError as error:
        line = f"HELD {errno.errorcode.get(error.errno or 0, '?')} {error.strerror}"
    print(line, flush=True)


def checked(result: int) -> int:
    """What a function of libc gave. Raises OSError if that is -1."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def call(name: str, *arguments: object) -> int:
    """Makes the system call itself, past libc's wrapper. Raises OSError."""
    number = _EVERYWHERE.get(name) or _NUMBERS[platform.machine()][name]
    plain = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    return checked(libc.syscall(ctypes.c_long(number), *plain))


def setting(name: str) -> str:
    """What the test has told the attack: the name of something of the host's."""
    return os.environ[name]


def refused(number: int) -> OSError:
    """An error that Python does not raise as one."""
    return OSError(number, os.strerror(number))


def in_child(action: Callable[[], str]) -> None:
    """The action in a process of its own, so that what it does to itself ends with it."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        attempt(action)
    finally:
        sys.stdout.flush()
        os._exit(0)
