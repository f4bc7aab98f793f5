"""The body of a notification in each style: JSON for programs, or a line of text for Discord or Slack."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, assert_never

from arena.core.versions import shown_version
from arena.store.webhooks.notifications import rfc3339
from arena.store.webhooks.webhooks import WebhookStyle

TEST: Final = "webhook.test"
"""The type of a test."""

_MOST_SEATS: Final = 8
_MOST_RANKS: Final = 3
_MARKDOWN: Final = str.maketrans({letter: f"\\{letter}" for letter in "\\*_~`|>#[]()-@:"})
"""What Discord gives a meaning."""
_ENTITIES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
"""What Slack's documentation says to escape; nothing then is a mention or a link."""
_INVISIBLE: Final = "\N{WORD JOINER}"
_SLACK_MARKS: Final = str.maketrans({letter: f"{_INVISIBLE}{letter}{_INVISIBLE}" for letter in "*_~`"})
"""Slack has no escapes for its marks; a character without width beside one takes its meaning away."""

_NAMES: Final = frozenset({"match", "ladder", "tournament", "bot", "node", "webhook"})
"""The values that are resource names."""

Data = Mapping[str, Any]


def body_of(style: WebhookStyle, word: str, created_us: int, data: Data) -> bytes:
    """Return the body of a request. `word`: the type; `created_us`: microseconds since 1970 UTC."""
    match style:
        case WebhookStyle.JSON:
            document: Data = {"type": word, "timestamp": rfc3339(created_us), "data": data}
        case WebhookStyle.DISCORD:
            text = sentence(word, data, lambda name: name.translate(_MARKDOWN))
            document = {"content": text, "allowed_mentions": {"parse": []}}
        case WebhookStyle.SLACK:
            text = sentence(word, data, lambda name: name.translate(_ENTITIES).translate(_SLACK_MARKS))
            document = {"text": text, "unfurl_links": False, "unfurl_media": False}
        case _:
            assert_never(style)
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def sentence(word: str, data: Data, escape: Callable[[str], str]) -> str:
    """Return the notification as one line. `escape`: makes text of other people harmless."""
    line = _SENTENCES[word](_Escaped(data, escape))
    return " ".join(line.split())


class _Escaped:
    """The values of a notification as escaped text."""

    def __init__(self, data: Data, escape: Callable[[str], str]) -> None:
        self.data = data
        self._escape = escape

    def __getitem__(self, key: str) -> str:
        """Return a value; of a resource name its last part."""
        value = str(self.data[key])
        return self.last_part(value) if key in _NAMES else self.text(value)

    def last_part(self, name: str) -> str:
        """Return the last part of a resource name, escaped."""
        return self.text(name.rpartition("/")[2])

    def text(self, text: str) -> str:
        """Return a text, escaped."""
        return self._escape(text)


def _match_ended(of: _Escaped) -> str:
    where = of["ladder"] or of["tournament"]
    seats = sorted(of.data["seats"], key=lambda seat: (seat["placing"], seat["seat"]))
    if of.data["state"] == "no_contest":
        return f"Match {of['match']} of {where} has ended without a result."
    shown = ", ".join(
        f"{seat['placing']}. {of.last_part(seat['bot'])} ({seat['score']})" for seat in seats[:_MOST_SEATS]
    )
    more = ", …" if len(seats) > _MOST_SEATS else ""
    return f"Match {of['match']} of {where} has ended: {shown}{more}"


def _left_to_organiser(of: _Escaped) -> str:
    where = of["ladder"] or of["tournament"]
    return f"Match {of['match']} of {where} is left to the organiser: it was void too often."


def _tournament_ended(of: _Escaped) -> str:
    best = ", ".join(
        f"{line['rank']}. {of.last_part(line['bot'])}"
        for line in of.data["standings"]
        if line["rank"] <= _MOST_RANKS
    )
    return f"The tournament {of['tournament']} ({of['format']}, {of['bots']} bots) has ended{best and f': {best}'}."


def _admitted(of: _Escaped) -> str:
    plays = "; it plays from now on" if of.data["plays"] else ""
    return f"Submission {of['submission']} of {of['bot']} is admitted as version {_version(of)}{plays}."


def _rejected(of: _Escaped) -> str:
    return f"Submission {of['submission']} of {of['bot']} is rejected: {of['reason']}."


def _suspended(of: _Escaped) -> str:
    return (
        f"Version {_version(of)} of {of['bot']} is suspended until {of['retry_time']}: it failed too often."
    )


def _version(of: _Escaped) -> str:
    return of.text(shown_version(of.data["version"]))


_SENTENCES: Final[Mapping[str, Callable[[_Escaped], str]]] = {
    "match.ended": _match_ended,
    "match.left_to_organiser": _left_to_organiser,
    "tournament.ended": _tournament_ended,
    "version.admitted": _admitted,
    "version.rejected": _rejected,
    "version.suspended": _suspended,
    "node.lost": lambda of: f"The match node {of['node']} is lost: {of['why']}",
    TEST: lambda of: f"This is a test of the webhook {of['webhook']}.",
}
