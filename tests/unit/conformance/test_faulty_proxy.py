"""The faulty proxy forwards bytes at once."""

import asyncio
import socket
from pathlib import Path

from arena.conformance.faulty_proxy import FaultyProxy


def test_small_frames_over_tcp_do_not_wait_for_an_acknowledgement(tmp_path: Path) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.read(1))
        await reader.read()
        writer.close()
        echoed.set()

    echoed = asyncio.Event()

    async def passed_on() -> list[int]:
        server = await asyncio.start_unix_server(echo, tmp_path / "inside")
        proxy = FaultyProxy(tmp_path / "inside", outside=None, too_many=lambda: None)
        await proxy.accept()
        host, port = proxy.address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"!")
        assert await reader.readexactly(1) == b"!"
        sockets = [each.get_extra_info("socket") for each in proxy._writers]
        over_tcp = [each for each in sockets if each.family == socket.AF_INET]
        options = [each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for each in over_tcp]
        writer.close()
        await echoed.wait()
        await proxy.close()
        server.close()
        return options

    [option] = asyncio.run(passed_on())

    assert option
