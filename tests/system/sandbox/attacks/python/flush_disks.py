"""Makes the machine write all that it has not written yet to its disks, which holds up everybody who writes."""

from attack import attempt, call


def flush() -> str:
    call("sync")
    return "disks flushed"


attempt(flush)
