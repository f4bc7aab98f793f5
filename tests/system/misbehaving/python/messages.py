"""Bots that send messages which do not fit the state of their session."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Link, Visit, at_each_decision, main, remote_bot


@at_each_decision
def says_unknown_fields(link: Link, decision: play_pb2.Decision) -> None:
    """Put fields that nobody knows into every message."""
    answer = play_pb2.Answer(assignment=link.assignment, decision=decision.decision, index=0)
    # Field 2047 of the answer: text that no version of the protocol has.
    answer.MergeFromString(b"\xfa\x7f\x05extra")
    link.say(answer=answer)


@at_each_decision
def says_unknown_kinds(link: Link, decision: play_pb2.Decision) -> None:
    """Send messages of a kind that nobody knows, and messages of no kind."""
    # Field 99 of ClientMessage: a kind that may come some day.
    link.say_bytes(b"\x0a\x05\x9a\x06\x02hi\x0a\x00")
    link.answer(decision)


@at_each_decision
def sends_empty_frames(link: Link, decision: play_pb2.Decision) -> None:
    """Send frames without a message between its answers."""
    for _ in range(10):
        link.say_bytes(b"")
    link.answer(decision)


@remote_bot
def resigns_twice(visit: Visit) -> None:
    """Resign, and resign again."""
    link = visit.seated()
    next(link.decisions())
    link.say(resign=play_pb2.Resign(assignment=link.assignment))
    link.say(resign=play_pb2.Resign(assignment=link.assignment))
    link.hear("match_ended")
    link.leave()


@remote_bot
def resigns_and_plays_on(visit: Visit) -> None:
    """Resign, and continue to answer."""
    link = visit.seated()
    decision = next(link.decisions())
    link.say(resign=play_pb2.Resign(assignment=link.assignment))
    link.hear("match_ended")
    link.answer(decision)
    link.hear("answer_ignored")
    link.leave()


@remote_bot
def resigns_before_the_match(visit: Visit) -> None:
    """Resign a seat that it has not taken yet, then take it and play."""
    link = visit.dial()
    link.hello()
    link.assignment = link.hear("assigned").assignment
    link.say(
        capacity=play_pb2.Capacity(),
        resign=play_pb2.Resign(assignment=link.assignment),
        ready=play_pb2.Ready(assignment=link.assignment),
    )
    link.play_on().leave()


@at_each_decision
def resigns_for_others(link: Link, decision: play_pb2.Decision) -> None:
    """Resign for assignments that it never had."""
    link.say(resign=play_pb2.Resign(assignment=99))
    link.answer(decision)


@remote_bot
def is_ready_again_and_again(visit: Visit) -> None:
    """Be ready for a seat that is ready, and for seats that it does not have."""
    link = visit.dial()
    link.hello()
    assigned = link.hear("assigned").assignment
    link.say(capacity=play_pb2.Capacity(), ready=play_pb2.Ready(assignment=assigned + 1))
    link.hear("warning")
    link.say(ready=play_pb2.Ready(assignment=assigned))
    for decision in link.decisions():
        link.say(ready=play_pb2.Ready(assignment=assigned))
        link.answer(decision)
    link.leave()


@remote_bot
def floods_with_debug_lines(visit: Visit) -> None:
    """Write debug lines of 600 KiB, more than a match keeps."""
    link = visit.seated()
    first = next(link.decisions())
    for _ in range(150):
        link.say(debug=play_pb2.Debug(assignment=link.assignment, decision=1, text="x" * 4_096))
    link.answer(first)
    link.play_on().leave()


@at_each_decision
def writes_a_debug_line_too_long(link: Link, decision: play_pb2.Decision) -> None:
    """Write debug lines of 64 KiB of four-byte letters."""
    text = "\N{BACTRIAN CAMEL}" * 16_384
    link.say(debug=play_pb2.Debug(assignment=link.assignment, decision=decision.decision, text=text))
    link.answer(decision)


@at_each_decision
def changes_its_capacity_all_the_time(link: Link, decision: play_pb2.Decision) -> None:
    """Take on a thousand matches and none, sixty-four times in a frame."""
    many = play_pb2.ClientMessage(capacity=play_pb2.Capacity(matches=1_000))
    none = play_pb2.ClientMessage(capacity=play_pb2.Capacity())
    for _ in range(100):
        link.say_messages(*[many, none] * 32)
    link.answer(decision)


@at_each_decision
def wants_more_than_there_is(link: Link, decision: play_pb2.Decision) -> None:
    """Take on four thousand million matches at once, and on none in the same frame."""
    most = play_pb2.Capacity(matches=4_000_000_000, open_decisions=4_000_000_000)
    link.say_messages(
        play_pb2.ClientMessage(capacity=most), play_pb2.ClientMessage(capacity=play_pb2.Capacity())
    )
    link.answer(decision)


@remote_bot
def never_pongs(visit: Visit) -> None:
    """Answer no ping."""
    visit.dial(answer_pings=False).take_one_seat().play_on().leave()


@at_each_decision
def pongs_unasked(link: Link, decision: play_pb2.Decision) -> None:
    """Send pongs for pings that were never sent."""
    for _ in range(1_000):
        link.say(pong=play_pb2.Pong(id=4_000_000_000))
    link.answer(decision)


@remote_bot
def floods_with_answers(visit: Visit) -> None:
    """Send sixty thousand answers for nothing while its own decision is open."""
    link = visit.seated()
    first = next(link.decisions())
    nonsense = play_pb2.ClientMessage(answer=play_pb2.Answer(assignment=99, decision=7, index=0))
    for _ in range(60_000 // 60):
        link.say_messages(*[nonsense] * 60)
    link.answer(first)
    link.play_on().leave()


if __name__ == "__main__":
    main()
