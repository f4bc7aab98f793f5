"""`arena serve`: an arena from its start to its shutdown."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable
from ipaddress import ip_address
from typing import Final

import grpc
import structlog

from arena.core.endings.arena_faults import shut_down
from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.core.match import MatchState
from arena.core.units import MS_PER_S
from arena.hosting.environment import HostingEnvironment, open_environment
from arena.scheduling.disk_space import BYTES_PER_MB
from arena.scheduling.wall_clock import now_us
from arena.server import event_loop
from arena.server.app import Arena, open_keys, open_store
from arena.server.cluster.cluster_nodes import ClusterSettings
from arena.server.cluster.ray_commands import check_token
from arena.server.data_folder import DataFolder, storage_errors
from arena.server.maintenance.checks import check_start
from arena.server.metrics import MeteredDatabase, Metrics, metrics_served
from arena.server.pages_process import pages_running
from arena.server.ready_file import present, remove_old
from arena.server.runtimes import open_runtimes
from arena.server.service_log import configure
from arena.server.settings import Settings
from arena.server.tls import server_credentials
from arena.server.webhooks.sender import Sender
from arena.store.store import Store
from arena.submissions.manifest import Grant

_PRIVATE: Final = 0o077
"""The umask: the folder holds tokens, keys and future seeds, for the arena's own user only."""
_STOP_GRACE_S: Final = 1.0
_STORE_WITHIN_S: Final = 10.0
"""At a shutdown, how long to wait for results that the disk or the database still refuse."""

_TRACES: Final = "GRPC_TRACE"
"""The trace settings of gRPC; the command line has cleared the variable before gRPC could read it."""

_log = structlog.get_logger(__name__)


def run(settings: Settings) -> None:
    """Run an arena until SIGTERM, SIGINT or, unless it is ignored, SIGHUP.

    Raises ArenaError: it cannot be started; the sentence says why and what to do.
    """
    configure(json_logs=settings.json_logs)
    if os.environ.get(_TRACES) == "":
        _log.warning(f"{_TRACES} is ignored: it would write the tokens of all callers to this log")
    warn_of_plain_text(settings)
    os.umask(_PRIVATE)
    folder = DataFolder(settings.data)
    runtimes = open_runtimes(settings)
    with folder.lock():
        if settings.ready_file is not None:
            remove_old(settings.ready_file)
        in_good_order = not folder.announced
        folder.discard_unfinished()
        keys, page_key = open_keys(folder)
        store = open_store(folder, folder.choose_database(settings.database))
        warn_of_findings(folder, store)
        database = MeteredDatabase(store, Metrics())
        keep_free = settings.keep_free_mb * BYTES_PER_MB
        remedy = "mend them, or choose another folder with --data"
        with storage_errors(f"The folders of hosted bots in {settings.data} cannot be used", remedy):
            environment = open_environment(
                settings.data,
                slots=settings.hosted_programs,
                workers=settings.match_workers,
                allow_weak=settings.allow_weak_sandbox,
                runtimes=runtimes,
                granted=Grant(settings.program_cores, settings.program_memory_mib),
            )

        cluster = None
        if settings.cluster is not None:
            cluster = ClusterSettings(settings.cluster, settings.cluster_token or folder.cluster_token)
            check_token(cluster.token)

        def build() -> Arena:
            return Arena(
                folder,
                database,
                keys,
                page_key,
                keep_free=keep_free,
                environment=environment,
                json_logs=settings.json_logs,
                cluster=cluster,
                sender=Sender(allow_private=settings.allow_private_webhooks),
            )

        try:
            event_loop.run(_serve(settings, folder, environment, build, in_good_order=in_good_order))
            folder.withdraw()  # not after an error, so that the next start reports it
        finally:
            environment.work.close()
            database.close()


def warn_of_plain_text(settings: Settings) -> None:
    """Log a warning if tokens cross the network unencrypted."""
    try:
        within = settings.host.lower() == "localhost" or ip_address(settings.host).is_loopback
    except ValueError:
        within = False  # a name may resolve to any address
    if settings.tls is None and not within:
        _log.warning(
            "tokens travel in the open to this port: give --tls-cert and --tls-key (docs/operations.md, Encryption), "
            "or listen at 127.0.0.1 alone",
            host=settings.host,
        )


