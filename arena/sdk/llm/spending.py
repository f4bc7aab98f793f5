"""What a bot has spent, in tokens and money, and the caps that it never exceeds."""

import fcntl
import json
import math
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from arena.sdk.llm.folder import Caps, FolderError, Price, Usage

SPENT: Final = "spent.json"
"""The file beside the settings with what all matches of the folder have spent."""

_NOTHING: Final = Usage()


class CapReachedError(Exception):
    """The next request could exceed a cap, so it is not sent. The message is one sentence for the bot's owner."""


class Total:
    """What all matches of a folder have spent, in a file that several programs of the folder share."""

    def __init__(self, folder: Path, price: Price, cost_cap: float = math.inf) -> None:
        """Read the file, or make it. Raises FolderError: it cannot be read or written."""
        self._path = folder / SPENT
        self._price = price
        self._cap = cost_cap
        self._lock = threading.Lock()
        self.change(_NOTHING)

    def reserve(self, request: Usage) -> None:
        """Count a request before it is sent. Raises CapReachedError: it could exceed the cap; nothing is counted."""
        self.change(request, requests=1, cap=self._cap)

    def change(self, by: Usage, *, requests: int = 0, cap: float = math.inf) -> None:
        """Add tokens and their cost. Raises CapReachedError if the cost would be more than the cap."""
        with self._lock, self._opened() as file:
            spent = self._read(file)
            cost = spent["cost"] + self._price.of(by)
            if cost > cap:
                raise CapReachedError(
                    f"cost_total is {cap:g}, {spent['cost']:.4f} are spent, and the next request could cost "
                    f"{self._price.of(by):.4f}. Raise the cap, or remove {self._path} to count anew."
                )
            text = json.dumps(
                {
                    "requests": spent["requests"] + requests,
                    "input_tokens": spent["input_tokens"] + by.input,
                    "output_tokens": spent["output_tokens"] + by.output,
                    "cost": round(cost, 9),
                }
            )
            os.pwrite(file, f"{text}\n".encode(), 0)
            os.ftruncate(file, len(text) + 1)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """Open the file for this program alone."""
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise FolderError(
                f"{self._path} counts what the bot spends, and cannot be written: {error.strerror}."
            ) from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)

    def _read(self, file: int) -> dict[str, Any]:
        """Return what the file holds; a new one holds nothing. Raises FolderError."""
        text = os.pread(file, 1 << 12, 0)
        if not text:
            return {"requests": 0, "input_tokens": 0, "output_tokens": 0, "cost": 0.0}
        try:
            # A program that was killed while it wrote may have left the end of a longer text.
            spent, _ = json.JSONDecoder().raw_decode(text.decode())
            numbers = {name: spent[name] for name in ("requests", "input_tokens", "output_tokens", "cost")}
            if all(isinstance(value, int | float) and 0 <= value < math.inf for value in numbers.values()):
                return numbers
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
        raise FolderError(f"{self._path} is damaged: correct it, or remove it to count anew.")


class Budget:
    """What one match has spent, within the caps of a decision, of the match and of all matches."""

    def __init__(self, caps: Caps, price: Price, total: Total) -> None:
        self._caps = caps
        self._price = price
        self._total = total
        self.match = _NOTHING
        self.decision = _NOTHING
        self.requests = 0

    @property
    def cost(self) -> float:
        """What the match has cost so far."""
        return self._price.of(self.match)

    def cost_of(self, usage: Usage) -> float:
        """Return what tokens cost."""
        return self._price.of(usage)

    def begin_decision(self) -> None:
        """Count the tokens of a decision anew."""
        self.decision = _NOTHING

    def reserve(self, most: Usage) -> None:
        """Count a request with the most that it may take. Raises CapReachedError: that could exceed a cap."""
        cost = self._price.of(self.match + most)
        for name, needed, cap in (
            ("tokens_per_decision", self.decision.tokens + most.tokens, self._caps.tokens_per_decision),
            ("tokens_per_match", self.match.tokens + most.tokens, self._caps.tokens_per_match),
            ("cost_per_match", cost, self._caps.cost_per_match),
        ):
            if needed > cap:
                raise CapReachedError(f"{name} is {cap:g}, and with the next request it could be {needed:g}.")
        self._total.reserve(most)
        self._add(most)
        self.requests += 1

    def settle(self, most: Usage, used: Usage) -> None:
        """Replace what was reserved by what was used, which may be more than was asked for."""
        difference = used - most
        self._add(difference)
        self._total.change(difference)

    def _add(self, usage: Usage) -> None:
        self.decision += usage
        self.match += usage
