"""Reading of logs by the installed games."""

import typer

from arena.cli.framework.errors import CliError
from arena.cli.framework.names import resource_id
from arena.cli.match_data import LogSource
from arena.codecs.codec import Codec, codec_for
from arena.drawings.wording import counted
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


def chosen_seat(log: MatchLog, seat: int | None, bot: str | None) -> int | None:
    """Return the seat that the options --seat and --as choose; None if neither is given. Raises BadParameter."""
    holders = log.setup.seats
    if seat is not None:
        if bot is not None:
            raise typer.BadParameter("use only one of --seat or --as.", param_hint="--seat")
        if seat >= len(holders):
            raise typer.BadParameter(
                f"the match has {counted(len(holders), 'seat')}, numbered from 0.", param_hint="--seat"
            )
        return seat
    if bot is None:
        return None
    name = resource_id("bots", bot)
    found = [place for place, holder in enumerate(holders) if holder.bot == name]
    if not found:
        names = ", ".join(dict.fromkeys(holder.bot for holder in holders))
        raise typer.BadParameter(f"{name!r} has no seat in it; bots: {names}.", param_hint="--as")
    if len(found) > 1:
        seats = " and ".join(map(str, found))
        raise typer.BadParameter(
            f"{name!r} played on seats {seats}. Choose one with --seat.", param_hint="--as"
        )
    return found[0]