def warn_of_findings(folder: DataFolder, store: Store) -> None:
    """Log a warning for each thing that `arena doctor` would find wrong with rights and clock."""
    for found in check_start(folder, store, now_us()):
        _log.warning(f"{found.says} {found.do}", check=found.check)


async def _serve(
    settings: Settings,
    folder: DataFolder,
    environment: HostingEnvironment,
    build: Callable[[], Arena],
    *,
    in_good_order: bool,
) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    ending = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # ignored under `nohup`
        ending.append(signal.SIGHUP)
    for number in ending:
        loop.add_signal_handler(number, stop.set)
    arena = build()
    start = await arena.recovery.recover(in_good_order=in_good_order)
    arena.metrics.matches.ended[MatchState.ABORTED] += start.void
    with contextlib.ExitStack() as open_while:
        if settings.metrics_port is not None:
            served = metrics_served(
                arena.metrics, arena.snapshot, settings.metrics_host, settings.metrics_port
            )
            port = open_while.enter_context(served)
            _log.info("metrics served", address=f"http://{settings.metrics_host}:{port}/metrics")
        await arena.host.load()
        await arena.admission.recover()
        await arena.announcements.load(arena.database)
        await arena.freezes.look()
        server = arena.server()
        tcp, unix = _listen(server, settings, folder)
        await server.start()
        event_loop.tune()
        await arena.declare_healthy()
        work = asyncio.create_task(arena.run())
        folder.announce(tcp, unix)
        arena.audit_writer.put(start.entry)
        environment.log()
        waiting = asyncio.create_task(stop.wait())
        async with nodes_connected(arena), arena.workers.running_while():
            with present(settings.ready_file, tcp, unix):
                _log.info(
                    "arena open; Ctrl-C ends it",
                    address=tcp,
                    tls=settings.tls is not None,
                    socket=unix,
                    data=str(settings.data),
                )
                async with pages_running(settings.data, settings.pages, json_logs=settings.json_logs):
                    await asyncio.wait({work, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                waiting.cancel()
                await server.stop(None)
                await arena.host.close()
                work.result()
                return
            await _drain(arena, server, settings)
        work.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await work


def _listen(server: grpc.aio.Server, settings: Settings, folder: DataFolder) -> tuple[str, str | None]:
    address, tls = f"{settings.host}:{settings.port}", settings.tls
    try:
        if tls is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, server_credentials(tls))
    except RuntimeError as error:
        raise FailedPreconditionError(
            ErrorReason.FIELD_INVALID,
            f"The arena cannot listen at {address}: the port is taken, or the address is not "
            "this machine's. Choose another with --port or --host.",
            field="port",
        ) from error
    path = folder.socket()
    if path is None:
        _log.warning("no Unix socket: the path of the data folder is too long", data=str(settings.data))
        return f"{settings.host}:{port}", None
    path.unlink(missing_ok=True)
    unix = f"unix://{path}"
    server.add_insecure_port(unix)
    return f"{settings.host}:{port}", unix


@contextlib.asynccontextmanager
async def nodes_connected(arena: Arena) -> AsyncIterator[None]:
    """Be in the cluster inside, if the arena has one."""
    if arena.cluster is None:
        yield
        return
    async with arena.cluster.running_while():
        yield


async def _drain(arena: Arena, server: grpc.aio.Server, settings: Settings) -> None:
    """Shut down: begin no match, give running ones time to end, void the rest, store the results, tell the bots."""
    _log.info("arena closing", matches=arena.match_manager.running, within_s=settings.drain_s)
    await arena.health.enter_graceful_shutdown()
    arena.scheduler.stop()
    arena.host.close_to_new()
    within_ms = round(settings.drain_s * MS_PER_S)
    arena.play.drain(within_ms)
    arena.workers.drain(within_ms)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(settings.drain_s):
            await arena.match_manager.empty()
    arena.match_manager.void_all(shut_down(settings.drain_s))
    try:
        async with asyncio.timeout(_STORE_WITHIN_S):
            await arena.match_manager.settled()
    except TimeoutError:
        _log.error("some results could not be stored; their matches are played again at the next start")
    await arena.play.shut_down()
    await arena.host.close()
    await arena.audit_writer.close()
    await server.stop(_STOP_GRACE_S)
    _log.info("arena closed")
