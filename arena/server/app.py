"""An arena assembled from its parts."""

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from arena.codecs.codec import codec_for
from arena.core.clock.stalls import StallMeter
from arena.core.endings.arena_faults import mass_loss
from arena.core.errors import ErrorReason, FailedPreconditionError, PermissionDeniedError, invalid_field
from arena.core.match import MatchSetup, MatchState
from arena.core.tokens import new_token
from arena.core.units import NS_PER_S
from arena.core.versions import is_hash
from arena.hosting.admission.admission import ROOM_BYTES, Admission, AdmissionTools, BuildRunner
from arena.hosting.admission.trials import Trials
from arena.hosting.admission.uploads import Uploads
from arena.hosting.environment import (
    HostingEnvironment,
    installed_memory_mib,
    least_slots,
    processor_model,
    processors,
)
from arena.hosting.host.host import Host
from arena.hosting.host.process import Launcher
from arena.match_log.keys import KeyRing, open_key_ring
from arena.match_log.writer import MatchLogBuilder
from arena.runner.timers import LoopTimers
from arena.sandbox.runtime_versions import find_versions
from arena.scheduling.availability import Availability
from arena.scheduling.debug_lines import DebugLines
from arena.scheduling.disk_space import DiskSpace
from arena.scheduling.heartbeat import beat_while
from arena.scheduling.ladders import LadderMatchmaking
from arena.scheduling.match_manager import MatchManager
from arena.scheduling.recovery import Recovery
from arena.scheduling.result_recorder import ResultRecorder, StorageRefusals
from arena.scheduling.scheduler import Scheduler
from arena.scheduling.tournaments import TournamentMatchmaking
from arena.scheduling.wall_clock import now_ms, now_us
from arena.server import event_loop
from arena.server.announcements_in_force import AnnouncementsInForce
from arena.server.auth.admission_control import AdmissionControl
from arena.server.auth.authentication import Authenticator
from arena.server.auth.interceptor import CallInterceptor
from arena.server.auth.limiters import RateLimiter, TimeBudgets
from arena.server.auth.permissions import RULES
from arena.server.auth.quotas import check_labels, check_space, quotas_in_force
from arena.server.auth.revocation import OpenCalls
from arena.server.cluster.cluster_nodes import ClusterNodes, ClusterSettings, DrainedNodes
from arena.server.cluster.node import NoCluster, Nodes
from arena.server.cluster.node_metrics import node_metrics
from arena.server.context import Context
from arena.server.data_folder import DataFolder
from arena.server.grpc_options import connections_allowed, server_options
from arena.server.maintenance.upgrade import bring_up_to_date
from arena.server.match_workers.machine import THIS_MACHINE
from arena.server.match_workers.match_workers import MatchWorkers
from arena.server.match_workers.this_machine import ThisMachine
from arena.server.metered_log import MeteredLogBuilder
from arena.server.metrics import MeteredDatabase, MeteredLogFiles, hosting_metrics, labelled, match_metrics
from arena.server.nearest_names import NearestNames
from arena.server.play.program_socket import ProgramSocket, open_program_socket
from arena.server.play.service import CallPolicy, PlayService
from arena.server.reflection import add_reflection
from arena.server.services.deadlines import DeadlineRecorder, deadline_passed
from arena.server.services.freezes import Freezes
from arena.server.services.paging import Pages
from arena.server.services.registration import add_management_services
from arena.server.services.service_context import ServiceContext
from arena.server.software import software
from arena.server.webhooks.deliveries import Deliveries
from arena.server.webhooks.sender import Sender
from arena.sessions.handshake import Identity
from arena.sessions.registry import MASS_LOSS_S, MassLoss, Presence, SessionRegistry
from arena.sessions.session import Session
from arena.store.accounts.tokens import Role, TokenRow
from arena.store.accounts.users import Quotas
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.audit.writer import AuditWriter
from arena.store.backends.backend import without_password
from arena.store.bots.bots import BotVersionRow, VersionOrigin
from arena.store.store import Store, Transaction
from arena.submissions.manifest import Grant
from arena.wire.game_catalogue import GameCatalogue
from arena.wire.resource_names import token_name, user_name
from engine.registry import GAMES

