"""gRPC server reflection: tools such as grpcurl and ghz ask the arena for its .proto files.

grpcio-reflection offers version v1alpha of the protocol and finds no methods. This module adds both: version v1, whose
messages are the same (https://github.com/grpc/grpc/blob/master/doc/server-reflection.md), and symbols of methods.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, text_format
from google.protobuf.descriptor import FileDescriptor
from grpc_reflection.v1alpha import reflection, reflection_pb2

V1: Final = "grpc.reflection.v1.ServerReflection"


class MethodPool:
    """The default descriptor pool, in which methods and version v1 of the protocol are found too."""

    def __init__(self) -> None:
        self._default = descriptor_pool.Default()
        self._v1 = descriptor_pool.DescriptorPool()
        self._v1.AddSerializedFile(_v1_file())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._default, name)

    def FindFileContainingSymbol(self, symbol: str) -> FileDescriptor:  # noqa: N802 - the name in protobuf
        """Return the file of a service, type or method ("arena.v1.BotService.GetBot").

        Raises KeyError: there is none.
        """
        service, _, method = symbol.rpartition(".")
        for pool in (self._default, self._v1):
            with suppress(KeyError):
                return pool.FindFileContainingSymbol(symbol)
            with suppress(KeyError):
                return pool.FindServiceByName(service).methods_by_name[method].containing_service.file
        raise KeyError(symbol)


def _v1_file() -> bytes:
    """Return the file of version v1: that of v1alpha with another package."""
    file = descriptor_pb2.FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(file)
    renamed = text_format.MessageToString(file).replace("v1alpha", "v1")
    return text_format.Parse(renamed, descriptor_pb2.FileDescriptorProto()).SerializeToString()


def add_reflection(services: Iterable[str], server: grpc.aio.Server) -> None:
    """Offer reflection of these services, and of itself, in both versions. `services`: full names."""
    servicer = reflection.aio.ReflectionServicer((*services, reflection.SERVICE_NAME, V1), MethodPool())
    handler = grpc.stream_stream_rpc_method_handler(
        servicer.ServerReflectionInfo,
        reflection_pb2.ServerReflectionRequest.FromString,
        reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    methods = {"ServerReflectionInfo": handler}
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler(version, methods) for version in (reflection.SERVICE_NAME, V1)]
    )
