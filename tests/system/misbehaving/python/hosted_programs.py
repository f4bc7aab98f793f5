"""Programs that misbehave where the arena runs them."""

import atexit
import contextlib
import ctypes
import errno
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from itertools import count
from pathlib import Path

from arena.v1 import play_pb2
from tests.system.misbehaving.python.by_hand import PLAY, STREAM, ByHand
from tests.system.misbehaving.python.hosted import Seat, at_first_decision, play_and_misbehave
from tests.system.misbehaving.python.visit import ADDRESS, Link, main, program
from tests.system.play.raw_bot import hello, request
from tests.system.play.wire import Wire


@program
def starts_and_says_no_hello() -> None:
    """Never say hello."""
    time.sleep(86_400)


@program
def never_takes_its_seat() -> None:
    """Say hello, and never be ready for the seat that it is offered."""
    seat = Link()
    seat.hello()
    seat.hear_all()


@at_first_decision
def sleeps_for_ever(seat: Seat, asked: play_pb2.Decision) -> None:
    """Sleep while its decision is open, and never wake up."""
    time.sleep(86_400)


@program
def exits_before_its_hello() -> None:
    """Exit with 1 before it has said hello, whenever it is started."""
    sys.exit(1)


@at_first_decision
def burns_its_processor_time(seat: Seat, asked: play_pb2.Decision) -> None:
    """Compute without end."""
    while True:
        pass


@at_first_decision
def exits_in_its_match(seat: Seat, asked: play_pb2.Decision) -> None:
    """Exit with 0 while its decision is open."""
    os._exit(0)


@at_first_decision
def raises_an_error(seat: Seat, asked: play_pb2.Decision) -> None:
    """Raise an error that nobody catches while its decision is open."""
    raise RuntimeError("the cistern is empty")


@at_first_decision
def aborts(seat: Seat, asked: play_pb2.Decision) -> None:
    """End itself by SIGABRT, as a failed assertion in C does."""
    os.abort()


@at_first_decision
def takes_all_memory(seat: Seat, asked: play_pb2.Decision) -> None:
    """Take memory without end."""
    kept = [b"x" * (1 << 20)]
    while True:
        kept.append(kept[-1][:-1] + b"y")


@at_first_decision
def fills_tmp_with_bytes(seat: Seat, asked: play_pb2.Decision) -> None:
    """Write into /tmp until it is full, and play on."""

    def fill() -> None:
        with Path("/tmp/full").open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 20))

    seat.try_out("writing", fill)
    seat.tell(f"{Path('/tmp/full').stat().st_size >> 20} MiB in /tmp")


@at_first_decision
def fills_tmp_with_files(seat: Seat, asked: play_pb2.Decision) -> None:
    """Make empty files in /tmp without end."""
    for number in count():
        os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))


@program
def starts_processes_without_end() -> None:
    """Start processes without end, and fail where it is refused one."""
    bot = ByHand()  # the library would start threads of its own, and say that it is refused them
    bot.take_one_seat()
    bot.hear("decision")
    while True:
        subprocess.Popen(("sleep", "86400"))


def bomb() -> int:
    """Return how many processes could be started."""
    started: list[subprocess.Popen[bytes]] = []
    with contextlib.suppress(BlockingIOError):
        while True:
            started.append(subprocess.Popen(("sleep", "86400")))
    for each in started:
        each.kill()
        each.wait()
    return len(started)


@program
def starts_processes_and_ends_them() -> None:
    """Start processes until it is refused one, end them all, and play on."""
    with ByHand() as bot:  # the library would die of it, since it is refused threads
        bot.take_one_seat()
        bombed = False
        for message in bot.messages:
            if message.HasField("decision"):
                if not bombed:
                    line = play_pb2.Debug(assignment=bot.assignment, text=f"{bomb()} processes started")
                    bot.say(debug=line)
                    bombed = True
                bot.say(answer=bot.answer_to(message.decision))
            elif message.HasField("goodbye"):
                break


@at_first_decision
def starts_threads_without_end(seat: Seat, asked: play_pb2.Decision) -> None:
    """Start threads without end, and fail where it is refused one."""
    try:
        while True:
            threading.Thread(target=threading.Event().wait, daemon=True).start()
    except RuntimeError:
        traceback.print_exc()
        os._exit(1)  # an orderly end would wait for threads that were never there


