"""Attacks on processes of the host."""

import errno
import os
from pathlib import Path

from attack import attack, refused, setting


@attack
def read_host_arguments() -> str:
    """Read with which arguments a process of the host was started."""
    return Path(f"/proc/{setting('HOST_PID')}/cmdline").read_text().split("\0")[-2]


@attack
def probe_host_process() -> str:
    """Ask by a signal that does nothing whether a process of the host is there."""
    try:
        os.kill(int(setting("HOST_PID")), 0)
    except OSError as error:
        if error.errno != errno.EPERM:
            raise
    return "process seen"


@attack
def hold_host_process() -> str:
    """Get a descriptor for a process of the host, to see when it ends."""
    os.close(os.pidfd_open(int(setting("HOST_PID"))))
    return "process held"


@attack
def read_host_affinity() -> str:
    """Ask the kernel about the scheduling of a process of the host."""
    return f"process runs on {len(os.sched_getaffinity(int(setting('HOST_PID'))))} cores"


@attack
def list_processes() -> str:
    """Count the processes of the machine."""
    seen = [name for name in os.listdir("/proc") if name.isdigit()]
    if setting("HOST_PID") not in seen:
        raise refused(errno.ESRCH)
    return "processes seen"
