"""Attacks that only the filter of system calls stops."""

import ctypes
import errno
import fcntl
import mmap
import os
import select
import signal
import struct
from collections.abc import Callable
from typing import BinaryIO

from attack import attack, attack_in_child, call, checked, libc, refused, sleeper

USER_KEYRING = -4
USER_OBJECT, USER, GROUP_OBJECT, MASK, OTHER = 0x01, 0x02, 0x04, 0x10, 0x20
USERS = 8000
NOBODY = 0xFFFFFFFF
BIND = 2
PAGES = 2048
F_OFD_SETLK = 37
OPENED = 0x20
F_NOTIFY = 1026
DN_ACCESS = 1
REPORT_FID = 0x200
NEW_USER = 0x10000000
MAP_HUGETLB = 0x40000
SIZE = 2 << 20
AT_FDCWD = -100

libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long)


@attack
def keep_key() -> str:
    """Leave a key with the kernel, where the next program of the same user finds it."""
    call("add_key", b"user", b"note", b"secret", 6, USER_KEYRING)
    key = call("keyctl", 10, USER_KEYRING, b"user", b"note", 0)
    found = ctypes.create_string_buffer(16)
    length = call("keyctl", 11, key, found, len(found))
    call("keyctl", 7, USER_KEYRING)
    return "key " + found.raw[:length].decode()


@attack
def join_keyring() -> str:
    """Join a keyring of the kernel's."""
    call("keyctl", 1, None)
    return "keyring joined"


@attack
def request_key() -> str:
    """Ask the kernel for a key, for which the kernel would start a program of the host's."""
    try:
        call("request_key", b"user", b"nobody has this", None, 0)
    except OSError as error:
        if error.errno != errno.ENOKEY:
            raise
    return "keys searched"


@attack
def set_up_io_uring() -> str:
    """Set up a ring through which calls go past the filter."""
    call("io_uring_setup", 4, ctypes.create_string_buffer(120))
    return "ring set up"


@attack
def handle_page_faults() -> str:
    """Take page faults over from the kernel, with which a race in the kernel can be held open."""
    call("userfaultfd", 1)
    return "page faults taken"


@attack
def count_events() -> str:
    """Open a counter of the processor's, which tells about others on the same core."""
    attributes = struct.pack("<IIQ24xQ", 1, 112, 1, 0b1100000).ljust(112, b"\0")
    call("perf_event_open", ctypes.create_string_buffer(attributes), 0, -1, -1, 0)
    return "counter opened"


def entry(tag: int, who: int) -> bytes:
    return struct.pack("<HHI", tag, 6, who)


@attack
def keep_access_lists() -> str:
    """Keep memory of the kernel's, which no cgroup counts, as long access lists of small files."""
    users = b"".join(entry(USER, 1 + number) for number in range(USERS))
    ends = entry(GROUP_OBJECT, NOBODY) + entry(MASK, NOBODY) + entry(OTHER, NOBODY)
    long = struct.pack("<I", 2) + entry(USER_OBJECT, NOBODY) + users + ends
    for number in range(64):
        path = f"/tmp/{number}"
        with open(path, "xb"):
            os.setxattr(path, "system.posix_acl_access", long)
    return f"{64 * len(long) >> 20} MiB kept"


@attack
def place_pages() -> str:
    """Keep memory of the kernel's, which no cgroup counts, as a place for each of a file's pages that are not there."""
    with open("/tmp/pages", "w+b") as file:
        file.truncate(PAGES * mmap.PAGESIZE)
        with mmap.mmap(file.fileno(), 0) as pages:
            first = ctypes.addressof(ctypes.c_char.from_buffer(pages))
            nodes = ctypes.byref(ctypes.c_ulong(1))
            for page in range(0, PAGES, 2):
                call("mbind", first + page * mmap.PAGESIZE, mmap.PAGESIZE, BIND, nodes, 64, 0)
            return f"{PAGES // 2} places kept"


@attack
def reserve_events() -> str:
    """Reserve events for reading and writing, of which the machine has a number for all its programs together."""
    call("io_setup", 64, ctypes.byref(ctypes.c_ulong(0)))
    return "64 events reserved"


def see_lock(take: Callable[[BinaryIO], object]) -> str:
    with open("/bot/locked", "rb") as shared:
        try:
            take(shared)
        except BlockingIOError:
            return "lock seen"
        return "lock taken"


@attack
def signal_by_flock() -> str:
    """See by a lock on a file that all bots are shown what another program tells it."""
    return see_lock(lambda shared: fcntl.flock(shared, fcntl.LOCK_SH | fcntl.LOCK_NB))


@attack
def signal_by_record_lock() -> str:
    """See by a lock on a part of a file that all bots are shown what another program tells it."""
    return see_lock(lambda shared: fcntl.lockf(shared, fcntl.LOCK_SH | fcntl.LOCK_NB))


