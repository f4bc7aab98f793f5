"""An arena whose services answer from a script: real gRPC on a free port, and a note of every call."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, NoReturn

import grpc
from google.protobuf import any_pb2, descriptor_pool, text_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

import arena.v1

for _module in iter_modules(arena.v1.__path__):
    if _module.name.endswith("_pb2"):
        import_module(f"arena.v1.{_module.name}")  # after which its services' descriptors are in the pool


@dataclass(frozen=True)
class Refusal:
    """A status as an arena sends it."""

    code: grpc.StatusCode
    sentence: str
    reason: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)

    def abort(self, context: grpc.ServicerContext) -> NoReturn:
        if not self.reason:
            context.abort(self.code, self.sentence)
        detail = any_pb2.Any()
        detail.Pack(
            error_details_pb2.ErrorInfo(reason=self.reason, domain="arena.v1", metadata=self.metadata)
        )
        status = status_pb2.Status(code=self.code.value[0], message=self.sentence, details=[detail])
        context.abort_with_status(rpc_status.to_status(status))


@dataclass(frozen=True)
class Call:
    """One call that came in."""

    method: str
    request: Any
    authorization: str | None


@dataclass(frozen=True)
class Sent:
    """A stream of requests, whole."""

    messages: list[Any]


Answer = str | Message | Refusal | Iterable[Message] | Callable[[Any], Any]
"""A response, as text in protobuf's format or as a message; several; or a function of the request that returns any."""


@dataclass
class FakeArena(grpc.GenericRpcHandler):
    """`answers` by method name, for example "ListBots"; a method without one is unimplemented."""

    answers: dict[str, Answer] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    address: str = ""
    trailing: tuple[tuple[str, str], ...] = ()
    """Metadata after each answer."""

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[Any, Any] | None":
        path = handler_call_details.method
        service, name = path.strip("/").split("/")
        if name not in self.answers:
            return None
        method = descriptor_pool.Default().FindServiceByName(service).FindMethodByName(name)
        request = GetMessageClass(method.input_type)
        if method.client_streaming:
            kind: Any = grpc.stream_unary_rpc_method_handler
        elif method.server_streaming:
            kind = grpc.unary_stream_rpc_method_handler
        else:
            kind = grpc.unary_unary_rpc_method_handler
        handler: grpc.RpcMethodHandler[Any, Any] = kind(
            lambda message, context: self._answer(method, message, context),
            request_deserializer=request.FromString,
            response_serializer=lambda message: message.SerializeToString(),
        )
        return handler

    def _answer(
        self, method: MethodDescriptor, request: Message | Iterator[Message], context: grpc.ServicerContext
    ) -> Any:
        came: Any = request if isinstance(request, Message) else Sent(list(request))
        shown = [str(value) for key, value in context.invocation_metadata() if key == "authorization"]
        self.calls.append(Call(method.name, came, shown[0] if shown else None))
        context.set_trailing_metadata(self.trailing)
        answer = self.answers[method.name]
        if callable(answer):
            answer = answer(came)
        if isinstance(answer, str):
            return text_format.Parse(answer, GetMessageClass(method.output_type)())
        if isinstance(answer, Refusal):
            return answer.abort(context)
        return answer if isinstance(answer, Message) else iter(answer)

    def requests(self, method: str) -> list[Any]:
        """Return the requests of a method, in order."""
        return [call.request for call in self.calls if call.method == method]

    def texts(self, method: str) -> list[str]:
        """Return the requests of a method as text, in order."""
        return [text_format.MessageToString(each, as_one_line=True) for each in self.requests(method)]


@contextmanager
def running_fake() -> Iterator[FakeArena]:
    """Run a fake that listens on loopback."""
    fake = FakeArena()
    server = grpc.server(ThreadPoolExecutor(4), handlers=[fake])
    fake.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    try:
        yield fake
    finally:
        server.stop(0).wait()
