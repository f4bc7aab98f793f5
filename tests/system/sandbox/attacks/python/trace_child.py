"""Lets itself be traced, which opens the debugging part of the kernel."""

from attack import call, in_child


def trace() -> str:
    call("ptrace", 0, 0, 0, 0)
    return "traced"


in_child(trace)
