"""What every gRPC tool asks of a server: is it well, and what does it offer?"""

from collections.abc import Iterator

import grpc
import pytest
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2
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


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
@pytest.mark.parametrize(
    ("symbol", "file"),
    [
        ("arena.v1.BotService", "arena/v1/bot.proto"),
        ("arena.v1.BotService.GetBot", "arena/v1/bot.proto"),
        ("grpc.reflection.v1.ServerReflection.ServerReflectionInfo", "grpc_reflection/v1/reflection.proto"),
        ("arena.v1.BotService.Nothing", None),
        ("arena.v1.Nothing", None),
    ],
)
def test_reflection_finds_services_and_methods(
    arena: ArenaProcess, version: str, symbol: str, file: str | None
) -> None:
    call = arena.channel.stream_stream(
        f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
        reflection_pb2.ServerReflectionRequest.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )
    (answer,) = call(iter([reflection_pb2.ServerReflectionRequest(file_containing_symbol=symbol)]))
    files = map(
        descriptor_pb2.FileDescriptorProto.FromString, answer.file_descriptor_response.file_descriptor_proto
    )
    assert [each.name for each in files][:1] == ([file] if file else [])
    assert (answer.error_response.error_code == grpc.StatusCode.NOT_FOUND.value[0]) == (file is None)


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
