"""What every gRPC tool asks of a server: is it well, and what does it offer?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.server.play.arena_process import ArenaProcess
from tests.server.play.raw_bot import RawBot

SERVICES = {f"arena.v1.{name}Service" for name in ("Bot", "Game", "Ladder", "Match", "Play", "Token")}


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ArenaProcess]:
    process = ArenaProcess(tmp_path / "data")
    try:
        yield process.wait_open()
    finally:
        process.close()


def test_the_arena_and_each_service_say_that_they_serve_until_the_arena_drains(arena: ArenaProcess) -> None:
    health = health_pb2_grpc.HealthStub(arena.channel)
    for service in ("", *SERVICES):
        answer = health.Check(health_pb2.HealthCheckRequest(service=service))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    watch = health.Watch(health_pb2.HealthCheckRequest(service=""))
    assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
    _keep_busy(arena)
    arena.process.terminate()
    assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING


def test_reflection_lists_the_services(arena: ArenaProcess) -> None:
    reflection = reflection_pb2_grpc.ServerReflectionStub(arena.channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    answer = next(iter(reflection.ServerReflectionInfo(iter([request]))))
    named = {service.name for service in answer.list_services_response.service}
    assert SERVICES | {"grpc.health.v1.Health"} <= named


def _keep_busy(arena: ArenaProcess) -> None:
    """A match runs, so that the arena drains for a while."""
    tokens = [arena.bot(bot) for bot in ("left", "right")]
    bots = [RawBot(arena.unix, token) for token in tokens]
    for bot in bots:
        bot.hello()
    arena.ladder("main", "left", "right")
    for bot in bots:
        bot.take_seat()
    for bot in bots:
        bot.hear("match_started")
