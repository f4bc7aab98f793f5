"""Whole listings out of pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, Self, TypeVar

PAGE_SIZE: Final = 200
"""Lines asked for at once."""


class ListingPage(Protocol):
    """What every page of a listing has."""

    next_page_token: str

    def MergeFrom(self, other_msg: Self, /) -> None:  # noqa: N802 - protobuf's name
        """Appends the lines of another page."""


P = TypeVar("P", bound=ListingPage)


def whole(fetch: Callable[[int, str], P], *, lines: Callable[[P], int], limit: int = 0) -> P:
    """All pages as one message, at most `limit` lines (0: all); `fetch` gets a page size and token.

    Its next_page_token is empty iff nothing was left out.
    """
    listing = fetch(_size(limit), "")
    while listing.next_page_token and (not limit or lines(listing) < limit):
        page = fetch(_size(limit - lines(listing) if limit else 0), listing.next_page_token)
        listing.next_page_token = ""
        listing.MergeFrom(page)
    return listing


def _size(wanted: int) -> int:
    return min(wanted, PAGE_SIZE) if wanted else PAGE_SIZE
