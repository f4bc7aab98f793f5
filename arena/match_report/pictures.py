"""Pictures of positions of a logged match."""

from itertools import islice

from arena.drawings.drawing import Step
from arena.match_log.reader import MatchLog
from arena.match_report.plies import positions
from arena.match_report.story import names_in
from arena.pictures.picture import Moment, Picture, picture_for
from engine.game import SPECTATOR, Event, Game
from engine.randomness import SEED_BYTES


def picture_after(
    log: MatchLog, game: Game, plies: int, *, viewer: int = SPECTATOR, whole: bool = False
) -> Picture | None:
    """Return the position after so many plies; None if the log does not fit the rules of this software.

    `viewer`: a seat, whose view is drawn, or SPECTATOR. `whole`: the hands of all seats are drawn. What the last ply
    has changed is marked, unless the viewer saw nothing of it.

    Raises ValueError: the match has fewer plies, or no such seat.
    """
    seats = len(log.setup.seats)
    if not 0 <= plies <= len(log.plies):
        raise ValueError(f"The match has {len(log.plies)} plies: use 0 (the beginning) to {len(log.plies)}.")
    if viewer != SPECTATOR and not 0 <= viewer < seats:
        raise ValueError(f"The match has seats 0 to {seats - 1}.")
    if log.setup.rules_version != game.spec.rules_version or len(log.setup.seed) != SEED_BYTES:
        return None
    state = game.new_match(seats, log.setup.options, log.setup.seed)
    played = list(islice(positions(log, game), plies - 1, plies)) if plies else []
    moment = None
    for before, ply in played:
        state = before.clone()
        state.apply(ply.action)
        action = ply.action if whole else before.action_seen_by(ply.action, viewer)
        if action is not None:
            events = ply.events if whole else _seen(ply.events, viewer)
            step = Step(ply.seat, before.observe(viewer), action, events, state.observe(viewer))
            moment = Moment(step, step.after, events=events)
    if plies and not played:
        return None
    others = [state.observe(seat) for seat in range(seats)] if whole else ()
    return picture_for(game.spec.id).draw(state.observe(viewer), names_in(log), moment, others)


def _seen(events: tuple[Event, ...], viewer: int) -> tuple[Event, ...]:
    return tuple(event for each in events if (event := each.seen_by(viewer)) is not None)
