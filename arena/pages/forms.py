"""Forms that browsers send: short fields, or fields with one file; all of them bounded."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from arena.pages.reads import PageError

FORM_BYTES: Final = 16 * 1024
"""The largest form without a file."""
FIELDS: Final = 128
"""Fields of a form."""
AROUND_FILE_BYTES: Final = 16 * 1024
"""What a form with a file may have beside it."""
FILE_SECONDS: Final = 600.0
"""How long a browser may take to send a file."""


@dataclass(frozen=True, slots=True)
class SentFile:
    """A form with a file, which is deleted at the end."""

    fields: Mapping[str, str]
    name: str
    """As the browser calls it; empty if the person has chosen none."""
    size: int
    """In bytes."""
    file: UploadFile


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form. Raises PageError: 415, it is none; 413, it is too large; 400, unreadable."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise PageError(415, "This is no form of these pages.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > FORM_BYTES:
            raise PageError(413, f"The form is larger than {FORM_BYTES // 1024} KiB.")
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=FIELDS)
    except (UnicodeError, ValueError) as error:
        raise PageError(400, "The form cannot be read.") from error
    return dict(fields)


@asynccontextmanager
async def read_file(request: Request, most: int) -> AsyncIterator[SentFile]:
    """Return a form with one file of at most `most` bytes. Raises PageError: 413, it is larger; 400, 415, 408."""
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise PageError(415, "This is no form with a file.")
    too_large = PageError(413, f"The file is larger than {most >> 20} MiB.")
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > most + AROUND_FILE_BYTES:
        raise too_large

    async def bounded() -> AsyncGenerator[bytes, None]:
        size = 0
        async for chunk in request.stream():
            size += len(chunk)
            if size > most + AROUND_FILE_BYTES:
                raise too_large
            yield chunk

    parser = MultiPartParser(
        request.headers, bounded(), max_files=1, max_fields=FIELDS, max_part_size=AROUND_FILE_BYTES
    )
    try:
        async with asyncio.timeout(FILE_SECONDS):
            form = await parser.parse()
    except TimeoutError as error:
        raise PageError(408, "The file has not come in ten minutes. Try again.") from error
    except (MultiPartException, ClientDisconnect) as error:
        raise PageError(400, "The form with the file cannot be read. Send it again.") from error
    files = [value for _, value in form.multi_items() if isinstance(value, UploadFile)]
    try:
        if not files:
            raise PageError(400, "The form has no file. Choose one.")
        size = files[0].size or 0
        if size > most:
            raise too_large
        fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
        yield SentFile(fields, files[0].filename or "", size, files[0])
    finally:
        for each in files:
            await each.close()
