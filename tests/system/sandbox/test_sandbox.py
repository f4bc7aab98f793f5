"""Programs run, see what they should, and are judged by what they did: real ones in a real sandbox."""

import asyncio
import os
import shutil
import socket
from dataclasses import replace

import pytest

from arena.sandbox.build_folder import DEEPEST
from arena.sandbox.exit_status import ExitReason
from arena.sandbox.output import Stream
from arena.sandbox.process_spec import KIB, MIB, ProcessLimits, ProcessSpec, SandboxError
from arena.sandbox.protections import ALL, Protection
from arena.sandbox.sandbox import Sandbox
from tests.system.sandbox.sandbox_fixture import machine, need_sandbox


@pytest.mark.parametrize(
    ("command", "reason", "code", "signal"),
    [
        *((f"exit {code}", ExitReason.EXITED, code, None) for code in (0, 1, 3, 127)),
        ("kill -SEGV $$", ExitReason.SIGNALLED, None, 11),
    ],
)
def test_an_ending_has_the_exit_code_or_the_signal(fixture, command, reason, code, signal):
    """Row 35."""
    ending = fixture.shell(f"echo said; {command}")
    assert (ending.reason, ending.code, ending.signal) == (reason, code, signal)
    assert ending.tail == "said\n"
    assert ending.evidence == ((("code", str(code)),) if signal is None else (("signal", "SIGSEGV"),))


async def test_output_is_cut_with_a_mark_and_a_flood_ends_the_program(fixture):
    """Row 38."""
    fixture.limits = ProcessLimits(output_bytes=8 * KIB)
    running = await fixture.start("sh", "-c", "echo first; head -c 20000 /dev/zero | tr '\\0' x; echo last")
    assert (await running.wait()).reason is ExitReason.EXITED
    text = running.captured_output()
    assert text.startswith(b"first\n")
    assert text.endswith(b"last\n")
    assert b" bytes cut " in text
    running = await fixture.start("yes")
    assert (await running.wait()).reason is ExitReason.OUTPUT
    assert len(running.captured_output()) < 9 * KIB


def test_the_time_on_the_wall_ends_a_sleeper(fixture):
    fixture.limits = ProcessLimits(wall_seconds=0.2)
    ending = fixture.shell("sleep 1000")
    assert ending.reason is ExitReason.WALL
    assert "0.2 s" in ending.sentence


def test_it_sees_its_folder_and_its_settings_and_nothing_of_the_arenas(fixture, monkeypatch):
    """Row 41."""
    monkeypatch.setenv("ARENA_TOKEN", "secret")
    address = "unix:///run/arena/play.sock"
    fixture.write("mine.txt", "mine")
    secret = fixture.folder / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    ending = fixture.shell(
        f"cat mine.txt; echo; env; cat {secret}; ls / ; ls /proc/self/fd; tr '\\0' '\\n' </proc/1/environ",
        settings={"ARENA_ADDRESS": address},
    )
    assert ending.tail.startswith("mine\n")
    assert "secret" not in ending.tail.replace(str(secret), "")
    assert f"ARENA_ADDRESS={address}" in ending.tail
    assert "No such file" in ending.tail
    assert str(fixture.folder) not in ending.tail.replace(str(secret), "")


def test_it_can_write_only_where_it_may(fixture):
    ending = fixture.shell(
        "for each in /bot/x /x /usr/x /etc/x /dev/x /run/x; do touch $each 2>/dev/null && echo $each; done;"
        "touch /tmp/x /dev/shm/x && echo done"
    )
    assert ending.tail == "done\n"


