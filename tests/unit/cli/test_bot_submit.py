"""`arena bot submit` and what belongs to it, against an arena that answers from a script."""

import json
import signal
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.cli.bot import submit
from arena.v1 import errors_pb2, submission_pb2
from tests.unit.cli.fake_arena import Answer, FakeArena, Refusal
from tests.unit.cli.programs import finish, start
from tests.unit.cli.screens import Screens, check_screen, check_screens

Submission = submission_pb2.Submission
Trial = Submission.Trial
NAME = "bots/ant/submissions/7"
OLD, NEW = "aa" * 32, "ab" * 32
ENDED = Timestamp(seconds=1_790_000_000)


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submit, "_PAUSE_SECONDS", 0.0)


def a_submission(state: Any = Submission.STATE_UPLOADING, **fields: Any) -> submission_pb2.Submission:
    return Submission(name=NAME, state=state, archive_bytes=500_000, **fields)


def admitted(**fields: Any) -> submission_pb2.Submission:
    return a_submission(
        Submission.STATE_ADMITTED,
        **{"version": f"bots/ant/versions/{NEW}", "plays": True, "end_time": ENDED, **fields},
    )


def rejected(**fields: Any) -> submission_pb2.Submission:
    rejection = Submission.Rejection(
        reason=errors_pb2.ERROR_REASON_CONFORMANCE_FAILED,
        sentence="1 of 2 scenarios failed: reset. Try the bot.",
        output="Traceback\n  line 3\n",
    )
    trials = [
        Trial(scenario="hello", verdict=Trial.VERDICT_PASSED, sentence="Says hello."),
        Trial(scenario="reset", verdict=Trial.VERDICT_FAILED, sentence="It came back without the token."),
    ]
    return a_submission(
        Submission.STATE_REJECTED, rejection=rejection, trials=trials, scenarios=2, end_time=ENDED, **fields
    )


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "bot.tar.gz"
    path.write_bytes(b"\x1f\x8b" + (bytes(range(250)) * 2_000)[2:])
    return path


RUNTIMES = (
    'runtimes { name: "go" no_builds: "go is not installed" } '
    'runtimes { name: "node" unavailable: "the program node is not installed" } '
    'runtimes { name: "python" version: "Python 3.11.7" } '
    'runtimes { name: "ruby" version: "ruby 3.1.7" added: true }'
)


def submitted(*shown: submission_pb2.Submission, **others: Answer) -> dict[str, Answer]:
    """Return the answers of an arena that accepts a submission and shows it in these states."""
    uploaded = a_submission(Submission.STATE_WAITING)
    answers: dict[str, Answer] = {
        "CreateSubmission": submission_pb2.CreateSubmissionResponse(submission=a_submission()),
        "UploadArchive": submission_pb2.UploadArchiveResponse(submission=uploaded),
        "WatchSubmission": lambda _: [
            submission_pb2.WatchSubmissionResponse(submission=each) for each in shown
        ],
    }
    return answers | others


def sent(fake: FakeArena) -> list[bytes]:
    """Return the bytes of each upload."""
    return [b"".join(each.data for each in one.messages) for one in fake.requests("UploadArchive")]


def test_an_archive_is_announced_uploaded_and_followed_to_its_end(fake, ask, archive):
    trying = a_submission(Submission.STATE_TRYING, scenarios=2)
    fake.answers |= submitted(a_submission(Submission.STATE_WAITING), trying, trying, admitted())

    result = ask("bot", "submit", "ant", str(archive))

    assert result.exit_code == 0
    (request,) = fake.requests("CreateSubmission")
    assert (request.bot, request.archive_bytes) == ("bots/ant", 500_000)
    assert request.archive_sha256 == sha256(archive.read_bytes()).hexdigest()
    assert len(request.request_id) == 36
    (messages,) = (one.messages for one in fake.requests("UploadArchive"))
    assert sent(fake) == [archive.read_bytes()]
    assert [each.offset for each in messages] == list(range(0, 500_000, 65_536))
    assert messages[0].name == NAME
    check_screen("bot_submit/admitted", result)


