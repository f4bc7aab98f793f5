"""Reading of logs by the installed games."""

from arena.cli.framework.errors import CliError
from arena.cli.match_data import LogSource
from arena.codecs.codec import Codec, codec_for
from arena.match_log.reader import MatchLog, UnreadableLogError, interpret, read_stored


def known_codec(title: str, game: str) -> Codec:
    """Return the codec of a game. Raises CliError if it is unknown. `title`: the log or match."""
    try:
        return codec_for(game)
    except KeyError:
        raise CliError(f'{title}: unknown game "{game}". Install a version that has it.') from None


def read_match(log: LogSource) -> tuple[MatchLog, Codec]:
    """Return the match that the log records, and its codec. Raises CliError: an unknown game or incomplete log."""
    try:
        stored = read_stored(log.data)
        codec = known_codec(log.title, stored.header.game)
        return interpret(stored, codec), codec
    except UnreadableLogError as error:
        raise CliError(f"{log.title} is not a complete match log. ({error})") from error
