"""The replay page in a browser, opened from disk."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from arena.codecs.codec import codec_for
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.match import ILLEGAL_ANSWER, MatchState, NoteRecord
from arena.match_log.reader import MatchLog, read_log
from arena.viewer import Replay
from arena.viewer.page import replay_page
from arena.viewer.replay import CostlyDecision
from engine.registry import GAMES
from tests.system.browser.pages import overflow, serious_faults
from tests.system.viewer import logs
from tests.system.viewer.logs import with_evaluations

LOGS = Path(__file__).parents[2] / "data" / "logs"
PHONE = 375

Write = Callable[[MatchLog], str]


@pytest.fixture(scope="module")
def write(tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Write the replay page of a log; return its address."""

    written: dict[int, tuple[MatchLog, str]] = {}

    def write(log: MatchLog) -> str:
        if id(log) not in written:
            file = tmp_path_factory.mktemp("page") / "match.html"
            file.write_text(replay_page(log, codec_for(log.setup.game)))
            written[id(log)] = log, file.as_uri()
        return written[id(log)][1]

    return write


a_log = cache(logs.a_log)


@cache
def forfeits() -> MatchLog:
    """Return a match of four seats with strikes and a forfeit."""
    return read_log((LOGS / "caravan-4-seats-with-forfeits.arenalog").read_bytes())


@cache
def two_seats() -> MatchLog:
    return read_log((LOGS / "caravan-2-seats.arenalog").read_bytes())


def ply(page: Page) -> int:
    """Return the ply that is shown."""
    return int(page.locator("#how").inner_text().split()[1])


def address(page: Page) -> str:
    fragment: str = page.evaluate("location.hash")
    return fragment


def parts(page: Page) -> int:
    """Return how many parts the picture has."""
    return page.locator("#picture > g:not(:nth-child(2)) > g").count()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (PHONE, True)])
def test_a_replay_of_every_game_fits_its_window_and_has_no_serious_fault(game, width, dark, write, open_page):
    page = open_page(write(a_log(game, GAMES[game].spec.min_seats)), width=width, dark=dark)
    page.keyboard.press("End")
    assert page.locator("#end").inner_text() == page.locator(".result").inner_text()
    assert overflow(page) == 0
    assert serious_faults(page) == []
    page.keyboard.press("?")
    assert overflow(page) == 0
    assert serious_faults(page) == []


@pytest.mark.parametrize("name", ["caravan-2-seats", "caravan-4-seats-with-forfeits", "worked-example"])
def test_every_step_of_a_stored_log_is_shown(name, write, open_page):
    log = read_log((LOGS / f"{name}.arenalog").read_bytes())
    page = open_page(write(log))
    seen = {ply(page)}
    for _ in range(int(page.locator("#scrubber").get_attribute("max") or "0")):
        page.keyboard.press("ArrowRight")
        assert page.locator("#what").inner_text()
        seen.add(ply(page))
    assert seen == set(range(len(log.plies) + 1))


def with_result(log: MatchLog, placings: Sequence[int] = (), **changes: Any) -> MatchLog:
    seats = log.result.seats
    if placings:
        pairs = zip(seats, placings, strict=True)
        seats = tuple(replace(seat, placing=placing, score=12) for seat, placing in pairs)
    return replace(log, result=replace(log.result, **{"seats": seats, **changes}))


def that_never_began() -> MatchLog:
    ending = SeatEnding(Termination.NO_SHOW, Fault.BOT, (), "It did not take its seat.")
    log = two_seats()
    seats = tuple(replace(seat, placing=0, score=0, ending=ending) for seat in log.result.seats)
    why = "It never began: no bot took its seat."
    void = with_result(log, seats=seats, state=MatchState.NO_CONTEST, ending="", void_reason=why)
    return replace(void, entries=())


