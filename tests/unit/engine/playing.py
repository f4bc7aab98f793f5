"""Actions in notation, and refusals: what they leave unchanged, and the clause and the words of their sentence."""

import re
from typing import TypeVar

import pytest

from engine.game import IllegalActionError, State

LONGEST = 600
Match = TypeVar("Match", bound=State)


def check_words(sentence: str, words: str) -> None:
    """Check that the sentence is a short one with all of these words, clauses among them."""
    assert sentence.endswith(".")
    assert len(sentence) < LONGEST
    said = {word.strip("\"'(),.:;") for word in re.split(r"\s", sentence)}
    assert said >= set(words.split()), sentence


def check_refused(state: State, action: int, words: str) -> None:
    """Check that the action is illegal for the reason that these words name, and that trying it changes nothing."""
    state.take_events()
    digest = state.digest()
    assert not state.is_legal(action)
    with pytest.raises(IllegalActionError) as caught:
        state.apply(action)
    assert state.digest() == digest
    assert not state.take_events()
    check_words(str(caught.value).partition(" is not legal here: ")[2], words)


def play(state: Match, *actions: str) -> Match:
    """Apply the actions, in the notation of the rules, and return the state."""
    for action in actions:
        state.apply(state.parse_action(action))
    return state


def may(state: State, action: str) -> bool:
    """Return whether the action is legal; the list and the check of single actions agree on it."""
    packed = state.parse_action(action)
    legal_ = state.is_legal(packed)
    assert (packed in list(state.legal_actions())) == legal_
    return legal_


def legal(state: State, kind: str = "") -> list[str]:
    """Return the legal actions of one kind, or all, in the notation of the rules."""
    texts = [state.format_action(action) for action in state.legal_actions()]
    return [text for text in texts if text.split("(")[0] == kind or not kind]


def refused(state: State, action: str | int, words: str) -> None:
    """Check that the action is illegal, by list and single check, and refused with these words."""
    packed = action if isinstance(action, int) else state.parse_action(action)
    assert packed not in state.legal_actions()
    check_refused(state, packed, words)
