"""What plays for a model that has not answered in time: when, and what."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from arena.sdk.exceptions import describe
from arena.sdk.llm.match_texts import MatchTexts
from arena.sdk.match import Clock
from arena.v1 import time_control_pb2

MARGIN_S: Final = 0.5
"""So long before the end of its time the bot answers by itself: the way to the arena, and the work of the fallback."""

BANK_SHARE: Final = 0.25
"""So much of what is left of the bank one decision may take."""

SLOW_S: Final = 10.0
"""A clock that leaves less for a decision is reported: many models take longer."""

_CLOCK = "The clock leaves the model {:.1f} s for a decision, at first. `--clock slow` gives it a minute."


def latest(clock: Clock, margin_s: float = MARGIN_S) -> float:
    """Return when, on `time.monotonic()`, the bot answers by itself: it keeps most of the bank, and the margin."""
    allowed_ms = clock.per_decision_ms + BANK_SHARE * clock.bank_ms
    kept_ms = max(0.0, clock.time_left_ms - allowed_ms)
    return clock.deadline - kept_ms / 1000 - margin_s


def too_fast(rules: time_control_pb2.TimeControl, margin_s: float = MARGIN_S) -> str:
    """Return a sentence if a clock leaves less than a model usually takes, else nothing."""
    allowed_s = (rules.per_decision_ms + BANK_SHARE * rules.bank_ms) / 1000 - margin_s
    return _CLOCK.format(max(allowed_s, 0)) if allowed_s < SLOW_S else ""


def sensible_index(
    texts: MatchTexts, observation: Any, legal_actions: Sequence[int], report: Callable[[str], None]
) -> int:
    """Return the place of what the quick policy of the rules plays; the first one if it fails, which is reported."""
    try:
        return list(legal_actions).index(texts.sensible_action(observation))
    except Exception as error:  # noqa: BLE001 - the first action is legal, whatever has failed
        report(f"fallback first: {describe(error, sensible_index)}")
        return 0
