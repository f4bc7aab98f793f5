"""The private debug lines of bots, kept beside the logs and apart from them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from arena.core.errors import DataLossError, ErrorReason, UnavailableError
from arena.core.match import MatchSetup
from arena.match_log.durable import make_folder, write_durably
from arena.match_log.files import match_file


class DebugLines:
    """One file for each seat that has sent any: JSON lines with the decision and the text."""

    def __init__(self, folder: Path) -> None:
        """`folder` is made by the first write."""
        self._folder = folder

    def path(self, match: int, seat: int) -> Path:
        """Where the lines of a seat lie."""
        return match_file(self._folder, match, f".seat{seat}.jsonl")

    def write(self, setup: MatchSetup, lines: Sequence[Sequence[tuple[int, str]]]) -> None:
        """The lines of a match are stored, by seat. Blocks.

        Raises:
            UnavailableError: STORAGE, they could not be written.
        """
        try:
            self._write(setup.match, lines)
        except OSError as error:
            raise UnavailableError(
                ErrorReason.STORAGE,
                f"The debug lines of match {setup.match} could not be written to {self._folder}: {error.strerror}.",
            ) from error

    def read(self, match: int, seat: int) -> list[tuple[int, str]]:
        """The (decision, text) that a seat sent, in order; empty if there is no file. Blocks.

        Raises:
            UnavailableError: STORAGE, the file cannot be read.
            DataLossError: STORAGE, the file is damaged.
        """
        whose = f"The debug lines of seat {seat} of match {match}"
        try:
            stored = [json.loads(line) for line in self.path(match, seat).read_bytes().splitlines()]
            return [(line["decision"], line["text"]) for line in stored]
        except FileNotFoundError:
            return []
        except OSError as error:
            sentence = f"{whose} cannot be read: {error.strerror}."
            raise UnavailableError(ErrorReason.STORAGE, sentence) from error
        except (ValueError, KeyError, TypeError) as error:
            raise DataLossError(ErrorReason.STORAGE, f"{whose} are damaged; restore a backup.") from error

    def files_of(self, match: int) -> list[Path]:
        """The files of a match, by seat."""
        pattern = match_file(self._folder, match, ".seat*.jsonl")
        return sorted(pattern.parent.glob(pattern.name))

    def _write(self, match: int, lines: Sequence[Sequence[tuple[int, str]]]) -> None:
        for seat, said in enumerate(lines):
            if said:
                path = self.path(match, seat)
                make_folder(path.parent)
                text = "".join(json.dumps({"decision": number, "text": line}) + "\n" for number, line in said)
                write_durably(path, text.encode())