def test_a_folder_is_packed_first(fake, ask, tmp_path):
    fake.answers |= submitted(admitted())
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text("1\n")
    (folder / "bot.toml").write_text(
        'command = ["python", "bot.py"]\nruntime = "python"\ngames = ["caravan"]\n'
    )

    assert ask("bot", "submit", "ant", str(folder)).exit_code == 0

    (request,) = fake.requests("CreateSubmission")
    (data,) = sent(fake)
    assert request.archive_sha256 == sha256(data).hexdigest()
    assert list(tmp_path.iterdir()) == [folder]


def test_an_invalid_path_is_refused_before_anything_is_sent(fake, ask, tmp_path):
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "program").write_text("import arena.sdk\n")

    shown = {name: ask("bot", "submit", "ant", name) for name in ("missing", "empty", "folder", "program")}

    check_screen("bot_submit/invalid", shown)
    assert not fake.calls


def test_a_known_archive_is_not_uploaded_again(fake, ask, archive):
    fake.answers |= submitted()
    fake.answers["CreateSubmission"] = submission_pb2.CreateSubmissionResponse(
        submission=admitted(known=True, plays=False)
    )

    result = ask("bot", "submit", "ant", str(archive))

    check_screen("bot_submit/known", result)
    assert [call.method for call in fake.calls] == ["CreateSubmission"]


LOST = Refusal(grpc.StatusCode.UNAVAILABLE, "The disk is full.", "STORAGE")


@pytest.mark.parametrize(
    ("losses", "state", "expected"),
    [
        (2, "STATE_UPLOADING received_bytes: 400000", (0, [0, 400_000, 400_000])),
        (9, "STATE_WAITING", (0, [0])),
        (9, "STATE_UPLOADING", (1, [0] * 6)),
    ],
    ids=["resumed", "only the answer was lost", "given up"],
)
def test_a_broken_upload_resumes_where_it_was(fake, ask, archive, losses, state, expected):
    exit_code, sent_from = expected
    fake.answers |= submitted(admitted())
    answers: Iterator[Any] = iter([LOST] * losses)
    whole = fake.answers["UploadArchive"]
    fake.answers |= {
        "UploadArchive": lambda _: next(answers, whole),
        "GetSubmission": f'submission {{ name: "{NAME}" state: {state} }}',
    }

    result = ask("bot", "submit", "ant", str(archive))

    assert (result.exit_code, "The disk is full." in result.stderr) == (exit_code, exit_code == 1)
    assert sent(fake) == [archive.read_bytes()[offset:] for offset in sent_from]
    assert [one.messages[0].offset for one in fake.requests("UploadArchive")] == sent_from


def test_ctrl_c_does_not_stop_the_submission_and_names_the_command_that_shows_it(fake, archive):
    over = threading.Event()

    def watch(_: Any) -> Iterator[submission_pb2.WatchSubmissionResponse]:
        yield submission_pb2.WatchSubmissionResponse(submission=a_submission(Submission.STATE_WAITING))
        over.wait(60)

    fake.answers |= submitted()
    fake.answers["WatchSubmission"] = watch
    process = start("--server", fake.address, "bot", "submit", "ant", str(archive), ARENA_TOKEN="arn_test")
    assert process.stderr is not None
    assert process.stderr.readline() == "Waiting for its turn.\n"

    process.send_signal(signal.SIGINT)
    code, out, _ = finish(process)
    over.set()

    assert code == 128 + signal.SIGINT
    assert "`arena bot submissions ant 7`" in out


def test_a_submission_as_json(fake, ask, archive):
    fake.answers |= submitted(rejected())

    result = ask("bot", "submit", "--format", "json", "ant", str(archive))

    document = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (document["name"], document["state"]) == (NAME, "STATE_REJECTED")


def a_bot(version: str = NEW, mode: str = "NEWEST", more: str = "") -> str:
    shown = f'mode: MODE_{mode} version: "bots/ant/versions/{version}" {more}'
    return f'bot {{ name: "bots/ant" hosting {{ {shown} }} }}'


def versions(bot: str) -> dict[str, Answer]:
    """Return the answers about a bot with one declared and two submitted versions."""
    submitted = 'origin: ORIGIN_SUBMITTED program { games: "caravan" files: 3 bytes: 1200 }'
    return {
        "GetBot": bot,
        "ListVersions": f"""
            versions {{ name: "bots/ant/versions/{NEW}" {submitted} }}
            versions {{ name: "bots/ant/versions/1.0" origin: ORIGIN_DECLARED }}
            versions {{ name: "bots/ant/versions/{OLD}" {submitted} }}
        """,
        "SetHosting": lambda request: a_bot(request.version.rpartition("/")[2] or NEW),
    }


