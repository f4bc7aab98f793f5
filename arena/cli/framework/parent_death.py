"""Run a program that gets SIGTERM when the process that started it dies.

Run as a file: `python -I -S parent_death.py PARENT COMMAND...`, PARENT being the id of the starting process. On
systems other than Linux the program gets no signal.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Replace this process by COMMAND."""
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before the line above
            sys.exit(1)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"{command[0]} cannot be run: {error.strerror}.")


if __name__ == "__main__":
    main()
