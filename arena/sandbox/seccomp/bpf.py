"""An assembler for seccomp filters: classic BPF over `struct seccomp_data` (linux/filter.h, linux/seccomp.h).

An instruction has 8 bytes: code, jump if true, jump if false, operand. The data has the number of the call at offset 0,
the architecture at 4, and six arguments of 8 bytes from offset 16.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

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

    Raises:
        ValueError: there are more steps than a jump can pass over.
    """
    if len(steps) > _LONGEST_JUMP:
        raise ValueError(f"{len(steps)} steps are more than a jump passes over")
    return [Instruction(code, 0, len(steps), operand), *steps]


def assemble(steps: list[Instruction]) -> bytes:
    """Return the filter in the kernel's format, which `bwrap --seccomp` reads.

    Raises:
        ValueError: it is longer than the kernel allows.
    """
    if len(steps) > _MOST_INSTRUCTIONS:
        raise ValueError(f"{len(steps)} instructions are more than the kernel takes")
    return b"".join(struct.pack("=HBBI", s.code, s.if_true, s.if_false, s.operand) for s in steps)
