"""Registration of the management services at a server."""

import grpc

from arena.server.services.announcements import AnnouncementService
from arena.server.services.audit import AuditService
from arena.server.services.bots import BotService
from arena.server.services.cluster import ClusterService
from arena.server.services.exports import ExportService
from arena.server.services.fair_play import FairPlayService
from arena.server.services.games import GameService
from arena.server.services.invites import InviteService
from arena.server.services.ladders import LadderService
from arena.server.services.matches import MatchService
from arena.server.services.seasons import SeasonService
from arena.server.services.service_context import ServiceContext
from arena.server.services.stored_logs import StoredLogs
from arena.server.services.submissions import SubmissionService
from arena.server.services.teams import TeamService
from arena.server.services.tokens import TokenService
from arena.server.services.tournaments import TournamentService
from arena.server.services.users import UserService
from arena.server.services.webhooks import WebhookService
from arena.v1 import announcement_pb2_grpc as announcement
from arena.v1 import audit_pb2_grpc as audit
from arena.v1 import bot_pb2_grpc as bot
from arena.v1 import cluster_pb2_grpc as cluster
from arena.v1 import export_pb2_grpc as export
from arena.v1 import fair_play_pb2_grpc as fair_play
from arena.v1 import game_pb2_grpc as game
from arena.v1 import invite_pb2_grpc as invite
from arena.v1 import ladder_pb2_grpc as ladder
from arena.v1 import match_pb2_grpc as match
from arena.v1 import season_pb2_grpc as season
from arena.v1 import submission_pb2_grpc as submission
from arena.v1 import team_pb2_grpc as team
from arena.v1 import token_pb2_grpc as token
from arena.v1 import tournament_pb2_grpc as tournament
from arena.v1 import user_pb2_grpc as user
from arena.v1 import webhook_pb2_grpc as webhook


def add_management_services(server: grpc.aio.Server, platform: ServiceContext) -> None:
    """Add all services of `arena.v1` but Play to a server that has the CallInterceptor."""
    announcement.add_AnnouncementServiceServicer_to_server(AnnouncementService(platform), server)
    audit.add_AuditServiceServicer_to_server(AuditService(platform), server)
    bot.add_BotServiceServicer_to_server(BotService(platform), server)
    cluster.add_ClusterServiceServicer_to_server(ClusterService(platform), server)
    stored_logs = StoredLogs(platform.logs)
    export.add_ExportServiceServicer_to_server(ExportService(platform, stored_logs), server)
    fair_play.add_FairPlayServiceServicer_to_server(FairPlayService(platform), server)
    game.add_GameServiceServicer_to_server(GameService(platform), server)
    invite.add_InviteServiceServicer_to_server(InviteService(platform), server)
    ladder.add_LadderServiceServicer_to_server(LadderService(platform), server)
    match.add_MatchServiceServicer_to_server(MatchService(platform, stored_logs), server)
    season.add_SeasonServiceServicer_to_server(SeasonService(platform), server)
    submission.add_SubmissionServiceServicer_to_server(SubmissionService(platform), server)
    team.add_TeamServiceServicer_to_server(TeamService(platform), server)
    token.add_TokenServiceServicer_to_server(TokenService(platform), server)
    tournament.add_TournamentServiceServicer_to_server(TournamentService(platform), server)
    user.add_UserServiceServicer_to_server(UserService(platform), server)
    webhook.add_WebhookServiceServicer_to_server(WebhookService(platform), server)
