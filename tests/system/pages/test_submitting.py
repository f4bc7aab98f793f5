"""An archive that is sent to the web pages reaches the arena as `arena bot submit` sends it, or not at all."""

import io
import tarfile
from collections.abc import Iterator, Sequence

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.v1 import submission_pb2, token_pb2
from tests.system.hosting.needs import needs_sandbox
from tests.system.pages.pages_process import PagesProcess
from tests.system.pages.reader import Reader
from tests.system.play.arena_process import ArenaProcess

OUTPUT = "trial-9d2ec04b"
PLACE = "account/bots/{bot}/submissions"
MANIFEST = 'command = ["python", "bot.py"]\ngames = ["caravan"]\nruntime = "python"\n'
BOT = """
import arena.sdk

class First(arena.sdk.Bot):
    games = ("caravan",)
    matches = 4

    def choose(self, observation, legal_actions, clock):
        return 0

arena.sdk.run(First)
"""


def archive(files: dict[str, str]) -> bytes:
    """Return a tar with these files."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as packed:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            packed.addfile(entry, io.BytesIO(text.encode()))
    return written.getvalue()


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path_factory.mktemp("submitting") / "data", "--hosted-programs", "6") as process:
        for bot in ("cow", "hen"):
            process.bots.CreateBot(bot_id=bot, owner="owners/alice")
        yield process


@pytest.fixture(scope="module")
def pages(arena: ArenaProcess) -> Iterator[PagesProcess]:
    with PagesProcess("--data", str(arena.data)) as served:
        yield served


def signed_in(
    arena: ArenaProcess,
    pages: PagesProcess,
    user: str,
    role: token_pb2.Role.ValueType = token_pb2.ROLE_OWNER,
    scopes: Sequence[token_pb2.Scope.ValueType] = (),
) -> Reader:
    made = arena.tokens.CreateToken(role=role, owner=f"owners/{user}", scopes=scopes)
    return Reader(pages, made.secret)


@pytest.fixture
def alice(arena: ArenaProcess, pages: PagesProcess) -> Reader:
    return signed_in(arena, pages, "alice")


def submissions(arena: ArenaProcess, bot: str) -> list[submission_pb2.Submission]:
    return list(arena.submissions.ListSubmissions(bot=f"bots/{bot}").submissions)


def test_the_form_says_until_when_versions_count(arena: ArenaProcess, alice: Reader) -> None:
    arena.bots.CreateBot(bot_id="owl", owner="owners/alice")
    arena.ladders.CreateLadder(ladder_id="term", game="caravan")
    arena.ladders.JoinLadder(name="ladders/term", bot="bots/owl")
    form = "account/bots/owl"
    assert 'class="words deadline"' not in alice.get(form).text
    arena.ladders.SetLadderDeadline(name="ladders/term", deadline=Timestamp(seconds=4_000_000_000))
    said = alice.get(form).text.partition('class="words deadline"')[2].partition("</p>")[0]
    assert "2096-10-02 07:06:40Z" in said
    assert "term" in said


@needs_sandbox
def test_the_output_of_a_build_is_its_owners_alone(
    arena: ArenaProcess, pages: PagesProcess, alice: Reader
) -> None:
    build = {
        "bot.toml": f'{MANIFEST}build = ["python", "build.py"]\n',
        "build.py": f"raise SystemExit({OUTPUT!r})",
        "bot.py": BOT,
    }
    sent = alice.post_file(PLACE.format(bot="cow"), archive(build), csrf=alice.csrf())
    assert sent.status == 303, sent.text[:2000]
    place = sent.headers["location"].lstrip("/")
    page = ""
    while "hx-trigger" in (page := alice.get(place).text):
        pass  # the arena builds it
    assert "BUILD_FAILED" in page
    assert OUTPUT in page
    assert alice.get(f"{place}?part").text.lstrip().startswith('<div id="state">')
    olga = signed_in(arena, pages, "olga", role=token_pb2.ROLE_ORGANISER)
    seen = olga.get(place)
    assert seen.status == 200
    assert "BUILD_FAILED" in seen.text
    assert OUTPUT not in seen.text
    for stranger in (
        signed_in(arena, pages, "bob"),
        signed_in(arena, pages, "alice", scopes=[token_pb2.SCOPE_READ]),
    ):
        refused = stranger.get(place)
        assert refused.status == 403
        assert OUTPUT not in refused.text
    assert pages.get(place).status == 303


@needs_sandbox
def test_a_submission_becomes_a_version_that_plays(arena: ArenaProcess, alice: Reader) -> None:
    data = archive({"bot.toml": MANIFEST, "bot.py": BOT, "padding.txt": "x" * 3_000_000})
    sent = alice.post_file(PLACE.format(bot="hen"), data, csrf=alice.csrf())
    assert sent.status == 303, sent.text[:2000]
    place = sent.headers["location"].lstrip("/")
    page = ""
    while "hx-trigger" in (page := alice.get(place).text):
        pass
    [made] = submissions(arena, "hen")
    assert made.state == submission_pb2.Submission.STATE_ADMITTED, made
    assert "It plays from now on" in page
    assert "is ready: its program is started when a match needs it" in alice.get("account").text
    again = alice.post_file(PLACE.format(bot="hen"), data, csrf=alice.csrf())
    assert "already known" in alice.get(again.headers["location"].lstrip("/")).text


@pytest.mark.parametrize(
    ("data", "status"),
    [(b"", 400), (b"no archive", 400), (b"MZ" + b"x" * 100_000, 400)],
)
def test_what_is_no_archive_never_reaches_the_arena(
    arena: ArenaProcess, alice: Reader, data: bytes, status: int
) -> None:
    """Row 54."""
    before = len(submissions(arena, "cow"))
    answer = alice.post_file(PLACE.format(bot="cow"), data, csrf=alice.csrf())
    assert answer.status == status
    assert 'role="alert"' in answer.text
    assert len(submissions(arena, "cow")) == before


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_form_that_is_none_is_refused(alice: Reader, kind: str) -> None:
    assert alice.post_body(PLACE.format(bot="cow"), b"csrf=x", kind).status in (400, 415)


def test_an_archive_that_is_too_large_is_refused_before_it_is_read(alice: Reader) -> None:
    kind = "multipart/form-data; boundary=x"
    answer = alice.post_body(
        PLACE.format(bot="cow"), b"--x\r\n", kind, Content_Length=str(64 * 1024 * 1024 + 20_000)
    )
    assert answer.status == 413
    assert "64 MiB" in answer.text


def test_an_announced_size_that_is_wrong_changes_nothing(arena: ArenaProcess, alice: Reader) -> None:
    """An archive of unknown length, in pieces: it ends where the limit is."""

    def pieces() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="archive"; filename="a"\r\n\r\n'
        for _ in range(70):
            yield b"PK" + b"x" * (1024 * 1024)

    connection = alice.pages.connect()
    headers = {
        "Cookie": f"arena-session={alice.cookie}",
        "Origin": alice.origin,
        "Content-Type": "multipart/form-data; boundary=x",
    }
    try:
        connection.request("POST", f"/{PLACE.format(bot='cow')}", pieces(), headers, encode_chunked=True)
        assert connection.getresponse().status == 413
    except ConnectionError:
        pass  # it was closed while the rest was sent
    finally:
        connection.close()
    assert "Sign out" in alice.get("account").text


def test_an_archive_for_a_bot_of_somebody_else_is_refused(
    arena: ArenaProcess, pages: PagesProcess, alice: Reader
) -> None:
    bob = signed_in(arena, pages, "bob")
    before = len(submissions(arena, "cow"))
    answer = bob.post_file(PLACE.format(bot="cow"), archive({"bot.toml": MANIFEST}), csrf=bob.csrf())
    assert answer.status == 403
    assert len(submissions(arena, "cow")) == before
    unknown = alice.post_file(PLACE.format(bot="nobody"), archive({"bot.toml": MANIFEST}), csrf=alice.csrf())
    assert unknown.status == 404
