"""Signing in and out, forged requests, and who sees what when they are signed in: every route, for every person."""

import re
from collections.abc import Iterator

import pytest

from arena.v1 import token_pb2
from tests.system.pages.conftest import DEBUG, FAILED, World
from tests.system.pages.pages_process import PagesProcess
from tests.system.pages.reader import COOKIE, Reader
from tests.system.pages.test_access import PLACES, TOKEN
from tests.system.pages.test_hostile_content import Document

OWN_SECRETS = {"debug lines", "exceptions"}
"""What the owner of ant and bee sees of the secrets of the world, on pages of the matches of these bots."""

PEOPLE = ("owner", "olga", "alice", "sam", "reading")
"""The owner of ant and bee, who is an organiser; another organiser; another owner; a spectator; and the first of these
with a token that may only read."""

STATUS = {
    "account": (200, 200, 200, 200, 200),
    "account/team": (200, 200, 200, 200, 200),
    "account/bots/ant": (200, 200, 403, 403, 200),
    "account/bots/cow": (200, 200, 200, 403, 200),
    "account/bots/cow/submissions/1": (404, 404, 404, 403, 403),
    "account/bots/cow/submissions/x": (404, 404, 404, 404, 404),
    "account/bots/nobody": (404, 404, 404, 404, 404),
    "bots/ant/challenge": (200, 200, 200, 200, 200),
    "bots/nobody/challenge": (404, 404, 404, 404, 404),
    "bots/ant/play": (200, 200, 200, 200, 200),
    "bots/nobody/play": (404, 404, 404, 404, 404),
    "play": (200, 200, 200, 200, 200),
    "play/board/": (410, 410, 410, 410, 410),
    "play/board/state": (204, 204, 204, 204, 204),
    "play/board/do": (404, 404, 404, 404, 404),
    "organiser": (200, 200, 403, 403, 403),
    "organiser/users": (200, 200, 403, 403, 403),
    "organiser/queue/live": (200, 200, 403, 403, 200),
    "organiser/queue/none": (404, 404, 403, 403, 404),
    "organiser/faults": (200, 200, 403, 403, 403),
    "organiser/audit": (200, 200, 403, 403, 403),
    "organiser/audit?kind=nonsense": (400, 400, 400, 400, 400),
    "organiser/audit?user=%3Cscript%3E": (400, 400, 403, 403, 403),
    "organiser/audit/1": (200, 200, 403, 403, 403),
    "organiser/audit/x": (404, 404, 404, 404, 404),
}
"""By private place: the answers to `PEOPLE`."""


@pytest.fixture(scope="module")
def people(world: World, pages: PagesProcess) -> dict[str, Reader]:
    tokens = (world.organiser, world.olga, world.alice, world.spectator, world.reading)
    return {name: Reader(pages, token) for name, token in zip(PEOPLE, tokens, strict=True)}


@pytest.fixture
def alice(world: World, pages: PagesProcess) -> Reader:
    return Reader(pages, world.alice)


def public_places(world: World) -> Iterator[tuple[str, int]]:
    """Yield what everybody may open, and the status."""
    matches = ("public", "sealed", "sealed_running", "running", "waiting", "void")
    for places in PLACES.values():
        for place, status in places:
            if status not in (303, 405) and not place.startswith("play/"):
                yield place.format(**{name: getattr(world, name) for name in matches}), status


# Who sees what


@pytest.mark.parametrize("person", PEOPLE)
def test_a_person_sees_no_secret_of_others_on_any_public_route(
    world: World, people: dict[str, Reader], person: str
) -> None:
    seen = set()
    for place, status in public_places(world):
        answer = people[person].get(place)
        assert answer.status == status, (place, answer.text[:2000])
        found = world.secrets.found_in(answer.all)
        assert not found or (person == "owner" and found <= OWN_SECRETS), (place, found)
        assert not TOKEN.search(answer.all), place
        seen |= found
        if found:
            assert answer.headers["cache-control"] == "no-store", place
            assert "etag" not in answer.headers, place
    assert seen == (OWN_SECRETS if person == "owner" else set())


