"""A match in a notebook."""

from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from arena.codecs.codec import codec_for
from arena.match_log.reader import MatchLog, read_log
from arena.match_report.pictures import picture_after
from arena.pictures.picture import Picture
from arena.viewer.page import replay_page
from arena.viewer.replay import UnfitLogError
from engine.game import SPECTATOR

_HEIGHT: Final = 900
"""Pixels of the frame in a notebook."""


class Replay:
    """A match log that a notebook plays by itself: `Replay("17.arenalog")` as the last line of a cell."""

    def __init__(self, log: str | PathLike[str] | MatchLog) -> None:
        """Read a log. `log`: a file of `arena log download`, or what `read_log` returned.

        Raises OSError: no such file. Raises UnreadableLogError: it is no complete log of a known game.
        """
        self.log = log if isinstance(log, MatchLog) else read_log(Path(log).read_bytes())
        self._codec = codec_for(self.log.setup.game)

    @cached_property
    def html(self) -> str:
        """The page of `arena log render`. Raises UnfitLogError: the log follows other rules than this software."""
        return replay_page(self.log, self._codec)

    def picture(self, ply: int, *, seat: int | None = None, whole: bool = False) -> Picture:
        """Return the position after so many plies, which a notebook shows by itself, too; `.svg()` is its SVG.

        `seat`: whose view it is; None: the spectators'. `whole`: with the hands of all seats.

        Raises ValueError: the match has fewer plies, or no such seat. Raises UnfitLogError: as `html`.
        """
        viewer = SPECTATOR if seat is None else seat
        picture = picture_after(self.log, self._codec.game, ply, viewer=viewer, whole=whole)
        if picture is None:
            raise UnfitLogError(self.log)
        return picture

    def _repr_html_(self) -> str:
        # A frame of its own: neither the styles nor the scripts of page and notebook reach each other. In single
        # quotes, the many double ones of the page need not be escaped, and a stored notebook is a third smaller.
        page = escape(self.html, {"'": "&#39;"})
        return (
            f'<iframe title="Match {self.log.setup.match}" sandbox="allow-scripts" '
            f"style=\"width: 100%; height: {_HEIGHT}px; border: 0\" srcdoc='{page}'></iframe>"
        )
