"""The arenas that a person has joined, with their tokens: a file in the person's own configuration folder."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

import typer

from arena.cli.framework.errors import CliError

CONFIG_VARIABLE: Final = "ARENA_CONFIG"
"""The variable of the environment that names the folder; without it, it is where the system keeps such folders."""

_FILE: Final = "accounts.json"


@dataclass(frozen=True, slots=True)
class JoinedArena:
    """One arena, as a command reaches it."""

    address: str
    """host:port or unix:///path."""
    user: str
    token: str = field(repr=False)
    tls_ca: str | None = None
    """A PEM file with the authorities to trust."""
    encrypted: bool = False
    """Whether the connection is encrypted without such a file, too."""


@dataclass(frozen=True, slots=True)
class JoinedArenas:
    """All of them, by their addresses; the newest one comes last."""

    arenas: Mapping[str, JoinedArena]
    current: str = ""
    """The address of the arena of commands that name none; empty: of none."""

    def with_arena(self, joined: JoinedArena) -> "JoinedArenas":
        """Return these and one more, which is the current one."""
        others = {address: each for address, each in self.arenas.items() if address != joined.address}
        return JoinedArenas({**others, joined.address: joined}, joined.address)

    def without(self, address: str) -> "JoinedArenas":
        """Return these but one. Raises CliError: it is not among them."""
        self.named(address)
        others = {each: arena for each, arena in self.arenas.items() if each != address}
        return JoinedArenas(others, self.current if self.current != address else next(reversed(others), ""))

    def with_current(self, address: str) -> "JoinedArenas":
        """Return these with another current one. Raises CliError: it is not among them."""
        return replace(self, current=self.named(address).address)

    def named(self, address: str) -> JoinedArena:
        """Return the arena at an address. Raises CliError: it is not among these."""
        if address not in self.arenas:
            known = ", ".join(self.arenas) or "none"
            raise CliError(f"No account at {address}. Accounts: {known}. `arena join` makes one.")
        return self.arenas[address]


def accounts_file() -> Path:
    """Return the file that holds the tokens."""
    folder = os.environ.get(CONFIG_VARIABLE)
    return (Path(folder) if folder else Path(typer.get_app_dir("caravan-arena"))) / _FILE


def read_accounts() -> JoinedArenas:
    """Return the arenas of the file; none if there is no file. Raises CliError: it cannot be read."""
    file = accounts_file()
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        known = {each.name for each in fields(JoinedArena)}
        arenas = [
            JoinedArena(**{name: value for name, value in each.items() if name in known})
            for each in document["arenas"]
        ]
        return JoinedArenas({each.address: each for each in arenas}, str(document["current"]))
    except FileNotFoundError:
        return JoinedArenas({})
    except OSError as error:
        raise CliError(f"{file} cannot be read: {error.strerror}. It holds your accounts.") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CliError(
            f"{file} is not readable: it holds your accounts, and `arena join` writes it. Move it away to proceed."
        ) from error


def write_accounts(joined: JoinedArenas) -> None:
    """Replace the file, readable only for its owner. Raises CliError: it cannot be written."""
    arenas = [asdict(each) for each in joined.arenas.values()]
    write_private(accounts_file(), {"current": joined.current, "arenas": arenas})


def write_private(file: Path, document: object) -> None:
    """Replace a file with a document as JSON, readable only for its owner. Raises CliError: it cannot be written."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with NamedTemporaryFile("w", dir=file.parent, encoding="utf-8", delete=False) as new:
            json.dump(document, new, indent=2)
        Path(new.name).replace(file)
    except OSError as error:
        raise CliError(f"{file} cannot be written: {error.strerror}.") from error
