"""Caravanserai as SVG: the board with caravans, then the market and the reserves."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from arena.drawings.caravanserai.drawing import DRAWING
from arena.drawings.caravanserai.symbols import lengths, own
from arena.drawings.drawing import Step
from arena.drawings.wording import counted
from arena.pictures.caravanserai import board, table
from arena.pictures.caravanserai.marks import marks
from arena.pictures.panel import turn_line
from arena.pictures.picture import GamePicture, Moment, Part, Picture
from engine.caravanserai.events import Counted, Ended, SeedLost, Skipped, SkipReason, TakenBack
from engine.caravanserai.observation import CaravanPiece, Decision, Observation, SeatView
from engine.caravanserai.pieces import COLOUR_COUNT, PIECES, Piece
from engine.game import Event


class CaravanseraiPicture(GamePicture):
    """The position as a board of hexagons; caravans are chains of goods and camels."""

    def draw(
        self,
        observation: object,
        names: Sequence[str] = (),
        moment: Moment | None = None,
        others: Sequence[object] = (),
    ) -> Picture:
        """Return the board, the market and the reserves. Nothing of it is hidden, so `others` tell no more."""
        seen = own(observation)
        before = _before(moment) if moment is not None else seen
        acts = seen.seat_to_act
        title = f"Round {seen.round}" if seen.round else "Opening"
        parts: list[Part] = [
            turn_line(title, acts if acts is not None else 0, names, table.task(seen), over=acts is None),
            *table.laid(seen),
            *board.pieces(seen),
            *table.market(seen, before),
            *table.seats(seen, before, names),
            *(marks(moment, seen) if moment is not None else ()),
        ]
        standing = DRAWING.standing(seen, names)
        return Picture(
            table.height(seen),
            board.board(seen),
            tuple(parts),
            f"Caravanserai, round {seen.round}. {standing}",
        )

    def moments(self, step: Step) -> Sequence[Moment]:
        """Return the action, then the count with what is taken back (S32 to S34), then the seats that are skipped."""
        after, events = own(step.after), step.events
        skips = next((at for at, each in enumerate(events) if isinstance(each, Skipped)), len(events))
        count = next((at for at, each in enumerate(events[:skips]) if isinstance(each, Counted)), None)
        if count is None:
            found = [Moment(step, after, events=events[:skips])]
        else:
            rest = events[count:skips]
            found = [
                Moment(step, uncounted(step), events=events[:count]),
                Moment(step, after, acts=False, events=rest, caption=_count_caption(rest)),
            ]
        if skips < len(events):
            rest = events[skips:]
            found.append(Moment(step, after, acts=False, events=rest, caption=_skip_caption(rest)))
        return found

    def scores(self, observation: object) -> Sequence[int]:
        """Return the lengths of the caravans (S42), without a placement that is under way."""
        return lengths(observation)


def _before(moment: Moment) -> Observation:
    """Return the position whose numbers those of a moment are compared with."""
    if moment.acts:
        return own(moment.step.before)
    counts = any(isinstance(event, Counted) for event in moment.events)
    return uncounted(moment.step) if counts else own(moment.after)


def uncounted(step: Step) -> Observation:
    """Return the position between the last camel of a placement with its reward, and the count."""
    before, after = own(step.before), own(step.after)
    taken = [event for event in step.events if isinstance(event, TakenBack)]
    seats = list(after.seats)
    for event in taken:
        view = seats[event.seat]
        goods = tuple(count - event.pieces.count(PIECES[colour]) for colour, count in enumerate(view.goods))
        camels = view.camels - sum(piece >= COLOUR_COUNT for piece in event.pieces)
        tail = tuple(map(CaravanPiece, event.cells, event.pieces))
        seats[event.seat] = SeatView(camels, goods, tail + view.caravan)
    placement = before.placement
    if placement is not None and before.decision is Decision.STEP:
        placement = placement._replace(pieces=(*placement.pieces, Piece.CAMEL))
    return replace(
        before,
        trigger=after.trigger,
        market=after.market,
        loose=after.loose,
        seats=tuple(seats),
        placement=placement,
        steal=None,
    )


def _count_caption(events: Sequence[Event]) -> str:
    """Return for example "7 laid, 3 omitted: 4 taken back"."""
    said = []
    for event in events:
        if isinstance(event, Counted):
            said.append(f"{event.laid} laid, {event.omitted} omitted: {event.count} taken back")
        elif isinstance(event, SeedLost):
            said.append(f"no free inn for {counted(event.number, 'good')}")
        elif isinstance(event, Ended):
            said.append("the match ends")
    return "; ".join(said)


def _skip_caption(events: Sequence[Event]) -> str:
    """Return for example "Skipped: seat 1 (no camel), seat 2 (blocked)"."""
    said = [
        f"seat {event.seat} ({'no camel' if event.reason is SkipReason.NO_CAMEL else 'blocked'})"
        for event in events
        if isinstance(event, Skipped)
    ]
    return f"Skipped: {', '.join(said)}"


PICTURE: Final = CaravanseraiPicture()
