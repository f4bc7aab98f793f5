"""What a seat is sent of a match since its last decision."""

from arena.codecs.codec import codec_for
from arena.v1 import games_pb2, happening_pb2
from engine.game import State
from tests.unit.contract.cases import Case, walk


def sent_since(case: Case, ply: int, viewer: int) -> tuple[State, list[happening_pb2.Happening]]:
    """Return the position of the viewer's last decision before a ply, and what it was sent since then."""
    codec = codec_for(case.game)
    before = case.new_match()
    before.take_events()
    happened: list[happening_pb2.Happening] = []
    for step in walk(case):
        events = [event for each in step.state.take_events() if (event := each.seen_by(viewer)) is not None]
        for event in events:
            wire = games_pb2.GameEvent.FromString(codec.encode_event(event))
            happened.append(happening_pb2.Happening(event=wire))
        if step.ply == ply:
            break
        if step.state.seat_to_act == viewer:
            before, happened = step.state.clone(), []
        seen = step.state.action_seen_by(step.action, viewer)
        if seen is not None:
            message = games_pb2.Action.FromString(codec.encode_action(seen))
            acted = happening_pb2.SeatAction(seat=step.state.seat_to_act, action=message)
            happened.append(happening_pb2.Happening(action=acted))
    return before, happened
