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
from arena.pictures.svg import element, number
from arena.viewer.charts import (
    Chart,
    bank_chart,
    expected_chart,
    final_score_chart,
    score_chart,
    seat_badge,
    thinking_chart,
)
from arena.viewer.replay import CostlyDecision, Json, replay_of

_IN_THE_PAGE: Final = ("turns", "facts")
"""What the page has as text, which a browser shows without the script."""


def replay_page(log: MatchLog, codec: Codec, costly: Sequence[CostlyDecision] = ()) -> str:
    """Return a match as one HTML document. `costly`: decisions to mark and to list.

    Raises UnfitLogError: the log follows other rules than this software.
    """
    replay = replay_of(log, codec, costly)
    result = _result(replay)
    script = _file("replay.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    badges = [seat_badge(seat) for seat in range(len(replay["seats"]))]
    data = {key: value for key, value in replay.items() if key not in _IN_THE_PAGE}
    return _template().render(
        replay,
        result=result,
        style=Markup(_style()),
        script=Markup(script),
        script_hash=f"sha256-{digest}",
        badges=badges,
        results=list(_results(replay)),
        charts=list(_charts(replay)),
        height=replay["views"][0]["height"],
        picture=Markup(_last_picture(replay)),
        data=Markup(as_script(data | {"result": result, "badges": badges})),
    )


def _file(name: str) -> str:
    return (resources.files("arena.viewer") / "files" / name).read_text(encoding="utf-8")


def _style() -> str:
    """Return the styles of pictures and page: dark where the reader prefers that, but never on paper."""
    dark = f"@media screen and (prefers-color-scheme: dark) {{\n{style_sheet('dark')}}}\n"
    return style_sheet("light") + dark + _file("replay.css")


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return environment.from_string(_file("replay.html.jinja"))


def as_script(document: object) -> str:
    """Return JSON that no text in it can end: what HTML would read as a tag is escaped."""
    written = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return written.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _result(replay: Json) -> str:
    ending, seats = replay["ending"], replay["seats"]
    if not ending["finished"]:
        return f"No result ({ending['state']}): {ending['void_reason']}"
    how = f"({ending['ending']})."
    lost = [Text(each["name"]) for each in seats if each["forfeited"]]
    if lost:
        how += f" Forfeited: {listed(lost).plain}."
    if not ending["winners"] or (len(seats) == 1 and lost):
        return f"No winner {how}"
    score = seats[ending["winners"][0]]["score"]
    scored = "" if score is None else f" with a score of {score}"
    if len(seats) == 1:
        level = f"reaches level {ending['level']}" if ending["level"] else "ends"
        return f"{seats[0]['name']} {level}{scored} {how}"
    winners = listed([Text(seats[seat]["name"]) for seat in ending["winners"]]).plain
    return f"{winners} {'wins' if len(ending['winners']) == 1 else 'tie'}{scored} {how}"


def _results(replay: Json) -> Iterator[Json]:
    """Yield the seats, the best first."""
    for seat, each in sorted(
        enumerate(replay["seats"]), key=lambda pair: (pair[1]["placing"] or 99, pair[0])
    ):
        yield {**each, "number": seat, "thinking": duration(int(each["used_ms"] * NS_PER_MS))}


def _charts(replay: Json) -> Iterator[Chart]:
    frames, seats = replay["frames"], range(len(replay["seats"]))
    plies = frames[-1]["ply"]
    if not plies:
        return
    acted = [frame for frame in frames if "used_ms" in frame and "given" not in frame]
    own = [[frame for frame in acted if frame["seat"] == seat] for seat in seats]
    if all("scores" in frame for frame in frames):
        yield score_chart(
            [[(frame["ply"], frame["scores"][seat]) for frame in frames] for seat in seats], plies
        )
    yield from _evaluations(own, plies)
    if any(frame["bank_ms"] for frame in acted):  # a time control may have no bank
        yield bank_chart([[(frame["ply"], frame["bank_ms"]) for frame in each] for each in own], plies)
    yield thinking_chart([[(frame["ply"], frame["used_ms"]) for frame in each] for each in own], plies)


def _evaluations(own: Sequence[Sequence[Json]], plies: int) -> Iterator[Chart]:
    """Yield what each bot has expected for its own seat; nothing if none has said so. `own`: the frames by seat."""
    for name, chart in (("scores", expected_chart), ("final_scores", final_score_chart)):
        curves = [
            [
                (frame["ply"], frame["evaluation"][name][seat])
                for frame in frames
                if frame.get("evaluation", {}).get(name)
            ]
            for seat, frames in enumerate(own)
        ]
        if any(curves):
            yield chart(curves, plies)


def _last_picture(replay: Json) -> str:
    """Return the markup of the last position as spectators see it, which a browser shows without the script."""
    view = replay["views"][0]
    shown: dict[int, list[float]] = {}
    for changes in view["changes"]:
        for part, *values in changes:
            if values:
                shown[part] = values
            else:
                del shown[part]
    parts = sorted((layer, replay["ids"][part], x, y, body) for part, (x, y, body, layer) in shown.items())
    drawn = (
        element("g", replay["bodies"][int(body)], transform=f"translate({number(x)} {number(y)})")
        for _, _, x, y, body in parts
    )
    return f"{view['board']}{''.join(drawn)}"