def test_a_build_may_write_its_own_copy_which_is_the_arenas_afterwards(fixture):
    """Its links are not followed out of it."""
    outside = fixture.folder / "outside"
    outside.write_text("", encoding="utf-8")
    before = outside.stat()
    (fixture.bot / "link").symlink_to(outside)
    (fixture.bot / "inner").mkdir()
    script = "echo built | tee inner/out && mkdir -p out/deep && touch out/deep/made && ln -s /etc out/link"
    ending = fixture.shell(script, writable=True)
    assert (ending.code, ending.tail) == (0, "built\n")
    assert (fixture.bot / "inner" / "out").read_text(encoding="utf-8") == "built\n"
    assert outside.stat().st_ctime_ns == before.st_ctime_ns
    for path in (fixture.bot, *fixture.bot.rglob("*")):
        assert path.lstat().st_uid == os.geteuid()


FILLING = {
    "with many files": "while true; do head -c 200000 /dev/zero > $((n = n + 1)); done",
    "with empty files": "while true; do : > $((n = n + 1)); done",
    "at once": "head -c 1500000 /dev/zero > one; head -c 1500000 /dev/zero > two",
    "with files without a name": "for fd in 3 4 5 6; do eval exec $fd'>x'; rm x; head -c 900000 /dev/zero >&$fd; done;"
    "sleep 1000",
}


@pytest.mark.parametrize("script", FILLING.values(), ids=FILLING)
def test_a_build_that_would_fill_the_disk_is_ended(fixture, script):
    fixture.limits = ProcessLimits(folder_bytes=2 * MIB, memory_bytes=64 * MIB)
    ending = fixture.shell(script, writable=True)
    assert ending.reason is ExitReason.OUTPUT
    assert "2 MiB" in ending.sentence


def test_a_single_file_of_a_build_ends_at_the_limit(fixture):
    fixture.limits = ProcessLimits(folder_bytes=2 * MIB, memory_bytes=64 * MIB)
    fixture.shell("head -c 10000000 /dev/zero > one", writable=True)
    assert (fixture.bot / "one").stat().st_size == 2 * MIB


async def test_a_build_of_a_folder_that_only_its_owner_may_enter(fixture):
    fixture.write("mine", "mine")
    fixture.bot.chmod(0o700)
    sandboxed = ProcessSpec(("cat", "mine"), "cpp", fixture.folder / "bot", writable=True)
    running = await fixture.sandbox().start(sandboxed, ProcessLimits())
    assert (await running.wait()).tail == "mine"


NEST = """
import os, sys, time
for level in range(int(sys.argv[1])):
    os.mkdir("d")
    os.chdir("d")
open("bottom", "w").close()
time.sleep(float(sys.argv[2]))
"""


@pytest.mark.parametrize("seconds", [0, 1000], ids=["ended", "going on"])
def test_a_build_that_nests_folders_without_an_end_is_ended_and_can_be_removed(fixture, seconds):
    """More levels than Python can walk, or has files to open for."""
    fixture.write("nest.py", NEST)
    ending = fixture.ending("python", "nest.py", "5000", str(seconds), runtime="python", writable=True)
    assert (ending.reason, ending.evidence[0]) == (ExitReason.OUTPUT, ("folder_levels", str(DEEPEST)))
    assert f"more than {DEEPEST} levels" in ending.sentence
    found = list(fixture.bot.rglob("*"))
    assert sum(path.is_dir() for path in found) > DEEPEST
    assert {path.lstat().st_uid for path in found} == {os.geteuid()}
    shutil.rmtree(fixture.bot)


def test_a_build_may_nest_folders_to_the_limit(fixture):
    fixture.write("nest.py", NEST)
    ending = fixture.ending("python", "nest.py", str(DEEPEST), "0", runtime="python", writable=True)
    assert (ending.reason, ending.code) == (ExitReason.EXITED, 0)


def test_it_has_no_network(fixture):
    need_sandbox(Protection.SECCOMP)
    with socket.create_server(("127.0.0.1", 0)) as host:
        script = f"import socket\nsocket.create_connection(('127.0.0.1', {host.getsockname()[1]}))"
        assert "Address family not supported" in fixture.python(script).tail
        fixture.protections = ALL - {Protection.SECCOMP}
        assert "Connection refused" in fixture.python(script).tail, "the namespace holds by itself"