@at_first_decision
def writes_to_stdout_without_end(seat: Seat, asked: play_pb2.Decision) -> None:
    """Write to its standard output without end."""
    while True:
        os.write(1, b"all is well\n" * 100)


@at_first_decision
def writes_to_stderr_without_end(seat: Seat, asked: play_pb2.Decision) -> None:
    """Write to its standard error without end."""
    while True:
        os.write(2, b"all is lost\n" * 100)


@at_first_decision
def writes_more_than_is_kept(seat: Seat, asked: play_pb2.Decision) -> None:
    """Write 400 KiB, more than is kept of its output, and fail."""
    sys.stderr.write("the first word\n" + f"{'word ' * 20}\n" * 4_000 + "the last word\n")
    sys.stderr.flush()
    os._exit(3)


@at_first_decision
def makes_a_forbidden_call(seat: Seat, asked: play_pb2.Decision) -> None:
    """Trace itself, where it is held strictly."""
    ctypes.CDLL(None).ptrace(0, 0, 0, 0)


LIBC = ctypes.CDLL(None, use_errno=True)


NEW_USER = 0x10000000
"""CLONE_NEWUSER of linux/sched.h."""


def call(function: Callable[[], int]) -> Callable[[], None]:
    """Return a call of the C library that raises OSError when it fails."""

    def checked() -> None:
        if function() < 0:
            number = ctypes.get_errno()
            raise OSError(number, errno.errorcode[number])

    return checked


@at_first_decision
def makes_forbidden_calls(seat: Seat, asked: play_pb2.Decision) -> None:
    """Make system calls that are refused, and play on."""
    seat.try_out("tracing", call(lambda: LIBC.ptrace(0, 0, 0, 0)))
    seat.try_out("a namespace of its own", call(lambda: LIBC.unshare(NEW_USER)))
    seat.try_out("a mount", call(lambda: LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, 0)))
    seat.try_out("a network socket", lambda: socket.socket(socket.AF_INET))


LOOT = Path("/bot/loot.json")
"""Where on the machine things lie: much more than any bot could know."""


def reading(path: Path) -> Callable[[], object]:
    """List a folder, or read a file."""
    return lambda: [*path.iterdir()] if path.is_dir() else path.read_bytes()


def mine(process: Path) -> bool | None:
    """Return whether it is of this program or has started it; None if it is gone."""
    words = text(process / "cmdline").split("\0")
    return None if words == [""] else any("looks_around" in word or "bwrap" in word for word in words)


def text(path: Path) -> str:
    """Return what can be read of a file; empty if nothing can."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


@at_first_decision
def looks_around(seat: Seat, asked: play_pb2.Decision) -> None:
    """Look for its opponent and for what belongs to the arena: processes, sockets, environments, data; and play on."""
    for what, path in json.loads(LOOT.read_text(encoding="utf-8")).items():
        seat.try_out(what, reading(Path(path)))
    seat.tell(f"sockets: {' '.join(sorted(each.name for each in Path('/run/arena').iterdir()))}")
    seat.tell(f"environment: {' '.join(sorted(name for name in os.environ if 'ARENA' in name))}")
    others = [each for each in Path("/proc").iterdir() if each.name.isdecimal() and mine(each) is False]
    seat.tell(f"{len(others)} processes of others")
    seat.tell(f"tokens seen: {sum('cvn_' in text(Path(f'/proc/{pid}/environ')) for pid in (1, os.getpid()))}")
    seat.try_out("abstract socket", lambda: socket.socket(socket.AF_UNIX).connect("\0arena"))


def writing(path: Path) -> Callable[[], object]:
    """Write a file."""
    return lambda: path.write_bytes(b"mine")


@at_first_decision
def changes_what_it_sees(seat: Seat, asked: play_pb2.Decision) -> None:
    """Write into its own folder, into that of its socket and into the system, and play on."""
    for path in ("/bot/bot.toml", "/run/arena/mine", "/usr/bin/mine", "/etc/passwd"):
        seat.try_out(f"writing {path}", writing(Path(path)))
    seat.try_out("removing its socket", Path("/run/arena/play.sock").unlink)


@at_first_decision
def kills_all_that_it_can(seat: Seat, asked: play_pb2.Decision) -> None:
    """Send SIGKILL to the first process that it sees and to all others, and play on."""
    seat.try_out("the first process", lambda: os.kill(1, signal.SIGKILL))
    seat.try_out("all others", lambda: os.kill(-1, signal.SIGKILL))


@at_first_decision
def thinks_beyond_its_clock(seat: Seat, asked: play_pb2.Decision) -> None:
    """Compute for four seconds of a processor, longer than its clock allows."""
    end = time.process_time() + 4
    while time.process_time() < end:
        pass


@at_first_decision
def stops_itself(seat: Seat, asked: play_pb2.Decision) -> None:
    """Stop itself as SIGSTOP does: it is there, but does nothing any more."""
    os.kill(os.getpid(), signal.SIGSTOP)


@at_first_decision
def ignores_sigterm(seat: Seat, asked: play_pb2.Decision) -> None:
    """Play as it should, but stay when it is told to leave, and ignore SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    atexit.register(time.sleep, 86_400)