ENDINGS: dict[str, tuple[Callable[[], MatchLog], list[str]]] = {
    "win": (two_seats, ["mcts wins", "FINAL_DELIVERY"]),
    "tie": (lambda: with_result(two_seats(), (1, 1)), ["greedy and mcts tie", "12", "FINAL_DELIVERY"]),
    "forfeit": (forfeits, ["mcts wins", "FINAL_DELIVERY", "Forfeited: planner", "DISCONNECT"]),
    "one is left": (
        lambda: a_log("caravan", 2, source=0, trouble=0.05),
        ["wins (LAST_STANDING)", "Forfeited"],
    ),
    "void": (
        lambda: read_log((LOGS / "worked-example.arenalog").read_bytes()),
        ["No result (ABORTED): ", "arena"],
    ),
    "no contest": (that_never_began, ["No result (NO_CONTEST): It never began", "NO_SHOW: It did not take"]),
    "level": (lambda: a_log("caravanserai", 1), ["bot-0 reaches level ", "score of 25", "STUCK"]),
    "solo forfeit": (
        lambda: a_log("caravanserai", 1, source=0, trouble=0.05),
        ["No winner (FORFEIT). Forfeited: bot-0"],
    ),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_last_step_shows_who_won_and_why_the_match_ended(ending, write, open_page):
    make, told = ENDINGS[ending]
    page = open_page(write(make()))
    page.keyboard.press("End")
    shown = page.locator("#end").inner_text() + page.locator("#results").inner_text()
    assert [text for text in told if text not in shown] == []
    assert page.locator("#end").inner_text() == page.locator(".result").inner_text()


def test_keys(write, open_page):
    page = open_page(write(forfeits()))
    page.clock.install()
    keyboard = page.keyboard
    keyboard.press("?")
    assert page.locator("dt").all_inner_texts() == [
        *("← →", "↑ ↓", "Home, End", "Space", "+ \N{MINUS SIGN}", "s", "v", "?"),  # tested below
    ]
    keyboard.press("ArrowRight")
    assert ply(page) == 0, "the help keeps the keys to itself"
    keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    for key, expected in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 330), ("Home", 0)):
        keyboard.press(key)
        assert ply(page) == expected, key
    starts = [int(item.get_attribute("data-ply") or "") for item in page.locator("#turns li[data-ply]").all()]
    for key, expected in (("ArrowDown", starts[1]), ("ArrowDown", starts[2]), ("ArrowUp", starts[1])):
        keyboard.press(key)
        assert ply(page) == expected, key
    keyboard.press("s")
    assert page.locator("#trouble").inner_text()
    first = ply(page)
    keyboard.press("s")
    assert ply(page) > first
    speed = page.locator("#speed")
    for key, expected_speed in (("+", "2"), ("=", "4"), ("-", "2"), ("-", "1"), ("-", "0.5"), ("-", "0.5")):
        keyboard.press(key)
        assert speed.input_value() == expected_speed, key
    keyboard.press("Space")
    assert page.locator("[data-do=play]").inner_text() == "Pause"
    keyboard.press("Space")
    assert page.locator("[data-do=play]").inner_text() == "Play"
    keyboard.press("v")
    assert page.locator("#view").input_value() == "0", "Caravan hides nothing, so it has one view"


def test_buttons_step_through_a_match(write, open_page):
    page = open_page(write(two_seats()))
    for button, expected in (
        ("Next", 1),
        ("Next", 2),
        ("Back", 1),
        ("Last", 191),
        ("Next", 191),
        ("First", 0),
    ):
        page.get_by_role("button", name=button, exact=True).click()
        assert ply(page) == expected, button
    page.get_by_role("button", name="Help").click()
    assert page.get_by_role("dialog").is_visible()
    page.get_by_role("button", name="Close").click()
    assert not page.get_by_role("dialog").is_visible()


def test_a_match_plays_at_the_chosen_speed_and_stops_at_its_end(write, open_page):
    page = open_page(write(two_seats()))
    page.clock.install(time=0)
    page.clock.pause_at(3600)
    step = page.locator("#scrubber")
    play = page.locator("[data-do=play]")
    play.click()
    page.clock.run_for(899)
    assert step.input_value() == "0"
    page.clock.run_for(1)
    assert step.input_value() == "1"
    page.locator("#speed").select_option("0.5")
    page.clock.run_for(3600)
    assert step.input_value() == "3"
    page.locator("#speed").select_option("8")
    page.clock.run_for(900)
    assert step.input_value() == "11"
    play.click()
    page.clock.run_for(9000)
    assert step.input_value() == "11"
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    play.click()
    page.clock.run_for(9000)
    assert step.input_value() == step.get_attribute("max")
    assert play.inner_text() == "Play"
    play.click()
    assert step.input_value() == "0", "it plays again from the beginning"


def test_the_scrubber_and_the_charts_lead_to_any_step(write, open_page):
    page = open_page(write(two_seats()))
    scrubber = page.locator("#scrubber")
    scrubber.fill("50")
    assert f"Ply {ply(page)}: " in (scrubber.get_attribute("aria-valuetext") or "")
    before = ply(page)
    assert before > 0
    plot = page.locator(".plot").first
    box = plot.bounding_box()
    assert box is not None
    plot.click(position={"x": box["width"] / 2, "y": 20})
    assert abs(ply(page) - 191 / 2) <= 1
    assert page.locator(".now-line").first.get_attribute("x1") == str(ply(page))


