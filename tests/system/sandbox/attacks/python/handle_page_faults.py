"""Takes page faults over from the kernel, with which a race in the kernel can be held open."""

from attack import attempt, call


def handle() -> str:
    call("userfaultfd", 1)
    return "page faults taken"


attempt(handle)
