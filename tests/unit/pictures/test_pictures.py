"""What holds for the pictures of all games."""

from xml.etree import ElementTree as ET

import pytest

from arena.drawings.drawing import drawing_for
from arena.pictures.picture import WIDTH, picture_for
from arena.pictures.svg import SMALLEST
from arena.pictures.terminal import TerminalPicture
from engine.game import SPECTATOR, Game
from engine.randomness import Stream
from engine.registry import GAMES
from tests.checkout import ROOT
from tests.unit.pictures.played import NAMES, check_picture, ids, play

HOSTILE = (
    '<script>alert("1")</script>',
    "\x00\x1b[31m\ud800",
    "\u202eright-to-left",
    "&" * 10_000,
    "]]>",
    "'\"",
)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


@every_game
def test_pictures_are_whole_documents_with_legible_text(game: Game) -> None:
    for seats in (game.spec.min_seats, game.spec.max_seats):
        for frames in play(game, seats, every=40):
            for frame in frames:
                for moment in frame.moments:
                    picture = picture_for(game.spec.id).draw(moment.after, NAMES[:seats], moment)
                    assert ids(picture)
                    root = ET.fromstring(picture.svg())
                    assert root.get("viewBox") == f"0 0 {WIDTH} {picture.height}"
                    sizes = [
                        float(each.get("font-size", "0")) for each in root.iter() if each.tag.endswith("text")
                    ]
                    assert min(sizes) >= SMALLEST or isinstance(picture_for(game.spec.id), TerminalPicture)
                    assert not [each for each in root.iter() if any("href" in name for name in each.attrib)]


@every_game
def test_all_viewers_have_as_many_moments_and_the_last_one_shows_what_came_of_the_step(game: Game) -> None:
    for frames in play(game, game.spec.max_seats, every=3):
        assert len({len(frame.moments) for frame in frames}) == 1
        for frame in frames:
            assert frame.moments[0].acts
            assert not any(moment.acts for moment in frame.moments[1:])
            assert all(moment.caption for moment in frame.moments[1:])
            assert frame.moments[-1].after == frame.step.after
            marked = [event for moment in frame.moments for event in moment.events]
            assert sorted(map(repr, marked)) == sorted(map(repr, frame.step.events))


@every_game
def test_positions_that_look_the_same_to_a_viewer_have_the_same_picture(game: Game) -> None:
    """What is hidden from the viewer is drawn anew, from another seed."""
    picture = picture_for(game.spec.id)
    for frames in play(game, game.spec.max_seats, every=60):
        for frame in frames:
            if frame.viewer == SPECTATOR:
                continue
            other = game.from_observation(frame.step.after, Stream(b"\1" * 32)).observe(frame.viewer)
            assert picture.draw(other).svg() == picture.draw(frame.step.after).svg()


@every_game
def test_hostile_names_are_text(game: Game) -> None:
    [frame, *_] = next(play(game, game.spec.max_seats))
    picture = picture_for(game.spec.id).draw(
        frame.step.after, HOSTILE[: game.spec.max_seats], frame.moments[-1]
    )
    root = ET.fromstring(picture.svg())
    assert not [each for each in root.iter() if each.tag.endswith("script")]
    assert len(picture.svg()) < 200_000
    assert any("<script>" in (each.text or "") for each in root.iter())


@every_game
def test_a_game_without_a_picture_is_shown_as_in_a_terminal(game: Game) -> None:
    [frame, *_] = next(play(game, game.spec.max_seats))
    drawing = drawing_for(game.spec.id)
    picture = TerminalPicture(drawing).draw(frame.step.after, NAMES)
    shown = "".join(ET.fromstring(picture.svg()).itertext())
    for word in drawing.draw(frame.step.after, NAMES).plain.split():
        assert word in shown


@every_game
def test_the_page_of_rules_shows_a_match_on_its_way(game: Game) -> None:
    """After 40 plies of playouts with three seats."""
    name, folder = game.spec.id, ROOT / "docs" / "rules"
    if isinstance(picture_for(name), TerminalPicture):
        return
    frame = [frames[0] for frames, _ in zip(play(game, 3), range(40), strict=False)][-1]
    picture = picture_for(name).draw(frame.moments[-1].after, NAMES[:3], frame.moments[-1])
    check_picture(name, picture, folder / "pictures")
    assert f"](pictures/{name}.svg)" in (folder / f"{name}.md").read_text()


@every_game
def test_the_page_of_rules_shows_the_set_up(game: Game) -> None:
    """For three seats."""
    name, folder = game.spec.id, ROOT / "docs" / "rules"
    if isinstance(picture_for(name), TerminalPicture):
        return
    seen = game.new_match(3, game.options(3, {}), bytes(32)).observe(SPECTATOR)
    check_picture(f"{name}-setup", picture_for(name).draw(seen, NAMES[:3]), folder / "pictures")
    assert f"](pictures/{name}-setup.svg)" in (folder / f"{name}.md").read_text()
