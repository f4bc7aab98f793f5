"""What a search bot expects of a match, from how far its search sees each seat ahead."""

import math
from collections.abc import Sequence
from typing import Any

import arena.sdk


def send_leads(
    bot: arena.sdk.Bot[Any, Any, Any, Any], leads: Sequence[float], seat: int, *, scale: float, how: str
) -> None:
    """Send how far each seat is ahead as the bot's evaluation; in a match of one seat, its final score.

    `seat`: its own. `scale`: as in `expected_scores`. `how`: how it was found, for people.
    """
    if len(leads) == 1:
        bot.set_evaluation(line=how, final_scores=leads)
    elif leads:
        lead = f"lead {round(leads[seat], 1) + 0.0:+.1f}"  # no -0.0
        bot.set_evaluation(expected_scores(leads, scale), f"{how}, {lead}" if how else lead)


def expected_scores(leads: Sequence[float], scale: float) -> list[float]:
    """Return the expected score of each seat, 0 to 1, the mean over its pairs; empty for one seat.

    `leads`: by seat. Of a pair, who is `scale` further ahead expects 0.73: the odds are e to one.
    """
    return [
        sum(_expected((own - other) / scale) for seat, other in enumerate(leads) if seat != place)
        / (len(leads) - 1)
        for place, own in enumerate(leads)
        if len(leads) > 1
    ]


def _expected(difference: float) -> float:
    """Return the logistic function."""
    return 0.5 + 0.5 * math.tanh(difference / 2)  # no overflow, whatever the difference
