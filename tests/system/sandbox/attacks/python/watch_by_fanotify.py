"""Opens the newer of the kernel's doors to watch files by."""

import os

from attack import attempt, call

REPORT_FID = 0x200


def watch() -> str:
    call("fanotify_init", REPORT_FID, os.O_RDONLY)
    return "watch opened"


attempt(watch)