@pytest.mark.parametrize("place", STATUS)
@pytest.mark.parametrize("person", PEOPLE)
def test_every_private_route_for_every_person(
    world: World, people: dict[str, Reader], person: str, place: str
) -> None:
    """Row 55."""
    answer = people[person].get(place)
    assert answer.status == STATUS[place][PEOPLE.index(person)], answer.text[:3000]
    assert answer.headers["cache-control"] == "no-store"
    assert world.secrets.found_in(answer.all) == set()
    assert not TOKEN.search(answer.all)
    assert "Traceback" not in answer.text


def test_debug_lines_are_beside_their_plies_for_their_owner_alone(
    world: World, people: dict[str, Reader]
) -> None:
    replay = f"{world.public}/replay"
    for place in (world.public, replay):
        owner, stranger = people["owner"].get(place), people["alice"].get(place)
        for line in (DEBUG, FAILED):
            assert line in owner.text
            assert line not in stranger.text
    assert people["owner"].get(replay).text.count(DEBUG) > 4
    assert people["alice"].get(replay).text == people["sam"].get(replay).text
    assert 'id="debug-lines"' not in people["olga"].get(replay).text


def test_what_one_person_saw_is_never_kept_for_another(world: World, pages: PagesProcess) -> None:
    """Each asks right after the owner, while everything that is kept is fresh, and with the tag that they know."""
    for place in (world.public, f"{world.public}/replay", "bots/ant", "", "matches"):
        anonymous = pages.get(place)
        owner = Reader(pages, world.organiser)
        before = owner.get(place)
        assert before.status == 200
        after = pages.get(place)
        again = pages.get(place, If_None_Match=anonymous.headers["etag"])
        assert world.secrets.found_in(after.all) == set(), place
        assert "Sign out" not in after.text
        assert again.status in (200, 304)
        assert owner.get(place, If_None_Match=anonymous.headers["etag"]).status == 200
        assert world.secrets.found_in(Reader(pages, world.alice).get(place).all) == set(), place


def test_a_waiting_match_shows_no_bots_to_its_owner_either(world: World, alice: Reader) -> None:
    """The page is everybody's; only the debug lines in it are hers."""
    assert 'href="/bots/dog"' not in alice.get(world.waiting).text


# Sign in, sign out


def test_the_cookie_is_for_this_server_alone_and_holds_no_token(world: World, pages: PagesProcess) -> None:
    answer = Reader(pages).sign_in(world.alice)
    assert (answer.status, answer.headers["location"]) == (303, "/account")
    name, *attributes = answer.headers["set-cookie"].split("; ")
    assert re.fullmatch(rf"{COOKIE}=[\w-]{{43}}", name)
    assert {each.lower() for each in attributes} == {
        "httponly",
        "max-age=43200",
        "path=/",
        "samesite=strict",
    }
    assert world.secrets.found_in(answer.all) == set()


def test_over_https_the_cookie_is_encrypted_only(world: World, pages: PagesProcess) -> None:
    """As behind a proxy on this machine that encrypts."""
    proxied = {"Host": "arena.example", "X_Forwarded_Proto": "https", "X_Forwarded_For": "192.0.2.7"}
    answer = Reader(pages).sign_in(world.alice, Origin="https://arena.example", **proxied)
    assert answer.status == 303
    name, *attributes = answer.headers["set-cookie"].split("; ")
    assert name.startswith("__Host-arena-session=")
    assert "Secure" in attributes
    plain = pages.get("account", Cookie=name)
    assert plain.status == 303
    assert pages.get("account", Cookie=name, **proxied).status == 200


@pytest.mark.parametrize("trusted", [False, True])
def test_https_is_what_a_trusted_proxy_says(world: World, trusted: bool) -> None:
    """The pages do not encrypt. A proxy elsewhere must be named, or its header counts for nothing."""
    proxy = "127.0.0.2"
    named = {"FORWARDED_ALLOW_IPS": proxy} if trusted else {}
    proxied = {"Host": "arena.example", "X_Forwarded_Proto": "https", "X_Forwarded_For": "192.0.2.7"}
    with PagesProcess("--data", str(world.arena.data), **named) as pages:
        pages.source = proxy
        reader = Reader(pages)
        assert ('name="token"' in pages.get("sign-in", **proxied).text) is trusted
        answer = reader.sign_in(world.alice, Origin="https://arena.example", **proxied)
        cookie = answer.headers.get("set-cookie", "")
        if not trusted:
            assert (answer.status, cookie) == (403, "")
            return
        assert answer.status == 303
        own = {"Cookie": cookie.partition(";")[0], "Origin": "https://arena.example", **proxied}
        csrf = reader.csrf_of(pages.get("account", **own))
        out = reader.post("sign-out", {"csrf": csrf}, **own)
        assert out.status == 303
        for each in (cookie, out.headers["set-cookie"]):
            assert each.startswith("__Host-arena-session=")
            assert {"secure", "httponly", "samesite=strict"} <= {part.lower() for part in each.split("; ")}


