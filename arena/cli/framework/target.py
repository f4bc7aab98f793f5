"""The arena that a command calls, and the token."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from arena.cli.framework.errors import CliError, CommandExit
from arena.cli.framework.joined_arenas import JoinedArena, read_accounts

if TYPE_CHECKING:  # a command without encryption needs no sdk
    from arena.sdk.tls import Tls

DEFAULT_DATA: Final = Path("data")
"""The default data folder of the local arena."""

SERVER_FILE: Final = "server.json"
"""Written by a running arena: {"tcp": ..., "unix": ... or null, "pid": ...}."""

TOKEN_FILE: Final = "organiser.token"
"""The first organiser token, readable only for the owner of the file."""

ADDRESS_VARIABLE: Final = "ARENA_ADDRESS"
"""The variable of the environment that names an arena."""

TOKEN_VARIABLE: Final = "ARENA_TOKEN"
"""The variable of the environment that holds a token, or names the file of one."""

_TOKEN_PREFIX = "arn_"

_LAST_PORT: Final = 65_535


def check_data_folder(path: Path | None) -> Path | None:
    """Return the path as it is; a callback of options. Raises BadParameter: it is a URL, such as that of a database."""
    if path is not None and re.match(r"[a-z][a-z0-9+]+:/", str(path)):
        raise typer.BadParameter(
            "this is a URL; name a folder. An arena keeps its database in a file of that folder."
        )
    return path


def check_host_and_port(address: str | None) -> str | None:
    """Return the address as it is; a callback of options. Raises BadParameter: it is not host:port."""
    if address is not None:
        host, _, port = address.rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) <= _LAST_PORT:
            raise typer.BadParameter(f"{address} is not host:port, for example 192.0.2.10:6379.")
    return address


@dataclass(frozen=True, slots=True)
class Target:
    """The arena and token on the command line or in the environment."""

    server: str | None
    """host:port or unix:///path; None: the local arena."""
    token: str | None = field(repr=False)
    """A token, or a file that holds one."""
    data: Path
    """The data folder of the local arena."""
    tls_ca: str | None = None
    """A PEM file with the authorities to trust; None: as in the environment."""

    def address(self) -> str:
        """Return the address to connect to.

        Raises CliError: no server is named and none runs on the data folder; or the address is a URL.
        """
        if self.server is None:
            account = self.account()
            return running_on(self.data).address if account is None else account.address
        scheme, found, _ = self.server.partition("://")
        if found and scheme in ("http", "https", "grpc", "grpcs"):
            raise CliError(
                f"Invalid address {self.server}: expected host:port or unix:///path without {scheme}://. "
                "To encrypt the connection, use --tls-ca or ARENA_TLS=1."
            )
        return self.server

    def account(self) -> JoinedArena | None:
        """Return the account of the user of this machine that the command uses; None if it needs none.

        That is the account at the server that is named, or the current one if there is no local arena either.
        Raises CliError: the file of the accounts cannot be read.
        """
        if self.server is None and (self.data != DEFAULT_DATA or self.has_local_arena()):
            return None
        joined = read_accounts()
        return joined.arenas.get(joined.current if self.server is None else self.server)

    def tls(self) -> "Tls | None":
        """Return how to encrypt the connection; None for a Unix socket or without encryption. Raises CliError."""
        address = self.address()
        if address.startswith("unix:"):
            return None
        from arena.sdk.tls import SettingsError, tls_from

        try:
            return tls_from(self.tls_environment(os.environ))
        except SettingsError as error:
            given = "--tls-ca" if self.tls_ca else "ARENA_TLS_CA"
            raise CliError(str(error).replace("ARENA_TLS_CA", given)) from error

    def tls_environment(self, own: Mapping[str, str]) -> dict[str, str]:
        """Return an environment in which a program trusts the same authorities as this command."""
        if self.tls_ca:
            return {**own, "ARENA_TLS_CA": self.tls_ca}
        account = self.account()
        if account is None or not account.encrypted:
            return dict(own)
        return {"ARENA_TLS": "1", **({"ARENA_TLS_CA": account.tls_ca} if account.tls_ca else {}), **own}

    def check_secrecy(self) -> None:
        """Raise CliError if the token would be sent unencrypted over a network. A local arena is exempt."""
        account = self.account()
        address = self.server or ("" if account is None else account.address)
        if not address:
            return
        from arena.sdk.settings import check_secrecy
        from arena.sdk.tls import SettingsError

        encrypted = self.tls() is not None
        try:
            check_secrecy(address, encrypted=encrypted, environ=os.environ)
        except SettingsError as error:
            raise CliError(str(error)) from error

    def token_was_typed(self) -> bool:
        """Return whether a token itself, not the file of one, is on the command line."""
        typed = self.token is not None and self.token != os.environ.get(TOKEN_VARIABLE)
        return typed and (self.token or "").startswith(_TOKEN_PREFIX)

    def secret(self) -> str | None:
        """Return the token, or None. The local organiser token is never sent to a server that was named.

        An account's token is sent only to the arena that has given it.

        Raises CliError: it is not a token, or its file cannot be read.
        """
        if self.token is not None:
            return token_in(self.token, f"--token or {TOKEN_VARIABLE}")
        account = self.account()
        if account is not None:
            return account.token
        file = self.local_token_file()
        return None if file is None else _read_token(file, f"--token or {TOKEN_VARIABLE}")

    def has_local_arena(self) -> bool:
        """Return whether an arena runs or ran on the data folder."""
        return any((self.data / name).exists() for name in (SERVER_FILE, TOKEN_FILE))

    def local_token_file(self) -> Path | None:
        """Return the local arena's token file if it is the token to use, else None."""
        file = self.data / TOKEN_FILE
        return file if self.token is None and self.server is None and file.exists() else None