def test_marks_below_the_scrubber_are_changes_of_scores_strikes_and_the_end(write, open_page):
    page = open_page(write(forfeits()))
    marks = page.locator("#ticks line").evaluate_all(
        "all => all.map(each => [each.getAttribute('class'), Number(each.getAttribute('x1'))])"
    )
    last = int(page.locator("#scrubber").get_attribute("max") or "0")
    assert [kind for kind, at in marks if at == last] == ["over"]
    troubles = [at for kind, at in marks if kind == "strike"]
    assert len(troubles) == page.evaluate("troubles.size") > 0
    changes = "frames.flatMap((each, at) => at && String(each.scores) !== String(frames[at - 1].scores) ? [at] : [])"
    assert {at for kind, at in marks if kind == "score"} == set(page.evaluate(changes)) - {*troubles, last}


def test_the_controls_stay_in_sight_beside_a_tall_picture(write, open_page):
    for width in (1280, PHONE):
        page = open_page(write(a_log("ahldarahd", 5)), width=width)
        picture = page.locator("#picture").bounding_box()
        assert picture is not None
        assert picture["height"] > 800, "more than the window has"
        drawn = page.locator("#picture > g").first.bounding_box()
        assert drawn is not None
        assert drawn["width"] > (370 if width == 1280 else 290)
        assert page.locator("[data-do=next]").evaluate(
            "each => each.getBoundingClientRect().bottom <= innerHeight"
        )


def test_an_address_opens_its_ply_and_view_and_follows_the_steps(write, open_page):
    url = write(a_log("ahldarahd", 2))
    page = open_page(f"{url}#ply=40&view=1")
    page.clock.install()
    assert ply(page) == 40
    assert page.locator("#view").input_value() == "1"
    page.keyboard.press("ArrowRight")
    page.clock.run_for(250)
    assert address(page) == f"#ply={ply(page)}&view=1"
    page.evaluate("location.hash = '#ply=7'")
    expect(page.locator("#how")).to_contain_text("Ply 7 of")
    last = len(a_log("ahldarahd", 2).plies)
    for wrong, shown in (("ply=99999", last), ("ply=x", 0), ("ply=-1", 0), ("view=99", 0), ("%", 0)):
        assert ply(open_page(f"{url}#{wrong}")) == shown, wrong


def test_the_list_of_turns_follows_the_position_and_leads_to_it(write, open_page):
    page = open_page(write(two_seats()))
    items = page.locator("#turns li[data-ply]")
    starts = [int(each) for each in items.evaluate_all("all => all.map(item => item.dataset.ply)")]
    for step in (1, 20, 100, 150, 60):
        page.locator("#scrubber").fill(str(step))
        current = page.locator("#turns li.now")
        assert current.count() == 1
        assert current.get_attribute("aria-current") == "step"
        expected = max(start for start in starts if start <= max(1, ply(page)))
        assert current.get_attribute("data-ply") == str(expected)
        assert in_the_list(page), step
    items.nth(4).locator("a").click()
    assert ply(page) == starts[4]
    assert page.locator("#turns li.now").get_attribute("data-ply") == str(starts[4])


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (PHONE, True)])
def test_an_evaluation_is_shown_at_its_ply_and_its_place_in_the_list_leads_there(
    width, dark, write, open_page
):
    log = with_evaluations(a_log("caravan", 2), "412 tries")
    page = open_page(write(log), width=width, dark=dark)
    assert page.locator("#expected").inner_text() == ""
    link = page.locator("#turns p[title] a").nth(6)
    link.click()
    number = ply(page)
    assert link.inner_text() == f"Ply {number}"
    evaluation = log.plies[number - 1].evaluation
    assert evaluation is not None
    shares = [f"bot-{seat} {score / 10:g} %" for seat, score in enumerate(evaluation.scores_per_mille)]
    who = f"bot-{log.plies[number - 1].seat}"
    assert (
        page.locator("#expected").inner_text()
        == f"{who} expects: {', '.join(shares)} \N{MIDDLE DOT} 412 tries"
    )
    page.locator('[data-chart="expected"] .plot').click(position={"x": 5, "y": 20})
    assert ply(page) < number
    assert overflow(page) == 0
    assert serious_faults(page) == []


