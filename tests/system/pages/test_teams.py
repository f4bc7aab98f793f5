"""Teams on the web pages: one person creates one, another joins with its code, and whatever is wrong says so."""

import re
from collections.abc import Iterator

import pytest

from arena.core.invite_codes import TEAM_PREFIX, new_code
from arena.v1 import token_pb2
from tests.system.pages.pages_process import Answer, PagesProcess
from tests.system.pages.reader import Reader
from tests.system.play.arena_process import ArenaProcess

PLACE = "account/team"


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path_factory.mktemp("teams") / "data") as process:
        yield process


@pytest.fixture(scope="module")
def pages(arena: ArenaProcess) -> Iterator[PagesProcess]:
    with PagesProcess("--data", str(arena.data)) as served:
        yield served


def person(arena: ArenaProcess, pages: PagesProcess, name: str) -> Reader:
    request = token_pb2.CreateTokenRequest(role=token_pb2.ROLE_OWNER, owner=f"owners/{name}")
    return Reader(pages, arena.tokens.CreateToken(request).secret)


def send(reader: Reader, do: str, **fields: str) -> Answer:
    return reader.post(PLACE, {"csrf": reader.csrf(PLACE), "do": do, **fields})


def shown_code(answer: Answer) -> str:
    found = re.search(r'id="code-of-team">([^<]+)<', answer.text)
    assert found, answer.text
    return found[1]


def alert(answer: Answer) -> str:
    found = re.search(r'role="alert">([^<]+)<', answer.text)
    assert found, answer.text
    return found[1]


def test_two_people_share_a_team_and_one_of_them_leaves(arena: ArenaProcess, pages: PagesProcess) -> None:
    ada, bob = person(arena, pages, "ada"), person(arena, pages, "bob")
    arena.bots.CreateBot(bot_id="adder", owner="owners/ada")
    assert "join or create one" in ada.get("account").text
    made = send(ada, "create", team="lions")
    assert made.status == 200
    code = shown_code(made)
    assert code not in ada.get(PLACE).text, "it is shown only once"
    assert send(bob, "join", code=code.lower()).status == 303
    team = arena.teams.GetTeam(name="teams/lions").team
    assert (list(team.members), list(team.bots)) == (["users/ada", "users/bob"], ["bots/adder"])
    for reader in (ada, bob):
        page = reader.get(PLACE).text
        assert all(word in page for word in ("lions", "ada", "bob", "adder")), page
    assert bob.get("account/bots/adder").status == 200, "a member manages the team's bots"
    newer = shown_code(send(bob, "renew"))
    assert newer != code
    assert send(bob, "leave").status == 303
    assert bob.get("account/bots/adder").status == 403
    assert send(bob, "join", code=code).status == 404, "the code from before"
    assert send(bob, "join", code=newer).status == 303
    refused = send(bob, "create", team="tigers")
    assert (refused.status, "lions" in alert(refused)) == (409, True)


def test_what_is_wrong_with_a_form_is_said_beside_it(arena: ArenaProcess, pages: PagesProcess) -> None:
    eve = person(arena, pages, "eve")
    arena.bots.CreateBot(bot_id="eel", owner="owners/eve")
    wrong = [
        ("join", {"code": ""}, 400),
        ("join", {"code": "TEAM-<b>"}, 400),
        ("join", {"code": str(new_code(bytes, TEAM_PREFIX))}, 404),
        ("create", {"team": ""}, 400),
        ("create", {"team": '"><script>alert(1)</script>'}, 400),
        ("create", {"team": "eve"}, 409),
        ("dissolve", {}, 400),
    ]
    for do, fields, status in wrong:
        answer = send(eve, do, **fields)
        assert (answer.status, bool(alert(answer))) == (status, True), (do, fields)
        assert "<script>alert" not in answer.text
        assert "Traceback" not in answer.text
    assert send(eve, "create", team="eels").status == 200
    stays = send(eve, "leave")
    assert (stays.status, "last" in alert(stays)) == (409, True), "the bots would belong to nobody"
