"""A match played by the kit, which also plays the seats that are not the bot's."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from arena.codecs.codec import Codec, codec_for
from arena.codecs.shared_messages import seat_ending_message, time_control_message
from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.v1 import games_pb2, happening_pb2, match_pb2, play_pb2
from engine.game import TERMINAL, Event, Game, InvalidOptionsError, State
from engine.randomness import Stream, commitment

CLOCK: Final = TimeControl(per_decision_ms=200, bank_ms=5_000, increment_ms=50)
"""The clock that the bot sees; shorter than the kit's patience, which is the only time that counts."""

_SHORT: Final = "12"
"""An option that bounds a match is set to this."""

_NORMAL: Final = SeatEnding(Termination.NORMAL, Fault.NONE, (), "The match was played to its end.")


def short_options(game: Game, seats: int) -> object:
    """Return the game's usual options with the one changed that makes matches shortest, if there is one."""
    best = game.options(seats, {})
    for option in game.spec.options:
        try:
            options = game.options(seats, {option.name: _SHORT})
        except InvalidOptionsError:
            continue
        if game.max_plies(seats, options) < game.max_plies(seats, best):
            best = options
    return best


class ScriptedMatch:
    """One match. It advances by `act`, and by the kit's own seats when `next_seat` is called."""

    def __init__(
        self, game: Game, number: int, *, seats: int, own: Sequence[int], is_short: bool = True
    ) -> None:
        """Match `number`; the seats in `own` are the bot's. Everything follows from the number."""
        self.game = game
        self.codec: Codec = codec_for(game.spec.id)
        self.name = f"matches/{number}"
        self.seats = seats
        self.options = short_options(game, seats) if is_short else game.options(seats, {})
        self._seed = sha256(b"arena-conformance-v1" + number.to_bytes(8, "big")).digest()
        self._choices = Stream(sha256(self._seed).digest())
        self._happened: dict[int, list[happening_pb2.Happening]] = {seat: [] for seat in own}
        self._plies = 0
        self._terms: dict[str, Any] = {
            "ladder": "ladders/conformance",
            "game": game.spec.id,
            "rules_version": game.spec.rules_version,
            "options": self.codec.encode_options(self.options),
            "time_control": time_control_message(CLOCK),
            "seed_commitment": commitment(self._seed),
        }
        """What `Assigned` and `Match` both say of it."""
        self.state: State = game.new_match(seats, self.options, self._seed)
        self._note_events(self.state.take_events())

    def next_seat(self) -> int | None:
        """Play all seats but the bot's; return the seat of the bot's that is to act, None if the match is over."""
        while self.state.seat_to_act != TERMINAL:
            if self.state.seat_to_act in self._happened:
                return self.state.seat_to_act
            self.act((self.game.sensible_action(self.state, self._choices),))
        return None

    def act(self, actions: Sequence[int]) -> None:
        """Play actions of the seat to act. Raises IllegalActionError."""
        for action in actions:
            actor = self.state.seat_to_act
            for viewer, happened in self._happened.items():
                seen = self.state.action_seen_by(action, viewer)
                if seen is not None and viewer != actor:
                    acted = happening_pb2.SeatAction(seat=actor, action=self.action(seen))
                    happened.append(happening_pb2.Happening(action=acted))
            self.state.apply(action)
            self._plies += 1
            self._note_events(self.state.take_events())

    def take_happened(self, seat: int) -> list[happening_pb2.Happening]:
        """Take what the bot's seat has seen since its last decision."""
        happened, self._happened[seat] = self._happened[seat], []
        return happened

    def view(self, viewer: int) -> games_pb2.Observation:
        """Return the position as a seat, or the SPECTATOR, sees it."""
        return games_pb2.Observation.FromString(self.codec.encode_observation(self.state.observe(viewer)))

    def action(self, action: int) -> games_pb2.Action:
        """Return an action as a message."""
        return games_pb2.Action.FromString(self.codec.encode_action(action))

    def assigned(self, assignment: int, seat: int) -> play_pb2.Assigned:
        """Return the assignment of one of the bot's seats."""
        return play_pb2.Assigned(
            assignment=assignment,
            match=self.name,
            seats=self.seats,
            seat=seat,
            ready_within_ms=10_000,
            **self._terms,
        )

    def participants(self) -> list[play_pb2.Participant]:
        """Return the participants by seat."""
        names = ["yours" if seat in self._happened else f"kit-{seat}" for seat in range(self.seats)]
        return [
            play_pb2.Participant(bot=f"bots/{name}", bot_version=f"bots/{name}/versions/1") for name in names
        ]

    def record(self) -> match_pb2.Match:
        """Return the match as it ended; void if it is not over."""
        outcome = self.state.outcome()
        record = match_pb2.Match(
            name=self.name,
            state=match_pb2.MATCH_STATE_FINISHED,
            plies=self._plies,
            seed=self._seed,
            **self._terms,
        )
        for participant in self.participants():
            record.seats.add(bot=participant.bot, bot_version=participant.bot_version)
        if outcome is None:
            record.state = match_pb2.MATCH_STATE_ABORTED
            record.void_reason = "The conformance kit ends its matches early."
            return record
        record.ending = outcome.ending
        for seat, placing, score in zip(record.seats, outcome.placings, outcome.scores, strict=True):
            seat.placing, seat.score = placing, score
            seat.ending.CopyFrom(seat_ending_message(_NORMAL))
        return record

    def _note_events(self, events: Sequence[Event]) -> None:
        for event in events:
            for viewer, happened in self._happened.items():
                if (seen := event.seen_by(viewer)) is not None:
                    message = games_pb2.GameEvent.FromString(self.codec.encode_event(seen))
                    happened.append(happening_pb2.Happening(event=message))
