"""What a request needs before the pages act for a person."""

import pytest
from starlette.requests import Request

from arena.pages.guard import check_same_origin, cookie_name, local_place, why_no_sign_in
from arena.pages.reads import PageError


def request(scheme: str = "http", client: str = "127.0.0.1", **headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "scheme": scheme, "client": (client, 5), "headers": raw})


@pytest.mark.parametrize(
    ("headers", "accepted"),
    [
        ({"origin": "http://127.0.0.1:8450"}, True),
        ({"origin": "http://127.0.0.1:8450", "sec_fetch_site": "same-origin"}, True),
        ({"sec_fetch_site": "same-origin"}, True),
        ({}, False),
        ({"origin": "null"}, False),
        ({"origin": "https://127.0.0.1:8450"}, False),
        ({"origin": "http://127.0.0.1:8451"}, False),
        ({"origin": "http://127.0.0.1:8450.evil.example"}, False),
        ({"origin": "http://evil.example", "sec_fetch_site": "same-origin"}, False),
        ({"origin": "http://127.0.0.1:8450", "sec_fetch_site": "cross-site"}, False),
        ({"origin": "http://127.0.0.1:8450", "sec_fetch_site": "same-site"}, False),
        ({"origin": "http://127.0.0.1:8450", "sec_fetch_site": "none"}, False),
    ],
)
def test_a_form_comes_from_a_page_of_this_server(headers: dict[str, str], accepted: bool) -> None:
    asked = request(host="127.0.0.1:8450", **headers)
    if accepted:
        check_same_origin(asked)
        return
    with pytest.raises(PageError) as refused:
        check_same_origin(asked)
    assert refused.value.status == 403


@pytest.mark.parametrize("host", ["", "a b", "evil.example/x", "[", "a@b"])
def test_a_host_that_is_no_name_is_no_origin(host: str) -> None:
    with pytest.raises(PageError):
        check_same_origin(request(host=host, origin=f"http://{host}"))


@pytest.mark.parametrize(
    ("scheme", "client", "host", "possible"),
    [
        ("http", "127.0.0.1", "127.0.0.1:8450", True),
        ("http", "127.0.0.1", "localhost:8450", True),
        ("http", "::1", "[::1]:8450", True),
        ("http", "::ffff:127.0.0.1", "127.0.0.1", True),
        ("http", "192.0.2.7", "arena.example", False),
        ("http", "192.0.2.7", "127.0.0.1:8450", False),
        ("http", "127.0.0.1", "arena.example", False),  # a proxy that does not say that it encrypts
        ("http", "127.0.0.1", "", False),
        ("https", "192.0.2.7", "arena.example", True),
    ],
)
def test_nobody_signs_in_where_others_read_the_token(
    scheme: str, client: str, host: str, possible: bool
) -> None:
    asked = request(scheme, client, host=host)
    assert (why_no_sign_in(asked, plaintext=False) == "") is possible
    assert why_no_sign_in(asked, plaintext=True) == ""


def test_over_https_only_a_cookie_of_this_host_counts() -> None:
    assert cookie_name(request("https")) == "__Host-arena-session"
    assert cookie_name(request("http")) == "arena-session"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("/matches/17", True),
        ("/", True),
        ("", False),
        ("//evil.example", False),
        ("/\\evil.example", False),
        ("https://evil.example", False),
        ("/a//b", False),
        ("/a\n", False),
        ("javascript:alert(1)", False),
    ],
)
def test_a_browser_is_sent_to_places_of_this_server_only(given: str, kept: bool) -> None:
    assert local_place(given, "/account") == (given if kept else "/account")
