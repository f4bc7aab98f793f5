"""The web server of kaggle-environments, in which agents run when they are asked by HTTP. Argument: the port."""

import sys

from kaggle_environments.main import main


def serve() -> None:
    """Serve for ever."""
    sys.argv = ["kaggle-environments", "http-server", "--port", sys.argv[1], "--host", "127.0.0.1"]
    main()


if __name__ == "__main__":
    serve()
