"""A version of a bot on its way to a node: packed from the arena's folder, checked and unpacked there."""

import io
import tarfile
from pathlib import Path
from typing import Final

from arena.core.errors import ArenaError
from arena.submissions.content import content_of
from arena.submissions.version_folders import VersionFolders

_SOURCE: Final = "source"
_BUILT: Final = "built"


class VersionDamagedError(Exception):
    """What has arrived is not the version that it should be. The text is a sentence part."""


def pack_version(folders: VersionFolders, version: str) -> bytes:
    """Return a version, with the output of its build, as a tar archive. Blocks. Raises OSError: it cannot be read."""
    packed = io.BytesIO()
    source, run = folders.source(version), folders.folder(version)
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.add(source, _SOURCE)
        if run != source:
            archive.add(run, _BUILT)
    return packed.getvalue()


def install_version(folders: VersionFolders, version: str, packed: bytes) -> None:
    """Add a packed version to the folders of a node, unless it is there. Blocks.

    Raises:
        VersionDamagedError: it is no archive, or its files are not those of the version.
        OSError: it cannot be kept.
    """
    if folders.source(version).is_dir():
        return
    with folders.workspace() as workspace:
        try:
            with tarfile.open(fileobj=io.BytesIO(packed), mode="r:") as archive:
                archive.extractall(workspace, filter="data")
            content = content_of(workspace / _SOURCE)
        except (tarfile.TarError, ArenaError, FileNotFoundError) as error:
            raise VersionDamagedError(f"version {version[:12]} has arrived damaged: {error}") from error
        if content.hash != version:
            raise VersionDamagedError(f"version {version[:12]} has arrived as {content.hash[:12]}")
        _make_readable(workspace)
        # The version counts as installed once its source is there, so that comes last.
        built = workspace / _BUILT
        folders.add(workspace / _SOURCE, content)
        if built.is_dir():
            folders.add_built(version, built)


def _make_readable(folder: Path) -> None:
    """Let all users read what is below: bots run as users of their own, whatever the umask."""
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
