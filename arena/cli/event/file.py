"""Reading of event files (docs/events.md): all that is wrong with one is reported at once."""

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Final, TypeVar

import typer

from arena.cli.event.formats import check_format
from arena.cli.event.positions import Path, Positions
from arena.cli.event.schema import Problems, fill, unknown
from arena.cli.event.seasons import WantedSeason, check_ladders, read_season
from arena.cli.event.settings import (
    LADDER_SETTINGS,
    TOURNAMENT_SETTINGS,
    Setting,
    read_anchors,
    read_settings,
)
from arena.cli.framework.errors import CliError, CommandExit
from arena.cli.framework.names import resource, resource_id
from arena.cli.suites import suite_file, suite_named
from arena.codecs.shared_messages import time_control_message, time_control_of
from arena.core.clock.clock_fit import check_clock_fits
from arena.core.clock.time_control import TimeControl
from arena.core.errors import ArenaError
from arena.core.suites import Suite
from arena.drawings.wording import counted
from arena.v1 import ladder_pb2, time_control_pb2, tournament_pb2
from arena.wire.wording import short
from engine.game import GameError
from engine.registry import GAMES

_PARTS: Final = ("ladder", "tournament", "season", "clock", "entrants")
_LADDER_STATES: Final = ("running", "paused")
_TOURNAMENT_STATES: Final = ("running", "paused")
_BOTS, _STATE, _CLOCK, _GAME = "bots", "state", "clock", "game"
_ANCHORS, _SEEDED_BY, _WITHDRAWN, _SUITE = "anchors", "seeded_by", "withdrawn", "suite"
_OF_LADDERS: Final = (_BOTS, _STATE, _ANCHORS, *LADDER_SETTINGS)
_OF_TOURNAMENTS: Final = (_BOTS, _STATE, _SEEDED_BY, _WITHDRAWN, _SUITE, *TOURNAMENT_SETTINGS)
"""The keys that are read by themselves, not as fields of the request that creates one."""

_Request = TypeVar("_Request", ladder_pb2.CreateLadderRequest, tournament_pb2.CreateTournamentRequest)
_Table = dict[str, object]


@dataclass(frozen=True, slots=True)
class WantedLadder:
    """A ladder as a file has it."""

    request: ladder_pb2.CreateLadderRequest
    stated: frozenset[str]
    """The keys that the file has; the rest is as it is, or for a new ladder the default."""
    bots: tuple[str, ...]
    """To be entered, "bots/{bot}"."""
    state: str
    """"running", "paused", or empty: as it is."""
    settings: tuple[Setting, ...] = ()
    anchors: tuple[ladder_pb2.SetLadderAnchorRequest, ...] = ()
    """Of bots that are to be entered."""

    @property
    def name(self) -> str:
        """Its resource name."""
        return f"ladders/{self.request.ladder_id}"


@dataclass(frozen=True, slots=True)
class WantedTournament:
    """A tournament as a file has it; the fields as of WantedLadder."""

    request: tournament_pb2.CreateTournamentRequest
    stated: frozenset[str]
    state: str
    settings: tuple[Setting, ...] = ()
    withdrawn: tuple[str, ...] = ()
    """Bots of it that are to be withdrawn, "bots/{bot}"."""
    suite: Suite | None = None
    """That of the request."""

    @property
    def name(self) -> str:
        """Its resource name."""
        return f"tournaments/{self.request.tournament_id}"


@dataclass(frozen=True, slots=True)
class EventFile:
    """All that a file wants, in its order."""

    ladders: tuple[WantedLadder, ...]
    tournaments: tuple[WantedTournament, ...]
    seasons: tuple[WantedSeason, ...] = ()


