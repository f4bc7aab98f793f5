"""Children of a process that serves gRPC."""

import os
import signal
import subprocess
import sys

from arena.sandbox.child_process import ChildProcess
from tests.checkout import ROOT

CHILDREN = 150
CROWDED = f"""
import asyncio
from grpc import aio, method_handlers_generic_handler, stream_stream_rpc_method_handler
from arena.sandbox.child_process import ChildProcess
from arena.server import event_loop

async def echo(requests, context):
    async for each in requests:
        yield each

async def chat(address):
    call = aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]).stream_stream("/a.B/C")()
    while True:
        await call.write(b"x")
        await call.read()

async def main():
    server = aio.server()
    handlers = {{"C": stream_stream_rpc_method_handler(echo)}}
    server.add_generic_rpc_handlers((method_handlers_generic_handler("a.B", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    chats = [asyncio.create_task(chat(f"127.0.0.1:{{port}}")) for _ in range(6)]
    codes = []
    for _ in range({CHILDREN}):
        child = await ChildProcess.start("/bin/true")
        await child.stdout.read()
        codes.append(await child.wait())
    print(sorted(set(codes)))
    for task in chats:
        task.cancel()
    await server.stop(None)

event_loop.run(main())
"""


def test_no_child_crashes_in_the_fork_handlers_of_grpc() -> None:
    """Beside streams that are in use, some eight of a hundred did."""
    done = subprocess.run(
        [sys.executable, "-c", CROWDED], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stdout == "[0]\n", done.stderr[-2_000:]


async def test_a_child_reads_its_input_and_its_exit_code_is_known() -> None:
    script = "import os, sys; print(os.environ['A'], len(sys.stdin.read())); print('no', file=sys.stderr); sys.exit(3)"
    child = await ChildProcess.start(sys.executable, "-c", script, environment={"A": "1"})
    assert await child.communicate(b"x" * 200_000) == (b"1 200000\n", b"no\n")
    assert child.returncode == 3


async def test_a_child_has_a_session_of_its_own() -> None:
    child = await ChildProcess.start(sys.executable, "-c", "import os; print(os.getsid(0) == os.getpid())")
    assert await child.communicate(b"") == (b"True\n", b"")


async def test_a_child_can_be_killed() -> None:
    child = await ChildProcess.start(sys.executable, "-c", "import time; time.sleep(600)")
    os.kill(child.pid, 0)
    child.kill()
    assert await child.wait() == -signal.SIGKILL
