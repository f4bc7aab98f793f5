"""What the bots of one program see of the arena: how many decisions, how fast, how large."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """Counts of one stretch of measuring. Times in nanoseconds of the monotonic clock."""

    decisions: int = 0
    legal_actions: int = 0
    frames: int = 0
    """Frames with decisions in them."""
    frame_bytes: int = 0
    waits_ns: list[int] = field(default_factory=list)
    """From sending an answer to receiving the other seat's decision: what the arena takes, and the wire."""
    turns: int = 0
    turns_ns: int = 0
    """All time from one decision of a match to its next one, so that pauses between matches do not count."""
    _answered: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By match, the seat and when."""
    _asked: dict[str, int] = field(default_factory=dict)

    def asked(self, match: str, seat: int, at: int) -> None:
        """Note that a decision was received."""
        self.decisions += 1
        last_seat, answered = self._answered.pop(match, (seat, 0))
        # If the seat that answered last is asked again, another program's bot has moved in between.
        if last_seat != seat:
            self.waits_ns.append(at - answered)
        before = self._asked.get(match)
        if before is not None:
            self.turns_ns += at - before
            self.turns += 1
        self._asked[match] = at

    def answered(self, match: str, seat: int, at: int) -> None:
        """Note that an answer is about to be sent."""
        self._answered[match] = (seat, at)

    def framed(self, size: int) -> None:
        """Note that a frame with decisions in it, of so many bytes, was received."""
        self.frames += 1
        self.frame_bytes += size

    def ended(self, match: str) -> None:
        """Note that the match is over."""
        self._answered.pop(match, None)
        self._asked.pop(match, None)

    def summary(self) -> dict[str, object]:
        """Return the figures that another process gets."""
        return {
            "decisions": self.decisions,
            "legal_actions": self.legal_actions,
            "frames": self.frames,
            "frame_bytes": self.frame_bytes,
            "waits_ns": self.waits_ns,
            "turns": self.turns,
            "turns_ns": self.turns_ns,
        }
