"""The assembler makes what the kernel takes; and what a filter decides, as a small machine runs it here."""

import errno
import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

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
from arena.sandbox.seccomp.system_calls import (
    ARCHITECTURES,
    ATTRIBUTES,
    CLONE3,
    FCNTL,
    FILE_LOCK,
    FLUSHES,
    HARMFUL,
    HINT_COMMANDS,
    LIMIT_OF_CORES,
    LOCK_COMMANDS,
    MAP,
    MEMORY_FILE,
    NEW_NAMESPACES,
    PLACES,
    RINGS,
    SET_LIMIT,
    SET_OR_ASK_LIMIT,
    SHARED_SEGMENT,
    WATCHES,
    Architecture,
)

X86_64, AARCH64 = ARCHITECTURES["x86_64"], ARCHITECTURES["aarch64"]
BOTH = [X86_64, AARCH64]
READ = {"x86_64": 0, "aarch64": 63}
SOCKET = {"x86_64": 41, "aarch64": 198}
SOCKET_PAIR = {"x86_64": 53, "aarch64": 199}
CLONE = {"x86_64": 56, "aarch64": 220}
IOCTL = {"x86_64": 16, "aarch64": 29}
PERSONALITY = {"x86_64": 135, "aarch64": 92}
EPERM = refuse(errno.EPERM)


@pytest.fixture(params=BOTH, ids=lambda each: each.name)
def architecture(request: pytest.FixtureRequest) -> Architecture:
    """Each architecture."""
    found: Architecture = request.param
    return found


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


def numbers(calls, architecture: Architecture) -> list[int]:
    return [both[architecture.column] for both in calls.values() if both[architecture.column] is not None]


@pytest.mark.parametrize(("strict", "answer"), [(False, EPERM), (True, KILL)])
def test_every_harmful_call_is_refused_and_ends_a_program_held_strictly(architecture, strict, answer):
    program = build_filter(architecture, MATCH, strict=strict)
    for number in numbers(HARMFUL, architecture):
        assert decide(program, number, audit=architecture.audit) == answer, number


def test_what_the_filter_names_nowhere_is_let_through(architecture):
    program = build_filter(architecture, MATCH, strict=True)
    assert decide(program, READ[architecture.name], audit=architecture.audit) == ALLOW


@given(st.integers(0, 2**32 - 1))
def test_calls_by_another_architecture_are_refused_whatever_their_number(number):
    program = build_filter(X86_64, MATCH)
    for audit in (0x40000003, AARCH64.audit, 0):  # 32-bit x86 among them
        assert decide(program, number, audit=audit) == EPERM


@given(st.integers(0x40000000, 2**32 - 1))
def test_calls_by_the_x32_table_are_refused(number):
    assert decide(build_filter(X86_64, MATCH), number) == EPERM


@pytest.mark.parametrize("architecture", BOTH, ids=lambda each: each.name)
@pytest.mark.parametrize("call", [SOCKET, SOCKET_PAIR], ids=["socket", "socketpair"])
@given(family=st.integers(0, 2**32 - 1))
@example(family=1)
def test_only_unix_sockets_are_let_through(architecture, call, family):
    answer = decide(
        build_filter(architecture, MATCH), call[architecture.name], family, audit=architecture.audit
    )
    assert answer == (ALLOW if family == 1 else refuse(errno.EAFNOSUPPORT))


def test_the_upper_half_of_a_family_does_not_matter_as_it_does_not_to_the_kernel():
    program = build_filter(X86_64, MATCH)
    assert decide(program, 41, (1 << 32) | 2) == refuse(errno.EAFNOSUPPORT)


def test_without_the_rule_for_sockets_all_families_are_let_through():
    assert decide(build_filter(X86_64, MATCH, sockets=False), 41, 2) == ALLOW


def test_a_thread_may_be_started_and_a_namespace_may_not(architecture):
    program = build_filter(architecture, MATCH)
    clone = CLONE[architecture.name]
    assert decide(program, clone, 0x3D0F00, audit=architecture.audit) == ALLOW  # as pthread_create calls it
    for bit in range(32):
        flag = 1 << bit
        if flag & NEW_NAMESPACES:
            assert decide(program, clone, flag | 17, audit=architecture.audit) == EPERM
    for number in numbers(CLONE3, architecture):
        assert decide(program, number, audit=architecture.audit) == refuse(errno.ENOSYS)