async def test_programs_have_different_uids_and_none_the_arenas(fixture):
    need_sandbox(Protection.UID)
    sandbox = fixture.sandbox()
    program = ProcessSpec(("sh", "-c", "id -u; id -G; grep CapEff /proc/self/status"), "cpp", fixture.bot)
    running = [await sandbox.start(program, ProcessLimits()) for _ in range(3)]
    outputs = {(await each.wait()).tail for each in running}
    assert len(outputs) == 3
    for output in outputs:
        uid, groups, capabilities = output.splitlines()
        assert int(uid) != os.getuid()
        assert groups == uid
        assert capabilities.split()[1] == "0" * 16


def test_a_program_that_is_not_there_says_so_in_its_output(fixture):
    ending = fixture.ending("./nothing")
    assert (ending.reason, ending.code) == (ExitReason.EXITED, 127)
    assert "./nothing" in ending.tail


@pytest.mark.parametrize(
    ("why_not", "folder", "sockets", "message"),
    [
        ("", "nothing", None, "nothing is not there"),
        ("", "", "nothing", r"nothing.*No such file"),
        ("Install bubblewrap.", "", None, "Install bubblewrap"),
    ],
    ids=["no folder", "bubblewrap fails", "no bubblewrap"],
)
async def test_a_program_that_cannot_be_started_is_an_error_of_the_arena(
    fixture, why_not, folder, sockets, message
):
    found = replace(machine(), bwrap=None, why_not=why_not) if why_not else machine()
    shown = None if sockets is None else fixture.folder / sockets
    program = ProcessSpec(("true",), "cpp", fixture.bot / folder, sockets=shown)
    with pytest.raises(SandboxError, match=message):
        await Sandbox(found, folder=fixture.folder).start(program, ProcessLimits())


def test_a_strangers_library_is_not_loaded_before_the_uid_is_taken_on(fixture):
    """What takes on the uid is root's: it must not see the program's own variables."""
    ending = fixture.shell("tr '\\0' '\\n' </proc/self/environ", settings={"LD_PRELOAD": "/bot/evil.so"})
    complaints = [line for line in ending.tail.splitlines() if "cannot be preloaded" in line]
    assert all("setpriv" not in line for line in complaints)
    assert "LD_PRELOAD=/bot/evil.so" in ending.tail


async def test_that_a_program_ends_is_known_before_its_end_is(fixture):
    running = await fixture.start("sleep", "86400")
    assert not running.is_ending
    stopping = asyncio.create_task(running.stop(20.0))
    await asyncio.sleep(0)
    assert running.is_ending
    assert not stopping.done()
    await stopping
    assert running.is_ending


@pytest.mark.parametrize("forgiving", [True, False])
async def test_output_is_told_as_it_comes_stdout_and_stderr_apart(fixture, forgiving):
    """Also what was in the pipes when it ended; and what was told earlier does not end it later (row 38)."""
    fixture.limits = ProcessLimits(output_bytes=KIB)
    heard = dict.fromkeys(Stream, b"")
    script = "echo out; echo err >&2; for i in 1 2 3; do head -c 8000 /dev/zero; done; echo end >&2; "
    # A program that ends before it is read has ended by itself.
    running = await fixture.start("sh", "-c", script + ("" if forgiving else "sleep 100"))

    def hear(stream: Stream, data: bytes) -> None:
        heard[stream] += data
        if forgiving:
            running.reset_output_limit()

    running.on_output(hear)
    ending = await running.wait()
    running.read_pending()
    assert ending.reason is (ExitReason.EXITED if forgiving else ExitReason.OUTPUT)
    if forgiving:
        assert heard == {Stream.STDOUT: b"out\n" + bytes(24_000), Stream.STDERR: b"err\nend\n"}