def test_nobody_signs_in_over_a_network_that_others_can_read(world: World, pages: PagesProcess) -> None:
    proxied = {"Host": "arena.example", "X_Forwarded_For": "192.0.2.7"}
    form = pages.get("sign-in", **proxied)
    assert 'name="token"' not in form.text
    assert "ARENA_PLAINTEXT" in form.text
    answer = Reader(pages).sign_in(world.alice, Origin="http://arena.example", **proxied)
    assert answer.status == 403
    assert "set-cookie" not in answer.headers


def test_a_trusted_network_is_named(world: World) -> None:
    with PagesProcess("--data", str(world.arena.data), ARENA_PLAINTEXT="1") as trusting:
        remote = {"Host": "arena.example", "X_Forwarded_For": "192.0.2.7", "Origin": "http://arena.example"}
        assert Reader(trusting).sign_in(world.alice, **remote).status == 303


def test_every_sign_in_is_a_new_session(world: World, pages: PagesProcess) -> None:
    """A cookie that somebody else has set beforehand is worth nothing, and the session before ends."""
    reader = Reader(pages)
    reader.cookie = fixed = "A" * 43
    reader.sign_in(world.alice)
    first = reader.cookie
    assert first != fixed
    reader.sign_in(world.alice)
    assert reader.cookie not in (first, fixed)
    for known in (fixed, first):
        assert pages.get("account", Cookie=f"{COOKIE}={known}").status == 303
    assert reader.get("account").status == 200


def test_signing_out_ends_the_session_for_whoever_has_its_cookie(alice: Reader) -> None:
    cookie = alice.cookie
    answer = alice.post("sign-out", {"csrf": alice.csrf()})
    assert (answer.status, answer.headers["location"]) == (303, "/")
    assert "Max-Age=0" in answer.headers["set-cookie"]
    alice.cookie = cookie
    assert alice.get("account").status == 303
    assert "Sign in" in alice.get("").text


@pytest.mark.parametrize("cookie", ["", "x", "A" * 43, "../../x", "%00", "A" * 4000, '"', "ä"])
def test_a_forged_cookie_is_no_session(pages: PagesProcess, cookie: str) -> None:
    """Row 51."""
    answer = pages.get("account", Cookie=f"{COOKIE}={cookie}".encode().decode("latin-1"))
    assert (answer.status, answer.headers["location"]) == (303, "/sign-in?next=/account")
    assert pages.get("", Cookie=f"{COOKIE}={cookie}".encode().decode("latin-1")).status == 200


def test_a_changed_cookie_is_no_session(alice: Reader) -> None:
    right = alice.cookie
    for wrong in (right[:-1], right + "A", right[:-1] + ("A" if right[-1] != "A" else "B"), right.swapcase()):
        alice.cookie = wrong
        assert alice.get("account").status == 303
        alice.cookie = right
    assert alice.get("account").status == 200


def test_a_revoked_token_ends_the_session_and_says_so(world: World, pages: PagesProcess) -> None:
    made = world.arena.tokens.CreateToken(role=token_pb2.ROLE_OWNER, owner="owners/alice")
    reader = Reader(pages, made.secret)
    cookie = reader.cookie
    assert reader.get("account").status == 200
    world.arena.tokens.RevokeToken(name=made.token.name)
    answer = reader.get("account")
    assert answer.status == 401
    assert "revoked" in answer.text
    assert 'href="/sign-in"' in answer.text
    assert "Max-Age=0" in answer.headers["set-cookie"]
    reader.cookie = cookie
    assert reader.get("account").status == 303
    assert reader.sign_in(made.secret).status == 401