FIRST_OWNER: Final = "organiser"
"""Owner of the first organiser token, and of the bots made with it."""

_SERVICES: Final = sorted({method.split("/")[1] for method in RULES})


class Arena:
    """The parts of one arena on one event loop."""

    def __init__(  # noqa: PLR0913 - what an arena is made of
        self,
        folder: DataFolder,
        database: MeteredDatabase,
        keys: KeyRing,
        page_key: bytes,
        *,
        keep_free: int,
        environment: HostingEnvironment,
        sender: Sender,
        json_logs: bool = False,
        cluster: ClusterSettings | None = None,
    ) -> None:
        """Assemble the parts. The event loop must be running.

        `database`: migrated; `keep_free`: bytes of disk that new matches may not use; `environment`: of hosted bots;
        `json_logs`: how the workers write the service log; `cluster`: whose nodes play, too; `sender`: to webhooks.
        """
        timers = LoopTimers(asyncio.get_running_loop())
        self.metrics = database.metrics
        self.audit_writer = AuditWriter(database, now_us)
        audit = self.audit_writer.record
        logs = MeteredLogFiles(folder.logs, self.metrics)
        self._space = DiskSpace(folder.free_bytes, keep_free, audit)
        self.database = database
        self.deliveries = Deliveries(database, sender, now_us)
        self.sessions = SessionRegistry(timers, self.wake_scheduler)
        self._open_calls = OpenCalls(timers, now_us)
        self.admission_control = self._open_admission_control(timers)
        stalls = StallMeter(time.process_time_ns)
        self.play = PlayService(self.sessions, timers, mass_loss=self._mass_loss, stalls=stalls)
        self._trials = Trials(environment.sandbox, root=environment.work.path)
        self.workers = self._open_workers(
            environment, folder, json_logs=json_logs, cluster=cluster is not None
        )
        self.cluster = self._open_cluster(cluster, environment, folder, json_logs=json_logs)
        self.nodes: Nodes = NoCluster() if self.cluster is None else self.cluster
        self.workers.host = self.host = self._open_host(environment, timers, stalls)
        debug_lines = DebugLines(folder.debug_lines)
        self.recorder = ResultRecorder(
            database, logs, debug_lines, keys.public, self._space, StorageRefusals(audit)
        )
        self.match_manager = self._open_match_manager(timers, stalls)
        self.recovery = Recovery(database, self.recorder, self.sessions, timers, self.host)
        availability = Availability(self.sessions, self.match_manager, self.host)
        self.ladders = LadderMatchmaking(database, availability)
        self.tournaments = TournamentMatchmaking(database, availability)
        self.scheduler = Scheduler(database, availability, self.recovery, (self.ladders, self.tournaments))
        self.admission = self._open_admission(environment, folder)
        self._timers = timers
        self.announcements = AnnouncementsInForce(now_us)
        self._keys = keys
        catalogue = GameCatalogue(GAMES, codec_for)
        self.freezes = Freezes(database, catalogue, now_us)
        self._platform = ServiceContext(
            database=database,
            catalogue=catalogue,
            runtime=self,
            pages=Pages(page_key),
            now_us=now_us,
            random_bytes=secrets.token_bytes,
            admission=self.admission,
            logs=logs,
            keys=keys,
            debug_lines=debug_lines,
            announcements=self.announcements,
            freezes=self.freezes,
        )
        self.health = health.aio.HealthServicer()
        self._expose_parts()

    def _expose_parts(self) -> None:
        """Set what, with `presence` and `wake_scheduler`, makes this the `ArenaRuntime` of the services."""
        self.waiting_for = self.ladders.waiting_for
        self.tournament_waiting_for = self.tournaments.waiting_for
        self.queue = self.ladders.queue
        self.debug_lines = self.match_manager.debug_lines
        self.spectator_view = self.match_manager.spectator_view
        self.matches_changed = self.match_manager.change_signal
        self.hosting_changed = self.host.reload
        self.connections_of = self.play.connections_of
        self.end_calls = self._open_calls.end

    def _open_admission_control(self, timers: LoopTimers) -> AdmissionControl:
        """Return what every call has to pass."""
        return AdmissionControl(
            Authenticator(self.database, now_us),
            RateLimiter(timers.now, self.audit_writer.record),
            self._open_calls,
            TimeBudgets(lambda: self.match_manager.running > 0),
        )

    def _open_host(self, environment: HostingEnvironment, timers: LoopTimers, stalls: StallMeter) -> Host:
        """Return the host of submitted bots, none of them loaded yet."""
        play = self.play

        async def open_socket(
            socket: Path, identity: Identity, opened: Callable[[Session], None]
        ) -> ProgramSocket:
            return await open_program_socket(play, socket, identity, opened, timers.now)

        async def try_again(bot: str, version: str) -> str:
            row = await self.database.read(lambda tx: tx.bots.version(bot, version))
            assert row.program is not None
            folder = environment.versions.folder(version)
            rejection = await self._trials.try_program(folder, row.program)
            return "" if rejection is None else rejection.sentence

        return Host(
            self.database,
            self.sessions,
            timers,
            launch=Launcher(
                environment.sandbox,
                environment.versions,
                environment.work,
                open_socket,
                timers,
                starting=asyncio.Semaphore(processors()),
                stalled=stalls.overlap,
            ),
            trial=try_again,
            dismiss=lambda bot: play.dismiss(bot, _bot_hosted(bot)),
            slots=least_slots() if environment.workers else environment.slots,
            lent=lambda: self.workers.places,
            wall_us=now_us,
            changed=self.wake_scheduler,
            why_not=environment.why_not,
            why_unavailable=environment.sandbox.runtimes.why_unavailable,
            audit=self.audit_writer.record,
        )

    def _open_match_manager(self, timers: LoopTimers, stalls: StallMeter) -> MatchManager:
        """Return the manager of matches, with none in play."""
        return MatchManager(
            self.database,
            self.sessions,
            self.recorder,
            open_log=self._open_log,
            timers=timers,
            changed=self.wake_scheduler,
            host=self.host,
            stalls=stalls,
            audit=self.audit_writer.record,
            dispatcher=self.workers,
            compared=None if self.cluster is None else self.cluster.compared,
        )

    def _open_workers(
        self, environment: HostingEnvironment, folder: DataFolder, *, json_logs: bool, cluster: bool
    ) -> MatchWorkers:
        """Return the match workers of this machine, none of them running yet. `cluster`: whether nodes will join."""
        workers = MatchWorkers(
            changed=self.wake_scheduler,
            counts=self.metrics.matches,
            audit=self.audit_writer.record,
            waits_for_nodes=cluster,
        )
        if environment.workers:
            workers.attach(
                ThisMachine(
                    environment.sandbox,
                    data=folder.path,
                    sockets=environment.work.path,
                    workers=environment.workers,
                    places=environment.slots - least_slots(),
                    kind=processor_model(),
                    gives=Grant(processors(), installed_memory_mib()),
                    json_logs=json_logs,
                )
            )
        return workers

    def _open_cluster(
        self,
        settings: ClusterSettings | None,
        environment: HostingEnvironment,
        folder: DataFolder,
        *,
        json_logs: bool,
    ) -> ClusterNodes | None:
        """Return the nodes of the arena's cluster, not yet connected; None if it has none."""
        if settings is None:
            return None
        nodes = self.workers.reports = ClusterNodes(
            self.workers,
            settings,
            environment=environment,
            versions=folder.versions,
            drained=DrainedNodes(folder.drained_nodes),
            audit=self.audit_writer,
            now_us=now_us,
            json_logs=json_logs,
        )
        return nodes

    def _open_admission(self, environment: HostingEnvironment, folder: DataFolder) -> Admission:
        """Return the admission of submissions, not yet running."""
        builds = BuildRunner(environment.sandbox)
        tools = AdmissionTools(
            environment.versions,
            builds,
            self._trials,
            GAMES.keys(),
            environment.sandbox.runtimes,
            partial(find_versions, environment.sandbox),
            environment.why_not,
            places=lambda: min(
                processors(), environment.slots - self.host.running - self._programs_at_own_workers()
            ),
            granted=environment.granted,
        )
        uploads = Uploads(folder.uploads, why_full=lambda: self._space.why_full(self._room_of_submissions()))
        return Admission(
            self.database,
            uploads,
            tools,
            now_us=now_us,
            admitted=self.host.reload,
            check_space=check_space,
        )

    def _programs_at_own_workers(self) -> int:
        return self.workers.use_of(THIS_MACHINE).programs

    def _room_of_submissions(self) -> int:
        """Return the bytes that work on submissions takes of the disk at most, those that have begun included."""
        return ROOM_BYTES * max(1, self.admission.at_work)

    def server(self) -> grpc.aio.Server:
        """Return a gRPC server with all services; it listens nowhere yet."""
        interceptor = CallInterceptor(
            self.admission_control,
            lambda: secrets.token_hex(4),
            self.metrics,
            self.audit_writer.record,
            NearestNames(self.database),
            self.announcements.newest_us,
        )
        server = grpc.aio.server(interceptors=[interceptor], options=server_options(connections_allowed()))
        add_management_services(server, self._platform)
        policy = CallPolicy(
            self._authenticate,
            admit=self.admission_control.take_play_call,
            register=self._register,
            entered=self.admission_control.entered,
        )
        server.add_generic_rpc_handlers((self.play.handler(policy),))
        health_pb2_grpc.add_HealthServicer_to_server(self.health, server)
        add_reflection((*_SERVICES, health.SERVICE_NAME), server)
        return server

    async def declare_healthy(self) -> None:
        """Answer SERVING to health checks from now on."""
        for service in ("", *_SERVICES):
            await self.health.set(service, health_pb2.HealthCheckResponse.SERVING)

    async def run(self) -> None:
        """Run matchmaking and the heartbeat until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.audit_writer.run())
            group.create_task(self.scheduler.run())
            group.create_task(self.admission.run())
            group.create_task(DeadlineRecorder(self.database, now_us).run())
            group.create_task(self.freezes.run())
            group.create_task(self.deliveries.run())
            group.create_task(event_loop.collect_at_rest(lambda: not self.match_manager.running))
            group.create_task(
                beat_while(
                    lambda: self.match_manager.running_here > 0,
                    self.match_manager.begun,
                    self.match_manager.stalls,
                    self._timers,
                    lag=self.metrics.observe_lag,
                    beaten=self.host.look_at_processors,
                    audit=self.audit_writer.record,
                )
            )

    def _open_log(self, setup: MatchSetup) -> MatchLogBuilder:
        return MeteredLogBuilder(
            self.metrics.matches,
            setup,
            codec_for(setup.game),
            software=software(),
            key=self._keys.signing,
            start_time_ms=now_ms(),
        )

    async def snapshot(self) -> list[Metric]:
        """Return the metrics of this moment that are not counted as they happen."""
        pending, ladders = await self.database.read(
            lambda tx: (tx.tallies.in_state(MatchState.PENDING), tx.ladders.running())
        )
        matches = {"running": self.match_manager.running, "pending": pending}
        waiting = {ladder.id: int(bool(self.waiting_for(ladder.id))) for ladder in ladders}
        waits = "1 if a running ladder waits for something, else 0."
        sessions, space, stalls = list(self.sessions), self._space, self.match_manager.stalls
        connected = sum(1 for session in sessions if session.present)
        gauges = (
            ("arena_sessions", "Bots' sessions, those that may be resumed included.", len(sessions)),
            ("arena_connections", "Connections of bots.", connected),
            (
                "arena_hosted_programs",
                "Programs of hosted bots that run.",
                self.host.running + self.workers.running,
            ),
            ("arena_match_workers_idle", "Match workers that run and play nothing.", self.workers.idle),
            ("arena_disk_free_bytes", "Free space where everything is stored.", space.free_bytes()),
            ("arena_disk_keep_free_bytes", "Below so much free space no match begins.", space.keep_free),
        )
        return [
            labelled(GaugeMetricFamily, "arena_matches", "Matches that have not ended.", "state", matches),
            labelled(GaugeMetricFamily, "arena_ladder_waiting", waits, "ladder", waiting),
            *(GaugeMetricFamily(name, text, value) for name, text, value in gauges),
            CounterMetricFamily("arena_stalls", "Times that the whole arena stood still.", stalls.count),
            CounterMetricFamily(
                "arena_stalled_seconds", "How long it stood still in all.", stalls.total_ns / NS_PER_S
            ),
            *match_metrics(self.metrics.matches),
            *hosting_metrics(self.host.stats),
            *node_metrics(self.nodes),
            labelled(
                CounterMetricFamily,
                "arena_webhook_requests",
                "Requests to webhooks, by outcome.",
                "outcome",
                self.deliveries.outcomes,
            ),
        ]

    # ArenaRuntime

    def presence(self, bot: str) -> Presence:
        """Return whether the bot is connected, and what it is doing."""
        presence = self.sessions.presence(bot)
        if not self.host.hosts(bot):
            return presence
        away = self.host.why_away(bot)
        return replace(
            presence,
            paused=away or presence.paused,
            hosting_unavailable=bool(away),
            programs=self.host.programs(bot) + self.workers.programs(bot),
            playing=presence.playing + self.host.dispatched(bot),
        )

    def wake_scheduler(self) -> None:
        """Make matchmaking look again."""
        self.scheduler.wake()

    # Callbacks of the Play service

    async def _authenticate(self, context: Context) -> Identity:
        caller = await self.admission_control.authenticate(context)
        if caller.role is not Role.BOT or caller.bot is None:
            raise PermissionDeniedError(
                ErrorReason.ROLE_REQUIRED,
                "Play needs the token of a bot: make one with `arena bot token NAME`.",
                required=Role.BOT.name,
            )
        if self.host.hosts(caller.bot):
            raise _bot_hosted(caller.bot)
        return Identity(caller.bot, "", caller.owner, caller.token_id)

    async def _register(self, identity: Identity, language: str) -> int | None:
        if is_hash(identity.version):
            raise invalid_field(
                "hello.bot_version",
                "hello.bot_version has 64 hex digits, as the versions that an arena runs have: name yours otherwise.",
            )
        version_row = BotVersionRow(
            identity.bot, identity.version, VersionOrigin.DECLARED, language, now_us()
        )

        def register(tx: Transaction) -> Quotas | None:
            quotas = quotas_in_force(tx.users.get(identity.owner))
            if quotas is not None:
                check_labels(tx, version_row)
            if tx.bots.find_version(identity.bot, identity.version) is None:
                ladder = tx.ladders.closed_for(identity.bot, version_row.created_us)
                if ladder is not None:
                    raise deadline_passed(ladder, identity.bot)
            tx.bots.ensure_version(version_row)
            return quotas

        quotas = await self.database.write(register)
        if self.host.hosts(identity.bot):  # since it connected, before its hello
            raise _bot_hosted(identity.bot)
        return None if quotas is None else quotas.connections

    def _mass_loss(self, loss: MassLoss) -> None:
        lost = {session.number for session in self.sessions.recently_lost()}
        cause = mass_loss(loss.lost, loss.of, loss.owners, loss.of_owners, MASS_LOSS_S)
        matches = self.match_manager.void_of(lost, cause)
        self.audit_writer.record(
            AuditKind.MASS_LOSS,
            f"{loss.lost} of {loss.of} sessions in play, all those of {loss.owners} of {loss.of_owners} owners, lost "
            f"their connections within {MASS_LOSS_S} s; {matches} matches are void",
            facts=(*cause.facts, ("matches", str(matches))),
        )


def _bot_hosted(bot: str) -> FailedPreconditionError:
    """Return the error of a remote connection of a hosted bot."""
    return FailedPreconditionError(
        ErrorReason.BOT_HOSTED,
        f"The arena runs {bot} itself, so it cannot dial in; `arena bot host {bot} --off` lets it dial in again, once "
        "it has played match groups with one seed for hidden draws to their end.",
        bot=bot,
    )


def open_store(folder: DataFolder, url: str) -> Store:
    """Open the database of a data folder: migrate it, and make sure of an organiser token in the folder. Blocks.

    Raises:
        InvalidArgumentError: FIELD_INVALID, the database is of no known kind, or its driver is not installed.
        FailedPreconditionError: STORAGE, another arena uses it, or it belongs to another data folder.
        UnavailableError: STORAGE, it cannot be used, or is damaged anywhere.
    """
    store = Store(url)
    if url.startswith("sqlite:"):
        bring_up_to_date(store, folder)
    else:
        _prepare_server(folder, store, url)
    store.check()
    if not folder.organiser_token.exists():
        text = new_token(secrets.token_bytes)
        row = TokenRow(text.id, Role.ORGANISER, FIRST_OWNER, None, text.secret_sha256, now_us())

        def first_token(tx: Transaction) -> None:
            before = tx.users.ensure(FIRST_OWNER, Role.ORGANISER, row.created_us)
            # A token of a disabled user may have leaked: revoke them all before enabling the user.
            for token in tx.tokens.live_of(FIRST_OWNER, row.created_us) if before.disabled else ():
                tx.tokens.revoke(token.id, row.created_us)
            # Access to the folder is access to the arena: this restores an organiser when there is none.
            tx.users.set_role(FIRST_OWNER, Role.ORGANISER)
            tx.users.set_disabled(FIRST_OWNER, False)
            tx.tokens.add(row)
            what = f"A token of the role organiser was created for {FIRST_OWNER}, into {folder.organiser_token.name}."
            about = token_name(row.id), user_name(FIRST_OWNER)
            tx.audit.add(AuditEntry(AuditKind.TOKEN, row.created_us, what, about))

        store.write(first_token)
        folder.write_secret(folder.organiser_token, f"{text}\n")
    return store


def _prepare_server(folder: DataFolder, store: Store, url: str) -> None:
    """Keep other arenas off a database on a server and bring it up to date. A new data folder takes an empty one."""
    store.reserve()
    is_new = not folder.has_database
    if is_new:
        if not store.is_empty():
            raise FailedPreconditionError(
                ErrorReason.STORAGE,
                f"The database {without_password(url)} has tables already, of the arena of another data folder or of "
                "something else: start the arena on that folder, or choose an empty database.",
            )
        folder.keep_database(url)  # first: if the arena dies after it, the next start makes the tables
    try:
        bring_up_to_date(store, folder)
    except Exception:
        if is_new:
            folder.forget_database()  # it has no tables, so another one may be chosen
        raise


def open_keys(folder: DataFolder) -> tuple[KeyRing, bytes]:
    """Return the keys for logs and the key for page tokens; make missing ones. Blocks."""
    keys = open_key_ring(folder.keys)
    if not folder.page_key.exists():
        folder.write_secret(folder.page_key, secrets.token_hex(32))
    return keys, bytes.fromhex(folder.page_key.read_text())
