"""What a model reads."""

import re
from collections.abc import Iterable
from itertools import islice

import pytest
from rich.console import Console, Group, RenderableType

from arena.codecs.codec import codec_for
from arena.drawings.drawing import drawing_for
from arena.human.news import News
from arena.sdk.llm.folder import Folder
from arena.sdk.llm.match_texts import LISTED, rules_of
from arena.sdk.llm.prompt import Briefing
from arena.v1 import games_pb2
from engine.registry import GAMES
from tests.checkout import ROOT
from tests.unit.human.positions import decisions
from tests.unit.sdk.llm.matches import a_match, legal, new_state, observation

FOLDER = Folder(path=ROOT, prompt="Play for points.", model="m", base_url="http://localhost/v1")


@pytest.mark.parametrize("game", GAMES)
def test_the_system_text_has_prompt_game_rules_and_the_form_of_the_answer(game: str) -> None:
    state = new_state(game)
    text = Briefing(a_match(game, state), FOLDER).system
    parts = [
        "Play for points.",
        f"You play {GAMES[game].spec.title}, on seat {state.seat_to_act} of 2",
        rules_of(game, "short"),
        '"action": 1',
    ]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert "name-of" not in text


@pytest.mark.parametrize("game", GAMES)
def test_the_question_has_the_position_and_every_legal_action_with_its_number(game: str) -> None:
    for state, _ in islice(decisions(game, 2, seed=1), 0, None, 25):
        actions = legal(state)
        question = Briefing(a_match(game, state, seat=0), FOLDER).ask(
            observation(game, state, 0), actions, ""
        )
        assert drawing_for(game).draw(state.observe(0)).plain.rstrip("\n") in question.text
        assert question.notations == tuple(state.format_action(action) for action in actions)
        numbers = [int(number) for number in re.findall(r"^(\d+)\. \S", question.text, re.MULTILINE)]
        assert set(numbers) <= set(range(1, len(actions) + 1))
        if len(actions) <= LISTED:
            assert sorted(numbers) == list(range(1, len(actions) + 1))


def test_two_actions_with_the_same_words_are_told_apart_by_their_notation() -> None:
    for state, _ in decisions("caravanserai", 2, seed=1):
        question = Briefing(a_match("caravanserai", state, seat=0), FOLDER).ask(
            observation("caravanserai", state, 0), legal(state), ""
        )
        lines = re.findall(r"^\d+\. (.*)$", question.text, re.MULTILINE)
        assert len(set(lines)) == len(lines) == len(legal(state))


def test_of_a_long_list_some_of_each_kind_are_listed_and_the_others_can_be_named() -> None:
    state = new_state("caravan")
    actions = legal(state)
    repeated = list(actions) * (1 + 3 * LISTED // len(actions))
    question = Briefing(a_match("caravan", state), FOLDER).ask(observation("caravan", state, 0), repeated, "")
    lines = re.findall(r"^(\d+)\. .*\[(.*)\]$", question.text, re.MULTILINE)
    assert {"PASS", "PLACE(0)"} <= {notation for _, notation in lines}
    assert len(lines) <= LISTED + 2
    assert all(question.notations[int(number) - 1] == notation for number, notation in lines)
    assert (
        len(
            re.findall(
                r"^\(\d+ of \d+ actions of the kind (PASS|PLACE) are listed", question.text, re.MULTILINE
            )
        )
        == 2
    )


def test_what_happened_is_told_from_the_last_question_on_with_the_own_actions() -> None:
    briefing, told = None, 0
    for state, sent in islice(decisions("caravan", 2, seed=1), 12):
        briefing = briefing or Briefing(a_match("caravan", state, seat=0), FOLDER)
        for each in sent.happened:
            if each.WhichOneof("kind") == "action" and each.action.seat == 0:
                briefing.acted(each.action.action)  # it is not sent to the seat again
            else:
                briefing.happened([each])
        text = briefing.ask(observation("caravan", state, 0), legal(state), "").text.partition(
            "## The position"
        )[0]
        news = News("caravan", 0, sent.before, ("seat 0 (you)", "seat 1")).tell(
            sent.happened, state.observe(0)
        )
        story = printed(news).strip("\n")
        told += bool(story)
        assert text == (f"## What happened since your last decision\n\n{story}\n\n" if story else "")
    assert told > 8


def printed(parts: Iterable[RenderableType]) -> str:
    console = Console(width=100, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(Group(*parts))
    return capture.get()


def test_an_answer_that_did_not_count_is_replaced_by_what_the_arena_played() -> None:
    state = new_state("caravan")
    briefing = Briefing(a_match("caravan", state), FOLDER)
    first, second = legal(state)[:2]
    briefing.chose(second)
    action = games_pb2.Action.FromString(codec_for("caravan").encode_action(first))
    briefing.replaced([action])
    state.apply(first)
    text = briefing.ask(observation("caravan", state, 0), [first, second], "").text
    assert "passes" in text
    assert "places" not in text.partition("## The position")[0]


def test_the_last_thoughts_are_read_again_cut_to_their_beginning() -> None:
    state = new_state("caravan")
    text = (
        Briefing(a_match("caravan", state), FOLDER)
        .ask(observation("caravan", state, 0), legal(state), "go north " * 500)
        .text
    )
    assert text.count("go north") == 66


@pytest.mark.parametrize("game", GAMES)
def test_the_short_rules_explain_the_drawing_and_nothing_that_a_person_types(game: str) -> None:
    short = rules_of(game, "short")
    assert short.startswith("You play for")
    assert "\nIn the drawing of the position:\n" in short
    assert not re.search(r"[Oo]n a terminal|: \? ", short)


@pytest.mark.parametrize("game", GAMES)
def test_the_whole_page_of_the_rules_has_no_pictures_and_links(game: str) -> None:
    full = rules_of(game, "full")
    assert len(full) > 8 * len(rules_of(game, "short")) > 4000
    assert not re.search(r"\]\(|!\[|\.svg", full)
    assert rules_of(game, "none") == ""
