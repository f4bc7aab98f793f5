"""The filter of system calls of a bot."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from typing import Final

from arena.sandbox.seccomp.bpf import (
    ANY_BIT,
    ARCHITECTURE_OFFSET,
    AT_LEAST,
    EQUAL,
    NUMBER_OFFSET,
    Instruction,
    assemble,
    load,
    load_argument,
    load_upper_half,
    ret,
    when,
)
from arena.sandbox.seccomp.system_calls import (
    ADDRESS_FAMILY_UNIX,
    ATTRIBUTES,
    CLONE,
    CLONE3,
    FCNTL,
    FILE_LOCK,
    FLUSHES,
    HARMFUL,
    HINT_COMMANDS,
    IOCTL,
    LIMIT_OF_CORES,
    LOCK_COMMANDS,
    MAP,
    MAP_HUGE,
    MEMORY_FILE,
    NEW_NAMESPACES,
    PERSONALITY,
    PLACES,
    QUERY_PERSONALITY,
    RINGS,
    SET_LIMIT,
    SET_OR_ASK_LIMIT,
    SHARED_HUGE,
    SHARED_SEGMENT,
    SOCKET,
    TERMINAL_COMMANDS,
    WATCHES,
    Architecture,
    Numbers,
)

ALLOW: Final = 0x7FFF0000
KILL: Final = 0x80000000
"""Ends the whole process with SIGSYS."""
_ERRNO: Final = 0x00050000


@dataclass(frozen=True, slots=True)
class AllowedCalls:
    """System calls that a program may make beyond those that all may."""

    file_locks: bool = False
    """flock and the locks of fcntl."""
    flushes: bool = False
    """fsync and similar calls."""


MATCH: Final = AllowedCalls()
"""Enough for the sample bots of all six languages."""
BUILD: Final = AllowedCalls(file_locks=True, flushes=True)
"""`go build` and `cargo build` lock files of their folder, and a build writes to the disk."""


def refuse(number: int) -> int:
    """Return the action that makes a call fail with an errno."""
    return _ERRNO | number


def build_filter(
    architecture: Architecture, allowed: AllowedCalls, *, strict: bool = False, sockets: bool = True
) -> bytes:
    """Return the filter in the kernel's format.

    `strict`: a harmful call ends the program. `sockets`: whether all but Unix sockets are refused.
    """
    harmful = KILL if strict else refuse(errno.EPERM)
    refused = ret(refuse(errno.EPERM))
    steps = [
        load(ARCHITECTURE_OFFSET),
        Instruction(EQUAL, 1, 0, architecture.audit),
        ret(harmful),  # another table of calls, with other numbers
        load(NUMBER_OFFSET),
    ]
    if architecture.other_numbers_from is not None:
        steps += when(AT_LEAST, architecture.other_numbers_from, [ret(harmful)])

    def on(calls: Numbers, block: list[Instruction]) -> None:
        for numbers in calls.values():
            number = numbers[architecture.column]
            if number is not None:
                steps.extend(when(EQUAL, number, block))

    on(HARMFUL, [ret(harmful)])
    on(CLONE3, [ret(refuse(errno.ENOSYS))])
    on(CLONE, [load_argument(0), *when(ANY_BIT, NEW_NAMESPACES, [ret(harmful)]), ret(ALLOW)])
    on(PERSONALITY, _only(0, QUERY_PERSONALITY, errno.EPERM))
    on(WATCHES, [refused])
    on(MAP, [load_argument(3), *when(ANY_BIT, MAP_HUGE, [refused]), ret(ALLOW)])
    on(SHARED_SEGMENT, [load_argument(2), *when(ANY_BIT, SHARED_HUGE, [refused]), ret(ALLOW)])
    on(SET_LIMIT, [load_argument(0), *when(EQUAL, LIMIT_OF_CORES, [refused]), ret(ALLOW)])
    on(SET_OR_ASK_LIMIT, [load_argument(1), *when(EQUAL, LIMIT_OF_CORES, _only_null(2)), ret(ALLOW)])
    on(IOCTL, _all_but(1, TERMINAL_COMMANDS))
    if sockets:
        on(SOCKET, _only(0, (ADDRESS_FAMILY_UNIX,), errno.EAFNOSUPPORT))
    on(FCNTL, _all_but(1, HINT_COMMANDS if allowed.file_locks else LOCK_COMMANDS + HINT_COMMANDS))
    if not allowed.file_locks:
        on(FILE_LOCK, [refused])
    on(ATTRIBUTES, [ret(refuse(errno.EOPNOTSUPP))])
    for calls in (MEMORY_FILE, PLACES, RINGS):
        on(calls, [refused])
    if not allowed.flushes:
        on(FLUSHES, [ret(refuse(0))])
    steps.append(ret(ALLOW))
    return assemble(steps)


def _only_null(argument: int) -> list[Instruction]:
    """Allow the call if the address is null: it reads, and sets nothing."""
    upper = [load_upper_half(argument), *when(EQUAL, 0, [ret(ALLOW)])]
    return [load_argument(argument), *when(EQUAL, 0, upper), ret(refuse(errno.EPERM))]


def _only(argument: int, values: tuple[int, ...], number: int) -> list[Instruction]:
    """Allow the call if the argument is one of the values."""
    steps = [load_argument(argument)]
    for value in values:
        steps += when(EQUAL, value, [ret(ALLOW)])
    return [*steps, ret(refuse(number))]


def _all_but(argument: int, values: tuple[int, ...]) -> list[Instruction]:
    """Allow the call unless the argument is one of the values."""
    steps = [load_argument(argument)]
    for value in values:
        steps += when(EQUAL, value, [ret(refuse(errno.EPERM))])
    return [*steps, ret(ALLOW)]
