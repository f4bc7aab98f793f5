"""The folder of a bot that a language model plays: `llm.toml` with its settings and `prompt.md`."""

import difflib
import hashlib
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from arena.sdk.game_messages import GAMES
from arena.sdk.settings import is_local

SETTINGS: Final = "llm.toml"
PROMPT: Final = "prompt.md"
RULES: Final = "rules.md"
"""Optional: what the model reads instead of the rules page of the game."""

PLAINTEXT_VARIABLE: Final = "LLM_PLAINTEXT"
"""1: the API key may cross a network unencrypted, because the user trusts it."""

RESPONSE_FORMATS: Final = ("text", "json_object", "json_schema")
TOKEN_FIELDS: Final = ("max_tokens", "max_completion_tokens")
RULES_TEXTS: Final = ("short", "full", "none")
FALLBACKS: Final = ("sensible", "first")

_PER_MILLION: Final = 1_000_000
_MOST_TOKENS: Final = 1_000_000_000
_MOST_MATCHES: Final = 1_000
_HOTTEST: Final = 2
_PROMPT_BYTES: Final = 1 << 18
_VARIABLE: Final = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
_RESERVED: Final = {"model", "messages", "stream", "n", "response_format", "temperature", *TOKEN_FIELDS}


class FolderError(Exception):
    """The folder, or the environment, cannot be used. The message says what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request, or of several."""

    input: int = 0
    output: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.input + other.input, self.output + other.output)

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(self.input - other.input, self.output - other.output)

    @property
    def tokens(self) -> int:
        """Both together."""
        return self.input + self.output


@dataclass(frozen=True, slots=True)
class Price:
    """What tokens cost, in any currency; nothing unless the folder says it."""

    input: float = 0.0
    """Of a million tokens of text that is sent."""
    output: float = 0.0
    """Of a million tokens of the answer."""

    def of(self, usage: Usage) -> float:
        """Return what these tokens cost."""
        return (usage.input * self.input + usage.output * self.output) / _PER_MILLION


@dataclass(frozen=True, slots=True)
class Caps:
    """What the bot never exceeds; beyond a cap its fallback plays."""

    answer_tokens: int = 2_000
    """Of one answer; sent with each request."""
    tokens_per_decision: int = 200_000
    tokens_per_match: int = 5_000_000
    cost_per_match: float = math.inf
    cost_total: float = math.inf
    """Of all matches that the folder has played, as its file `spent.json` counts them."""


