"""What every attack in Python shares: one line about how it ended, and system calls by their number.

The line is `HELD <errno> ...` or `ESCAPED <what it got>`. Each function with one of the decorators is a program.
"""

import ctypes
import errno
import importlib
import os
import platform
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_NUMBERS = {
    "mbind": (237, 235), "io_setup": (206, 0), "unshare": (272, 97), "sync": (162, 81), "clone": (56, 220),
    "ptrace": (101, 117), "personality": (135, 92), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "perf_event_open": (298, 241), "name_to_handle_at": (303, 264),
    "process_vm_readv": (310, 270), "kcmp": (312, 272), "userfaultfd": (323, 282),
    "inotify_add_watch": (254, 27), "fanotify_init": (300, 262),
}  # fmt: skip
"""Of system calls, on x86_64 and aarch64."""
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
    number = _EVERYWHERE.get(name) or _NUMBERS[name][platform.machine() == "aarch64"]
    plain = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    return checked(libc.syscall(ctypes.c_long(number), *plain))


def setting(name: str) -> str:
    """Return what the test has given the attack: the name of something of the host."""
    return os.environ[name]


def read_from(
    address: tuple[str, int] | str, family: int = socket.AF_UNIX, kind: int = socket.SOCK_STREAM
) -> str:
    """Connect to a server and return what it says, by a datagram after a hello."""
    with socket.socket(family, kind) as client:
        client.settimeout(10)
        client.connect(address)
        if kind == socket.SOCK_DGRAM:
            client.send(b"hello")
        return client.recv(100).decode()


def fill(path: str, mib: int) -> int:
    """Write so many MiB to the file, one after the other; return the number. Raises OSError: when it is refused."""
    with open(path, "wb") as file:
        for _ in range(mib):
            file.write(bytes(1 << 20))
            file.flush()
    return mib


def start_sleeper() -> int:
    """Return a child that does nothing. Raises OSError: when it is refused."""
    child = os.fork()
    if not child:
        signal.pause()
        os._exit(0)
    return child


@contextmanager
def sleeper() -> Iterator[int]:
    """Yield a child that does nothing, and end it."""
    child = start_sleeper()
    try:
        yield child
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


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


if __name__ == "__main__":
    import attack as shared  # the module that the attacks import

    importlib.import_module(sys.argv[1])
    shared._PROGRAMS[sys.argv[2]]()
