"""The files that keep what the programs of a match write."""

from pathlib import Path

import pytest

from arena.cli.program_files import format_line, program_file, read_program_lines
from arena.v1 import match_pb2


@pytest.mark.parametrize("text", ["plain", "", "a\rb", "a\x0cb", "a\x85b", "a\u2028b"])
def test_a_line_is_read_as_it_was_written(text: str, tmp_path: Path) -> None:
    log = tmp_path / "match.arenalog"
    line = match_pb2.DebugLine(seat=1, decision=3, source=match_pb2.DebugLine.SOURCE_STDOUT, text=text)
    with program_file(log, 1).open("w", encoding="utf-8") as file:
        file.write(format_line(line) * 2)

    found = read_program_lines(log)

    assert not found.trouble
    assert list(found.lines) == [line, line]