DAEMON = """
import os, signal, time
if os.fork():
    os._exit(0)
os.setsid()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(86_400)
"""


@at_first_decision
def leaves_a_daemon(seat: Seat, asked: play_pb2.Decision) -> None:
    """Play and leave as it should, but leave a process behind that ignores SIGTERM."""
    subprocess.Popen((sys.executable, "-c", DAEMON, "leaves_a_daemon"))


@at_first_decision
def closes_its_connection(seat: Seat, asked: play_pb2.Decision) -> None:
    """Close its connection while its decision is open, and run on."""
    seat.cut()
    time.sleep(86_400)


@at_first_decision
def half_closes_and_runs_on(seat: Seat, asked: play_pb2.Decision) -> None:
    """Half-close while its decision is open, and run on."""
    seat.half_close()
    time.sleep(86_400)


@at_first_decision
def sends_garbage_and_runs_on(seat: Seat, asked: play_pb2.Decision) -> None:
    """Send bytes that are no message while its decision is open, and run on."""
    seat.say_bytes(b"\xff\xff\xff")
    time.sleep(86_400)


@at_first_decision
def calls_three_hundred_times(seat: Seat, asked: play_pb2.Decision) -> None:
    """Open three hundred calls at its socket while its decision is open, and run on."""
    wires = []
    with contextlib.suppress(OSError):  # it is not heard to the end
        for _ in range(5):
            wires.append(wire := Wire(ADDRESS))
            for number in range(60):
                wire.call(2 * number + 1, PLAY, "", request(hello=hello()))
    time.sleep(86_400)


@program
def reads_nothing_more() -> None:
    """Be ready for its match, and read nothing from then on."""
    with ByHand(window=0) as bot:
        bot.allow(STREAM, 1_024)  # enough for `welcome` and `assigned`
        bot.take_one_seat()
        time.sleep(86_400)


@program
def says_that_it_is_somebody_else() -> None:
    """Say hello as another version, in another language, with a token that is none, and play as it should."""
    seat = Seat("cvn_000000000000_00000000000000000000000000000000")
    seat.hello(bot_version="ab" * 32, language="cobol", software="somebody else's")
    seat.play_on()
    seat.hear_all()


def play_one_match() -> None:
    """Play a match to its end."""
    seat = Seat()
    seat.hello()
    seat.play_on()


@program
def exits_between_matches() -> None:
    """Play one match to its end, and exit with 0 before the next one."""
    play_one_match()
    os._exit(0)


@program
def fails_between_matches() -> None:
    """Play one match to its end, and exit with 1 before the next one."""
    play_one_match()
    os._exit(1)


@program
def takes_four_matches_and_dies() -> None:
    """Take four matches at once, and exit when it has a decision to make in each of them."""
    seat = Seat()
    seat.hello(capacity=play_pb2.Capacity(matches=4))
    asked = set()
    for message in seat.everything():
        if message.HasField("decision"):
            asked.add(message.decision.assignment)
        if len(asked) == 4:
            os._exit(4)


@program
def starts_slowly() -> None:
    """Take four seconds before it says hello, and then play as it should."""
    time.sleep(4)
    play_and_misbehave(lambda _seat, _asked: None)


@program
def has_manners() -> None:
    """Play match after match as an honest bot that the arena runs beside the others."""
    seat = Seat()
    seat.hello(capacity=play_pb2.Capacity(matches=6))
    while (message := seat.hear_any()) is not None:
        if message.HasField("decision"):
            seat.answer(message.decision)


if __name__ == "__main__":
    main()
