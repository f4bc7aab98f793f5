"""The data card: what a data set holds and where it comes from, as JSON."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

CARD: Final = "data_card.json"


@dataclass(slots=True)
class CardFacts:
    """What the card says of the matches, collected while they are written."""

    games: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    """Matches by game, rules version and number of seats."""
    states: Counter[str] = field(default_factory=Counter)
    """Matches by state."""
    log_states: Counter[str] = field(default_factory=Counter)
    """Matches by what there is of their log."""
    logs: dict[int, str] = field(default_factory=dict)
    """The names of the logs by match."""

    def document(self) -> dict[str, Any]:
        """Return the facts as JSON."""
        return {
            "games": [
                {"game": game, "rules_version": version, "seats": seats, "matches": count}
                for (game, version, seats), count in sorted(self.games.items())
            ],
            "states": dict(sorted(self.states.items())),
            "log_states": dict(sorted(self.log_states.items())),
        }


def logs_sha256(logs: Mapping[int, str]) -> str:
    """Return the hash of all logs: SHA-256 over their names, 64 hex digits and a line end each, by match number."""
    return sha256("".join(f"{logs[match]}\n" for match in sorted(logs)).encode()).hexdigest()


def card_text(document: Mapping[str, Any]) -> str:
    """Return the card as text."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
