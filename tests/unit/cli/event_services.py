"""A fake arena for event files: the calls that a file makes, in memory."""
# ruff: noqa: N802 - the methods are named as in the .proto

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import grpc

from arena.cli.event.changes import Difference, difference
from arena.cli.event.file import EventFile, parse_event
from arena.cli.event.live import arena_now
from arena.cli.event.positions import Positions
from arena.cli.event.schema import Problems
from arena.cli.framework.connection import ArenaClient
from arena.codecs.codec import codec_for
from arena.codecs.shared_messages import time_control_message
from arena.core.clock.time_control import TimeControl
from arena.v1 import bot_pb2, games_pb2, ladder_pb2, match_pb2, tournament_pb2
from arena.wire.messages.tournament_format import parameters_message, parameters_of
from engine.registry import GAMES

BOTS = ("ant", "bee", "cat", "dog")
Document = dict[str, Any]


class Missing(grpc.RpcError):
    def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.NOT_FOUND


@dataclass
class Services:
    """The calls that a file makes, in memory."""

    registered: tuple[str, ...] = BOTS
    known: dict[str, ladder_pb2.Ladder] = field(default_factory=dict)
    events: dict[str, tournament_pb2.Tournament] = field(default_factory=dict)
    entered: set[tuple[str, str]] = field(default_factory=set)
    left: set[tuple[str, str]] = field(default_factory=set)
    anchors: dict[tuple[str, str], int] = field(default_factory=dict)
    played: set[tuple[str, str]] = field(default_factory=set)

    @property
    def client(self) -> ArenaClient:
        own = SimpleNamespace(ladders=self, tournaments=self, bots=self, address="nowhere")
        return cast(ArenaClient, own)

    def GetBot(self, request: Any) -> Any:
        if request.name.removeprefix("bots/") not in self.registered:
            raise Missing
        return bot_pb2.GetBotResponse()

    def GetLadder(self, request: Any) -> Any:
        return ladder_pb2.GetLadderResponse(ladder=self._of(self.known, request.name))

    def GetTournament(self, request: Any) -> Any:
        return tournament_pb2.GetTournamentResponse(tournament=self._of(self.events, request.name))

    @staticmethod
    def _of(found: Mapping[str, Any], name: str) -> Any:
        if name not in found:
            raise Missing
        return found[name]

    def ListBotStandings(self, request: Any) -> Any:
        standings = [
            ladder_pb2.BotStanding(
                ladder=ladder,
                withdrawn=(ladder, bot) in self.left,
                standing=ladder_pb2.Standing(
                    bot=bot,
                    matches=int((ladder, bot) in self.played),
                    anchor=(ladder, bot) in self.anchors,
                    rating_milli=self.anchors.get((ladder, bot), 1_500_000),
                ),
            )
            for ladder, bot in self.entered
            if bot == request.bot
        ]
        return ladder_pb2.ListBotStandingsResponse(standings=standings)

    def CreateLadder(self, request: Any) -> None:
        name = f"ladders/{request.ladder_id}"
        assert name not in self.known
        seats = list(request.seat_counts) or list(range(2, GAMES[request.game].spec.max_seats + 1))
        self.known[name] = ladder_pb2.Ladder(
            name=name,
            game=request.game,
            seat_counts=seats,
            options=[options_of(request, each) for each in seats],
            time_control=clock_of(request),
            same_owner=not request.forbid_same_owner,
            seed_policy=request.seed_policy or match_pb2.SEED_POLICY_DERIVED,
            state=ladder_pb2.Ladder.STATE_PAUSED,
            season=1,
        )

    def CreateTournament(self, request: Any) -> Any:
        seats = request.seats or 2
        made = tournament_pb2.Tournament(
            name=f"tournaments/{request.tournament_id}",
            format=request.format,
            game=request.game,
            bots=request.bots,
            seats=seats,
            rounds=request.rounds or int(request.format == tournament_pb2.Tournament.FORMAT_ROUND_ROBIN),
            parameters=parameters_message(parameters_of(request.parameters, request.rounds)),
            options=options_of(request, seats),
            time_control=clock_of(request),
            seed_policy=request.seed_policy or match_pb2.SEED_POLICY_DERIVED,
            visibility=request.visibility or tournament_pb2.Tournament.VISIBILITY_LIVE,
            seeded_by=request.seeded_by,
            suite=suite_message(request.suite) if request.HasField("suite") else None,
            state=tournament_pb2.Tournament.STATE_PLANNED,
            matches=6,
        )
        if not request.validate_only:
            assert made.name not in self.events
            self.events[made.name] = made
        size = tournament_pb2.PlanSize(fewest_rounds=2, most_rounds=3, fewest_matches=12, most_matches=14)
        return tournament_pb2.CreateTournamentResponse(
            tournament=made, size=size, warnings=["slow"], pairings=[tournament_pb2.Pairing(number=1)]
        )

    def JoinLadder(self, request: Any) -> None:
        assert request.name in self.known
        self.entered.add((request.name, request.bot))
        self.left.discard((request.name, request.bot))

    def RunLadder(self, request: Any) -> None:
        self.known[request.name].state = ladder_pb2.Ladder.STATE_RUNNING

    def PauseLadder(self, request: Any) -> None:
        self.known[request.name].state = ladder_pb2.Ladder.STATE_PAUSED

    def RunTournament(self, request: Any) -> None:
        self.events[request.name].state = tournament_pb2.Tournament.STATE_RUNNING

    def PauseTournament(self, request: Any) -> None:
        self.events[request.name].state = tournament_pb2.Tournament.STATE_PAUSED

    def SetLadderAnchor(self, request: Any) -> None:
        assert (request.name, request.bot) in self.entered - self.left
        self.anchors[request.name, request.bot] = request.rating_milli

    def RenameLadder(self, request: Any) -> None:
        self.known[request.name].title = request.title

    def SetLadderHidden(self, request: Any) -> None:
        self.known[request.name].hidden = request.hidden

    def SetLadderDeadline(self, request: Any) -> None:
        self.known[request.name].deadline.CopyFrom(request.deadline)

    def SetLadderFreeze(self, request: Any) -> None:
        assert not self.known[request.name].frozen
        assert request.freeze_time.ToSeconds() > time.time(), "it would freeze at once"
        self.known[request.name].freeze_time.CopyFrom(request.freeze_time)

    def RenameTournament(self, request: Any) -> None:
        self.events[request.name].title = request.title

    def SetTournamentHidden(self, request: Any) -> None:
        self.events[request.name].hidden = request.hidden

    def WithdrawFromTournament(self, request: Any) -> None:
        assert request.bot in self.events[request.name].bots
        self.events[request.name].withdrawals.add(bot=request.bot)

    def found(self, document: Document) -> Difference:
        wanted = wanted_by(document)
        return difference(wanted, arena_now(self.client, wanted))

    def apply(self, document: Document) -> list[str]:
        """Make all changes; return them in words."""
        found = self.found(document)
        assert not found.obstacles
        for change in found.changes:
            change.make(self.client)
        return [f"{change.action} {change.subject} {change.details}".strip() for change in found.changes]


def options_of(request: Any, seats: int) -> games_pb2.GameOptions:
    codec, game = codec_for(request.game), GAMES[request.game]
    return codec.encode_options(game.options(seats, dict(request.options)))


def suite_message(file: tournament_pb2.SuiteFile) -> tournament_pb2.TournamentSuite:
    digest = sha256(file.text.encode()).digest()
    return tournament_pb2.TournamentSuite(name=file.name, sha256=digest, entries=256)


def clock_of(request: Any) -> Any:
    return request.time_control if request.HasField("time_control") else time_control_message(TimeControl())


def wanted_by(document: Document) -> EventFile:
    problems = Problems(Positions(""))
    wanted = parse_event(document, problems, Path())
    assert not problems.found, problems.found
    return wanted
