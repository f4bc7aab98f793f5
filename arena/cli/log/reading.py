"""Reading logs as text or as records. Functions raise CliError for an unknown game or an incomplete log."""

import json
from collections.abc import Iterator

from rich.console import RenderableType

from arena.cli.framework.errors import CliError
from arena.cli.match_data import LogSource
from arena.codecs.codec import Codec, codec_for
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import BoardFrequency
from arena.match_log.reader import MatchLog, UnreadableLogError, interpret, read_stored
from arena.match_report import story as match_story
from arena.match_report.export import export_lines


def story(log: LogSource, boards: BoardFrequency, *, plies: bool = False) -> Iterator[RenderableType]:
    """Return the match turn by turn or, with `plies`, action by action."""
    match, codec = _read(log)
    return match_story.story(match, codec, None if plies else drawing_for(match.setup.game), boards)


def lines(log: LogSource) -> Iterator[str]:
    """Return the log as lines of JSON, one per record."""
    return export_lines(*_read(log))


def records(log: LogSource) -> list[object]:
    """Return the records as JSON objects."""
    return [json.loads(line) for line in lines(log)]


def interpreted(log: LogSource) -> MatchLog:
    """Return the match that the log records."""
    return _read(log)[0]


def known_codec(title: str, game: str) -> Codec:
    """Return the codec of a game. Raises CliError if it is unknown. `title`: the log or match."""
    try:
        return codec_for(game)
    except KeyError:
        raise CliError(f'{title}: unknown game "{game}". Install a version that has it.') from None


def _read(log: LogSource) -> tuple[MatchLog, Codec]:
    try:
        stored = read_stored(log.data)
        codec = known_codec(log.title, stored.header.game)
        return interpret(stored, codec), codec
    except UnreadableLogError as error:
        raise CliError(f"{log.title} is not a complete match log. ({error})") from error
