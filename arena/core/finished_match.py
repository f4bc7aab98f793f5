"""A finished match, as ratings, standings and statistics see it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """The result of a match. Tuples are by seat; what a reader does not ask for may be left out."""

    bots: tuple[str, ...]
    """The bots, or whatever else is rated, for example "{bot}/{version}"."""
    placings: tuple[int, ...]
    """1 is best; ties share the better placing."""
    forfeited: tuple[bool, ...] = ()
    """Whether the seat lost by its own fault."""
    group: int = 0
    """The id of its match group; 0: it belongs to none."""
    match: int = 0
    """Its id."""
    versions: tuple[str, ...] = ()
    """The labels of the versions that played."""
    started_us: int = 0
    """When it began; microseconds of any one clock."""
    ended_us: int = 0

    def version_of(self, bot: str) -> str:
        """Return the label of the version in which a bot played; versions have to be known."""
        return self.versions[self.bots.index(bot)]

    def score(self, one: str, other: str) -> float:
        """Return what a bot scored against another: 1, 1/2 for a tie, 0."""
        mine, theirs = (self.placings[self.bots.index(bot)] for bot in (one, other))
        return 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0

    def check_meeting(self) -> None:
        """Raise ValueError unless two bots or more met, each on one seat."""
        if len(self.bots) < 2 or len(self.placings) != len(self.bots):
            raise ValueError(f"a match is rated from two seats on, each with a placing: {self}")
        if len(set(self.bots)) < len(self.bots):
            raise ValueError(f"in a rated match each seat has its own bot: {self}")