@dataclass(frozen=True, slots=True)
class RunningArena:
    """The arena that runs on a data folder, as the folder says."""

    tcp: str
    unix: str | None
    pid: int

    @property
    def address(self) -> str:
        """The nearest way to it: its socket, else its port."""
        return self.unix or self.tcp


def running_on(data: Path) -> RunningArena:
    """Return the content of server.json; the arena may no longer be running.

    Raises CliError: there is no such file, or it is not readable.
    """
    file = data / SERVER_FILE
    try:
        fields = json.loads(file.read_text())
        return RunningArena(str(fields["tcp"]), fields.get("unix") or None, int(fields["pid"]))
    except FileNotFoundError:
        from arena.server.data_folder import DataFolder  # slow, and only for this error

        if DataFolder(data).in_use:
            raise CliError(
                f"The arena on the data folder {data} is starting or closing, and takes no calls. "
                f"Wait for it with `arena doctor --wait 60 --data {data}`.",
                CommandExit.UNREACHABLE,
            ) from None
        raise CliError(
            f"No arena is running on the data folder {data}. Start one with `arena serve --data {data}`, "
            f"or name another data folder with --data or an address with --server{_joined_server()}.",
            CommandExit.UNREACHABLE,
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CliError(
            f"{file} is not readable. Restart the arena on that folder.", CommandExit.UNREACHABLE
        ) from error


def _joined_server() -> str:
    """Return the address of the arena that was joined on this machine, as an example; empty if there is none."""
    try:
        current = read_accounts().current
    except CliError:
        return ""
    return f", for example --server {current}, which you have joined" if current else ""


def token_in(given: str, source: str) -> str:
    """Return a token that is given itself or by its file. `source`: where it is from, for the error.

    Raises CliError: it is neither.
    """
    if not given.startswith(_TOKEN_PREFIX):
        return _read_token(Path(given), source)
    from arena.sdk.settings import check_sendable
    from arena.sdk.tls import SettingsError

    try:
        check_sendable(given, source)
    except SettingsError as error:
        raise CliError(str(error)) from error
    return given


def _read_token(file: Path, source: str) -> str:
    try:
        text = file.read_text().strip()
    except (OSError, ValueError) as error:  # ValueError: bytes that are no text, or an impossible name
        if os.sep in str(file) or "." in str(file):
            why = error.strerror if isinstance(error, OSError) else "it is not text"
            sentence = f"Token file {file} ({source}) cannot be read: {why}."
        else:
            # It may be a part of a token: it is not repeated.
            sentence = f"Invalid {source}: neither a token ({_TOKEN_PREFIX}...) nor a readable file."
        raise CliError(sentence) from error
    if not text.startswith(_TOKEN_PREFIX) or not text.isascii() or len(text.split()) != 1:
        raise CliError(
            f"Invalid token file {file}: expected one token ({_TOKEN_PREFIX}...) and nothing else."
        )
    return text
