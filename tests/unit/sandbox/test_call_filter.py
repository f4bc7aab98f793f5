"""What the filter of system calls decides, run as the kernel runs it."""

import errno
import struct
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.sandbox.seccomp import system_calls
from arena.sandbox.seccomp.call_filter import (
    ALLOW,
    AT_LEAST,
    BUILD,
    KILL,
    MATCH,
    build_filter,
    refuse,
    ret,
    when,
)
from arena.sandbox.seccomp.system_calls import ARCHITECTURES, HINT_COMMANDS, LOCK_COMMANDS, Architecture

X86_64, AARCH64 = ARCHITECTURES["x86_64"], ARCHITECTURES["aarch64"]
BOTH = [X86_64, AARCH64]
EPERM, NO_FAMILY = refuse(errno.EPERM), refuse(errno.EAFNOSUPPORT)
TABLES = {
    name: table for name, table in vars(system_calls).items() if name.isupper() and isinstance(table, dict)
}
NUMBERS = {
    name: numbers
    for table in TABLES.values()
    if table is not ARCHITECTURES
    for name, numbers in table.items()
}
"""By call, its numbers on x86_64 and aarch64."""

each_architecture = pytest.mark.parametrize("architecture", BOTH, ids=lambda each: each.name)


def decide(program: bytes, number: int, *arguments: int, audit: int = X86_64.audit) -> int:
    """Return what the filter answers to a call, run as the kernel runs it."""
    padded = [*arguments, *([0] * (6 - len(arguments)))]
    data = struct.pack("=IIQ6Q", number, audit, 0, *padded)
    steps = list(struct.iter_unpack("=HBBI", program))
    taken, at = 0, 0
    while True:
        code, if_true, if_false, operand = steps[at]
        at += 1
        match code:
            case 0x20:
                (taken,) = struct.unpack_from("=I", data, operand)
            case 0x06:
                return int(operand)
            case 0x15:
                at += if_true if taken == operand else if_false
            case 0x35:
                at += if_true if taken >= operand else if_false
            case 0x45:
                at += if_true if taken & operand else if_false
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")


def answer(architecture: Architecture, call: str, *arguments: int, **options: Any) -> int:
    """Return what a filter with these options answers to a call by name; of a match unless `allowed` is given."""
    number = NUMBERS[call][architecture.column]
    assert number is not None
    program = build_filter(architecture, options.pop("allowed", MATCH), **options)
    return decide(program, number, *arguments, audit=architecture.audit)


@each_architecture
@pytest.mark.parametrize(("strict", "expected"), [(False, EPERM), (True, KILL)])
def test_harmful_calls_are_refused_or_end_a_strict_program(architecture, strict, expected):
    program = build_filter(architecture, MATCH, strict=strict)
    for numbers in system_calls.HARMFUL.values():
        number = numbers[architecture.column]
        if number is not None:
            assert decide(program, number, audit=architecture.audit) == expected, number


@each_architecture
def test_unnamed_calls_are_allowed(architecture):
    read = {"x86_64": 0, "aarch64": 63}[architecture.name]
    assert decide(build_filter(architecture, MATCH, strict=True), read, audit=architecture.audit) == ALLOW


@given(st.integers(0, 2**32 - 1))
def test_calls_by_another_architecture_are_refused_whatever_their_number(number):
    program = build_filter(X86_64, MATCH)
    for audit in (0x40000003, AARCH64.audit, 0):  # 32-bit x86 among them
        assert decide(program, number, audit=audit) == EPERM


@given(st.integers(0x40000000, 2**32 - 1))
def test_calls_by_the_x32_table_are_refused(number):
    assert decide(build_filter(X86_64, MATCH), number) == EPERM


@each_architecture
@pytest.mark.parametrize("call", ["socket", "socketpair"])
@given(family=st.integers(0, 2**32 - 1))
@example(family=1)
def test_only_unix_sockets_are_allowed(architecture, call, family):
    assert answer(architecture, call, family) == (ALLOW if family == 1 else NO_FAMILY)


def test_the_upper_half_of_a_family_is_ignored_as_by_the_kernel():
    assert answer(X86_64, "socket", (1 << 32) | 2) == NO_FAMILY


def test_without_the_rule_for_sockets_all_families_are_allowed():
    assert answer(X86_64, "socket", 2, sockets=False) == ALLOW


@each_architecture
def test_clone_may_start_a_thread_and_no_namespace(architecture):
    assert answer(architecture, "clone", 0x3D0F00) == ALLOW  # as pthread_create calls it
    for flag in (1 << bit for bit in range(32)):
        if flag & system_calls.NEW_NAMESPACES:
            assert answer(architecture, "clone", flag | 17) == EPERM


CALLS: list[tuple[str, tuple[int, ...], int, int]] = [
    ("clone3", (), refuse(errno.ENOSYS), refuse(errno.ENOSYS)),
    *(("flock", (), EPERM, ALLOW), *(("fcntl", (3, command), EPERM, ALLOW) for command in LOCK_COMMANDS)),
    *(("fcntl", (3, command), EPERM, EPERM) for command in HINT_COMMANDS),
    *(
        ("fcntl", (3, command), ALLOW, ALLOW) for command in (0, 1, 2, 3, 4, 1030)
    ),  # duplicate, flags, close on exec
    *(
        (name, (), EPERM, EPERM)
        for name in ("memfd_create", "io_setup", *TABLES["WATCHES"], *TABLES["PLACES"])
    ),
    *((name, (), refuse(errno.EOPNOTSUPP), refuse(errno.EOPNOTSUPP)) for name in TABLES["ATTRIBUTES"]),
    *((name, (), refuse(0), ALLOW) for name in TABLES["FLUSHES"]),
    ("mmap", (0, 4096, 3, 0x22), ALLOW, ALLOW),
    ("mmap", (0, 1 << 21, 3, 0x40022), EPERM, EPERM),  # huge pages, which no cgroup counts
    ("shmget", (0, 4096, 0o1600), ALLOW, ALLOW),
    ("shmget", (0, 1 << 21, 0o5600), EPERM, EPERM),
    ("ioctl", (0, 0x5401), ALLOW, ALLOW),  # is it a terminal?
    ("ioctl", (0, 0x5412), EPERM, EPERM),  # typing into it
    ("personality", (0xFFFFFFFF,), ALLOW, ALLOW),
    ("personality", (0x0040000,), EPERM, EPERM),
]
"""Call, arguments, and what it answers to a match and to a build."""


@each_architecture
@pytest.mark.parametrize(("call", "arguments", "match", "build"), CALLS)
@pytest.mark.parametrize("strict", [False, True])
def test_answers_to_calls_of_a_match_and_of_a_build(architecture, call, arguments, match, build, strict):
    if NUMBERS[call][architecture.column] is None:
        return
    assert answer(architecture, call, *arguments, strict=strict) == match
    assert answer(architecture, call, *arguments, strict=strict, allowed=BUILD) == build


@each_architecture
@given(address=st.integers(1, 2**64 - 1))
def test_the_limit_of_cores_may_be_asked_for_and_not_set(architecture, address):
    cores = system_calls.LIMIT_OF_CORES
    assert answer(architecture, "setrlimit", cores, address) == EPERM
    assert answer(architecture, "prlimit64", 0, cores, address) == EPERM
    assert answer(architecture, "prlimit64", 0, cores, 0, address) == ALLOW
    assert answer(architecture, "prlimit64", 0, 7, address) == ALLOW


def test_a_block_too_long_to_be_jumped_over_is_refused():
    with pytest.raises(ValueError, match="256 steps"):
        when(AT_LEAST, 1, [ret(ALLOW)] * 256)
