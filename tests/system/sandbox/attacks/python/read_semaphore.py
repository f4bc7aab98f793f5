"""Reads a semaphore of the host."""

from attack import attempt, checked, libc, setting


def read() -> str:
    semaphores = checked(libc.semget(int(setting("IPC_KEY")), 1, 0))
    return f"semaphore is {checked(libc.semctl(semaphores, 0, 12))}"


attempt(read)
