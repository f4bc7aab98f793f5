"""Requests to an endpoint: what is sent, what is repeated, what is refused, and that no answer outlasts the clock."""

import json
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from arena.sdk.llm.endpoint import ATTEMPTS, Endpoint, EndpointError, Reply
from arena.sdk.llm.folder import Caps, Folder, FolderError, Price, Usage
from arena.sdk.llm.spending import Budget, CapReachedError, Total
from tests.unit.sdk.llm.conftest import Setting
from tests.unit.sdk.llm.fake_endpoint import HOSTILE, KEY, answers, fails, is_cut_off, never_answers, says

CHAT = [{"role": "user", "content": "1. PASS"}]


def a_budget(path: Path, **caps: int) -> Budget:
    return Budget(Caps(**caps), Price(1, 1), Total(path, Price(1, 1)))


def ask(client: Endpoint, budget: Budget, left_s: float = 30.0, is_wanted: bool = True) -> Reply:
    return client.ask(CHAT, budget, until=time.monotonic() + left_s, is_wanted=lambda: is_wanted)


def test_a_request_is_a_chat_completion_with_the_key_and_the_limit_of_tokens(
    setting: Setting, tmp_path: Path
) -> None:
    fake = setting.serve(says("hello"))
    budget = a_budget(tmp_path)
    client = setting.client(request={"seed": 3}, temperature=0.5, response_format="json_schema")
    assert ask(client, budget) == Reply("hello", Usage(1000, 50))
    (received,) = fake.received
    assert received.path == "/v1/chat/completions"
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.headers["accept-encoding"] == "identity"
    body = received.body
    assert body["response_format"]["json_schema"]["schema"]["required"] == ["thoughts", "action"]
    del body["response_format"]
    assert body == {"model": "m", "messages": CHAT, "max_tokens": 2000, "temperature": 0.5, "seed": 3}
    assert budget.match == Usage(1000, 50)


def test_without_a_key_or_settings_nothing_of_them_is_sent(setting: Setting, tmp_path: Path) -> None:
    fake = setting.serve(says([{"type": "text", "text": "hel"}, 7, {"text": "lo"}]))
    client = Endpoint(setting.folder(tokens_field="max_completion_tokens"), "")
    try:
        assert ask(client, a_budget(tmp_path)).text == "hello"
    finally:
        client.close()
    assert "authorization" not in fake.received[0].headers
    assert fake.received[0].body == {"model": "m", "messages": CHAT, "max_completion_tokens": 2000}


@pytest.mark.parametrize(
    "busy",
    [
        fails(429, "slow down", Retry_After="0.01"),
        fails(429, Retry_After=format_datetime(datetime.now(UTC) - timedelta(hours=1))),
        fails(500, Retry_After="0"),
        fails(503, Retry_After="-5"),
    ],
    ids=["seconds", "a date that is past", "at once", "negative"],
)
def test_a_busy_endpoint_is_asked_again_when_it_says_so_and_costs_nothing_until_then(
    setting: Setting, tmp_path: Path, busy
) -> None:
    fake = setting.serve(busy, busy, answers(1))
    budget = a_budget(tmp_path)
    ask(setting.client(), budget)
    assert len(fake.received) == 3
    assert (budget.match, budget.requests) == (Usage(1000, 50), 3)


def test_a_connection_that_fails_is_tried_again_and_counted_in_full(setting: Setting, tmp_path: Path) -> None:
    setting.serve(is_cut_off, answers(1))
    budget = a_budget(tmp_path)
    ask(setting.client(), budget)
    assert budget.match.output == 2000 + 50


def test_it_is_not_asked_again_and_again(setting: Setting, tmp_path: Path) -> None:
    fake = setting.serve(fails(500, "broken", Retry_After="0"))
    with pytest.raises(EndpointError, match=r"status 500 \(broken\)"):
        ask(setting.client(), a_budget(tmp_path))
    assert len(fake.received) == ATTEMPTS


@pytest.mark.parametrize(
    "after",
    [
        "3600",
        "inf",
        "1e999",
        "soon",
        pytest.param(format_datetime(datetime.now(UTC) + timedelta(days=1)), id="tomorrow"),
    ],
)
def test_it_is_not_asked_again_where_the_clock_does_not_allow_it(
    setting: Setting, tmp_path: Path, after: str
) -> None:
    fake = setting.serve(fails(429, Retry_After=after))
    with pytest.raises(EndpointError, match="no time for another attempt"):
        ask(setting.client(), a_budget(tmp_path), left_s=0.6)
    assert len(fake.received) == 1


