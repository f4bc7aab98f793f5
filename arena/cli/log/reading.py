"""Reading logs as text or as records."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.console import RenderableType

from arena.cli.framework.errors import CliError
from arena.cli.match_data import LogSource
from arena.codecs.codec import Codec, codec_for
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import BoardFrequency
from arena.match_log.reader import MatchLog, UnreadableLogError, interpret, read_stored
from arena.match_report.export import export_lines
from arena.match_report.story import tell


def story(log: LogSource, boards: BoardFrequency, *, plies: bool = False) -> Iterator[RenderableType]:
    """Return the match turn by turn or, with `plies`, action by action. Raises CliError as `read_match` does."""
    match, codec = _interpreted(log)
    return tell(match, codec, None if plies else drawing_for(match.setup.game), boards)


def lines(log: LogSource) -> Iterator[str]:
    """Return the log as lines of JSON, one per record. Raises CliError."""
    return export_lines(*_interpreted(log))


def records(log: LogSource) -> list[object]:
    """Return the records as JSON objects. Raises CliError."""
    return [json.loads(line) for line in lines(log)]


def interpreted(log: LogSource) -> MatchLog:
    """Return what the log says. Raises CliError."""
    return _interpreted(log)[0]


def _interpreted(log: LogSource) -> tuple[MatchLog, Codec]:
    try:
        return _read(log)
    except UnreadableLogError as error:
        raise CliError(f"{log.title} is not a complete match log. ({error})") from error


def _read(log: LogSource) -> tuple[MatchLog, Codec]:
    stored = read_stored(log.data)
    try:
        codec = codec_for(stored.header.game)
    except KeyError:
        raise CliError(
            f'{log.title}: unknown game "{stored.header.game}". Install a version that has it.'
        ) from None
    return interpret(stored, codec), codec
