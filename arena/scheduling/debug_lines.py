"""The private debug lines of bots, kept beside the logs and apart from them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.core.errors import DataLossError, ErrorReason, UnavailableError
from arena.core.match import DebugLine, LineSource, MatchSetup
from arena.match_log.durable import make_folder, write_durably
from arena.match_log.files import match_file


class DebugLines:
    """One file for each seat that has any: JSON lines with decision, text, and source if that is no message."""

    def __init__(self, folder: Path) -> None:
        """`folder` is made by the first write."""
        self._folder = folder

    def path(self, match: int, seat: int) -> Path:
        """Return the file of the lines of a seat."""
        return match_file(self._folder, match, f".seat{seat}.jsonl")

    def write(self, setup: MatchSetup, lines: Sequence[Sequence[DebugLine]]) -> None:
        """Store the lines of a match, by seat. Blocks. Raises UnavailableError: STORAGE, they could not be written."""
        try:
            for seat, said in enumerate(lines):
                if said:
                    path = self.path(setup.match, seat)
                    make_folder(path.parent)
                    write_durably(path, "".join(json.dumps(_stored(line)) + "\n" for line in said).encode())
        except OSError as error:
            where = f"{self._folder}: {error.strerror}."
            sentence = f"The debug lines of match {setup.match} could not be written to {where}"
            raise UnavailableError(ErrorReason.STORAGE, sentence) from error

    def read(self, match: int, seat: int) -> list[DebugLine]:
        """Return the lines of a seat in the order in which they came; empty if there is no file. Blocks.

        Raises:
            UnavailableError: STORAGE, the file cannot be read.
            DataLossError: STORAGE, the file is damaged.
        """
        whose = f"The debug lines of seat {seat} of match {match}"
        try:
            stored = [json.loads(line) for line in self.path(match, seat).read_bytes().splitlines()]
            return [_line(each) for each in stored]
        except FileNotFoundError:
            return []
        except OSError as error:
            sentence = f"{whose} cannot be read: {error.strerror}."
            raise UnavailableError(ErrorReason.STORAGE, sentence) from error
        except (ValueError, KeyError, TypeError) as error:
            raise DataLossError(ErrorReason.STORAGE, f"{whose} are damaged; restore a backup.") from error

    def files_of(self, match: int) -> list[Path]:
        """Return the files of a match, by seat."""
        pattern = match_file(self._folder, match, ".seat*.jsonl")
        return sorted(pattern.parent.glob(pattern.name))


def _stored(line: DebugLine) -> dict[str, object]:
    """Return JSON; a message is stored as it was before output was kept."""
    known: dict[str, object] = {"decision": line.decision, "text": line.text}
    return known if line.source is LineSource.MESSAGE else known | {"source": line.source.name}


def _line(stored: dict[str, Any]) -> DebugLine:
    """Parse a line. Raises KeyError or TypeError if it is no such line."""
    return DebugLine(
        stored["decision"], stored["text"], LineSource[stored.get("source", LineSource.MESSAGE.name)]
    )
