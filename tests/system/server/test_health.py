"""What every gRPC tool asks of a server: is it well, and what does it offer?"""

from collections.abc import Iterator

import grpc
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import begin_match, connect

SERVICES = {
    f"arena.v1.{name}Service" for name in ("Bot", "Game", "Ladder", "Match", "Play", "Token", "Tournament")
}


def test_the_arena_and_each_service_say_that_they_serve_until_the_arena_drains(arena: ArenaProcess) -> None:
    watches = {service: watch(arena, service) for service in ("", *SERVICES)}
    for statuses in watches.values():
        assert next(statuses) == health_pb2.HealthCheckResponse.SERVING
    _keep_busy(arena)
    arena.process.terminate()
    for statuses in watches.values():
        assert next(statuses) == health_pb2.HealthCheckResponse.NOT_SERVING


def test_reflection_lists_the_services(arena: ArenaProcess) -> None:
    named = set(ProtoReflectionDescriptorDatabase(arena.channel).get_services())
    assert SERVICES | {"grpc.health.v1.Health"} <= named


def watch(arena: ArenaProcess, service: str) -> Iterator[int]:
    """Yield the status of a service, now and whenever it changes."""
    call: grpc.UnaryStreamMultiCallable[bytes, bytes] = arena.channel.unary_stream(
        "/grpc.health.v1.Health/Watch"
    )
    for answer in call(health_pb2.HealthCheckRequest(service=service).SerializeToString()):
        yield health_pb2.HealthCheckResponse.FromString(answer).status


def _keep_busy(arena: ArenaProcess) -> None:
    """Run a match, so that the arena drains for a while."""
    bots = connect(arena.unix, [arena.bot(bot) for bot in ("left", "right")])
    arena.ladder("main", "left", "right")
    begin_match(bots)