@attack
def signal_by_description_lock() -> str:
    """See by a lock of an open file that all bots are shown what another program tells it."""
    lock = struct.pack("hh4xqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)
    return see_lock(lambda shared: fcntl.fcntl(shared, F_OFD_SETLK, lock))


@attack
def take_lease() -> str:
    """Take a lease on a file, which tells who opens it."""
    file = os.open("/tmp/leased", os.O_CREAT | os.O_RDONLY)
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    return "lease taken"


@attack
def watch_file() -> str:
    """Watch who opens a file that all bots are shown, through which one bot can tell another something."""
    events = checked(libc.inotify_init())
    call("inotify_add_watch", events, b"/bot/watched", OPENED)
    ready, _, _ = select.select([events], [], [], 10)
    return f"{len(os.read(events, 16)) // 16 if ready else 'no'} opening seen"


@attack
def watch_folder() -> str:
    """Have itself signalled when somebody reads a file of a folder that all bots are shown."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGIO})
    folder = os.open("/bot", os.O_RDONLY)
    fcntl.fcntl(folder, F_NOTIFY, DN_ACCESS)
    seen = signal.sigtimedwait({signal.SIGIO}, 10)
    return "reading seen" if seen else "nothing seen"


@attack
def watch_by_fanotify() -> str:
    """Open the newer of the kernel's doors to watch files by."""
    call("fanotify_init", REPORT_FID, os.O_RDONLY)
    return "watch opened"


@attack
def change_personality() -> str:
    """Switch the random layout of addresses off for the programs that it starts."""
    call("personality", 0x40000)
    return "layout fixed"


@attack_in_child
def trace_child() -> str:
    """Let itself be traced, which opens the debugging part of the kernel."""
    call("ptrace", 0, 0, 0, 0)
    return "traced"


class Part(ctypes.Structure):
    """A `struct iovec`."""

    _fields_ = (("address", ctypes.c_void_p), ("length", ctypes.c_size_t))


@attack
def read_memory_of_child() -> str:
    """Read the memory of another process of its own."""
    there = ctypes.create_string_buffer(b"memory of the child")
    with sleeper() as child:
        here = ctypes.create_string_buffer(len(there))
        parts = [ctypes.byref(Part(ctypes.addressof(each), len(each))) for each in (here, there)]
        call("process_vm_readv", child, parts[0], 1, parts[1], 1, 0)
    return here.value.decode()


@attack
def steal_descriptor() -> str:
    """Take an open file out of another process."""
    with sleeper() as child:
        call("pidfd_getfd", call("pidfd_open", child, 0), 1, 0)
    return "file taken"


@attack
def compare_processes() -> str:
    """Learn from the kernel how its objects lie in memory, by comparing those of two processes."""
    order = call("kcmp", os.getpid(), os.getpid(), 1, 0, 0)
    return f"compared {order >= 0}"


@attack
def become_root_of_namespace() -> str:
    """Become root in a user namespace of its own, which opens most of the kernel to it."""
    call("unshare", NEW_USER)
    return "namespace made"


def start_root(name: str, *arguments: object) -> str:
    child = call(name, *arguments)
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    return "namespace made"


@attack
def clone_into_namespace() -> str:
    """Start a child as root of a user namespace of its own."""
    return start_root("clone", NEW_USER | signal.SIGCHLD, 0, 0, 0, 0)


@attack
def clone3_into_namespace() -> str:
    """Start a child as root of a user namespace by the newer call, whose flags no filter can read."""
    arguments = struct.pack("<8Q", NEW_USER, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    return start_root("clone3", ctypes.create_string_buffer(arguments, 64), 64)


@attack
def take_huge_page() -> str:
    """Take a page of the machine's store of huge ones, which no limit of memory counts."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_HUGETLB
    if libc.mmap(None, SIZE, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0) == ctypes.c_void_p(-1).value:
        raise refused(ctypes.get_errno())
    return "huge page reserved"


@attack
def flush_disks() -> str:
    """Make the machine write all that it has not written yet to its disks, which holds up everybody who writes."""
    call("sync")
    return "disks flushed"


@attack
def name_by_handle() -> str:
    """Get a handle of a file, by which the file can be opened where no path leads to it."""
    handle = ctypes.create_string_buffer(struct.pack("<Ii", 128, 0), 136)
    call("name_to_handle_at", AT_FDCWD, b"/bot/watched", handle, ctypes.byref(ctypes.c_int()), 0)
    return f"handle of {'some' if struct.unpack_from('<I', handle)[0] else 'no'} bytes"


@attack
def end_at_forbidden_call() -> str:
    """Make a forbidden call as a program that has asked to be ended for it."""
    call("keyctl", 1, None)
    return "keyring joined"
