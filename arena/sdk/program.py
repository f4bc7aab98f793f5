"""Runs a bot as a program."""

import asyncio
import logging
import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from arena.sdk.bot import Bot
from arena.sdk.client import ExitCode, play
from arena.sdk.session import Session
from arena.sdk.settings import Endpoint, endpoint_from
from arena.sdk.tls import SettingsError
from arena.sdk.workers import STOP_WITHIN_S, Workers

_LOG = logging.getLogger("arena.sdk")


def run_program(bot_class: type[Bot]) -> NoReturn:
    """Play at the arena that the environment names, then end the program: `arena.sdk.run`."""
    name = bot_class.name or bot_class.__name__
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format=f"{name}: %(message)s")
    try:
        endpoint = endpoint_from(os.environ)
    except SettingsError as error:
        _LOG.error("%s", error)
        sys.exit(ExitCode.USAGE)
    sys.exit(asyncio.run(_play_until_signalled(bot_class, endpoint)))


async def _play_until_signalled(bot_class: type[Bot], endpoint: Endpoint) -> ExitCode:
    leave = asyncio.Event()
    playing = asyncio.create_task(play_as(bot_class, endpoint, leave))

    def on_signal() -> None:
        if leave.is_set():
            playing.cancel()
        leave.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # On Windows SIGINT raises KeyboardInterrupt, which ends the program at once.
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, on_signal)
    try:
        return await playing
    except asyncio.CancelledError:
        _LOG.warning("Ended at once; running matches count as left.")
        return ExitCode.DONE


async def play_as(bot_class: type[Bot], endpoint: Endpoint, leave: asyncio.Event) -> ExitCode:
    """Play until the arena says goodbye for good or, once `leave` is set, the running matches are over."""
    workers = Workers(bot_class.open_decisions)
    try:
        return await play(Session(bot_class, workers), endpoint, leave)
    finally:
        workers.stop(None if endpoint.is_debugged else STOP_WITHIN_S)
