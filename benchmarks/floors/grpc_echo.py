"""E, the floor: a bare gRPC aio server that sends the frames of a real match and looks at no answer.

Arguments: the Unix socket, the script. The port has the settings of the arena's own.
"""

import asyncio
import sys
from pathlib import Path

import grpc
from grpc.aio import ServicerContext

from arena.server.grpc_options import connections_allowed, server_options
from benchmarks import loops
from benchmarks.floors.script import Pairs, Script


async def serve(socket: str, script: Script) -> None:
    """Print "open" once it listens, then run for ever."""
    pairs = Pairs(script)

    async def play(_requests: object, context: ServicerContext[bytes, bytes]) -> None:
        await context.send_initial_metadata(())
        await context.read()
        pair = await pairs.join(context)
        await context.read()
        await pair.ready()
        while isinstance(await context.read(), bytes):
            await pair.answered()

    method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)
    server = grpc.aio.server(options=server_options(connections_allowed()))
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("arena.v1.PlayService", {"Play": method}),)
    )
    server.add_insecure_port(f"unix://{socket}")
    await server.start()
    print('"open"', flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    loops.run(serve(sys.argv[1], Script.load(Path(sys.argv[2]))))
