"""Changes one of the kernel's settings: one that only its own namespace has."""

from pathlib import Path

from attack import attempt


def change() -> str:
    setting = Path("/proc/sys/kernel/domainname")
    setting.write_text("mine")
    return "is now " + setting.read_text().strip()


attempt(change)
