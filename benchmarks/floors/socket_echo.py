"""The floor without gRPC: the same frames on a Unix socket, each behind its length.

Arguments: the socket, the script.
"""

import asyncio
import sys
from pathlib import Path

from benchmarks import loops
from benchmarks.clients.links import SocketLink
from benchmarks.floors.script import Pairs, Script


async def serve(socket: str, script: Script) -> None:
    """Print "open" once it listens, then run for ever."""
    pairs = Pairs(script)

    async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = SocketLink(reader, writer)
        await link.read()
        pair = await pairs.join(link)
        await link.read()
        await pair.ready()
        while await link.read() is not None:
            await pair.answered()

    server = await asyncio.start_unix_server(play, socket)
    async with server:
        print('"open"', flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    loops.run(serve(sys.argv[1], Script.load(Path(sys.argv[2]))))
