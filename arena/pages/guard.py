"""What a request must have before the pages act for a person: a safe connection, and a form of their own."""

import re
from typing import Final

from starlette.requests import Request

from arena.pages.failed_sign_ins import is_loopback
from arena.pages.reads import PageError
from arena.pages.sessions import Session

COOKIE: Final = "arena-session"
SECURE_COOKIE: Final = "__Host-arena-session"
"""Over https: a browser takes a cookie of this name from this very host alone, and only encrypted."""

_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?")
_LOCAL_PLACE: Final = re.compile(r"/(?:[a-z0-9][a-z0-9/-]{0,100})?")


def is_encrypted(request: Request) -> bool:
    """Return whether a request came by https; of a proxy on this machine counts what it says of itself."""
    return bool(request.scope["scheme"] == "https")


def cookie_name(request: Request) -> str:
    """Return the name of the cookie of a session. A cookie that was set without encryption counts only there."""
    return SECURE_COOKIE if is_encrypted(request) else COOKIE


def client_of(request: Request) -> str:
    """Return the address of the caller."""
    return request.client.host if request.client is not None else ""


def why_no_sign_in(request: Request, *, plaintext: bool) -> str:
    """Return why nobody may sign in by this connection; empty if they may. `plaintext`: the network is trusted."""
    if plaintext or is_encrypted(request):
        return ""
    host = _host(request)
    name = "" if host is None else host.rpartition(":")[0] if re.search(r":[0-9]+$", host) else host
    local = name == "localhost" or is_loopback(name.strip("[]"))
    if local and is_loopback(client_of(request)):
        return ""
    return (
        "Nobody can sign in here, because this connection is not encrypted and everybody on its way could read your "
        "token. Use the https address of these pages. For those who run them: put them behind a proxy that encrypts "
        "and sets X-Forwarded-Proto, or set ARENA_PLAINTEXT=1 for a network that you trust."
    )


def check_same_origin(request: Request) -> None:
    """Raise PageError (403) unless a browser says that a form was sent from a page of this server."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    own = f"{request.scope['scheme']}://{_host(request)}"
    said = [site == "same-origin"] if site is not None else []
    said += [origin.lower() == own] if origin is not None else []
    if not said or not all(said):
        raise PageError(
            403,
            "This form was not sent from a page of this server, so nothing was done. Open the page here, and send it "
            "again. If these pages are behind a proxy, it must pass on Host and set X-Forwarded-Proto.",
        )


def check_csrf(session: Session, given: str) -> None:
    """Raise PageError (403) unless a form was made for this session."""
    if not session.has_csrf(given):
        raise PageError(
            403, "This form is not of your session, so nothing was done. Reload its page, and send it again."
        )


def local_place(given: str, otherwise: str) -> str:
    """Return a place of this server that a browser may be sent to; never one of another server."""
    return given if _LOCAL_PLACE.fullmatch(given) and "//" not in given else otherwise


def _host(request: Request) -> str | None:
    """Return the name by which the server was called, with its port; None if it is no name."""
    host = request.headers.get("host", "").lower()
    return host if _HOST.fullmatch(host) else None