def read_event_file(path: FilePath) -> EventFile:
    """Return what a file wants. Raises CliError: it cannot be read, or all that is wrong with it, a line for each."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise CliError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CliError(f"{path} cannot be read: it is not UTF-8 text.") from error
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CliError(f"{path} is not TOML: {error}.", CommandExit.USAGE) from error
    problems = Problems(Positions(text))
    wanted = parse_event(document, problems, path.parent)
    if problems.found:
        by_line = sorted(problems.found, key=lambda problem: problem.line or 0)
        listed = "".join(f"\n  {problem}" for problem in by_line)
        raise CliError(
            f"{path} has {counted(len(problems.found), 'problem')} (docs/events.md):{listed}",
            CommandExit.USAGE,
        )
    return wanted


def parse_event(document: _Table, problems: Problems, folder: FilePath) -> EventFile:
    """Return what a document wants, without what is wrong with it, which is added to the problems.

    `folder`: where its suites are, if they do not come with the games.
    """
    for part in document:
        if part not in _PARTS:
            problems.add((part,), unknown(part, _PARTS, "table"))
    clocks = {
        name: _clock(table, ("clock", name), problems)
        for name, table in _tables(document, "clock", problems).items()
    }
    reader = _Reader(problems, clocks, _table_at(document, "entrants", problems), folder)
    ladders = tuple(reader.ladder(*each) for each in _tables(document, "ladder", problems).items())
    tournaments = tuple(
        reader.tournament(*each) for each in _tables(document, "tournament", problems).items()
    )
    seasons = tuple(read_season(*each, problems) for each in _tables(document, "season", problems).items())
    check_ladders(seasons, problems)
    if not (ladders or tournaments or seasons or problems.found):
        problems.add(
            (), "it has no ladder and no tournament: begin with [ladder.main] or [tournament.spring]."
        )
    return EventFile(ladders, tournaments, seasons)


def _table_at(document: _Table, key: str, problems: Problems) -> _Table:
    value = document.get(key, {})
    if isinstance(value, dict):
        return value
    problems.add((key,), "expected a table.")
    return {}


def _tables(document: _Table, part: str, problems: Problems) -> dict[str, _Table]:
    """Return the tables [part.NAME] by name."""
    found: dict[str, _Table] = {}
    for name, value in _table_at(document, part, problems).items():
        if isinstance(value, dict):
            found[name] = value
        else:
            problems.add((part, name), f"expected a table [{part}.NAME].")
    return found


def _clock(table: _Table, path: Path, problems: Problems) -> time_control_pb2.TimeControl:
    """Return the clock rules of a table, with the usual ones for what it does not state."""
    clock = time_control_pb2.TimeControl()
    clock.CopyFrom(time_control_message(TimeControl()))
    before = len(problems.found)
    fill(clock, table, path, problems)
    if len(problems.found) == before:
        problems.take(path, lambda: check_clock_fits(time_control_of(clock)), ArenaError)
    return clock


@dataclass(frozen=True, slots=True)
class _Reader:
    problems: Problems
    clocks: Mapping[str, time_control_pb2.TimeControl]
    entrants: Mapping[str, object]
    folder: FilePath

    def ladder(self, name: str, table: _Table) -> WantedLadder:
        path = ("ladder", name)
        self._check_name("ladders", name, path)
        request = ladder_pb2.CreateLadderRequest(ladder_id=name)
        if _SUITE in table:
            sentence = (
                "ratings count only matches on seeds that nobody could know: a tournament may have a suite."
            )
            self.problems.add((*path, _SUITE), sentence)
            table = {key: value for key, value in table.items() if key != _SUITE}
        self._fill(request, table, path, _OF_LADDERS)
        is_solo = list(request.seat_counts) == [1]
        if request.game in GAMES:
            spec = GAMES[request.game].spec
            usual = range(max(2, spec.min_seats), spec.max_seats + 1)
            self._check_options(request.game, request.seat_counts or usual, dict(request.options), path)
            is_solo = is_solo or spec.max_seats == 1
        wanted = WantedLadder(
            request, frozenset(table), self._bots(table, path), self._state(table, _LADDER_STATES, path)
        )
        anchors: tuple[ladder_pb2.SetLadderAnchorRequest, ...] = ()
        if _ANCHORS in table:
            place = (*path, _ANCHORS)
            anchors = read_anchors(table[_ANCHORS], wanted.name, wanted.bots, place, self.problems)
            if is_solo:
                self.problems.add(place, "a solo ladder has no ratings: leave anchors out.")
        settings = read_settings(LADDER_SETTINGS, wanted.name, table, path, self.problems)
        return replace(wanted, settings=settings, anchors=anchors)

    def tournament(self, name: str, table: _Table) -> WantedTournament:
        path = ("tournament", name)
        self._check_name("tournaments", name, path)
        request = tournament_pb2.CreateTournamentRequest(
            tournament_id=name, format=tournament_pb2.Tournament.FORMAT_ROUND_ROBIN
        )
        self._fill(request, table, path, _OF_TOURNAMENTS)
        request.bots.extend(self._bots(table, path))
        request.seeded_by = self._seeded_by(table, path)
        if _BOTS not in table:
            self.problems.add(path, "it has no bots: add bots = [...].")
        seats = request.seats or 2
        if request.game in GAMES:
            self._check_options(request.game, [seats], dict(request.options), path)
        if seats > 1:
            check_format(request, seats, path, self.problems)
        suite = self._suite(table, request, seats, path)
        state = self._state(table, _TOURNAMENT_STATES, path)
        wanted = WantedTournament(request, frozenset(table), state, suite=suite)
        settings = read_settings(TOURNAMENT_SETTINGS, wanted.name, table, path, self.problems)
        return replace(wanted, settings=settings, withdrawn=self._withdrawn(table, request.bots, path))

    def _suite(
        self, table: _Table, request: tournament_pb2.CreateTournamentRequest, seats: int, path: Path
    ) -> Suite | None:
        """Return the suite that the matches are played on, and add it to the request; None if there is none."""
        named = table.get(_SUITE)
        if named is None:
            return None
        if not isinstance(named, str):
            self.problems.add((*path, _SUITE), "expected the name of a suite, or of its file, in quotes.")
            return None
        try:
            suite = suite_named(named, self.folder)
            suite.check_fits(request.game, seats)
            request.suite.CopyFrom(suite_file(suite))
        except typer.BadParameter as error:
            self.problems.add((*path, _SUITE), error.message)
            return None
        except (CliError, ArenaError) as error:
            self.problems.add((*path, _SUITE), f"{str(error).rstrip('.')}.")
            return None
        return suite

    def _withdrawn(self, table: _Table, bots: Collection[str], path: Path) -> tuple[str, ...]:
        """Return the bots that are to be withdrawn. `bots`: of the tournament."""
        withdrawn = self._bots(table, path, _WITHDRAWN)
        for bot in withdrawn:
            if bot not in bots:
                name = short(bot)
                self.problems.add(
                    (*path, _WITHDRAWN), f"{name} is not one of its bots, and only those can withdraw."
                )
        return withdrawn

    def _seeded_by(self, table: _Table, path: Path) -> str:
        """Return the resource name of the ladder that gives the order of the bots; empty if none does."""
        value = table.get(_SEEDED_BY)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.problems.add((*path, _SEEDED_BY), "expected the name of a ladder in quotes.")
            return ""
        self._check_name("ladders", value, (*path, _SEEDED_BY))
        return f"ladders/{resource_id('ladders', value)}"

    def _fill(self, request: _Request, table: _Table, path: Path, own: Collection[str]) -> None:
        """Fill the request from the keys that are its fields. `own`: the keys that are read by themselves."""
        clock = table.get(_CLOCK)
        plain = {key: value for key, value in table.items() if key not in (_CLOCK, *own)}
        fill(request, plain, path, self.problems, others=own)
        if isinstance(clock, dict):
            request.time_control.CopyFrom(_clock(clock, (*path, _CLOCK), self.problems))
        elif isinstance(clock, str) and clock in self.clocks:
            request.time_control.CopyFrom(self.clocks[clock])
        elif clock is not None:
            self.problems.add((*path, _CLOCK), unknown(str(clock), self.clocks, "clock"))
        if _GAME not in table:
            self.problems.add(path, 'it has no game: add game = "...".')
        elif isinstance(table[_GAME], str) and request.game not in GAMES:
            self.problems.add((*path, _GAME), unknown(request.game, GAMES, "game"))

    def _check_options(
        self, game: str, seat_counts: Iterable[int], options: Mapping[str, str], path: Path
    ) -> None:
        """Check seats and options by the rules of the game, for the first number of seats that does not fit."""
        spec = GAMES[game].spec
        for seats in seat_counts:
            if not spec.min_seats <= seats <= spec.max_seats:
                allowed = f"{spec.min_seats} to {spec.max_seats} seats"
                self.problems.add((*path, "seats"), f"{spec.title} has {allowed}, not {seats}.")
                return
            before = len(self.problems.found)
            self.problems.take((*path, "options"), lambda: GAMES[game].options(seats, options), GameError)  # noqa: B023
            if len(self.problems.found) > before:
                return

    def _check_name(self, collection: str, name: str, path: Path) -> None:
        self.problems.take(path, lambda: resource(collection, name), typer.BadParameter)

    def _state(self, table: _Table, known: tuple[str, ...], path: Path) -> str:
        state = table.get(_STATE, "")
        if state in (*known, ""):
            return str(state)
        self.problems.add((*path, _STATE), unknown(str(state), known, "value"))
        return ""

    def _bots(self, table: _Table, path: Path, key: str = _BOTS) -> tuple[str, ...]:
        """Return the bots of a list, or of a list of that name among the entrants."""
        value = table.get(key, [])
        place: Path = (*path, key)
        if isinstance(value, str):
            if value not in self.entrants:
                self.problems.add(place, unknown(value, self.entrants, "list of entrants"))
                return ()
            place = ("entrants", value)
            value = self.entrants[value]
        if not isinstance(value, list):
            self.problems.add(place, 'expected a list of bots, for example ["greedy", "planner"].')
            return ()
        bots: list[str] = []
        for each in value:
            if not isinstance(each, str):
                self.problems.add(place, f"expected the names of bots in quotes, not {each!r:.60}.")
                continue
            try:
                bot = resource("bots", each)
            except typer.BadParameter as error:
                self.problems.add(place, str(error.message))
                continue
            if bot in bots:
                self.problems.add(place, f"{each} is named twice.")
            bots.append(bot)
        return tuple(bots)
