"""What every attack in Python shares: one line about how it ended, and system calls by their number.

The line is `HELD <errno> ...` or `ESCAPED <what it got>`. Each function with one of the decorators is a program.
"""

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


_PROGRAMS: dict[str, Callable[[], None]] = {}


def program(run: Callable[[], None]) -> Callable[[], None]:
    """Make a function a program of its name."""
    _PROGRAMS[run.__name__] = run
    return run


def attack(action: Callable[[], str]) -> Callable[[], str]:
    """Make a function a program of its name, which prints how it ended.

    It returns what it got. Raises OSError: when it is refused.
    """
    _PROGRAMS[action.__name__] = lambda: _attempt(action)
    return action


def main() -> None:
    """Run the program that the command line names."""
    _PROGRAMS[sys.argv[1]]()


def _attempt(action: Callable[[], str]) -> None:
    try:
        line = f"ESCAPED {action()}"
    except OSError as error:
        line = f"HELD {errno.errorcode.get(error.errno or 0, '?')} {error.strerror}"
    print(line, flush=True)


def checked(result: int) -> int:
    """Return what a function of libc gave. Raises OSError: if that is -1."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def call(name: str, *arguments: object) -> int:
    """Make the system call itself, past libc's wrapper. Raises OSError: when it is refused."""
    number = _EVERYWHERE.get(name) or _NUMBERS[platform.machine()][name]
    plain = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    return checked(libc.syscall(ctypes.c_long(number), *plain))


def setting(name: str) -> str:
    """Return what the test has given the attack: the name of something of the host."""
    return os.environ[name]


def refused(number: int) -> OSError:
    """Return an error that Python does not raise as one."""
    return OSError(number, os.strerror(number))


def attack_in_child(action: Callable[[], str]) -> Callable[[], str]:
    """Make a function a program of its name that runs it in a child, so that what it does to itself ends with it."""

    def run() -> None:
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            return
        try:
            _attempt(action)
        finally:
            sys.stdout.flush()
            os._exit(0)

    _PROGRAMS[action.__name__] = run
    return action