def test_a_revoked_token_ends_the_session_on_public_pages_too(world: World, pages: PagesProcess) -> None:
    made = world.arena.tokens.CreateToken(role=token_pb2.ROLE_OWNER, owner="owners/alice")
    reader = Reader(pages, made.secret)
    world.arena.tokens.RevokeToken(name=made.token.name)
    assert reader.get(f"{world.public}/replay").status == 401
    assert reader.get(f"{world.public}/replay").status == 200


@pytest.mark.parametrize(
    ("token", "status"),
    [
        ("", 401),
        ("nonsense", 401),
        ("<script>alert(1)</script>", 401),
        ("arn_" + "0" * 12 + "_" + "0" * 64 + "_00000000", 401),
        ("arn_\r\nSet-Cookie: x=1", 401),
        ("x" * 20_000, 413),
    ],
)
def test_what_is_no_token_is_refused_and_not_repeated(pages: PagesProcess, token: str, status: int) -> None:
    """Row 53."""
    sent = {"X_Forwarded_For": f"127.0.0.{len(token) % 200 + 2}"}  # each with failures of its own
    answer = Reader(pages).sign_in(token, **sent)
    assert answer.status == status
    assert "set-cookie" not in answer.headers
    assert not token or token not in answer.text


def test_the_token_of_a_bot_is_no_persons(world: World, pages: PagesProcess) -> None:
    token = world.arena.bot("gnu")
    answer = Reader(pages).sign_in(token)
    assert answer.status == 403
    assert token not in answer.text


def test_an_address_that_guesses_has_to_wait_and_others_have_not(world: World, pages: PagesProcess) -> None:
    guessing = {"X_Forwarded_For": "127.0.0.250"}
    answers = [Reader(pages).sign_in("nonsense", **guessing).status for _ in range(11)]
    assert answers == [401] * 10 + [429]
    assert Reader(pages).sign_in(world.alice, **guessing).status == 429
    assert Reader(pages).sign_in(world.alice).status == 303


# Requests of others


FORMS = (
    "sign-out",
    "bots/ant/challenge",
    "bots/ant/play",
    "play/end",
    "account/team",
    "account/bots/cow/submissions",
)


def send(reader: Reader, form: str, csrf: str, **headers: str) -> int:
    """Send a form of a signed-in person with this CSRF token; return the status."""
    if form.endswith("submissions"):
        kind = "multipart/form-data; boundary=x"
        body = (
            f'--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{csrf}\r\n'
            '--x\r\nContent-Disposition: form-data; name="archive"; filename="a"\r\n\r\nPK\r\n--x--\r\n'
        )
        return reader.post_body(form, body.encode(), kind, **headers).status
    fields = {"csrf": csrf, "bot": "cow", "game": "caravan", "rounds": "1", "do": "create", "team": "forged"}
    return reader.post(form, fields, **headers).status


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example", "Sec_Fetch_Site": "cross-site"},
        {"Origin": "https://evil.example", "Sec_Fetch_Site": ""},
        {"Origin": "null", "Sec_Fetch_Site": ""},
        {"Origin": "", "Sec_Fetch_Site": "same-site"},
        {"Origin": "", "Sec_Fetch_Site": ""},
    ],
)
def test_a_form_of_another_site_does_nothing(
    world: World, alice: Reader, form: str, headers: dict[str, str]
) -> None:
    """Row 52."""
    csrf, before = alice.csrf(), len(world.arena.tournaments.ListTournaments().tournaments)
    assert send(alice, form, csrf, **headers) == 403
    assert alice.get("account").status == 200
    assert len(world.arena.tournaments.ListTournaments().tournaments) == before
    assert not world.arena.submissions.ListSubmissions(bot="bots/cow").submissions


@pytest.mark.parametrize("form", FORMS)
def test_a_form_needs_the_secret_of_its_session(
    world: World, pages: PagesProcess, alice: Reader, form: str
) -> None:
    other = Reader(pages, world.alice)
    for csrf in ("", "x", other.csrf(), alice.cookie):
        assert send(alice, form, csrf) == 403
    assert alice.get("account").status == 200