@dataclass(frozen=True, slots=True)
class Folder:
    """What the folder holds."""

    path: Path
    prompt: str
    model: str
    base_url: str
    """Up to and with its version, for example https://api.openai.com/v1."""
    api_key_variable: str = ""
    """The name of the environment variable with the key; empty: no key is sent."""
    temperature: float | None = None
    response_format: str = RESPONSE_FORMATS[0]
    tokens_field: str = TOKEN_FIELDS[0]
    games: tuple[str, ...] = GAMES
    matches: int = 1
    """How many matches it plays at once."""
    fallback: str = FALLBACKS[0]
    rules: str = RULES_TEXTS[0]
    own_rules: str = ""
    """The text of `rules.md`; empty without that file."""
    caps: Caps = Caps()
    price: Price = Price()
    request: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of each request."""
    version: str = ""
    """The label of the bot version: another prompt, model or setting is another version."""


def read_folder(path: Path) -> Folder:
    """Read the folder. Raises FolderError."""
    settings, prompt = path / SETTINGS, path / PROMPT
    if not settings.is_file():
        raise FolderError(
            f"{path} is no folder of a bot: it has no {SETTINGS}. `arena llm new {path}` makes one."
        )
    try:
        values = tomllib.loads(_text(settings))
    except tomllib.TOMLDecodeError as error:
        raise FolderError(f"{settings} is not TOML: {error}.") from None
    own_rules = _text(path / RULES) if (path / RULES).is_file() else ""
    words = _text(prompt)
    if not words.strip():
        raise FolderError(f"{prompt} is empty: write into it how the model should play.")
    reader = _Reader(settings, values)
    found = Folder(
        path=path,
        prompt=words.strip(),
        model=reader.take("model", str, _is_line, "the name of a model in quotes"),
        base_url=reader.take("base_url", str, _is_base_url, _BASE_URL_FORM).rstrip("/"),
        own_rules=own_rules.strip(),
        caps=reader.part("caps", Caps, {each.name: _cap(each.name) for each in fields(Caps)}),
        price=reader.part("price", Price, dict.fromkeys(("input", "output"), _COST)),
        **reader.optional(_OPTIONAL),
        version=_version(values.get("model"), settings, prompt, path / RULES),
    )
    reader.refuse_others()
    limited = math.isfinite(found.caps.cost_per_match) or math.isfinite(found.caps.cost_total)
    if limited and not (found.price.input or found.price.output):
        raise FolderError(
            f"{settings} caps the cost, but has no price: add [price] with input and output, each for a million tokens."
        )
    return found


def key_of(folder: Folder, environ: Mapping[str, str]) -> str:
    """Return the API key from the environment, empty if the folder names no variable.

    Raises FolderError: it is not set, cannot be sent, or would cross a network unencrypted. The sentence does not
    repeat it.
    """
    name = folder.api_key_variable
    if not name:
        return ""
    key = environ.get(name, "").strip()
    if not key:
        raise FolderError(
            f"The environment variable {name} is not set: put the API key into it, or remove api_key_variable from "
            f"{folder.path / SETTINGS} if the endpoint needs no key."
        )
    if not all("!" <= character <= "~" for character in key):
        raise FolderError(
            f"The environment variable {name} holds characters that no API key has. Copy the key again."
        )
    url = urlsplit(folder.base_url)
    if url.scheme == "http" and not is_local(url.netloc) and environ.get(PLAINTEXT_VARIABLE, "") != "1":
        raise FolderError(
            f"The API key is not sent to {url.netloc}, because everybody on the way could read it: use https:// in "
            f"base_url, or set {PLAINTEXT_VARIABLE}=1 if you trust the network."
        )
    return key


def new_folder(path: Path, *, model: str, base_url: str, api_key_variable: str) -> None:
    """Make a folder with a template of both files. Raises FolderError: there is one, or a value is not usable."""
    if any((path / name).exists() for name in (SETTINGS, PROMPT)):
        raise FolderError(f"{path} has a {SETTINGS} or {PROMPT} already. Name another folder.")
    for name, value, is_right in (
        ("model", model, _is_line),
        ("base URL", base_url, _is_base_url),
        ("name of the variable", api_key_variable, _is_variable),
    ):
        if not is_right(value):
            form = {"base URL": _BASE_URL_FORM, "model": "the name of a model"}.get(name, _VARIABLE_FORM)
            raise FolderError(f"The {name} cannot be used: {form} is expected.")
    path.mkdir(parents=True, exist_ok=True)
    key = (
        f'api_key_variable = "{api_key_variable}"'
        if api_key_variable
        else '# api_key_variable = "MY_API_KEY"'
    )
    settings = _TEMPLATE.format(model=_quoted(model), base_url=_quoted(base_url), key=key)
    (path / SETTINGS).write_text(settings, encoding="utf-8")
    (path / PROMPT).write_text(_PROMPT_TEMPLATE, encoding="utf-8")


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _text(path: Path) -> str:
    """Return the text of a file. Raises FolderError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FolderError(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > _PROMPT_BYTES:
        raise FolderError(f"{path} has {len(data)} bytes, but at most {_PROMPT_BYTES} are read.")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise FolderError(f"{path} is not UTF-8 from byte {error.start} on.") from None


def _version(model: object, *files: Path) -> str:
    """Return a label of the model and what the files hold."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes() if file.is_file() else b"")
    name = re.sub(r"[^A-Za-z0-9.:-]+", "-", str(model))[:40]
    return f"{name} {digest.hexdigest()[:10]}"


def _is_line(value: str) -> bool:
    return 0 < len(value) <= 200 and value.isprintable()


def _is_variable(value: str) -> bool:
    return not value or _VARIABLE.fullmatch(value) is not None


def _is_base_url(value: str) -> bool:
    """Return whether it is an address without a user, a query or a fragment, in which keys are put."""
    try:
        url = urlsplit(value)
        port = url.port
    except ValueError:
        return False
    plain = not (url.username or url.password or url.query or url.fragment) and value.isprintable()
    return url.scheme in {"http", "https"} and bool(url.hostname) and plain and port != 0 and " " not in value


_BASE_URL_FORM: Final = (
    'an address such as "https://api.openai.com/v1", without a user, a query or a key in it'
)
_VARIABLE_FORM: Final = "the name of an environment variable, of A-Z, 0-9 and _, and never the key itself"


@dataclass(frozen=True, slots=True)
class _Kind:
    """What the value of a key may be."""

    type: type | tuple[type, ...]
    is_right: Callable[[Any], bool]
    form: str
    """What is expected, for the error."""


def _one_of(values: tuple[str, ...]) -> _Kind:
    return _Kind(str, lambda value: value in values, "one of " + ", ".join(f'"{each}"' for each in values))


def _from_to(low: int, high: int) -> _Kind:
    return _Kind(int, lambda value: low <= value <= high, f"a whole number from {low} to {high}")


def _are_games(values: list[Any]) -> bool:
    return bool(values) and all(value in GAMES for value in values)


_COST: Final = _Kind((int, float), lambda value: 0 <= value < math.inf, "a number, 0 or more")

_OPTIONAL: Final = {
    "api_key_variable": _Kind(str, _is_variable, _VARIABLE_FORM),
    "temperature": _Kind((int, float), lambda value: 0 <= value <= _HOTTEST, "a number from 0 to 2"),
    "response_format": _one_of(RESPONSE_FORMATS),
    "tokens_field": _one_of(TOKEN_FIELDS),
    "games": _Kind(list, _are_games, f"a list of {', '.join(GAMES)}"),
    "matches": _from_to(1, _MOST_MATCHES),
    "fallback": _one_of(FALLBACKS),
    "rules": _one_of(RULES_TEXTS),
    "request": _Kind(
        dict,
        lambda value: not _RESERVED & value.keys(),
        f"a table without {', '.join(sorted(_RESERVED))}, which the bot sets itself",
    ),
}


def _cap(name: str) -> _Kind:
    return _COST if name.startswith("cost") else _from_to(1, _MOST_TOKENS)


class _Reader:
    """Takes the values of a TOML document one by one, and refuses what nobody has taken."""

    def __init__(self, file: Path, values: Mapping[str, Any]) -> None:
        self._file = file
        self._values = dict(values)
        self._known = ["model", "base_url", "caps", "price", *_OPTIONAL]

    def take(self, name: str, kind: type, is_right: Callable[[Any], bool], form: str) -> Any:
        """Return a value that has to be there."""
        if name not in self._values:
            raise FolderError(f"{self._file} does not say {name}: {form} is expected.")
        return self._checked(name, self._values.pop(name), _Kind(kind, is_right, form))

    def optional(self, kinds: Mapping[str, _Kind]) -> dict[str, Any]:
        """Return the values that are there, by name."""
        found = {
            name: self._checked(name, self._values.pop(name), kind)
            for name, kind in kinds.items()
            if name in self._values
        }
        return {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}

    def part(self, name: str, kind: type, kinds: Mapping[str, _Kind]) -> Any:
        """Return a table as a dataclass."""
        values = self._checked(name, self._values.pop(name, {}), _Kind(dict, lambda _: True, "a table"))
        for key in values:
            if key not in kinds:
                raise FolderError(self._unknown(f"{name}.{key}", [f"{name}.{each}" for each in kinds]))
        return kind(
            **{key: self._checked(f"{name}.{key}", value, kinds[key]) for key, value in values.items()}
        )

    def refuse_others(self) -> None:
        """Raise FolderError if something is left."""
        for name in self._values:
            raise FolderError(self._unknown(name, self._known))

    def _checked(self, name: str, value: Any, kind: _Kind) -> Any:
        if not isinstance(value, kind.type) or isinstance(value, bool) or not kind.is_right(value):
            raise FolderError(f"{self._file}: {name} cannot be used: {kind.form} is expected.")
        return value

    def _unknown(self, name: str, known: list[str]) -> str:
        if re.fullmatch(r"(api_?)?(key|token|secret)", name):
            return (
                f"{self._file} has {name}: a key does not belong into a file. Put it into an environment variable, and "
                "the name of that into api_key_variable."
            )
        meant = "".join(f" Did you mean {each}?" for each in difflib.get_close_matches(name, known, 1))
        return f"{self._file} has the unknown key {name}.{meant} The keys are {', '.join(known)}."


_TEMPLATE: Final = """\
# A bot that a language model plays. docs/llm.md describes all keys.
model = {model}
base_url = {base_url}
# The name of the environment variable that holds the API key, never the key itself.
{key}

# What plays when the model does not answer in time: "sensible" or "first".
fallback = "sensible"
# What the model reads of the rules: "short", "full" (the whole page) or "none".
rules = "short"

[caps]
answer_tokens = 2000
tokens_per_decision = 200000
tokens_per_match = 5000000
# cost_per_match = 0.50
# cost_total = 5.00

# Prices of a million tokens, for the cost in the debug lines and its caps.
# [price]
# input = 0.25
# output = 2.00

# Further fields of each request, as the endpoint takes them.
# [request]
# reasoning_effort = "low"
"""

_PROMPT_TEMPLATE: Final = """\
You are a strong player of board games. You play to win.

Look at the position before you choose. Compare at least three legal actions: what does each bring at once, and what
does it make possible or impossible in your next turns and in those of the others? Choose the one with the best outlook.
Prefer actions that bring points soon.
"""
