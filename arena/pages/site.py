"""The pages of an arena: what each one reads, and the template that shows it."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from arena.core.errors import DataLossError
from arena.core.seasons import read_document
from arena.core.versions import shown_version
from arena.pages.announcements import Announcements
from arena.pages.charts import CURVES, RatingPoint, comparison_chart, rating_chart
from arena.pages.freezes import WALL_LINES, wall_lines, with_freeze
from arena.pages.kept_parts import KeptParts
from arena.pages.links import Links
from arena.pages.reads import ArenaReads, PageError
from arena.pages.templates import render
from arena.pages.tournament_downloads import FORMS, parts_of
from arena.v1 import bot_pb2, game_pb2, ladder_pb2, match_pb2, season_pb2, tournament_pb2
from arena.wire.wording import format_time, short

PAGE_ROWS: Final = 50
"""Rows of a long table on one page of a server; files have all rows."""
LATEST: Final = 12
"""Matches below "Latest matches"."""
CHARTS: Final = 6
"""Rating charts on the page of a bot."""
VERSIONS_OF_BOT: Final = 20
"""Versions that come with a bot: if it has more, they are listed."""
POINTS: Final = 60
"""Points of a curve in the chart of a ladder."""
BOT_POINTS: Final = 100
"""Points in the chart of a bot: each has its numbers as a tooltip."""
CHART_S: Final = 60.0
OLD_CHART_S: Final = 600.0
"""How long the chart of a ladder is fresh, and when it is old: see `KeptParts`."""
LEADER_S: Final = 5.0
OLD_LEADER_S: Final = 60.0
"""The same for the leader of a ladder, which the lists of ladders show."""
FIRST_LINES: Final = 10
"""Lines of the standings among which the leader is: anchors may come before."""
OVERVIEW: Final = 50
"""Ladders and tournaments on the first page."""
NEXT_PAIRINGS: Final = 4
"""Pairings to come on the wall of a tournament."""
RUNNING: Final = 60
"""Matches in play on the page of those."""
SOME_RUNNING: Final = 12
"""Matches in play on other pages."""

_STATES: Final[Mapping[str, match_pb2.MatchState.ValueType]] = {
    "running": match_pb2.MATCH_STATE_RUNNING,
    "finished": match_pb2.MATCH_STATE_FINISHED,
    "aborted": match_pb2.MATCH_STATE_ABORTED,
    "no contest": match_pb2.MATCH_STATE_NO_CONTEST,
    "pending": match_pb2.MATCH_STATE_PENDING,
}


class Site:
    """All pages as HTML. Each method raises PageError if its page cannot be shown."""

    def __init__(self, reads: ArenaReads, rows: int = PAGE_ROWS) -> None:
        """`rows`: of a long table, on one page; 0: all."""
        self._reads = reads
        self.announcements = Announcements(reads)
        self._rows = rows
        self._titles: dict[str, str] = {}
        self._comparisons: KeptParts[str | None] = KeptParts(fresh_s=CHART_S, old_s=OLD_CHART_S)
        self._leaders: KeptParts[ladder_pb2.Standing | None] = KeptParts(fresh_s=LEADER_S, old_s=OLD_LEADER_S)

    # Overview

    async def home(self, links: Links) -> str:
        """Return the first page: ladders, tournaments, what is played now, the latest matches."""
        ladders, tournaments, running, finished = await asyncio.gather(
            self._ladders(OVERVIEW),
            self._tournaments(OVERVIEW),
            self._matches(SOME_RUNNING, state=match_pb2.MATCH_STATE_RUNNING),
            self._matches(LATEST, state=match_pb2.MATCH_STATE_FINISHED),
        )
        leaders = await asyncio.gather(*(self._leader(ladder) for ladder in ladders))
        return await self.render(
            "home",
            links,
            ladders=list(zip(ladders, leaders, strict=True)),
            freezes=with_freeze(ladders),
            tournaments=tournaments,
            running=running,
            matches=finished,
        )

    async def now(self, links: Links, *, part: bool = False) -> str:
        """Return what is played now. `part`: only what changes."""
        ladders, running, finished = await asyncio.gather(
            self._ladders(OVERVIEW),
            self._matches(RUNNING, state=match_pb2.MATCH_STATE_RUNNING),
            self._matches(LATEST, state=match_pb2.MATCH_STATE_FINISHED),
        )
        return await self.render(
            "now", links, part=part, freezes=with_freeze(ladders), running=running, matches=finished
        )

    async def wall(self, links: Links, ladder: str, *, part: bool = False) -> str:
        """Return large letters for a projector: standings of a ladder (empty: the busiest one) and what is played.

        While its standings are frozen they are of the freeze, and no matches are shown; then ranks are revealed.
        """
        ladders = await self._ladders(OVERVIEW)
        if not ladders:
            raise PageError(404, "This arena has no ladder yet.")
        shown = next((each for each in ladders if each.name == f"ladders/{ladder}"), None)
        if ladder and shown is None:
            shown = await self._ladder(ladder)
        shown = shown or max(ladders, key=lambda each: each.running_matches)
        standings, running, finished = await asyncio.gather(
            self._standings(shown.name, 0 if shown.frozen else 15),
            self._matches(8, state=match_pb2.MATCH_STATE_RUNNING, ladder=shown.name),
            self._matches(8, state=match_pb2.MATCH_STATE_FINISHED, ladder=shown.name),
        )
        return await self.render(
            "wall",
            links,
            part=part,
            announcements=await self.announcements.part(),
            ladder=shown,
            ladders=ladders,
            standings=standings.standings[: WALL_LINES if shown.frozen else 15],
            lines=wall_lines(standings.standings),
            running=running,
            matches=finished,
        )

    async def wall_of_tournament(self, links: Links, tournament_id: str, *, part: bool = False) -> str:
        """Return large letters for a projector: standings of a tournament, what is played, and what comes next."""
        name, reads = f"tournaments/{tournament_id}", self._reads
        tournament, crosstable, pairings, running, finished = await asyncio.gather(
            reads.get(reads.tournaments.GetTournament, tournament_pb2.GetTournamentRequest(name=name)),
            reads.get(reads.tournaments.GetCrosstable, tournament_pb2.GetCrosstableRequest(name=name)),
            reads.rows(reads.tournaments.ListPairings, tournament_pb2.ListPairingsRequest(name=name)),
            self._matches(8, state=match_pb2.MATCH_STATE_RUNNING, tournament=name),
            self._matches(8, state=match_pb2.MATCH_STATE_FINISHED, tournament=name),
        )
        in_play = {match.name for match in running}
        following = [
            each for each in pairings.pairings if not each.ended and not in_play.intersection(each.matches)
        ]
        return await self.render(
            "wall_of_tournament",
            links,
            part=part,
            announcements=await self.announcements.part(),
            tournament=tournament.tournament,
            standings=crosstable.standings[:15],
            running=running,
            following=following[:NEXT_PAIRINGS],
            matches=finished,
        )

    # Ladders

    async def ladders(self, links: Links, *, archived: bool = False) -> str:
        """Return all ladders. `archived`: with archived ones."""
        ladders = await self._ladders(0, archived=archived)
        leaders = await asyncio.gather(*(self._leader(ladder) for ladder in ladders))
        rows = list(zip(ladders, leaders, strict=True))
        freezes = with_freeze(ladders)
        return await self.render("ladders", links, ladders=rows, freezes=freezes, archived=archived)

    async def ladder(self, links: Links, ladder_id: str, token: str = "", *, part: bool = False) -> str:
        """Return a ladder with its standings from the page token on."""
        name = f"ladders/{ladder_id}"
        ladder, standings, running, finished = await asyncio.gather(
            self._ladder(ladder_id),
            self._standings(name, self._rows, token),
            self._matches(SOME_RUNNING, state=match_pb2.MATCH_STATE_RUNNING, ladder=name),
            self._matches(LATEST, state=match_pb2.MATCH_STATE_FINISHED, ladder=name),
        )
        chart, seasons = None, [] if part else await self.seasons(ladder)
        if not part and not token:
            first = standings.standings[:CURVES]
            chart = await self._comparisons.get(
                ladder_id, _version(ladder), lambda: self._comparison(ladder_id, first)
            )
        return await self.render(
            "ladder",
            links,
            part=part,
            ladder=ladder,
            chart=chart,
            seasons=seasons,
            standings=standings.standings,
            next_page=standings.next_page_token,
            this_page=token,
            running=running,
            matches=finished,
        )

    async def season(self, links: Links, ladder_id: str, number: str) -> str:
        """Return a closed season of a ladder with its final standings."""
        name = f"ladders/{ladder_id}/seasons/{number}"
        ladder, answer = await asyncio.gather(
            self._ladder(ladder_id),
            self._reads.get(self._reads.seasons.GetSeason, season_pb2.GetSeasonRequest(name=name)),
        )
        try:
            standings = read_document(answer.season.document)
        except DataLossError as error:
            raise PageError(502, error.sentence) from error
        return await self.render("season", links, ladder=ladder, season=answer.season, standings=standings)

    async def seasons(self, ladder: ladder_pb2.Ladder) -> Sequence[season_pb2.Season]:
        """Return the closed seasons of a ladder, the newest first."""
        if ladder.season <= 1:
            return []
        request = season_pb2.ListSeasonsRequest(ladder=ladder.name)
        listing = await self._reads.rows(self._reads.seasons.ListSeasons, request)
        return listing.seasons  # type: ignore[no-any-return]

    # Bots

    async def bots(self, links: Links, token: str = "") -> str:
        """Return the bots from the page token on."""
        request = bot_pb2.ListBotsRequest(page_token=token)
        listing = await self._reads.rows(self._reads.bots.ListBots, request, self._rows)
        return await self.render("bots", links, bots=listing.bots, next_page=listing.next_page_token)

    async def bot(self, links: Links, bot_id: str) -> str:
        """Return a bot: versions, ratings over time, record against others, latest matches, reasons of losses."""
        name, reads = f"bots/{bot_id}", self._reads
        bot, places, record, latest = await asyncio.gather(
            reads.get(reads.bots.GetBot, bot_pb2.GetBotRequest(name=name)),
            reads.rows(reads.ladders.ListBotStandings, ladder_pb2.ListBotStandingsRequest(bot=name)),
            reads.rows(reads.bots.GetBotRecord, bot_pb2.GetBotRecordRequest(bot=name), self._rows),
            self._matches(LATEST, bot=name),
        )
        versions = bot.bot.versions
        if len(versions) >= VERSIONS_OF_BOT:
            request = bot_pb2.ListVersionsRequest(bot=name)
            versions = (await reads.rows(reads.bots.ListVersions, request, PAGE_ROWS)).versions
        ladders = await self._ladders(0, archived=True) if places.standings else []
        of = {each.ladder for each in places.standings}
        rated = [each for each in places.standings if _has_ratings(each.standing)]
        charts = await asyncio.gather(*(self._chart(each.ladder, name) for each in rated[:CHARTS]))
        return await self.render(
            "bot",
            links,
            bot=bot.bot,
            versions=versions,
            places=places.standings,
            freezes=[ladder for ladder in with_freeze(ladders) if ladder.name in of],
            charts=[
                (each.ladder, chart) for each, chart in zip(rated, charts, strict=False) if chart is not None
            ],
            record=record,
            matches=latest,
        )

    async def _chart(self, ladder: str, bot: str) -> str | None:
        """Return the chart of a bot's ratings on a ladder; None if it has no rated match there."""
        points = await self._history(ladder, bot, BOT_POINTS)
        return rating_chart(f"Rating of {short(bot)} on {short(ladder)}", points) if len(points) > 1 else None

    async def _comparison(self, ladder_id: str, standings: Sequence[ladder_pb2.Standing]) -> str | None:
        """Return the chart of the ratings of these bots; None if none has a rating."""
        names = [each.bot for each in standings if each.rank and not each.HasField("solo")]
        histories = await asyncio.gather(
            *(self._history(f"ladders/{ladder_id}", name, POINTS) for name in names)
        )
        curves = [(short(name), points) for name, points in zip(names, histories, strict=True) if points]
        return comparison_chart(f"Ratings on {ladder_id}", curves) if curves else None

    async def _history(self, ladder: str, bot: str, most: int) -> list[RatingPoint]:
        """Return the ratings of a bot on a ladder, at most so many."""
        request = ladder_pb2.GetRatingHistoryRequest(name=ladder, bot=bot, max_points=most)
        history = await self._reads.get(self._reads.ladders.GetRatingHistory, request)
        return [
            RatingPoint(
                point.matches,
                point.rating_milli / 1000,
                point.uncertainty_milli / 1000,
                shown_version(short(point.bot_version)),
                format_time(point.time),
                point.closed_season,
            )
            for point in history.points
        ]

    # Matches

    async def matches(
        self, links: Links, filters: Mapping[str, str], token: str = "", limit: int = PAGE_ROWS
    ) -> str:
        """Return so many matches from the page token on.

        `filters`: ladder, tournament, bot, and the state as a word.
        """
        request = match_pb2.ListMatchesRequest(page_token=token)
        for field in ("ladder", "tournament", "bot"):
            if filters.get(field):
                setattr(request, field, f"{field}s/{filters[field]}")
        if word := filters.get("state"):
            if word not in _STATES:
                raise PageError(400, f"Unknown state: use {', '.join(_STATES)}.")
            request.state = _STATES[word]
        listing = await self._reads.rows(self._reads.matches.ListMatches, request, limit)
        return await self.render(
            "matches",
            links,
            matches=listing.matches,
            freezes=await self._freezes_of(filters),
            next_page=listing.next_page_token,
            filters=filters,
            states=list(_STATES),
        )

    async def _freezes_of(self, filters: Mapping[str, str]) -> list[ladder_pb2.Ladder]:
        """Return the ladders whose freeze a list of matches with these filters is about."""
        if filters.get("tournament"):
            return []
        if not filters.get("ladder"):
            return with_freeze(await self._ladders(OVERVIEW))
        with suppress(PageError):  # a ladder that does not exist has no matches
            return with_freeze([await self._ladder(filters["ladder"])])
        return []

    async def match(self, links: Links, number: str) -> str:
        """Return a match: its result, its downloads, and its replay or, while it is played, its position."""
        match = await self.match_message(number)
        return await self.render("match", links, match=match)

    async def match_message(self, number: str) -> match_pb2.Match:
        """Return a match as the arena describes it."""
        request = match_pb2.GetMatchRequest(name=f"matches/{number}")
        answer = await self._reads.get(self._reads.matches.GetMatch, request)
        return answer.match  # type: ignore[no-any-return]

    # Tournaments

    async def tournaments(self, links: Links, *, archived: bool = False) -> str:
        """Return all tournaments. `archived`: with archived ones."""
        tournaments = await self._tournaments(0, archived=archived)
        return await self.render("tournaments", links, tournaments=tournaments, archived=archived)

    async def tournament(self, links: Links, tournament_id: str, *, part: bool = False) -> str:
        """Return a tournament: progress, standings, crosstable, brackets, rounds and plan."""
        name, reads = f"tournaments/{tournament_id}", self._reads
        tournament, crosstable, bracket, rounds, pairings = await asyncio.gather(
            reads.get(reads.tournaments.GetTournament, tournament_pb2.GetTournamentRequest(name=name)),
            reads.get(reads.tournaments.GetCrosstable, tournament_pb2.GetCrosstableRequest(name=name)),
            reads.get(reads.tournaments.GetBracket, tournament_pb2.GetBracketRequest(name=name)),
            reads.rows(reads.tournaments.ListRounds, tournament_pb2.ListRoundsRequest(name=name)),
            reads.rows(
                reads.tournaments.ListPairings, tournament_pb2.ListPairingsRequest(name=name), self._rows
            ),
        )
        return await self.render(
            "tournament",
            links,
            part=part,
            tournament=tournament.tournament,
            parts_of_it=parts_of(tournament.tournament),
            forms=FORMS,
            size=tournament.size,
            first_round=tournament.first_round,
            first_byes=tournament.first_byes,
            with_points=any(line.HasField("points_milli") for line in crosstable.standings),
            with_progress=any(line.HasField("progress") for line in crosstable.standings),
            crosstable=crosstable,
            ties=bracket.ties,
            rounds=rounds.rounds,
            pairings=pairings.pairings,
            more_pairings=bool(pairings.next_page_token),
        )

    # Errors

    async def error(self, links: Links, error: PageError) -> str:
        """Return the page that says why there is no other one."""
        return render("error", links, error=error, titles=self._titles)

    # Reads

    async def _ladders(self, limit: int, *, archived: bool = False) -> Sequence[ladder_pb2.Ladder]:
        request = ladder_pb2.ListLaddersRequest(show_archived=archived)
        listing = await self._reads.rows(self._reads.ladders.ListLadders, request, limit)
        return listing.ladders  # type: ignore[no-any-return]

    async def _ladder(self, ladder_id: str) -> ladder_pb2.Ladder:
        request = ladder_pb2.GetLadderRequest(name=f"ladders/{ladder_id}")
        answer = await self._reads.get(self._reads.ladders.GetLadder, request)
        return answer.ladder  # type: ignore[no-any-return]

    async def _leader(self, ladder: ladder_pb2.Ladder) -> ladder_pb2.Standing | None:
        """Return the first line of the standings that has a rank; None if none of the first lines has one.

        While ranks are revealed there is none: the first rank is the last one.
        """
        if ladder.revealing:
            return None

        async def read() -> ladder_pb2.Standing | None:
            standings = (await self._standings(ladder.name, FIRST_LINES)).standings
            return next((line for line in standings if line.rank), None)

        return await self._leaders.get(ladder.name, _version(ladder), read)

    async def _standings(self, ladder: str, limit: int, token: str = "") -> ladder_pb2.ListStandingsResponse:
        request = ladder_pb2.ListStandingsRequest(name=ladder, page_token=token)
        answer: ladder_pb2.ListStandingsResponse = await self._reads.rows(
            self._reads.ladders.ListStandings, request, limit
        )
        return answer

    async def _tournaments(
        self, limit: int, *, archived: bool = False
    ) -> Sequence[tournament_pb2.Tournament]:
        request = tournament_pb2.ListTournamentsRequest(show_archived=archived)
        listing = await self._reads.rows(self._reads.tournaments.ListTournaments, request, limit)
        return listing.tournaments  # type: ignore[no-any-return]

    async def _matches(self, limit: int, **filters: Any) -> Sequence[match_pb2.Match]:
        request = match_pb2.ListMatchesRequest(**filters)
        listing = await self._reads.rows(self._reads.matches.ListMatches, request, limit)
        return listing.matches  # type: ignore[no-any-return]

    async def render(self, template: str, links: Links, *, part: bool = False, **context: Any) -> str:
        """Return the page, or only the part of it that changes."""
        if not self._titles:
            games = await self._reads.get(self._reads.games.ListGames, game_pb2.ListGamesRequest())
            self._titles = {short(game.name): game.title for game in games.games}
        return render(template, links, part=part, titles=self._titles, **context)


def _version(ladder: ladder_pb2.Ladder) -> tuple[object, ...]:
    """Return what the parts of a ladder that are kept depend on."""
    return ladder.finished_matches, ladder.frozen, ladder.revealing


def _has_ratings(line: ladder_pb2.Standing) -> bool:
    """Return whether a bot has ratings on a ladder: not on a solo one, and not if it joined after the freeze."""
    return not line.HasField("solo") and not (line.frozen and not line.matches)
