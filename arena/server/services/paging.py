"""Pages of listings (docs/bad_inputs.md row 30). A page token is valid only for the listing that gave it.

Tokens hold nothing secret. They carry a MAC so that services need not check a place that a caller has made up.
"""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Generic, Protocol, TypeVar

from arena.core.errors import ErrorReason, InvalidArgumentError

DEFAULT_SIZE: Final = 50
MAX_SIZE: Final = 100
"""Larger sizes count as this: matches in play wait while a call reads and encodes its rows."""

_MAC_BYTES: Final = 16

Place = tuple[Any, ...]
"""The sort key, strings and integers, of a page's last row."""

T = TypeVar("T")


class ListRequest(Protocol):
    """The request of a listing."""

    page_size: int
    page_token: str

    def SerializeToString(self, *, deterministic: bool = ...) -> bytes:  # noqa: N802
        """Return the message as bytes."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a listing."""

    rows: tuple[T, ...]
    next_token: str
    """Empty on the last page."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The page of a listing to read."""

    listing: bytes
    """Method and filters, to which a token is bound."""
    size: int
    after: Place | None
    """None: the first page."""

    @property
    def fetch(self) -> int:
        """How many rows to read: one more than fits, to see whether a page follows."""
        return self.size + 1

    @property
    def first(self) -> Any:
        """The first value of `after`; None: the first page."""
        return None if self.after is None else self.after[0]


class Pages:
    """Makes and reads page tokens."""

    def __init__(self, key: bytes) -> None:
        """`key`: secret; tokens are valid as long as it stays the same."""
        self._key = key

    def read(self, request: ListRequest, *filters: str) -> PageRequest:
        """Return the requested page. `filters`: of the listing, beside those in the request.

        Raises InvalidArgumentError (PAGE_TOKEN_INVALID).
        """
        size, token = request.page_size, request.page_token
        if size < 0:
            raise InvalidArgumentError(
                ErrorReason.PAGE_TOKEN_INVALID,
                f"page_size is {size}, but must not be negative.",
                field="page_size",
            )
        bare = deepcopy(request)
        bare.page_size, bare.page_token = 0, ""
        listing = f"{type(request).__name__} {filters}".encode() + bare.SerializeToString(deterministic=True)
        after = self._place(token, listing) if token else None
        return PageRequest(listing, min(size or DEFAULT_SIZE, MAX_SIZE), after)

    def cut(self, request: PageRequest, rows: Sequence[T], place: Callable[[T], Place]) -> Page[T]:
        """Return the page, given `request.fetch` rows."""
        if len(rows) <= request.size:
            return Page(tuple(rows), "")
        page = tuple(rows[: request.size])
        return Page(page, self._token(place(page[-1]), request.listing))

    def _token(self, place: Place, listing: bytes) -> str:
        body = json.dumps(place, separators=(",", ":")).encode()
        return urlsafe_b64encode(self._mac(body, listing) + body).decode("ascii")

    def _place(self, token: str, listing: bytes) -> Place:
        try:
            data = urlsafe_b64decode(token.encode("ascii"))
        except (Base64Error, ValueError):
            data = b""
        mac, body = data[:_MAC_BYTES], data[_MAC_BYTES:]
        if not hmac.compare_digest(mac, self._mac(body, listing)):
            raise InvalidArgumentError(
                ErrorReason.PAGE_TOKEN_INVALID,
                "page_token is not of this listing, or the filter has changed; begin again without it.",
                field="page_token",
            )
        return tuple(json.loads(body))

    def _mac(self, body: bytes, listing: bytes) -> bytes:
        return hmac.digest(self._key, sha256(listing).digest() + body, "sha256")[:_MAC_BYTES]
