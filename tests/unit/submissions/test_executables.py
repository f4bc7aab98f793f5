"""The file that a command starts is an executable for the machine of the arena, or is refused with the reason."""

import struct
from pathlib import Path

import pytest

from arena.core.errors import ErrorReason, InvalidArgumentError
from arena.submissions.executables import TargetMachine, check_executable

LOADER = "/lib64/ld-linux-x86-64.so.2"
HERE = TargetMachine("x86_64", lambda path: path == LOADER)


def elf(
    *, machine: int = 62, kind: int = 2, bits: int = 2, entry: int = 0x1000, loader: str | None = None
) -> bytes:
    """Return the beginning of an ELF file with one program header."""
    ident = b"\x7fELF" + bytes([bits, 1, 1]) + bytes(9)
    name = b"" if loader is None else loader.encode() + b"\0"
    head = struct.pack("<16sHHIQQQIHHHHHH", ident, kind, machine, 1, entry, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    return head + struct.pack("<IIQQQQQQ", 3 if name else 1, 4, 120, 0, 0, len(name), len(name), 1) + name


def check(
    folder: Path, content: bytes, *, runtime: str = "binary", target: TargetMachine | None = HERE
) -> None:
    (folder / "bot").write_bytes(content)
    check_executable(folder, ("./bot",), runtime, target)


@pytest.mark.parametrize(
    "content",
    [elf(), elf(kind=3), elf(loader=LOADER)],
    ids=["static", "static and position independent", "with the loader of the machine"],
)
def test_a_program_for_this_machine_is_taken(tmp_path: Path, content: bytes) -> None:
    check(tmp_path, content)


def test_a_loader_in_the_submission_is_taken(tmp_path: Path) -> None:
    (tmp_path / "ld.so").touch()
    check(tmp_path, elf(loader="./ld.so"))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not an ELF executable"),
        (b"hello", "not an ELF executable"),
        (b"#!/usr/bin/env ruby\n", "a script"),
        (b"MZ\x90\0", "for Windows"),
        (b"\xcf\xfa\xed\xfe", "for macOS"),
        (elf(machine=183), "built for aarch64, but this arena runs on x86_64"),
        (elf(bits=1), "64-bit"),
        (elf(kind=1), "cannot be started"),
        (elf(kind=3, entry=0), "cannot be started"),
        (
            elf(loader="/lib/ld-musl-x86_64.so.1"),
            "'/lib/ld-musl-x86_64.so.1', which the sandbox does not have",
        ),
        (elf(loader="ld.so"), "not in the submission"),
        (elf()[:40], "damaged"),
        (elf()[:80], "damaged"),
    ],
)
def test_a_program_that_cannot_run_is_refused_with_the_reason(
    tmp_path: Path, content: bytes, words: str
) -> None:
    with pytest.raises(InvalidArgumentError) as error:
        check(tmp_path, content)
    assert error.value.reason is ErrorReason.EXECUTABLE_INVALID
    assert error.value.metadata == {"path": "'./bot'"}
    assert words in error.value.sentence


def test_the_program_of_another_runtime_may_be_a_script_but_no_program_of_another_machine(
    tmp_path: Path,
) -> None:
    check(tmp_path, b"#!/bin/sh\n", runtime="cpp")
    with pytest.raises(InvalidArgumentError, match="aarch64"):
        check(tmp_path, elf(machine=183), runtime="go")


def test_without_the_machine_of_the_arena_its_processor_and_loader_are_not_checked(tmp_path: Path) -> None:
    check(tmp_path, elf(machine=183, loader="/lib/ld-musl-aarch64.so.1"), target=None)
    with pytest.raises(InvalidArgumentError, match="script"):
        check(tmp_path, b"#!/bin/sh\n", target=None)


def test_a_file_outside_of_the_submission_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot").symlink_to(tmp_path / "secret")
    check_executable(folder, ("./bot",), "binary", HERE)