def in_the_list(page: Page) -> bool:
    """Return whether the current turn can be seen without scrolling the list."""
    visible: bool = page.evaluate(
        """() => {
            const list = document.getElementById("turns").getBoundingClientRect();
            const item = document.querySelector("#turns li.now").getBoundingClientRect();
            return item.top >= list.top - 1 && item.top < list.bottom;
        }"""
    )
    return visible


def test_each_view_shows_what_its_viewer_sees(write, open_page):
    page = open_page(write(a_log("ahldarahd", 2)))
    choice = page.locator("#view")
    assert choice.locator("option").all_inner_texts() == ["spectators", "seat 0", "seat 1", "all hands"]
    page.locator("#scrubber").fill("20")
    public, step = parts(page), ply(page)
    choice.select_option("all hands")
    assert parts(page) > public
    assert ply(page) == step
    choice.blur()
    page.keyboard.press("v")
    assert choice.input_value() == "0"
    assert parts(page) == public


def costly_page(folder: Path, sentence: str = "Moves a camel. Better: passes.") -> str:
    """Write the page of a match with three costly decisions; return its address."""
    log = two_seats()
    costly = [CostlyDecision(ply, rank, f"{rank}: {sentence}") for rank, ply in enumerate((40, 7, 90), 1)]
    file = folder / "costly.html"
    file.write_text(replay_page(log, codec_for(log.setup.game), costly))
    return file.as_uri()


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (PHONE, True)])
def test_costly_decisions_are_links_marks_and_stops_of_a_key(width, dark, tmp_path, open_page):
    page = open_page(costly_page(tmp_path), width=width, dark=dark)
    items = page.locator("#costly li")
    assert [text[:2] for text in items.all_inner_texts()] == ["1:", "2:", "3:"]
    items.nth(0).locator("a").click()
    assert ply(page) == 41
    marks = page.locator("#ticks .costly")
    assert marks.count() == 3
    page.keyboard.press("Home")
    stops = []
    for _ in range(4):
        page.keyboard.press("c")
        stops.append((ply(page), page.locator("#scrubber").input_value()))
    assert [each for each, _ in stops] == [8, 41, 91, 8]
    assert sorted({frame for _, frame in stops}, key=int) == [
        marks.nth(place).get_attribute("x1") for place in range(3)
    ]
    assert overflow(page) == 0
    assert serious_faults(page) == []


def test_a_page_without_an_analysis_has_no_costly_decisions(write, open_page):
    page = open_page(write(two_seats()))
    page.keyboard.press("c")
    assert ply(page) == 0
    assert page.locator("#costly, #ticks .costly").count() == 0


@pytest.mark.parametrize("reduced", [False, True])
def test_pieces_glide_unless_the_reader_wants_no_motion(reduced, write, open_page):
    log = two_seats()
    page = open_page(write(log), reduced_motion=reduced)
    gliding: list[bool] = []
    for _ in range(60):
        gliding += page.evaluate(
            """() => {
                document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
                return document.getAnimations().map(each => each.effect.target.matches(".pieces > g"));
            }"""
        )
    assert all(gliding), "arrows and traces stay where they are"
    assert bool(gliding) != reduced


HOSTILE = [
    "</script><script>document.title = 'taken'</script>",
    "<img src=x onerror=alert(1)>",
    "x" * 10_000,
    "\u202egnisrever\u2066 \u200f",
    "{{ 7 * 7 }}\u2028'\"`${x}",
]


