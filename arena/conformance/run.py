"""Trying a bot with scenarios, one after the other."""

import os
import tempfile
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.conformance.limits import SENTENCE_CHARACTERS
from arena.conformance.scenario import Scenario
from arena.conformance.scripted_server import BotUnderTest, ScriptedServer, Transport, a_server
from arena.conformance.verdict import NotTriedError, Row, ScenarioVerdict, UnmetError
from arena.core.units import SOCKET_PATH_BYTES

_SOCKET_BELOW: Final = len("/conformance-12345678/bot/play.sock")


async def try_bot(bot: BotUnderTest, scenarios: Sequence[Scenario]) -> AsyncGenerator[Row]:
    """Yield a row for each scenario as it ends. If one that `opens` fails, the others are not tried."""
    closed_by = ""
    for scenario in scenarios:
        if closed_by:
            why = f"The scenario {closed_by} has to pass first."
            yield Row(scenario.name, ScenarioVerdict.NOT_TRIED, why)
            continue
        row = await try_scenario(bot, scenario)
        if scenario.opens and row.verdict is ScenarioVerdict.FAILED:
            closed_by = scenario.name
        yield row


async def try_scenario(bot: BotUnderTest, scenario: Scenario) -> Row:
    """Try one scenario. Nothing of it runs afterwards."""
    with a_folder() as folder:
        return await try_in(folder, bot, scenario)


async def try_in(folder: Path, bot: BotUnderTest, scenario: Scenario) -> Row:
    """Try one scenario in a folder of `a_folder`. Nothing of it runs afterwards."""
    if bot.is_hosted and scenario.transport is Transport.TLS:
        why = "The arena runs it, and it has no network there."
        return Row(scenario.name, ScenarioVerdict.NOT_TRIED, why)
    async with a_server(bot, folder, scenario.transport) as server:
        return await _played(scenario, server)


async def _played(scenario: Scenario, server: ScriptedServer) -> Row:
    try:
        await scenario.play(server)
        await server.check()
    except UnmetError as error:
        return Row(
            scenario.name,
            ScenarioVerdict.ADVICE if error.requirement in scenario.advice else ScenarioVerdict.FAILED,
            _cut(error.what),
            error.requirement,
            error.to_do,
            server.transcript.lines(),
            await server.last_lines(),
        )
    except NotTriedError as error:
        return Row(scenario.name, ScenarioVerdict.NOT_TRIED, _cut(str(error)))
    return Row(scenario.name, ScenarioVerdict.PASSED, scenario.idea)


def _cut(sentence: str) -> str:
    return sentence if len(sentence) <= SENTENCE_CHARACTERS else f"{sentence[:SENTENCE_CHARACTERS]}..."


@contextmanager
def a_folder(root: Path | None = None) -> Iterator[Path]:
    """Make an empty folder for a scenario, removed afterwards.

    It is in `root` or the system's temporary folder, whichever leaves room for the path of a socket, else in /tmp.
    """
    most = SOCKET_PATH_BYTES - _SOCKET_BELOW
    places = (place for place in (root, Path(tempfile.gettempdir())) if place is not None)
    place = next((each for each in places if len(os.fsencode(each)) <= most), "/tmp")
    with tempfile.TemporaryDirectory(prefix="conformance-", dir=place) as name:
        yield Path(name)
