"""What every drawing promises."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.text import Text

from arena.drawings.drawing import Drawing, Step, drawing_for
from engine.game import SPECTATOR
from engine.registry import GAMES
from tests.unit.contract.cases import Case, final, sample, walk

NAMES = ("a-bot", "another-bot-with-a-very-long-name", "c", "d", "e", "f")
LIGHT, DARK = (255, 255, 255), (0, 0, 0)


def luminance(colour: tuple[int, ...]) -> float:
    """Relative luminance (WCAG 2.1)."""
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Return the contrast ratio of two colours (WCAG 2.1)."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def styles(text: Text) -> set[Style]:
    """All styles of a text."""
    written = {span.style for span in text.spans} | {text.style}
    return {Style.parse(style) if isinstance(style, str) else style for style in written if style}


def told(case: Case, drawing: Drawing) -> Iterator[Step]:
    """Yield the actions of the case as they are shown: whole, and as spectators see them where that is less."""
    for step in walk(case):
        state = step.state.clone()
        before = state.observe(SPECTATOR)
        seat, seen = state.seat_to_act, state.action_seen_by(step.action, SPECTATOR)
        state.apply(step.action)
        events, after = tuple(state.take_events()), state.observe(SPECTATOR)
        public = tuple(form for event in events if (form := event.seen_by(SPECTATOR)) is not None)
        yield Step(seat, before, step.action, events, after)
        if seen is not None and (seen, public) != (step.action, events):
            yield Step(seat, before, seen, public, after)


def test_every_position_can_be_drawn_for_every_viewer_in_80_columns(case: Case) -> None:
    drawing = drawing_for(case.game)
    states = [step.state for step in sample(case, every=40)] + [final(case)]
    for state in states:
        for viewer in case.viewers:
            for names in ((), NAMES[: case.seats]):
                lines = drawing.draw(state.observe(viewer), names).plain.splitlines()
                assert len(lines) > 1
                assert all(line.isprintable() for line in lines)
                assert max(map(len, lines)) <= 80, max(lines, key=len)


def test_every_action_is_described_in_printable_words_without_internal_names(case: Case) -> None:
    drawing = drawing_for(case.game)
    for step in told(case, drawing):
        sentences = [drawing.describe([step], NAMES), *drawing.describe_events([step], NAMES)]
        for text in sentences:
            assert text.plain.strip() == text.plain
            assert text.plain.isprintable()
            assert "_" not in text.plain
        assert sentences[0].plain


def test_turns_only_go_up_and_their_headings_say_something(case: Case) -> None:
    drawing = drawing_for(case.game)
    observations = [step.before for step in told(case, drawing)]
    for one, next_one in pairwise(observations):
        assert drawing.turn(one) <= drawing.turn(next_one)
        assert drawing.heading(one)
    assert "a-bot" in drawing.standing(observations[-1], NAMES).plain


def test_all_colours_can_be_read_on_dark_and_on_light_terminals(case: Case) -> None:
    """At least 3:1, what WCAG 2.1 asks for large and bold text."""
    drawing = drawing_for(case.game)
    texts = [drawing.draw(final(case).observe(SPECTATOR), NAMES)]
    texts += [drawing.describe([step], NAMES) for step in told(case, drawing)]
    for style in {style for text in texts for style in styles(text)}:
        if style.color is None:
            continue
        ink = tuple(style.color.get_truecolor())
        papers = [LIGHT, DARK] if style.bgcolor is None else [tuple(style.bgcolor.get_truecolor())]
        for paper in papers:
            assert contrast(ink, paper) >= 3, (style, paper)


def test_colours_are_only_for_terminals(case: Case) -> None:
    drawn = drawing_for(case.game).draw(final(case).observe(SPECTATOR), NAMES)
    with (console := Console(color_system=None, width=100)).capture() as plain:
        console.print(drawn)
    with (console := Console(color_system="truecolor", force_terminal=True, width=100)).capture() as coloured:
        console.print(drawn)
    assert plain.get() == drawn.plain + "\n"
    assert "\x1b[" in coloured.get()


@pytest.mark.parametrize("game", GAMES)
def test_what_is_no_observation_of_the_game_is_refused(game: str) -> None:
    with pytest.raises(TypeError, match=rf"engine\.{game}\.[\w.]*Observation is needed"):
        drawing_for(game).draw("a view")


def test_the_measure_of_contrast_is_the_published_one() -> None:
    assert contrast(LIGHT, DARK) == pytest.approx(21)
    assert contrast(tuple(Color.parse("#777777").get_truecolor()), LIGHT) == pytest.approx(4.48, abs=0.01)


def test_a_game_without_a_drawing_is_not_found() -> None:
    with pytest.raises(KeyError, match="sandstorm"):
        drawing_for("sandstorm")