@pytest.mark.parametrize("text", HOSTILE, ids=["script", "image", "long", "bidi", "template"])
@pytest.mark.parametrize("width", [1280, PHONE])
def test_hostile_texts_are_shown_as_text_and_keep_the_layout(text, width, write, open_page):
    log = forfeits()
    holders = tuple(replace(each, bot=text, version=text) for each in log.setup.seats)
    seats = tuple(
        replace(each, ending=replace(each.ending, sentence=text)) if each.ending.forfeited else each
        for each in log.result.seats
    )
    notes = [
        replace(each, content=replace(each.content, text=text))
        if isinstance(each.content, NoteRecord) and each.content.what == ILLEGAL_ANSWER
        else each
        for each in log.entries
    ]
    line = text.encode()[:200].decode(errors="ignore")
    log = with_evaluations(replace(log, entries=tuple(notes)), line, seats=range(4))
    log = replace(
        log,
        setup=replace(log.setup, seats=holders, ladder=text),
        origin=replace(log.origin, software=text, key_id=text),
        result=replace(log.result, seats=seats),
    )
    page = open_page(write(log), width=width)
    page.locator("summary").click()
    named = page.evaluate("data.frames.findIndex(each => each.text.includes(data.seats[1].name))")
    page.locator("#scrubber").fill(str(named))
    assert page.locator("#what").inner_text() == page.evaluate(f"data.frames[{named}].text")
    expected = page.evaluate("data.frames.findIndex(each => each.evaluation)")
    page.locator("#scrubber").fill(str(expected))
    readable = "".join(each if each.isprintable() else "\ufffd" for each in line)
    assert (page.locator("#expected").text_content() or "").endswith(f" \N{MIDDLE DOT} {readable}")
    assert readable in (page.locator("#turns").text_content() or "")
    for key in ("Home", "s", "End", "?"):
        page.keyboard.press(key)
        assert overflow(page) == 0
    assert page.title() == "Caravan, match 17"
    assert page.locator("script").count() == 2
    assert page.locator("img").count() == 0
    shown = text.split("\u2028")[0][:399].translate(dict.fromkeys(map(ord, "\u202e\u2066\u200f"), "\ufffd"))
    assert shown in (page.locator("#results").text_content() or "")
    for place, height in ((".result", 200), ("#results", 1500), ("#charts", 1500)):
        box = page.locator(place).bounding_box()
        assert box is not None
        assert box["height"] < height, place


def test_a_long_match_stays_small_and_is_shown_whole(write, open_page):
    log = logs.a_long_log()
    assert len(log.plies) >= 850
    assert len(replay_page(log, codec_for("caravan")).encode()) <= 2_000_000
    page = open_page(write(log))
    page.keyboard.press("End")
    assert ply(page) == len(log.plies)
    for step in range(0, len(log.plies), 7):
        page.locator("#scrubber").fill(str(step))
    assert in_the_list(page)


def test_without_javascript_the_page_shows_last_position_turns_and_result(write, open_page):
    log = forfeits()
    page = open_page(write(log), javascript=False)
    assert "mcts wins" in page.locator(".result").inner_text()
    assert "DISCONNECT" in page.locator("#results").inner_text()
    assert "Delivers meat from (3) to Taghaza" in page.locator("#turns").inner_text()
    assert "over: a delivery with the bag empty" in page.locator("#picture").text_content()
    assert page.locator("noscript").is_visible()
    assert not page.locator("#controls").is_visible()
    assert not page.locator("#track").is_visible()


def test_a_printed_page_shows_all_turns_in_dark_letters_and_no_controls(write, open_page):
    page = open_page(write(forfeits()), width=718, dark=True)  # of A4 between its margins
    page.emulate_media(media="print")
    letters = "element => getComputedStyle(element).{}"
    assert page.locator("#turns").evaluate(letters.format("color")) == "rgb(42, 35, 51)"
    assert page.locator("#picture .ink").first.evaluate(letters.format("fill")) == "rgb(42, 35, 51)"
    assert not page.locator("#controls").is_visible()
    assert (
        page.evaluate("(list => list.scrollHeight - list.clientHeight)(document.getElementById('turns'))")
        == 0
    )
    last = page.locator("#turns li").last.bounding_box()
    results = page.locator("#results").bounding_box()
    assert last is not None
    assert results is not None
    assert last["y"] + last["height"] <= results["y"]


def test_the_focus_of_the_keyboard_is_visible_everywhere(write, open_page):
    page = open_page(write(a_log("ahldarahd", 2)))
    seen = []
    for _ in range(12):
        page.keyboard.press("Tab")
        name, outline = page.evaluate(
            """() => {
                const now = document.activeElement;
                return [now.id || now.dataset.do || now.tagName, getComputedStyle(now).outline];
            }"""
        )
        assert "solid 3px" in outline, name
        seen.append(name)
    assert seen == [
        *("SUMMARY", "scrubber", "first", "back", "play", "next", "last", "speed", "view", "help", "A", "A"),
    ]


def test_a_replay_in_a_notebook_plays_in_its_frame(tmp_path, open_page):
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><title>Notebook</title>{Replay(two_seats())._repr_html_()}")
    page = open_page(file.as_uri())
    frame = page.frame_locator("iframe")
    how = frame.locator("#how")
    frame.get_by_role("button", name="Next").click()
    expect(how).to_contain_text("Ply 1 of 191")
    frame.locator("#turns a").nth(3).click()
    expect(how).not_to_contain_text("Ply 1 of 191")
    page.keyboard.press("End")
    expect(how).to_contain_text("Ply 191 of 191")
    assert overflow(page) == 0
    assert page.url == file.as_uri()
