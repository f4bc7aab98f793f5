"""Registration of the management services at a server."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import grpc

from arena.hosting.admission.admission import Admission
from arena.match_log.files import LogStorage
from arena.match_log.keys import PublicKey
from arena.scheduling.debug_lines import DebugLines
from arena.server.services.audit import AuditService
from arena.server.services.bots import BotService
from arena.server.services.fair_play import FairPlayService
from arena.server.services.games import GameService
from arena.server.services.ladders import LadderService
from arena.server.services.matches import MatchService
from arena.server.services.service_context import ServiceContext
from arena.server.services.submissions import SubmissionService
from arena.server.services.tokens import TokenService
from arena.server.services.tournaments import TournamentService
from arena.server.services.users import UserService
from arena.v1 import (
    audit_pb2_grpc,
    bot_pb2_grpc,
    fair_play_pb2_grpc,
    game_pb2_grpc,
    ladder_pb2_grpc,
    match_pb2_grpc,
    submission_pb2_grpc,
    token_pb2_grpc,
    tournament_pb2_grpc,
    user_pb2_grpc,
)


@dataclass(frozen=True, slots=True)
class Logs:
    """Match logs, debug lines, and the keys of logs."""

    storage: LogStorage
    keys: Sequence[PublicKey]
    """All keys ever used, the present one first."""
    debug_lines: DebugLines


def add_management_services(
    server: grpc.aio.Server,
    platform: ServiceContext,
    logs: Logs,
    admission: Admission,
    random_bytes: Callable[[int], bytes],
) -> None:
    """Add all services of `arena.v1` but Play to a server that has the CallInterceptor.

    `random_bytes` makes tokens and secrets of seeds: `secrets.token_bytes` in a real arena.
    """
    game_pb2_grpc.add_GameServiceServicer_to_server(GameService(platform.catalogue), server)
    user_pb2_grpc.add_UserServiceServicer_to_server(UserService(platform), server)
    bot_pb2_grpc.add_BotServiceServicer_to_server(BotService(platform), server)
    submissions = SubmissionService(platform, admission)
    submission_pb2_grpc.add_SubmissionServiceServicer_to_server(submissions, server)
    token_pb2_grpc.add_TokenServiceServicer_to_server(TokenService(platform, random_bytes), server)
    match_service = MatchService(platform, logs.storage, logs.keys, logs.debug_lines)
    match_pb2_grpc.add_MatchServiceServicer_to_server(match_service, server)
    ladder_pb2_grpc.add_LadderServiceServicer_to_server(LadderService(platform), server)
    audit_pb2_grpc.add_AuditServiceServicer_to_server(AuditService(platform), server)
    tournaments = TournamentService(platform, random_bytes)
    tournament_pb2_grpc.add_TournamentServiceServicer_to_server(tournaments, server)
    fair_play = FairPlayService(platform, logs.storage)
    fair_play_pb2_grpc.add_FairPlayServiceServicer_to_server(fair_play, server)
