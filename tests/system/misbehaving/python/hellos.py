"""Bots that fail before or at their hello."""

import grpc

from arena.v1 import match_pb2, match_pb2_grpc, play_pb2
from tests.system.misbehaving.python.by_hand import PLAY
from tests.system.misbehaving.python.visit import (
    ADDRESS,
    LOOT,
    NO_MATCHES,
    TOKEN,
    Link,
    Visit,
    main,
    remote_bot,
    while_it_thinks,
)
from tests.system.play.raw_bot import hello


@remote_bot
def lies_about_its_protocol(visit: Visit) -> None:
    """Speak protocol 98 to 99."""
    visit.refused(lowest_protocol=98, highest_protocol=99)


@remote_bot
def plays_unknown_games(visit: Visit) -> None:
    """Play chess alone."""
    visit.refused(games=[play_pb2.GameSupport(game="chess")])


@remote_bot
def knows_other_rules(visit: Visit) -> None:
    """Know version 99 of the rules alone."""
    visit.refused(games=[play_pb2.GameSupport(game="caravan", rules_versions=[99])])


@remote_bot
def has_a_long_name(visit: Visit) -> None:
    """Call its version by a name of 65 letters."""
    visit.refused(bot_version="x" * 65)


@remote_bot
def steals_a_session(visit: Visit) -> None:
    """Say hello with the resume token of its opponent."""
    visit.refused(resume_token=LOOT)


@remote_bot
def resumes_with_garbage(visit: Visit) -> None:
    """Say hello with resume tokens that never were, then play on."""
    for token in ("garbage", "1-", "-1", "9" * 5_000, "1-" + "0" * 32):
        link = visit.dial()
        assert not link.hello(resume_token=token, capacity=NO_MATCHES).resumed
        link.leave()
    visit.seated(resume_token="\N{BACTRIAN CAMEL}").play_on().leave()


@remote_bot
def resumes_with_an_old_token(visit: Visit) -> None:
    """Come back with the last resume token but one."""
    link = visit.dial()
    oldest = link.hello(capacity=NO_MATCHES).resume_token
    visit.back(oldest).say(capacity=NO_MATCHES)
    link.hear_all()
    assert not visit.dial().hello(resume_token=oldest, capacity=NO_MATCHES).resumed
    visit.seated().play_on().leave()


@remote_bot
def claims_what_is_not_its_own(visit: Visit) -> None:
    """Claim the matches of lost sessions, of which it has none."""
    visit.seated(claim=True).play_on().leave()


@remote_bot
def says_something_else_first(visit: Visit) -> None:
    """Be ready before it has said hello."""
    link = visit.dial()
    link.say(ready=play_pb2.Ready(assignment=1))
    link.hear_all()


@remote_bot
def half_closes_at_once(visit: Visit) -> None:
    """Open a call and close its side without a word."""
    link = visit.dial()
    link.half_close()
    link.hear_all()


@remote_bot
def floods_without_a_match(visit: Visit) -> None:
    """Send three hundred messages while no decision is open."""
    link = visit.dial()
    link.hello(capacity=NO_MATCHES)
    for _ in range(300):
        link.say(capacity=NO_MATCHES)
    link.hear_all()


@remote_bot
def shows_no_token(visit: Visit) -> None:
    """Call without a token."""
    visit.refused(None)


@remote_bot
def shows_a_bad_token(visit: Visit) -> None:
    """Call with its token, one letter changed."""
    link = visit.dial(TOKEN[:-1] + ("a" if TOKEN[-1] != "a" else "b"))
    link.say(hello=hello())
    link.hear_all()


@while_it_thinks
def is_revoked(link: Link, decision: play_pb2.Decision) -> None:
    """Think while its owner takes its token back."""


@remote_bot
def reads_what_others_have(visit: Visit) -> None:
    """Ask with its bot token for the log of a match and for its debug lines."""
    metadata = (("authorization", f"Bearer {TOKEN}"),)
    with grpc.insecure_channel(ADDRESS) as channel:
        matches = match_pb2_grpc.MatchServiceStub(channel)
        log = match_pb2.DownloadMatchLogRequest(name="matches/1")
        visit.note_refusal(lambda: list(matches.DownloadMatchLog(log, metadata=metadata)))
        lines = match_pb2.ListDebugLinesRequest(name="matches/1")
        visit.note_refusal(lambda: matches.ListDebugLines(lines, metadata=metadata))


@remote_bot
def calls_what_is_not_there(visit: Visit) -> None:
    """Call a method that the arena does not have."""
    with grpc.insecure_channel(ADDRESS) as channel:
        cheat: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/arena.v1.PlayService/Win")
        visit.note_refusal(lambda: cheat(b"", metadata=(("authorization", f"Bearer {TOKEN}"),)))


@remote_bot
def sends_too_much_metadata(visit: Visit) -> None:
    """Call with 16 KiB of metadata."""
    with grpc.insecure_channel(ADDRESS) as channel:
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(PLAY)
        metadata = (("authorization", f"Bearer {TOKEN}"), ("x-much", "x" * 16_384))
        visit.note_refusal(lambda: list(play(iter([]), metadata=metadata)))


if __name__ == "__main__":
    main()
