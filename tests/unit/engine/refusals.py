"""Refusals: what they leave unchanged, and the clause and the words that their sentence has."""

import re

import pytest

from engine.game import IllegalActionError, State

LONGEST = 600


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