@pytest.mark.parametrize("status", [301, 307, 400, 401, 403, 404, 422])
def test_a_refusal_is_final_and_says_what_to_do(setting: Setting, tmp_path: Path, status: int) -> None:
    fake = setting.serve(fails(status, f"not with {KEY}", Location="http://127.0.0.1:1/"))
    budget = a_budget(tmp_path)
    with pytest.raises(
        EndpointError, match=rf"status {status} \(not with \[API key\]\)\. .*llm\.toml"
    ) as error:
        ask(setting.client(), budget)
    assert KEY not in str(error.value)
    assert (len(fake.received), budget.match) == (1, Usage())


def test_an_endpoint_that_is_not_there_is_named(setting: Setting, tmp_path: Path) -> None:
    fake = setting.serve()
    client = setting.client(base_url=fake.url)
    fake.close()
    budget = a_budget(tmp_path)
    with pytest.raises(EndpointError, match=r"No endpoint answers at http://127\.0\.0\.1"):
        ask(client, budget, left_s=0.6)
    assert budget.match == Usage()


def test_an_answer_that_is_not_wanted_any_more_is_not_waited_for(setting: Setting, tmp_path: Path) -> None:
    setting.serve(never_answers)
    with pytest.raises(EndpointError, match="not wanted"):
        ask(setting.client(), a_budget(tmp_path), left_s=3600, is_wanted=False)


@pytest.mark.parametrize("left_s", [0.1, 0.0, -5.0])
def test_without_time_nothing_is_sent(setting: Setting, tmp_path: Path, left_s: float) -> None:
    fake = setting.serve()
    with pytest.raises(EndpointError, match="no time"):
        ask(setting.client(), a_budget(tmp_path), left_s=left_s)
    assert not fake.received


def test_beyond_a_cap_nothing_is_sent(setting: Setting, tmp_path: Path) -> None:
    fake = setting.serve()
    with pytest.raises(CapReachedError, match="tokens_per_match"):
        ask(setting.client(), a_budget(tmp_path, tokens_per_match=2000))
    assert not fake.received


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": 5}, {"prompt_tokens": -1, "completion_tokens": 1}])
def test_an_answer_that_does_not_say_what_it_took_counts_in_full(
    setting: Setting, tmp_path: Path, usage: object
) -> None:
    fake = setting.serve(says("hello", usage=usage))
    budget = a_budget(tmp_path)
    assert ask(setting.client(), budget).usage is None
    assert budget.match == Usage(len(json.dumps(fake.received[0].body).encode()), 2000)


@pytest.mark.parametrize("wrong", HOSTILE)
def test_whatever_an_endpoint_does_it_is_a_reply_or_one_sentence_without_the_key(
    setting: Setting, tmp_path: Path, wrong: str
) -> None:
    setting.serve(HOSTILE[wrong])
    try:
        said = ask(setting.client(), a_budget(tmp_path), left_s=0.6).text
    except EndpointError as error:
        said = str(error)
        assert said.endswith(".")
        assert "\n" not in said
    assert KEY not in said


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ("endless", "more than 1048576 bytes"),
        ("compressed", "compresses"),
        ("deep", "no chat completion"),
        ("no completion", "no chat completion"),
        ("elsewhere", "Redirects are not followed"),
        ("slow in the middle", "did not answer in time"),
    ],
)
def test_it_is_said_what_was_wrong_with_an_answer(
    setting: Setting, tmp_path: Path, wrong: str, named: str
) -> None:
    setting.serve(HOSTILE[wrong])
    with pytest.raises(EndpointError, match=named):
        ask(setting.client(), a_budget(tmp_path), left_s=0.6 if "slow" in wrong else 30.0)


def test_a_proxy_of_the_environment_that_cannot_be_used_is_named(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting.serve()
    monkeypatch.setenv("HTTPS_PROXY", "gopher://somewhere:70")
    setting.client()  # on this machine no proxy is asked
    with pytest.raises(FolderError, match="HTTPS_PROXY"):
        setting.client(base_url="https://host.example/v1")


def test_a_key_is_in_no_representation(setting: Setting) -> None:
    setting.serve()
    client = setting.client()
    assert KEY not in f"{client!r} {vars(client)['_folder']!r}"
    assert client.without_key(f"it is {KEY}") == "it is [API key]"
    assert isinstance(setting.folder(), Folder)
