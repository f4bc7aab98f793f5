"""Where the tests of the store have their databases: in files, or on a PostgreSQL server that a variable names."""

import os
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Final

SERVER: Final = "TEST_POSTGRESQL"
"""The variable: the URL of a database of the server, whose user may create others."""


def database_url(folder: Path) -> str:
    """Return the URL of the folder's database; one on a server is made if it is missing."""
    server = os.environ.get(SERVER)
    if server is None:
        return f"sqlite:///{folder / 'arena.db'}"
    return database_on(server, folder)


def copied_database(original: Path, folder: Path) -> str:
    """Return the URL of the folder's database, made as a copy of that of another folder, which nobody uses."""
    server = os.environ.get(SERVER)
    if server is None:
        shutil.copy(original / "arena.db", folder / "arena.db")
        return f"sqlite:///{folder / 'arena.db'}"
    return database_on(server, folder, template=_name(original))


def database_on(server: str, folder: Path, template: str = "template1") -> str:
    """Return the URL of the folder's database on a server; it is made of the template if it is missing."""
    import psycopg
    from sqlalchemy import make_url

    with psycopg.connect(server, autocommit=True) as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [_name(folder)]).fetchone()
        if known is None:
            connection.execute(f"CREATE DATABASE {_name(folder)} TEMPLATE {template}".encode())
    return make_url(server).set(database=_name(folder)).render_as_string(hide_password=False)


def _name(folder: Path) -> str:
    return f"test_{sha256(str(folder).encode()).hexdigest()[:24]}"
