"""The system calls that a bot is refused, and their numbers on x86_64 and aarch64.

The numbers are those of asm/unistd_64.h and asm-generic/unistd.h, and never change. None: there is no such call.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Architecture:
    """A processor architecture in seccomp filters."""

    name: str
    audit: int
    """AUDIT_ARCH_* of linux/audit.h."""
    column: int
    """Index of its numbers in the tables below."""
    other_numbers_from: int | None = None
    """Calls from this number on belong to a second table, which is refused (x32 on x86_64)."""


ARCHITECTURES: Final[Mapping[str, Architecture]] = {
    "x86_64": Architecture("x86_64", 0xC000003E, 0, 0x40000000),
    "aarch64": Architecture("aarch64", 0xC00000B7, 1),
}

Numbers = Mapping[str, tuple[int | None, int | None]]

HARMFUL: Final[Numbers] = {
    # other processes: their memory, their files, their state
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "kcmp": (312, 272), "pidfd_getfd": (438, 438),
    # key rings are shared by all processes of a user, in whatever namespace
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # large parts of the kernel that no bot needs and that have had vulnerabilities
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "memfd_secret": (447, 447),
    # mounts, namespaces, roots
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "unshare": (272, 97), "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "open_tree_attr": (467, 467), "statmount": (457, 457),
    "listmount": (458, 458), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    # the machine: kernel, clock, name, disks, ports
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "create_module": (174, None),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "clock_settime": (227, 112), "clock_adjtime": (305, 266), "settimeofday": (164, 170),
    "adjtimex": (159, 171), "sethostname": (170, 161), "setdomainname": (171, 162), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89), "quotactl": (179, 60),
    "quotactl_fd": (443, 443), "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None),
    "syslog": (103, 116), "lookup_dcookie": (212, 18), "vhangup": (153, 58), "uselib": (134, None),
    "nfsservctl": (180, 42), "migrate_pages": (256, 238), "move_pages": (279, 239),
    # write all disks of the machine, the arena's too
    "sync": (162, 81), "syncfs": (306, 267),
    # watch what others do with files that all bots can see
    "fanotify_init": (300, 262), "fanotify_mark": (301, 263),
}  # fmt: skip
"""No runtime makes these calls by itself. Refused with EPERM; with `strict` they end the program."""

WATCHES: Final[Numbers] = {
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
}
"""Two bots that see one file could communicate by opening it and watching it. Refused with EPERM."""

ATTRIBUTES: Final[Numbers] = {
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
}
"""The access list of a file in a tmpfs takes up to 64 KiB of kernel memory that no cgroup counts. Refused with
EOPNOTSUPP, as by a file system without attributes, which programs that copy files tolerate."""

PLACES: Final[Numbers] = {
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
}
"""Memory policies. The kernel stores one for each page of a file in a tmpfs, even a missing page, in memory that no
cgroup counts. Refused with EPERM."""

RINGS: Final[Numbers] = {"io_setup": (206, 0)}
"""Limited for the machine as a whole, so one bot could use them up. Refused with EPERM."""

FILE_LOCK: Final[Numbers] = {"flock": (73, 32)}
"""Two bots that see one file could communicate by locks on it. Refused with EPERM."""

MEMORY_FILE: Final[Numbers] = {"memfd_create": (319, 279)}
"""Anonymous files in memory; /tmp does as well. Refused with EPERM."""

CLONE3: Final[Numbers] = {"clone3": (435, 435)}
"""A filter cannot read its flags. Refused with ENOSYS, so that the caller falls back to clone."""

FLUSHES: Final[Numbers] = {
    "fsync": (74, 82),
    "fdatasync": (75, 83),
    "msync": (26, 227),
    "sync_file_range": (277, 84),
}
"""They make the disk write even if the bot can change nothing on it. Ignored: they return 0."""

MAP: Final[Numbers] = {"mmap": (9, 222)}
SHARED_SEGMENT: Final[Numbers] = {"shmget": (29, 194)}
MAP_HUGE: Final = 0x40000
SHARED_HUGE: Final = 0o4000
"""Huge pages, which the memory of a cgroup does not include."""

SET_LIMIT: Final[Numbers] = {"setrlimit": (160, 164)}
SET_OR_ASK_LIMIT: Final[Numbers] = {"prlimit64": (302, 261)}
LIMIT_OF_CORES: Final = 4
"""RLIMIT_CORE: with the limit 0 the kernel pipes a core to the machine's core handler (core(5))."""

CLONE: Final[Numbers] = {"clone": (56, 220)}
FCNTL: Final[Numbers] = {"fcntl": (72, 25)}
IOCTL: Final[Numbers] = {"ioctl": (16, 29)}
PERSONALITY: Final[Numbers] = {"personality": (135, 92)}
SOCKET: Final[Numbers] = {"socket": (41, 198), "socketpair": (53, 199)}
"""Both take the address family first, and load the kernel module of the family."""

NEW_NAMESPACES: Final = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET of linux/sched.h."""

LOCK_COMMANDS: Final = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026)
"""F_GETLK, F_SETLK, F_SETLKW, their F_OFD_* variants, F_SETLEASE, F_GETLEASE and F_NOTIFY of linux/fcntl.h."""

HINT_COMMANDS: Final = (1036, 1038)
"""F_SET_RW_HINT and F_SET_FILE_RW_HINT: older kernels let any process set a hint that all others can read."""

TERMINAL_COMMANDS: Final = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX, which insert input into a terminal."""

QUERY_PERSONALITY: Final = (0x0, 0xFFFFFFFF)
"""Allowed arguments of `personality`: the default, and the query."""

ADDRESS_FAMILY_UNIX: Final = 1
