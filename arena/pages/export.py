"""The pages as files in a folder: for a static web server, an archive, or to open from disk."""

import asyncio
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.pages import downloads, tournament_downloads
from arena.pages.links import Links, file_of
from arena.pages.reads import ArenaReads, Connection, PageError
from arena.pages.replays import replay_of_log
from arena.pages.site import Site
from arena.pages.templates import shared_file
from arena.pages.tournament_downloads import parts_of, tournament_file
from arena.v1 import bot_pb2, ladder_pb2, match_pb2, tournament_pb2
from arena.wire.wording import short

MATCHES: Final = 100
"""The newest matches, which get a page with their replay."""
MARK: Final = ".arena-pages"
"""A file in a folder of pages: such a folder may be written again."""
_PATH: Final = re.compile(r"([a-z0-9-]+/)*[a-z0-9-]+\.[a-z]+")
"""A file within the folder."""


@dataclass(frozen=True, slots=True)
class ExportedPages:
    """What was written."""

    first: Path
    """The file of the first page."""
    pages: int
    """How many pages."""
    replays: int
    """How many replays."""


def export_pages(
    connection: Connection,
    folder: Path,
    *,
    matches: int = MATCHES,
    progress: Callable[[str], None] = lambda _what: None,
) -> ExportedPages:
    """Write all pages to a folder, with the newest `matches` and their logs and replays.

    `progress`: called with what is written next. Raises PageError, grpc.aio.AioRpcError, OSError, or FileExistsError:
    the folder has other files.
    """
    return asyncio.run(_export(connection, folder, matches, progress))


async def _export(
    connection: Connection, folder: Path, matches: int, progress: Callable[[str], None]
) -> ExportedPages:
    _check(folder)
    async with ArenaReads(connection) as reads:
        _prepare(folder)
        exporter = _Exporter(reads, folder, progress)
        return await exporter.run(matches)


def _check(folder: Path) -> None:
    """Raise FileExistsError if the folder has files of something else, or is no folder."""
    if folder.exists() and not folder.is_dir():
        raise FileExistsError(f"{folder} is a file. Name an empty folder, or one of pages.")
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise FileExistsError(f"{folder} has other files. Name an empty folder, or one of pages.")


def _prepare(folder: Path) -> None:
    """Make the folder empty but for its mark; of a link only the link is removed."""
    for each in list(folder.iterdir()) if folder.exists() else []:
        if each.name != MARK:
            shutil.rmtree(each) if each.is_dir() and not each.is_symlink() else each.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).write_text("arena pages export writes this folder anew.\n")


class _Exporter:
    def __init__(self, reads: ArenaReads, folder: Path, progress: Callable[[str], None]) -> None:
        self._reads, self._folder, self._progress = reads, folder, progress
        self._site = Site(reads, rows=0)
        self._written: set[str] = set()
        self._replays = 0

    async def run(self, matches: int) -> ExportedPages:
        """Write everything."""
        reads = self._reads
        ladders = await reads.rows(
            reads.ladders.ListLadders, ladder_pb2.ListLaddersRequest(show_archived=True)
        )
        bots = await reads.rows(reads.bots.ListBots, bot_pb2.ListBotsRequest())
        tournaments = await reads.rows(
            reads.tournaments.ListTournaments, tournament_pb2.ListTournamentsRequest(show_archived=True)
        )
        newest: list[match_pb2.Match] = []
        if matches:
            newest = list(
                (await reads.rows(reads.matches.ListMatches, match_pb2.ListMatchesRequest(), matches)).matches
            )
        with_replay = [each for each in newest if each.log and await self._write_replay(each)]
        events = [*ladders.ladders, *tournaments.tournaments]
        self._written = {"", "ladders", "bots", "matches", "tournaments"}
        self._written |= {each.name for each in (*events, *bots.bots, *newest)}
        self._written |= {f"{each.name}/replay" for each in with_replay}
        seasons = {each.name: await self._site.seasons(each) for each in ladders.ladders}
        self._written |= {season.name for closed in seasons.values() for season in closed}
        await self._write_lists(matches)
        for name in _names(ladders.ladders):
            self._page(name, await self._site.ladder(self._links(name), short(name)))
            for form in downloads.FORMS:
                content = await downloads.ladder_standings(reads, name, form)
                self._write(f"{name}/standings.{form}", content)
            await self._write_matches(name, "ladder")
            for place in _names(seasons[name]):
                self._page(place, await self._site.season(self._links(place), short(name), short(place)))
        for tournament in tournaments.tournaments:
            name = tournament.name
            self._page(name, await self._site.tournament(self._links(name), short(name)))
            for part in parts_of(tournament):
                for form in tournament_downloads.FORMS:
                    content = await tournament_file(reads, name, part, form)
                    self._write(f"{name}/{part}.{form}", content)
            await self._write_matches(name, "tournament")
        for name in _names(bots.bots):
            self._page(name, await self._site.bot(self._links(name), short(name)))
        for name in _names(newest):
            self._page(name, await self._site.match(self._links(name), short(name)))
        self._write("files/pictures.css", shared_file("pictures.css"))
        self._write("files/site.css", shared_file("site.css"))
        self._write("files/site.js", shared_file("site.js"))
        return ExportedPages(self._folder / file_of(""), len(self._written), self._replays)

    async def _write_lists(self, matches: int) -> None:
        site, links = self._site, self._links
        self._page("", await site.home(links("")))
        self._page("ladders", await site.ladders(links("ladders"), archived=True))
        self._page("tournaments", await site.tournaments(links("tournaments"), archived=True))
        self._page("bots", await site.bots(links("bots")))
        self._page("matches", await site.matches(links("matches"), {}, limit=max(matches, 1)))

    async def _write_replay(self, match: match_pb2.Match) -> bool:
        """Write a match's log and replay; return whether it can be shown."""
        self._progress(f"match {short(match.name)}")
        request = match_pb2.DownloadMatchLogRequest(name=match.name)
        try:
            data = await self._reads.bytes_of(self._reads.matches.DownloadMatchLog, request)
            self._write(f"{match.name}.arenalog", data)
            self._write(file_of(f"{match.name}/replay"), await asyncio.to_thread(replay_of_log, data))
        except PageError as error:
            if error.status not in (409, 410):
                raise
            return False  # sealed, of other rules, or lost
        self._replays += 1
        return True

    async def _write_matches(self, name: str, event: str) -> None:
        """Write all matches of a ladder or tournament. `event`: which of the two it is."""
        for form in downloads.FORMS:
            pieces = [piece async for piece in downloads.matches(self._reads, form, **{event: name})]
            self._write(f"{name}/matches.{form}", "".join(pieces))

    def _links(self, place: str) -> Links:
        return Links(place, self._written)

    def _page(self, place: str, html: str) -> None:
        self._progress(place or "first page")
        self._write(file_of(place), html)

    def _write(self, path: str, content: str | bytes) -> None:
        if not _PATH.fullmatch(path):  # it has names that the arena has sent
            raise PageError(502, "The arena has names that no file of pages can have. Is it an arena?")
        file = self._folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)


def _names(resources: Iterable[Any]) -> list[str]:
    return [each.name for each in resources]
