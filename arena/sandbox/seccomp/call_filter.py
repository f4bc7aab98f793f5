"""The filter of system calls of a bot, and an assembler for it.

The filter is classic BPF over `struct seccomp_data` (linux/filter.h, linux/seccomp.h).

An instruction has 8 bytes: code, jump if true, jump if false, operand. The data has the number of the call at offset 0,
the architecture at 4, and six arguments of 8 bytes from offset 16.
"""

import errno
import struct
from dataclasses import dataclass
from typing import Final

from arena.sandbox.seccomp import system_calls as call
from arena.sandbox.seccomp.system_calls import Architecture, Numbers

LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
AT_LEAST: Final = 0x35  # BPF_JMP | BPF_JGE | BPF_K
ANY_BIT: Final = 0x45  # BPF_JMP | BPF_JSET | BPF_K
RETURN: Final = 0x06  # BPF_RET | BPF_K

NUMBER_OFFSET: Final = 0
ARCHITECTURE_OFFSET: Final = 4

_ARGUMENTS_OFFSET: Final = 16
_ARGUMENT_BYTES: Final = 8
_LONGEST_JUMP: Final = 255
_MOST_INSTRUCTIONS: Final = 4096

ALLOW: Final = 0x7FFF0000
KILL: Final = 0x80000000
"""Ends the whole process with SIGSYS."""
_ERRNO: Final = 0x00050000


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction of a filter."""

    code: int
    if_true: int
    if_false: int
    operand: int


def load(offset: int) -> Instruction:
    """Load the word at an offset."""
    return Instruction(LOAD, 0, 0, offset)


def load_argument(index: int) -> Instruction:
    """Load the lower half of an argument, which is all of an int."""
    return load(_ARGUMENTS_OFFSET + _ARGUMENT_BYTES * index)


def load_upper_half(index: int) -> Instruction:
    """Load the upper half of an argument, of an address."""
    return load(_ARGUMENTS_OFFSET + _ARGUMENT_BYTES * index + _ARGUMENT_BYTES // 2)


def ret(action: int) -> Instruction:
    """Return an action from the filter."""
    return Instruction(RETURN, 0, 0, action)


def when(code: int, operand: int, steps: list[Instruction]) -> list[Instruction]:
    """Run the steps if the comparison of the loaded word with the operand holds, else jump over them.

    Raises ValueError: there are more steps than a jump can pass over.
    """
    if len(steps) > _LONGEST_JUMP:
        raise ValueError(f"{len(steps)} steps are more than a jump passes over")
    return [Instruction(code, 0, len(steps), operand), *steps]


def assemble(steps: list[Instruction]) -> bytes:
    """Return the filter in the kernel's format, which `bwrap --seccomp` reads.

    Raises ValueError: it is longer than the kernel allows.
    """
    if len(steps) > _MOST_INSTRUCTIONS:
        raise ValueError(f"{len(steps)} instructions are more than the kernel takes")
    return b"".join(struct.pack("=HBBI", s.code, s.if_true, s.if_false, s.operand) for s in steps)


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

    on(call.HARMFUL, [ret(harmful)])
    on(call.CLONE3, [ret(refuse(errno.ENOSYS))])
    on(call.CLONE, _unless(0, ANY_BIT, call.NEW_NAMESPACES, [ret(harmful)]))
    on(call.PERSONALITY, _only(0, call.QUERY_PERSONALITY, errno.EPERM))
    on(call.WATCHES, [refused])
    on(call.MAP, _unless(3, ANY_BIT, call.MAP_HUGE, [refused]))
    on(call.SHARED_SEGMENT, _unless(2, ANY_BIT, call.SHARED_HUGE, [refused]))
    on(call.SET_LIMIT, _unless(0, EQUAL, call.LIMIT_OF_CORES, [refused]))
    on(call.SET_OR_ASK_LIMIT, _unless(1, EQUAL, call.LIMIT_OF_CORES, _only_null(2)))
    on(call.IOCTL, _all_but(1, call.TERMINAL_COMMANDS))
    if sockets:
        on(call.SOCKET, _only(0, (call.ADDRESS_FAMILY_UNIX,), errno.EAFNOSUPPORT))
    on(call.FCNTL, _all_but(1, (call.LOCK_COMMANDS if not allowed.file_locks else ()) + call.HINT_COMMANDS))
    if not allowed.file_locks:
        on(call.FILE_LOCK, [refused])
    on(call.ATTRIBUTES, [ret(refuse(errno.EOPNOTSUPP))])
    for calls in (call.MEMORY_FILE, call.PLACES, call.RINGS):
        on(calls, [refused])
    if not allowed.flushes:
        on(call.FLUSHES, [ret(refuse(0))])
    steps.append(ret(ALLOW))
    return assemble(steps)


def _unless(argument: int, code: int, operand: int, steps: list[Instruction]) -> list[Instruction]:
    """Allow the call unless the comparison of the argument holds; then run the steps."""
    return [load_argument(argument), *when(code, operand, steps), ret(ALLOW)]


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
