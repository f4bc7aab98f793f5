"""The tools, called without an arena."""

from typing import Any

import pytest

from arena.sdk.mcp.arguments import Act, Explain, Join, State, Wait
from arena.sdk.mcp.calls import Calls, Ladder, Reply
from arena.sdk.mcp.errors import Reason, RefusedCallError
from arena.sdk.mcp.seats import NewsKind
from engine.registry import GAMES
from tests.unit.sdk.mcp.tables import Table

LADDERS = [Ladder("main", "caravan"), Ladder("sand", "wasteland")]


def refusal(table: Table, use: Any, ladders: Any = None) -> Reason:
    with pytest.raises(RefusedCallError) as why:
        table.call(use, ladders)
    return why.value.reason


@pytest.mark.parametrize("game", GAMES)
def test_the_state_has_rules_options_position_numbered_actions_and_time(game: str) -> None:
    table = Table()
    decision = table.decide(game, until=42.0)
    reply = table.call(lambda calls: calls.state(State()))
    title = GAMES[game].spec.title
    parts = [
        f"You play {title}, on seat",
        "## The rules in short",
        f"# Decision {decision.id} of matches/7",
        "You have 42 s",
        "## The position",
        f"## Your {len(decision.legal_actions)} legal actions",
        "\n1. ",
    ]
    places = [reply.text.index(part) for part in parts]
    assert places == sorted(places)
    assert reply.fields["decisions"] == [
        {
            "decision": decision.id,
            "match": "matches/7",
            "game": game,
            "legal_actions": len(decision.legal_actions),
            "seconds_left": 42.0,
        }
    ]


@pytest.mark.parametrize(
    ("why_no_match", "is_named"),
    [(("does not run", "waits for a bot"), True), (("does not run", ""), False)],
)
def test_wait_says_why_no_match_begins_if_that_is_known(
    why_no_match: tuple[str, str], is_named: bool
) -> None:
    ladders = [Ladder("main", "caravan", why_no_match[0]), Ladder("side", "caravan", why_no_match[1])]

    async def use(calls: Calls) -> str:
        calls._presence.games = ("caravan",)
        return await calls._why_no_match()

    text = Table().call(use, lambda: ladders)
    assert ("main does not run" in text) is is_named


def test_wait_returns_at_once_with_the_decision_that_is_due_and_what_has_begun() -> None:
    table = Table()
    decision = table.decide()
    reply = table.call(lambda calls: calls.wait(Wait(seconds=300)))
    assert reply.fields["reason"] == "DECISION_DUE"
    assert reply.fields["news"] == [{"kind": "MATCH_STARTED", "match": "matches/7"}]
    assert decision.question.text in reply.text
    assert "## The rules in short" in reply.text
    again = table.call(lambda calls: calls.wait(Wait(seconds=300)))
    assert again.fields["reason"] == "DECISION_DUE"
    assert "## The rules in short" not in again.text


def test_of_several_matches_the_most_urgent_is_shown_and_the_others_are_named() -> None:
    table = Table()
    caravan = table.decide("caravan", 7, until=60.0)
    wasteland = table.decide("wasteland", 8, until=50.0)
    reply = table.call(lambda calls: calls.wait(Wait()))
    assert wasteland.question.text in reply.text
    assert caravan.question.text not in reply.text
    assert caravan.id in reply.text
    named = table.call(lambda calls: calls.state(State(match="7")))
    assert caravan.question.text in named.text
    assert wasteland.id in named.text
    acted = table.call(lambda calls: calls.act(Act(decision=caravan.id, action=1)))
    assert acted.fields["match"] == "matches/7"
    assert [each.id for each in table.seats.due()] == [wasteland.id]


@pytest.mark.parametrize("match", ["9", "matches/9", "", "no"])
def test_the_state_of_a_match_that_is_not_played_is_refused(match: str) -> None:
    table = Table()
    table.decide()
    assert refusal(table, lambda calls: calls.state(State(match=match))) is Reason.MATCH_UNKNOWN


def test_act_plays_by_number_or_text_and_keeps_the_thoughts() -> None:
    for action in (2, "2", "PLACE(0)", "places a camel on (1)"):
        table = Table()
        decision = table.decide()
        given = Act(decision=decision.id, action=action, thoughts="towards the paper")

        async def act(calls: Calls, given: Act = given) -> Reply:
            return await calls.act(given)

        reply = table.call(act)
        assert reply.fields["played"] == "PLACE(0)"
        answer = table.seats.await_answer(decision, lambda: True)
        assert answer is not None
        assert (answer.action, answer.thoughts) == (decision.legal_actions[1], "towards the paper")


