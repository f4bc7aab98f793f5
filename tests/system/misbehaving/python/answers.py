"""Bots that answer decisions wrongly, late or not at all."""

import time

from arena.games.caravan.v1 import caravan_pb2
from arena.v1 import games_pb2, play_pb2
from tests.system.misbehaving.python.visit import Link, Visit, at_each_decision, main, remote_bot


@remote_bot
def never_answers(visit: Visit) -> None:
    """Take its seat and answer no decision."""
    visit.seated().hear("match_ended")


@remote_bot
def answers_late(visit: Visit) -> None:
    """Answer its first decision once it has been closed, and no other one."""
    link = visit.seated()
    for message in link.everything():
        if message.HasField("decision_closed") and message.decision_closed.decision == 1:
            link.answer_number(1)


@at_each_decision
def answers_at_the_deadline(link: Link, decision: play_pb2.Decision) -> None:
    """Answer each decision in the very millisecond in which it is lost."""
    time.sleep(decision.time_left_ms / 1_000)
    link.answer(decision)


@at_each_decision
def answers_twice(link: Link, decision: play_pb2.Decision) -> None:
    """Answer its first three decisions twice."""
    link.answer(decision)
    if decision.decision <= 3:
        link.answer(decision)


@at_each_decision
def answers_another_match(link: Link, decision: play_pb2.Decision) -> None:
    """Answer for an assignment that it never had, before it answers for its own."""
    link.say(answer=play_pb2.Answer(assignment=99, decision=decision.decision, index=0))
    link.answer(decision)


@at_each_decision
def answers_the_future(link: Link, decision: play_pb2.Decision) -> None:
    """Answer the next decision before each decision."""
    link.answer_number(decision.decision + 1)
    link.answer(decision)


@at_each_decision
def answers_the_distant_past(link: Link, decision: play_pb2.Decision) -> None:
    """Answer its first decision again with the second and the third one."""
    link.answer(decision)
    if decision.decision <= 3:
        link.answer_number(1)


@remote_bot
def answers_before_the_match(visit: Visit) -> None:
    """Answer its first decision before it is ready for the match."""
    link = visit.dial()
    link.hello()
    assigned = link.hear("assigned").assignment
    link.say(
        capacity=play_pb2.Capacity(),
        answer=play_pb2.Answer(assignment=assigned, decision=1, index=0),
        ready=play_pb2.Ready(assignment=assigned),
    )
    link.play_on().leave()


@remote_bot
def answers_after_the_end(visit: Visit) -> None:
    """Answer its last decision again when the match is over."""
    link = visit.seated().play_on()
    link.answer_number(6)
    link.hear("answer_ignored")
    link.leave()


@at_each_decision
def plays_illegal_actions(link: Link, decision: play_pb2.Decision) -> None:
    """Move camels that it does not have."""
    move = caravan_pb2.Move(from_square=0, to_square=1)
    link.act(decision, games_pb2.Action(caravan=caravan_pb2.Action(move=move)))


@at_each_decision
def plays_off_the_board(link: Link, decision: play_pb2.Decision) -> None:
    """Place camels on a square that the board does not have."""
    place = caravan_pb2.Place(to_square=4_000_000_000)
    link.act(decision, games_pb2.Action(caravan=caravan_pb2.Action(place=place)))


@at_each_decision
def plays_another_game(link: Link, decision: play_pb2.Decision) -> None:
    """Answer with an action of Caravanserai in a match of Caravan."""
    action = games_pb2.Action()
    action.caravanserai.camel.direction = 1
    link.act(decision, action)


@at_each_decision
def plays_nothing(link: Link, decision: play_pb2.Decision) -> None:
    """Answer with an action of no game."""
    link.act(decision, games_pb2.Action())


@remote_bot
def plans_without_end(visit: Visit) -> None:
    """Answer with a plan that declines a hundred thousand goods, in both matches of a group."""
    action = games_pb2.Action()
    action.caravanserai.plan.declined.extend([1] * 100_000)
    link = visit.dial()
    link.hello()
    ended = 0
    while ended < 2:
        message = link.hear_any()
        assert message is not None
        ended += message.HasField("match_ended")
        if message.HasField("assigned"):
            link.say(ready=play_pb2.Ready(assignment=message.assigned.assignment))
        elif message.HasField("decision"):
            link.act(message.decision, action)
    link.leave()


@at_each_decision
def answers_out_of_the_list(link: Link, decision: play_pb2.Decision) -> None:
    """Answer with an index one behind the end of the list."""
    link.answer(decision, len(decision.legal_actions))


@at_each_decision
def chooses_nothing(link: Link, decision: play_pb2.Decision) -> None:
    """Answer without any choice."""
    link.say(answer=play_pb2.Answer(assignment=link.assignment, decision=decision.decision))


@remote_bot
def asks_for_no_list_and_gives_an_index(visit: Visit) -> None:
    """Ask for no list of actions, and answer with an index into it."""
    nothing = play_pb2.Preferences(legal_actions=play_pb2.LEGAL_ACTIONS_FORM_NONE)
    link = visit.seated(preferences=nothing)
    for decision in link.decisions():
        link.answer(decision)


if __name__ == "__main__":
    main()