@pytest.mark.parametrize(
    ("option", "mode", "version"),
    [
        ("--newest", "NEWEST", ""),
        ("--off", "OFF", ""),
        (f"--pin {OLD[:12]}", "PINNED", OLD[:12]),
        (f"--pin bots/ant/versions/{OLD}", "PINNED", OLD),
        ("--rollback", "PINNED", OLD),
    ],
)
def test_one_option_sets_which_version_is_run(fake, ask, option, mode, version):
    fake.answers |= versions(a_bot())

    assert ask("bot", "host", "ant", *option.split()).exit_code == 0

    named = f' version: "bots/ant/versions/{version}"' if version else ""
    assert fake.texts("SetHosting") == [f'bot: "bots/ant" mode: MODE_{mode}{named}']


BENCHED = f'benched: "It crashed three times." retry_time {{ seconds: {ENDED.seconds} }}'
SUBMISSIONS = submission_pb2.ListSubmissionsResponse(
    submissions=[rejected(create_time=ENDED), admitted(create_time=ENDED)]
)
NOT_NOW = Refusal(grpc.StatusCode.FAILED_PRECONDITION, "Not now.", "SUBMISSION_STATE")
SUBMIT = "bot submit ant bot.tar.gz"
ALIKE = rejected()
for _name in ("seats", "leave", "token", "ping"):
    ALIKE.trials.add(scenario=_name, verdict=Trial.VERDICT_FAILED, sentence="It came back without the token.")
ALIKE.trials.add(scenario="tls", verdict=Trial.VERDICT_FAILED, sentence="It was silent.")
SCREENS: Screens = {
    "bot_submit/rejected": {"": (SUBMIT, submitted(rejected()))},
    "bot_submit/rejected_alike": {"": (SUBMIT, submitted(ALIKE))},
    "bot_submit/not_ended": {
        "without waiting": (f"{SUBMIT} --no-wait", submitted()),
        "not created": (SUBMIT, submitted(CreateSubmission=NOT_NOW)),
        "not uploaded": (SUBMIT, submitted(UploadArchive=NOT_NOW)),
        "not watched": (SUBMIT, submitted(WatchSubmission=NOT_NOW)),
    },
    "bot_submit/benched": {"": ("bot show ant", {**versions(a_bot(more=BENCHED)), "ListBotStandings": ""})},
    "bot_submit/locked": {
        "": (
            "bot show ant",
            {
                "GetBot": 'bot { name: "bots/ant" hosting { mode: MODE_OFF locked: true } }',
                "ListBotStandings": "",
                "ListSubmissions": "",
            },
        )
    },
    "bot_submit/hosted": {
        "the newest": ("bot host ant", versions(a_bot())),
        "pinned": ("bot host ant", versions(a_bot(OLD, "PINNED"))),
        "locked": ("bot host ant", versions(a_bot("", "OFF", more="locked: true"))),
        "before the first": ("bot host ant --rollback", versions(a_bot(OLD))),
        "before none": ("bot host ant --rollback", versions(a_bot(""))),
        "versions": ("bot versions ant", versions(a_bot())),
    },
    "bot_submit/runtimes": {"": ("bot runtimes", {"ListRuntimes": RUNTIMES})},
    "bot_submit/submissions": {
        "listed": ("bot submissions ant", {"ListSubmissions": SUBMISSIONS}),
        "shown": (
            "bot submissions ant 7",
            {"GetSubmission": submission_pb2.GetSubmissionResponse(submission=rejected())},
        ),
    },
}


@pytest.mark.usefixtures("archive")
@pytest.mark.parametrize("name", SCREENS)
def test_submissions_versions_and_hosting_are_shown(fake, ask, name):
    check_screens(name, SCREENS, fake, ask)
    assert not fake.requests("SetHosting")


def test_each_submission_has_one_line_of_80_columns(fake, ask, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    fake.answers["ListSubmissions"] = SUBMISSIONS

    lines = [line for line in ask("bot", "submissions", "ant").stdout.splitlines() if line.strip()]

    assert len(lines) == 4
    assert all(len(line) <= 80 for line in lines)
    assert "1 of 2" in lines[2]
