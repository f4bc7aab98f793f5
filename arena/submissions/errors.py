"""The errors of refused submissions."""

from typing import Final

from arena.core.errors import ErrorReason, InvalidArgumentError, ResourceExhaustedError

SHOWN: Final = 80
"""Characters of a name that an error shows."""


def shown(name: str) -> str:
    """Return a name from an archive as an error may show it: quoted, escaped, cut."""
    cut = name if len(name) <= SHOWN else name[:SHOWN] + "..."
    return ascii(cut) if not cut.isprintable() else f"'{cut}'"


def malformed(sentence: str) -> InvalidArgumentError:
    """Return the error for a damaged archive or an unknown format (ARCHIVE_MALFORMED)."""
    return InvalidArgumentError(ErrorReason.ARCHIVE_MALFORMED, sentence)


def bad_path(path: str, rule: str) -> InvalidArgumentError:
    """Return the error for a forbidden path (ARCHIVE_PATH); `rule` follows "The submission holds 'x', "."""
    sentence = f"The submission holds {shown(path)}, {rule}: rename it or leave it out."
    return InvalidArgumentError(ErrorReason.ARCHIVE_PATH, sentence, path=shown(path))


def is_link(path: str) -> InvalidArgumentError:
    """Return the error for a symbolic or hard link (ARCHIVE_LINK)."""
    sentence = f"The submission holds the link {shown(path)}: put the file there itself, or leave it out."
    return InvalidArgumentError(ErrorReason.ARCHIVE_LINK, sentence, path=shown(path))


def is_special(path: str) -> InvalidArgumentError:
    """Return the error for a device, a pipe or a socket (ARCHIVE_SPECIAL_FILE)."""
    sentence = f"The submission holds {shown(path)}, which is no file and no folder: leave it out."
    return InvalidArgumentError(ErrorReason.ARCHIVE_SPECIAL_FILE, sentence, path=shown(path))


def collision(path: str, other: str, why: str) -> InvalidArgumentError:
    """Return the error for two entries that exclude each other (ARCHIVE_COLLISION)."""
    sentence = (
        f"The submission holds {shown(path)} beside {shown(other)}, {why}: rename or leave out one of them."
    )
    return InvalidArgumentError(ErrorReason.ARCHIVE_COLLISION, sentence, path=shown(path), other=shown(other))


def too_large(what: str, bound: int) -> ResourceExhaustedError:
    """Return the error for too many bytes (ARCHIVE_TOO_LARGE); `what` is subject and verb of the sentence."""
    sentence = f"{what} more than {bound:,} bytes, which is the limit: leave out what the bot does not need."
    return ResourceExhaustedError(ErrorReason.ARCHIVE_TOO_LARGE, sentence, bound=str(bound))


def too_many_files(bound: int) -> ResourceExhaustedError:
    """Return the error for too many files and folders (ARCHIVE_TOO_MANY_FILES)."""
    sentence = f"The submission has more than {bound:,} files and folders: leave out what it does not need."
    return ResourceExhaustedError(ErrorReason.ARCHIVE_TOO_MANY_FILES, sentence, bound=str(bound))


def manifest_missing() -> InvalidArgumentError:
    """Return the error for a missing bot.toml (MANIFEST_MISSING)."""
    return InvalidArgumentError(
        ErrorReason.MANIFEST_MISSING,
        "There is no file bot.toml at the top of the submission: it says how the bot is started; "
        "docs/submitting.md shows one.",
    )


def bad_manifest(key: str, rule: str) -> InvalidArgumentError:
    """Return the error for an invalid bot.toml (MANIFEST_INVALID); `rule` follows "bot.toml: "."""
    sentence = f"bot.toml: {rule}" if rule.endswith("?") else f"bot.toml: {rule}."
    return InvalidArgumentError(ErrorReason.MANIFEST_INVALID, sentence, key=key)


def link_leads_out(path: str) -> InvalidArgumentError:
    """Return the error for a link made by a build that leads out of its folder (ARCHIVE_LINK)."""
    sentence = f"The build leaves the link {shown(path)}, which leads out of its folder: let it make a copy."
    return InvalidArgumentError(ErrorReason.ARCHIVE_LINK, sentence, path=shown(path))
