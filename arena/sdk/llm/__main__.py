"""`python -m arena.sdk.llm FOLDER`: play at the arena that the environment names, as every program of the sdk."""

import argparse
import logging
import os
import sys
from pathlib import Path
from typing import NoReturn

import arena.sdk
from arena.sdk.client import ExitCode
from arena.sdk.llm.folder import FolderError, key_of, read_folder


def main() -> NoReturn:
    """Play as the bot of a folder. The exit code of a folder that cannot be used is 2."""
    parser = argparse.ArgumentParser(
        prog="python -m arena.sdk.llm", description="Play as the bot of a folder with a prompt and a model."
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder with llm.toml and prompt.md")
    path = parser.parse_args().folder
    try:
        from arena.sdk.llm.bot import bot_of
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in {"arena", "engine"}:
            raise
        _fail(
            f"The package {error.name} is not installed. Run `pip install '.[llm]'` in a checkout of the arena."
        )
    for noisy in ("httpx", "httpcore"):
        logging.getLogger(noisy).setLevel(logging.WARNING)  # a line for each request
    try:
        folder = read_folder(path)
        bot = bot_of(folder, key_of(folder, os.environ))
    except (FolderError, OSError) as error:
        _fail(str(error))
    arena.sdk.run(bot)


def _fail(sentence: str) -> NoReturn:
    sys.stderr.write(f"arena.sdk.llm: {sentence}\n")
    sys.exit(ExitCode.USAGE)


if __name__ == "__main__":
    main()