@pytest.mark.parametrize("form", ["bots/ant/challenge", "bots/ant/play"])
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("options.caravan.camels", "7<b>"),
        ("options.caravan.board", "no-such-board"),
        ("time_control.per_decision_ms", "60001"),
        ("time_control.per_decision_ms", "0"),
        ("time_control.bank_ms", "soon"),
        ("clock", "eternal"),
        ("game", "chess"),
    ],
)
def test_a_wrong_value_comes_back_beside_its_field(
    world: World, alice: Reader, form: str, field: str, value: str
) -> None:
    """Row 56. Nothing else that was chosen is lost, and nothing has begun."""
    before = len(world.arena.tournaments.ListTournaments().tournaments)
    chosen = {
        "bot": "cow" if form.endswith("challenge") else "",
        "game": "caravan",
        "clock": "",
        "options.caravan.turn_limit": "30",
        "options.wasteland.max_rounds": "4",
        "time_control.strikes": "3",
        "rounds": "2",
    }
    chosen["clock"] = "quick" if form.endswith("challenge") else "brisk"
    answer = alice.post(form, {"csrf": alice.csrf()} | chosen | {field: value})
    assert answer.status == 400
    page = Document(answer.text)
    [wrong] = [about for _, about in page.elements if "aria-invalid" in about]
    [alert] = [about for _, about in page.elements if about.get("role") == "alert"]
    assert (wrong["name"], wrong["aria-describedby"]) == (field, alert["id"])
    shown = {
        about["name"]: about["value"] for tag, about in page.elements if tag == "input" and "name" in about
    }
    selected = {about["value"] for tag, about in page.elements if tag == "option" and "selected" in about}
    for name in chosen.keys() - {field}:
        assert chosen[name] in ({shown[name]} if name in shown else selected | {"", "2"}), name
    assert "value" not in wrong or wrong["value"] == value
    assert len(world.arena.tournaments.ListTournaments().tournaments) == before


def test_a_challenge_has_the_options_and_the_clock_that_were_chosen(world: World, alice: Reader) -> None:
    form = {
        "csrf": alice.csrf(),
        "bot": "cow",
        "game": "caravan",
        "rounds": "1",
        "clock": "slow",
        "options.caravan.camels": "6",
        "options.wasteland.max_rounds": "nonsense of another game",
        "time_control.strikes": "3",
    }
    too_many = alice.post("bots/ant/challenge", form | {"rounds": "21"})
    assert too_many.status == 400
    assert 'id="wrong"' in too_many.text.partition('name="rounds"')[2]
    answer = alice.post("bots/ant/challenge", form)
    assert answer.status == 303, answer.text
    [made] = [
        each
        for each in world.arena.tournaments.ListTournaments().tournaments
        if answer.headers["location"] == f"/{each.name}"
    ]
    assert made.options.caravan.camels == 6
    assert (made.time_control.per_decision_ms, made.time_control.strikes) == (10_000, 3)


def test_another_site_cannot_sign_a_person_in(world: World, pages: PagesProcess) -> None:
    answer = Reader(pages).sign_in(world.alice, Origin="https://evil.example", Sec_Fetch_Site="cross-site")
    assert answer.status == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "place", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x"]
)
def test_nobody_is_sent_to_another_site(world: World, pages: PagesProcess, place: str) -> None:
    answer = Reader(pages).post("sign-in", {"token": world.alice, "next": place})
    assert answer.headers["location"] == "/account"
    assert "evil" not in pages.get(f"sign-in?next={place}").text


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize("place", ["", "account", "organiser", "bots/ant", "matches/1"])
def test_only_forms_change_anything(alice: Reader, place: str, method: str) -> None:
    headers = {"Cookie": f"{COOKIE}={alice.cookie}", "Origin": alice.origin}
    assert alice.pages.send(method, place, b"", **headers).status == 405


def test_no_token_is_in_a_log(world: World) -> None:
    with PagesProcess("--data", str(world.arena.data)) as served:
        reader = Reader(served, world.alice)
        reader.get("account")
        reader.sign_in(world.alice[:-1] + "0")
        Reader(served).sign_in("arn_" + "0" * 12 + "_" + world.alice.split("_")[2] + "_00000000")
        served.get(f"?token={world.alice}")
        served.process.terminate()
        out, err = served.process.communicate()
    assert world.secrets.found_in((out + err).encode()) == set()
    assert reader.cookie not in out + err
    assert "signed in" in err
