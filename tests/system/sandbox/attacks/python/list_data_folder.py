"""Lists the arena's data folder."""

import os

from attack import attempt, setting


def look() -> str:
    return " ".join(sorted(os.listdir(setting("DATA_FOLDER"))))


attempt(look)
