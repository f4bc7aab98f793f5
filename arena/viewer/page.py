"""The replay viewer as one HTML file: it works from disk and loads nothing."""

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Final

import jinja2
from markupsafe import Markup
from rich.text import Text

from arena.codecs.codec import Codec
from arena.core.units import NS_PER_MS
from arena.drawings.wording import duration, listed
from arena.match_log.reader import MatchLog
from arena.pictures.style import style_sheet
from arena.pictures.svg import element, number, text
from arena.viewer.replay import Json, replay_of

_CHART_HEIGHT: Final = 160
_CHART_WIDTH: Final = 640


def replay_page(log: MatchLog, codec: Codec) -> str:
    """Return a match as one HTML document.

    Raises UnfitLogError: the log follows other rules than this software.
    """
    replay = replay_of(log, codec)
    replay["result"] = _result(replay)
    script = _file("replay.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return _template().render(
        title=replay["title"],
        result=replay["result"],
        style=Markup(style_sheet() + _file("replay.css")),
        script=Markup(script),
        script_hash=f"sha256-{digest}",
        seats=list(_seats(replay)),
        graphs=list(_graphs(replay)),
        data=Markup(_as_script(replay)),
    )


def _file(name: str) -> str:
    return (resources.files("arena.viewer") / "files" / name).read_text(encoding="utf-8")


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return environment.from_string(_file("replay.html.jinja"))


def _as_script(document: Json) -> str:
    """Return JSON that no text in it can end: what HTML would read as a tag is escaped."""
    written = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return written.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _result(replay: Json) -> str:
    ending, seats = replay["ending"], replay["seats"]
    if not ending["finished"]:
        return f"{ending['state']}: no result, {ending['void_reason']}."
    if ending["level"]:
        return (
            f"{seats[0]['name']}: level {ending['level']}, {seats[0]['score']} points ({ending['ending']})."
        )
    winners = listed([Text(seats[seat]["name"]) for seat in ending["winners"]]).plain
    lost = [each["name"] for each in seats if each["forfeited"]]
    forfeits = f" Forfeited: {', '.join(lost)}." if lost else ""
    if len(seats) == 1:
        return f"{seats[0]['name']}: {seats[0]['score']} points ({ending['ending']}).{forfeits}"
    if not ending["winners"]:
        return f"Nobody won ({ending['ending']}).{forfeits}"
    what = "wins" if len(ending["winners"]) == 1 else "tie"
    return f"{winners} {what} ({ending['ending']}).{forfeits}"


def _seats(replay: Json) -> Iterator[Json]:
    for seat, each in sorted(
        enumerate(replay["seats"]), key=lambda pair: (pair[1]["placing"] or 99, pair[0])
    ):
        yield {**each, "number": seat, "thinking": duration(int(each["used_ms"] * NS_PER_MS))}


def _graphs(replay: Json) -> Iterator[Json]:
    frames, seats = replay["frames"], range(len(replay["seats"]))
    plies = frames[-1]["ply"] or 1
    scored = [frame for frame in frames if "scores" in frame]
    acted = [frame for frame in frames if "used_ms" in frame]
    curves = {
        "score": ("Score by ply", [[(f["ply"], f["scores"][seat]) for f in scored] for seat in seats]),
        "bank": (
            "Bank by ply, ms",
            [[(f["ply"], f["bank_ms"]) for f in acted if f["seat"] == seat] for seat in seats],
        ),
        "thinking": (
            "Thinking time by ply, ms",
            [[(f["ply"], f["used_ms"]) for f in acted if f["seat"] == seat] for seat in seats],
        ),
    }
    for name, (title, points) in curves.items():
        if any(points):
            yield {"name": name, "title": title, "svg": Markup(_chart(title, plies, points))}


def _chart(title: str, plies: int, curves: Sequence[Sequence[tuple[int, float]]]) -> str:
    """Return lines by ply, one for each seat in its colour, with its number at the end."""
    values = [value for curve in curves for _, value in curve]
    low, high = min(0.0, *values), max(1.0, *values)
    drawn = []
    for seat, curve in enumerate(curves):
        if curve:
            points = " ".join(f"{number(ply)},{number(_height(value, low, high))}" for ply, value in curve)
            drawn.append(element("polyline", points=points, class_=f"curve seat-{seat}"))
    now = element("line", x1=0, x2=0, y1=0, y2=_CHART_HEIGHT, class_="now-line")
    plot = element(
        "svg", *drawn, now, viewBox=f"0 0 {plies} {_CHART_HEIGHT}", preserveAspectRatio="none", class_="plot"
    )
    labels = [
        text(4, 16, f"{high:.0f}", 16, style="quiet"),
        text(4, _CHART_HEIGHT - 4, f"{low:.0f}", 16, style="quiet"),
    ]
    return element(
        "svg",
        element("title", title),
        plot,
        *labels,
        viewBox=f"0 0 {_CHART_WIDTH} {_CHART_HEIGHT}",
        class_="picture chart",
        role="img",
    )


def _height(value: float, low: float, high: float) -> float:
    return 4 + (_CHART_HEIGHT - 8) * (high - value) / (high - low)