@pytest.mark.parametrize("action", [0, 51, "PICK_UP(0)", "camel", "nothing"])
def test_an_illegal_action_is_refused_before_it_reaches_the_arena(action: int | str) -> None:
    table = Table()
    decision = table.decide()
    given = Act(decision=decision.id, action=action)
    assert refusal(table, lambda calls: calls.act(given)) in {
        Reason.ACTION_UNKNOWN,
        Reason.ACTION_ILLEGAL,
        Reason.ACTION_AMBIGUOUS,
    }
    assert decision.answer is None
    assert table.seats.due() == [decision]


def explained(**arguments: Any) -> Reply:
    table = Table()
    table.decide()
    return table.call(lambda calls: calls.explain(Explain(**arguments)))


def test_explain_says_what_a_legal_action_leads_to_and_why_another_is_illegal() -> None:
    legal = explained(action=2)
    assert (legal.fields["legal"], legal.fields["notation"]) == (True, "PLACE(0)")
    illegal = explained(action="PICK_UP(0)")
    assert (illegal.fields["legal"], illegal.fields["reason"]) == (False, "ACTION_ILLEGAL")


def test_explain_finds_clauses_by_words_and_by_number() -> None:
    assert explained(rule="steal").text.partition(" ")[0] == "C11"
    assert explained(rule="C12").text.startswith("C12 ")
    assert explained(rule="zeppelin").fields["clauses"] == 0
    assert explained(rule="road", game="wasteland").fields["game"] == "wasteland"
    assert "The rules" not in explained(rule="steal").text


def test_explain_without_arguments_has_the_rules_in_short() -> None:
    assert explained().text.startswith("## caravan: the rules in short")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"rule": "camel"}, Reason.GAME_UNKNOWN),
        ({"rule": "camel", "game": "chess"}, Reason.GAME_UNKNOWN),
        ({"game": "chess"}, Reason.GAME_UNKNOWN),
        ({"action": 1}, Reason.NO_DECISION),
        ({"action": 1, "decision": "1-1-no"}, Reason.DECISION_UNKNOWN),
    ],
)
def test_what_cannot_be_explained_is_refused(arguments: dict[str, Any], reason: Reason) -> None:
    assert refusal(Table(), lambda calls: calls.explain(Explain(**arguments))) is reason


def test_without_the_pages_of_the_rules_explain_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.sdk.mcp.calls.rules_of", lambda game, how_much: "")
    for given in (Explain(game="caravan"), Explain(game="caravan", rule="camel")):
        assert refusal(Table(), lambda calls, given=given: calls.explain(given)) is Reason.RULES_MISSING


def test_before_join_every_tool_says_that_join_comes_first() -> None:
    for use in (
        lambda calls: calls.wait(Wait()),
        lambda calls: calls.state(State()),
        lambda calls: calls.join(Join(matches=0)),
    ):
        assert refusal(Table(), use) is Reason.NOT_JOINED


@pytest.mark.parametrize(
    ("given", "ladders", "reason"),
    [
        (Join(game="chess"), LADDERS, Reason.GAME_UNKNOWN),
        (Join(ladder="other"), LADDERS, Reason.LADDER_UNKNOWN),
        (Join(ladder="sand", game="caravan"), LADDERS, Reason.LADDER_UNKNOWN),
        (Join(ladder="main"), None, Reason.LADDER_UNKNOWN),
        (Join(ladder="main"), [], Reason.LADDER_UNKNOWN),
    ],
)
def test_a_game_or_ladder_that_cannot_be_played_is_refused(given: Join, ladders: Any, reason: Reason) -> None:
    read = None if ladders is None else lambda: ladders
    assert refusal(Table(), lambda calls: calls.join(given), read) is reason


def test_news_is_told_by_state_too_and_only_once() -> None:
    table = Table()
    table.decide()
    table.seats.take_news()
    table.seats.tell(NewsKind.FALLBACK_PLAYED, "matches/7", "The fallback has played.")
    first = table.call(lambda calls: calls.state(State()))
    assert "The fallback has played." in first.text
    assert first.fields["news"] == [{"kind": "FALLBACK_PLAYED", "match": "matches/7"}]
    assert table.call(lambda calls: calls.state(State())).fields["news"] == []
