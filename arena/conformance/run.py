"""Tries a bot with scenarios, one after the other."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.conformance.certificates import make_certificate
from arena.conformance.scenario import Scenario, Way
from arena.conformance.stage import Bot, Stage, a_stage
from arena.conformance.verdict import NotTriedError, Row, UnmetError, Verdict

_SOCKET_BYTES: Final = 107
"""The longest path that a Unix socket may have."""
_SOCKET_BELOW: Final = len("/conformance-12345678/inside")


async def try_bot(bot: Bot, scenarios: Sequence[Scenario]) -> AsyncGenerator[Row]:
    """A row for each scenario, as it comes out. Behind a failed one that `opens`, no other is tried."""
    closed_by = ""
    for scenario in scenarios:
        if closed_by:
            yield Row(scenario.name, Verdict.NOT_TRIED, f"The scenario {closed_by} has to pass first.")
            continue
        row = await try_scenario(bot, scenario)
        if scenario.opens and row.verdict is Verdict.FAILED:
            closed_by = scenario.name
        yield row


async def try_scenario(bot: Bot, scenario: Scenario) -> Row:
    """How one scenario comes out. Nothing of it runs afterwards."""
    with short_folder() as folder:
        try:
            certificate = make_certificate(folder) if scenario.way is Way.TLS else None
        except NotTriedError as error:
            return Row(scenario.name, Verdict.NOT_TRIED, str(error))
        async with a_stage(bot, folder, unix=scenario.way is Way.UNIX, certificate=certificate) as stage:
            return await _played(scenario, stage)


async def _played(scenario: Scenario, stage: Stage) -> Row:
    try:
        await scenario.play(stage)
        stage.check()
    except UnmetError as error:
        return Row(
            scenario.name,
            Verdict.ADVICE if scenario.is_advice else Verdict.FAILED,
            error.what,
            error.demand,
            error.to_do,
            stage.transcript.lines(),
            stage.last_lines(),
        )
    except NotTriedError as error:
        return Row(scenario.name, Verdict.NOT_TRIED, str(error))
    return Row(scenario.name, Verdict.PASSED, scenario.idea)


@contextmanager
def short_folder() -> Iterator[Path]:
    """An empty folder with a path short enough for the sockets of a stage; afterwards it is gone."""
    with tempfile.TemporaryDirectory(prefix="conformance-", dir=_root()) as name:
        yield Path(name)


def _root() -> str | None:
    """Where folders are made: the system's place, unless a socket in it would have too long a path."""
    usual = os.fsencode(tempfile.gettempdir())
    return None if len(usual) + _SOCKET_BELOW <= _SOCKET_BYTES else "/tmp"
