"""Listings of an arena, fetched page by page."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from google.protobuf.message import Message

PAGE_SIZE: Final = 200
"""Lines per page."""

P = TypeVar("P", bound=Message)


def fetch_all(call: Callable[..., P], request: Any, *, limit: int = 0, **options: Any) -> P:
    """Return all pages as one message, at most `limit` lines (0: all).

    Its next_page_token is empty iff nothing was left out. `request`: a listing's request; its first field of the
    response holds the lines. `options`: those of the call.
    """
    listing: Any = None
    count = 0
    while listing is None or (listing.next_page_token and (not limit or count < limit)):
        request.page_size = min(limit - count, PAGE_SIZE) if limit else PAGE_SIZE
        request.page_token = listing.next_page_token if count else ""
        page = call(request, **options)
        if listing is None:
            listing = page
        else:
            listing.next_page_token = ""
            listing.MergeFrom(page)
        count = len(getattr(listing, listing.DESCRIPTOR.fields[0].name))
    return listing  # type: ignore[no-any-return]
