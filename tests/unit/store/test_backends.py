"""The URL of a database: what a store opens, and what may be written down of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import URL

from arena.core.errors import ErrorReason, InvalidArgumentError
from arena.store.backends.backend import backend_of, without_password

SECRET = "pass-of-ada"


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("postgresql://ada@db.example/arena", "postgresql://ada@db.example/arena"),
        (f"postgresql://ada:{SECRET}@db.example:5433/arena", "postgresql://ada@db.example:5433/arena"),
        (f"postgres://ada:{SECRET}@db.example/arena", "postgresql://ada@db.example/arena"),
        (
            f"postgresql://db.example/arena?user=ada&password={SECRET}",
            "postgresql://db.example/arena?user=ada",
        ),
        ("postgresql://ada@/arena?host=/run/pg&port=5433", "postgresql://ada@/arena?host=/run/pg&port=5433"),
    ],
)
def test_a_url_is_written_down_without_its_password(url: str, plain: str) -> None:
    written = without_password(url)
    assert written.replace("%2F", "/") == plain
    assert SECRET not in written
    assert without_password(written) == written


@given(password=st.text(min_size=1))
def test_no_password_is_written_down_whatever_it_consists_of(password: str) -> None:
    url = URL.create("postgresql", "ada", password, "db.example", None, "arena")
    assert without_password(url.render_as_string(hide_password=False)) == "postgresql://ada@db.example/arena"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "arena.db",
        "mysql://ada@db.example/arena",
        "sqlite:///arena.db",
        "postgresql+asyncpg://ada@db.example/arena",
        "postgresql://ada@db.example",
        "postgresql://ada@db.example:port/arena",
        "postgresql://",
    ],
)
def test_what_is_no_url_of_a_postgresql_database_is_refused(url: str) -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        without_password(url)
    assert (refused.value.reason, refused.value.metadata) == (
        ErrorReason.FIELD_INVALID,
        {"field": "database"},
    )


@pytest.mark.parametrize(
    "url", ["mysql://ada@db.example/arena", "postgresql://ada@db.example/arena?colour=blue"]
)
def test_a_store_opens_no_database_of_another_kind_or_with_unknown_options(url: str) -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        backend_of(url)
    assert (refused.value.reason, refused.value.metadata) == (
        ErrorReason.FIELD_INVALID,
        {"field": "database"},
    )
