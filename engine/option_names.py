"""What the options of all games have in common: numbers of seats, names and switches are refused alike everywhere."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from engine.game import GameSpec, InvalidOptionsError

_SWITCH: Final = {"false": False, "true": True}


def check(spec: GameSpec, seats: int, names: Iterable[str] = ()) -> None:
    """Raise InvalidOptionsError unless the game is for so many seats and has options of these names."""
    check_seats(spec.title, seats, range(spec.min_seats, spec.max_seats + 1))
    check_names(spec.title, names, [option.name for option in spec.options])


def check_seats(title: str, seats: int, allowed: range) -> None:
    """Raise InvalidOptionsError unless so many can play the game of that title."""
    if seats not in allowed:
        raise InvalidOptionsError(f"{title} is for {allowed[0]} to {allowed[-1]} seats, not {seats}.")


def check_names(title: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raise InvalidOptionsError if a name is none of the game's options."""
    for name in names:
        if name not in known:
            listed = "its options are" if len(known) > 1 else "its only option is"
            raise InvalidOptionsError(
                f'{title} has no option "{name[:80]}": {listed} {", ".join(known)}.', name
            )


def read_switch(values: Mapping[str, str], name: str) -> bool:
    """Read an option that is true or false, false by default. Raises InvalidOptionsError for other text."""
    text = values.get(name, "false")
    if text not in _SWITCH:
        raise InvalidOptionsError(f'The option "{name}" is true or false, not "{text[:80]}".', name)
    return _SWITCH[text]


def read_number(values: Mapping[str, str], name: str, default: int, most: int, what: str = "number") -> int:
    """Read an option that is a whole number from 1 on. `what`: what it counts, for example "number of turns".

    Raises InvalidOptionsError for any other text.
    """
    text = values.get(name, str(default))
    plain = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not plain or not 1 <= int(text) <= most:
        raise InvalidOptionsError(
            f'The option "{name}" is a {what} from 1 to {most}, not "{text[:80]}".', name
        )
    return int(text)


def read_choice(values: Mapping[str, str], name: str, allowed: Sequence[str]) -> str:
    """Read an option that is one of several words, the first by default. Raises InvalidOptionsError for other text."""
    text = values.get(name, allowed[0])
    if text not in allowed:
        raise InvalidOptionsError(f'The option "{name}" is {" or ".join(allowed)}, not "{text[:80]}".', name)
    return text


def switch_text(chosen: bool) -> str:
    """Return the text that `read_switch` reads back."""
    return "true" if chosen else "false"