def test_locks_are_refused_but_to_a_build(architecture):
    match, build = build_filter(architecture, MATCH), build_filter(architecture, BUILD)
    (lock,), (fcntl,) = numbers(FILE_LOCK, architecture), numbers(FCNTL, architecture)
    for call in [(lock,), *((fcntl, 3, command) for command in LOCK_COMMANDS)]:
        assert decide(match, *call, audit=architecture.audit) == EPERM
        assert decide(build, *call, audit=architecture.audit) == ALLOW


@pytest.mark.parametrize("allowed", [MATCH, BUILD], ids=["match", "build"])
def test_what_no_cgroup_counts_and_watches_are_refused_to_all(architecture, allowed):
    program = build_filter(architecture, allowed)
    for calls in (MEMORY_FILE, WATCHES, PLACES, RINGS):
        for number in numbers(calls, architecture):
            assert decide(program, number, audit=architecture.audit) == EPERM
    for number in numbers(ATTRIBUTES, architecture):
        assert decide(program, number, audit=architecture.audit) == refuse(errno.EOPNOTSUPP)


@pytest.mark.parametrize("allowed", [MATCH, BUILD], ids=["match", "build"])
def test_hints_on_files_are_refused_to_all(architecture, allowed):
    (fcntl,) = numbers(FCNTL, architecture)
    for command in HINT_COMMANDS:
        assert (
            decide(build_filter(architecture, allowed), fcntl, 3, command, audit=architecture.audit) == EPERM
        )


def test_flushing_a_file_is_pretended_but_to_a_build(architecture):
    for number in numbers(FLUSHES, architecture):
        assert decide(build_filter(architecture, MATCH), number, audit=architecture.audit) == refuse(0)
        assert decide(build_filter(architecture, BUILD), number, audit=architecture.audit) == ALLOW


def test_huge_pages_which_no_cgroup_counts_are_refused(architecture):
    program = build_filter(architecture, MATCH)
    (map_,), (segment,) = numbers(MAP, architecture), numbers(SHARED_SEGMENT, architecture)
    audit = architecture.audit
    assert decide(program, map_, 0, 4096, 3, 0x22, audit=audit) == ALLOW
    assert decide(program, map_, 0, 1 << 21, 3, 0x40022, audit=audit) == EPERM
    assert decide(program, segment, 0, 4096, 0o1600, audit=audit) == ALLOW
    assert decide(program, segment, 0, 1 << 21, 0o5600, audit=audit) == EPERM


@pytest.mark.parametrize("architecture", BOTH, ids=lambda each: each.name)
@given(address=st.integers(1, 2**64 - 1))
def test_the_limit_of_cores_may_be_asked_for_and_not_set(architecture, address):
    program = build_filter(architecture, MATCH)
    ((set_, both),) = zip(
        numbers(SET_LIMIT, architecture), numbers(SET_OR_ASK_LIMIT, architecture), strict=True
    )
    audit = architecture.audit
    assert decide(program, set_, LIMIT_OF_CORES, address, audit=audit) == EPERM
    assert decide(program, both, 0, LIMIT_OF_CORES, address, audit=audit) == EPERM
    assert decide(program, both, 0, LIMIT_OF_CORES, 0, address, audit=audit) == ALLOW
    assert decide(program, both, 0, 7, address, audit=audit) == ALLOW


def test_other_commands_of_the_calls_that_are_looked_into_are_let_through(architecture):
    program = build_filter(architecture, MATCH, strict=True)
    (fcntl,) = numbers(FCNTL, architecture)
    for command in (0, 1, 2, 3, 4, 1030):  # duplicate, flags, close on exec
        assert decide(program, fcntl, 3, command, audit=architecture.audit) == ALLOW
    ioctl, personality = IOCTL[architecture.name], PERSONALITY[architecture.name]
    assert decide(program, ioctl, 0, 0x5401, audit=architecture.audit) == ALLOW  # is it a terminal?
    assert decide(program, ioctl, 0, 0x5412, audit=architecture.audit) == EPERM  # typing into it
    assert decide(program, personality, 0xFFFFFFFF, audit=architecture.audit) == ALLOW
    assert decide(program, personality, 0x0040000, audit=architecture.audit) == EPERM


def test_a_block_too_long_to_be_jumped_over_is_refused():
    with pytest.raises(ValueError, match="256 steps"):
        when(AT_LEAST, 1, [ret(ALLOW)] * 256)
