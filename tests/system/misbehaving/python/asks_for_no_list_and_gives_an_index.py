"""Asks for no list of actions, and answers with an index into it."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    nothing = play_pb2.Preferences(legal_actions=play_pb2.LEGAL_ACTIONS_FORM_NONE)
    link = visit.seated(preferences=nothing)
    for decision in link.decisions():
        link.answer(decision)


if __name__ == "__main__":
    run(misbehave)
