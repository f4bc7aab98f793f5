"""The private debug lines of bots, kept beside the logs and apart from them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from arena.core.errors import ErrorReason, UnavailableError
from arena.core.match import MatchSetup
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

    def _write(self, match: int, lines: Sequence[Sequence[tuple[int, str]]]) -> None:
        for seat, said in enumerate(lines):
            if said:
                path = self.path(match, seat)
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                text = "".join(json.dumps({"decision": number, "text": line}) + "\n" for number, line in said)
                path.write_text(text, encoding="utf-8")
