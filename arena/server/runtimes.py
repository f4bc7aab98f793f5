"""The runtimes of an arena, as its settings name them."""

from arena.core.errors import invalid_field
from arena.sandbox.runtime_files import read_runtimes
from arena.sandbox.runtime_registry import RuntimeRegistry
from arena.server.data_folder import DataFolder
from arena.server.settings import Settings


def open_runtimes(settings: Settings) -> RuntimeRegistry:
    """Return the runtimes of submitted bots. Blocks.

    Raises InvalidArgumentError: the folder is missing, or a file breaks a rule (FIELD_INVALID).
    """
    folder = settings.runtimes
    if folder is None:
        folder = DataFolder(settings.data).runtimes
    elif not folder.is_dir():
        raise invalid_field("runtimes", f"--runtimes {folder} is not a folder: create it, or name another.")
    keys = () if settings.tls is None else (settings.tls.key,)
    return read_runtimes(folder, (settings.data, *keys))
