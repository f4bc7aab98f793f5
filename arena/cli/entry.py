"""Entry point of the command `arena`: Ctrl-C ends it without a traceback even while modules are imported."""

import os
import signal
import sys
from typing import Final

_INTERRUPTED: Final = 128 + signal.SIGINT


def main() -> None:
    """Run the command line and exit with its code; 130 after a Ctrl-C that no command has caught."""
    try:
        from arena.cli.app import main as run

        run()
    except KeyboardInterrupt:
        if os.environ.get("ARENA_DEBUG"):
            raise
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
