"""The host of an arena, assembled from its parts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from arena.core.clock.stalls import StallMeter
from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.hosting.admission.trials import Trials
from arena.hosting.environment import HostingEnvironment, processors
from arena.hosting.host.host import Host
from arena.hosting.host.process import Launcher
from arena.runner.timers import Timers
from arena.scheduling.wall_clock import now_us
from arena.server.play.program_socket import ProgramSocket, open_program_socket
from arena.server.play.service import PlayService
from arena.sessions.handshake import Identity
from arena.sessions.registry import SessionRegistry
from arena.sessions.session import Session
from arena.store.audit.writer import AuditSink
from arena.store.database import Database


def open_host(  # noqa: PLR0913 - what it stands between
    environment: HostingEnvironment,
    database: Database,
    sessions: SessionRegistry,
    play: PlayService,
    timers: Timers,
    stalls: StallMeter,
    *,
    changed: Callable[[], None],
    audit: AuditSink,
) -> Host:
    """Return the host, its bots not loaded yet. `changed`: wakes matchmaking; `audit`: for the audit trail."""

    async def open_socket(
        socket: Path, identity: Identity, opened: Callable[[Session], None]
    ) -> ProgramSocket:
        return await open_program_socket(play, socket, identity, opened, timers.now)

    trials = Trials(environment.sandbox, root=environment.work.path)

    async def try_again(bot: str, version: str) -> str:
        row = await database.read(lambda tx: tx.bots.version(bot, version))
        assert row.program is not None
        rejection = await trials.try_program(environment.versions.folder(version), row.program)
        return "" if rejection is None else rejection.sentence

    return Host(
        database,
        sessions,
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
        dismiss=lambda bot: play.dismiss(bot, bot_hosted(bot)),
        slots=environment.slots,
        wall_us=now_us,
        changed=changed,
        why_not=environment.why_not,
        audit=audit,
    )


def bot_hosted(bot: str) -> FailedPreconditionError:
    """Return the error of a remote connection of a hosted bot."""
    return FailedPreconditionError(
        ErrorReason.BOT_HOSTED,
        f"The arena runs {bot} itself, so it cannot dial in; `arena bot host {bot} --off` lets it dial in again, once "
        "it has played match groups with one seed for hidden draws to their end.",
        bot=bot,
    )
