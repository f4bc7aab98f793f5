"""The sentences of docs/protocol.md that the kit checks, by section of the page."""

from functools import partial
from typing import Final

from arena.conformance.verdict import Requirement

_CONNECTING: Final = partial(Requirement, "Connecting")
_FRAMES: Final = partial(Requirement, "Frames")
_SAYING_HELLO: Final = partial(Requirement, "Saying hello")
_A_MATCH: Final = partial(Requirement, "A match")
_THREE_NUMBERS: Final = partial(Requirement, "Three numbers")
_NOT_COUNTED: Final = partial(Requirement, "When an answer does not count")
_CHECKLIST: Final = partial(Requirement, "Checklist")
_COMING_BACK: Final = partial(Requirement, "Coming back")
_LEAVING: Final = partial(Requirement, "Leaving")
_GOODBYE: Final = partial(Requirement, "Goodbye")

TOKEN: Final = _CONNECTING(
    "Take it from `ARENA_TOKEN` and send it as metadata of the call, `authorization: Bearer <token>`.",
    "Send the metadata `authorization` with `Bearer ` and the value of ARENA_TOKEN.",
)
TOKEN_IS_SECRET: Final = _CONNECTING(
    "Never put it into a message.",
    "Send the token in the metadata of the call and nowhere else.",
)
ADDRESS: Final = _CONNECTING(
    "Take it from the environment variable `ARENA_ADDRESS`: `host:port`, or `unix:///path` for a Unix socket.",
    "Connect to the value of ARENA_ADDRESS, and call arena.v1.PlayService/Play.",
)
ENCRYPTED: Final = _CONNECTING(
    "`ARENA_TLS_CA` also means that it is, and names a PEM file of certificate authorities to trust.",
    "If ARENA_TLS_CA is set, encrypt the connection and trust the certificates in that file.",
)
ONE_CONNECTION: Final = _CONNECTING(
    "Open one connection per program. Open the next one only after the last one is lost.",
    "Open one connection with one Play call, and after a loss wait longer before each attempt.",
)
METADATA_FIRST: Final = _CONNECTING(
    "Wait for the arena's initial metadata before you write.",
    "Begin the call, wait for its initial metadata (response headers), then send `hello`. If your library"
    " cannot do this, ignore this advice.",
)
FIRST_CONNECT: Final = _CONNECTING(
    "Treat a first connection attempt that fails (UNAVAILABLE) as a lost connection.",
    "When the connection attempt fails, wait and try again, with growing pauses.",
)

FRAME: Final = _FRAMES(
    "A frame contains 1 to 64 messages and has at most 128 KiB.",
    "Put 1 to 64 messages into each PlayRequest, each with exactly one kind.",
)
FLOOD: Final = _FRAMES(
    "Send only what the arena asks for. The arena ends the connection after more than 256 messages while"
    " no decision is open (`pong` does not count), or after frames of more than 4 MiB since the last"
    " decision.",
    "Send each answer, `ready` and `pong` once, and a debug line or two for a decision.",
)
IN_ORDER: Final = _FRAMES(
    "Handle the messages of a frame in order, as if each had arrived in its own frame.",
    "Loop over all messages of a frame; do not stop at the first.",
)
NEWER: Final = _FRAMES(
    "Ignore messages of an unknown kind and unknown fields, and treat an unknown enum value as not set:"
    " they come from a newer arena, and a bot can do without them.",
    "Ignore kinds, fields and enum values that you do not know, and continue.",
)

HELLO_FIRST: Final = _SAYING_HELLO(
    "The first message of the bot must be `hello`, and no later message may be `hello`.",
    "Send `hello` first on every connection, and only once.",
)
PROTOCOL: Final = _SAYING_HELLO(
    "`lowest_protocol` and `highest_protocol`: both 1, for the protocol on this page.",
    "Set hello.lowest_protocol and hello.highest_protocol to 1.",
)
GAMES: Final = _SAYING_HELLO(
    "`games`: the ids of the games that the bot plays",
    "Name a game that the arena runs in hello.games.",
)
NOT_BEFORE_WELCOME: Final = _SAYING_HELLO(
    "Send nothing between `hello` and `welcome`, and nothing that is newer than the protocol in `welcome`.",
    "After `hello` wait for `welcome` before you send anything.",
)
LABELS: Final = _SAYING_HELLO(
    "`bot_version` and `language` consist of printable characters without a slash. play.proto gives the"
    " maximum length of each label.",
    'Keep the labels of hello short and plain, for example "1.2", "go", "grpc-go 1.70".',
)
CAPACITY: Final = Requirement(
    "Capacity",
    "A `hello` without `capacity` means one match; a `capacity` without `matches` means 0.",
    "Set hello.capacity.matches to the number of matches that the bot plays at once, or omit hello.capacity.",
)

READY: Final = _A_MATCH(
    "Answer with one `ready` with the same assignment within `ready_within_ms`",
    "Answer every `assigned` at once with `ready` and its assignment.",
)
ANSWER: Final = _THREE_NUMBERS(
    "An answer names its assignment and its decision.",
    "Answer every `decision` with its assignment, its number, and an index or an action.",
)
INDEX: Final = _A_MATCH(
    "`index`: the position, from 0, in the list of this decision;",
    "Count from 0, in the list of this decision.",
)
LEGAL: Final = _NOT_COUNTED(
    "If the answer is illegal, cannot be read, or holds neither `index` nor `action`, the arena plays"
    " the game's default action for you and gives you a strike.",
    "Answer with an index into the list of this decision, or with an action that the rules allow now.",
)
ONCE: Final = _CHECKLIST(
    "answers each decision once, with its own number, before `time_left_ms` has passed;",
    "Send one answer for each decision, and none for a decision that was not asked.",
)
ASSIGNMENT: Final = _THREE_NUMBERS(
    "An **assignment** is one seat of one match given to this session. All messages about the match carry it.",
    "Put the assignment of the seat that is meant into `ready`, `answer` and `debug`.",
)
APART: Final = _CHECKLIST(
    "keeps the matches apart by assignment;",
    "Keep what belongs to a match under its assignment, and answer with that.",
)
TWO_SEATS: Final = _THREE_NUMBERS(
    "A bot may hold two seats of the same match: they are two assignments.",
    "Tell your matches apart by assignment, never by the match's name.",
)
WITHDRAWN: Final = _A_MATCH(
    "If a seat is not ready in time, the match does not begin and every seat receives `withdrawn`.",
    "When `withdrawn` comes, forget the assignment and take the next one.",
)
SEAT_ENDED: Final = _NOT_COUNTED(
    "The forfeited seat no longer counts against your `capacity`, so another match may start before"
    " `match_ended`.",
    "Answer `assigned` with `ready` whenever it comes; the arena counts your capacity.",
)
NEWS: Final = _CHECKLIST(
    "treats `decision_closed`, `answer_ignored`, `warning` and `seat_ended` as information, not as errors;",
    "Log these messages if you like, and continue.",
)
NO_TRY: Final = _NOT_COUNTED(
    "You cannot answer the same decision again.",
    "After `decision_closed` forget that decision and answer the next one.",
)

EVALUATION: Final = Requirement(
    "Evaluations",
    "Keep it within these bounds:",
    "Send one value for each seat or none, from 0 to 1000 in `scores_per_mille`, and cut `line`.",
)

PONG: Final = Requirement(
    "Pings",
    "Answer each `ping` at once with a `pong` of the same id, even while you think:",
    "Answer every `ping` with one `pong` that has the id of the ping.",
)

RESUME_TOKEN: Final = _COMING_BACK(
    "Send `hello` as usual, with the `resume_token` of the last `welcome` that you received.",
    "Keep welcome.resume_token, and put it into hello.resume_token when you reconnect.",
)
COME_BACK: Final = _COMING_BACK(
    "Wait 0.1 s before the first attempt, then let the pauses grow to 5 or 10 s.",
    "When the stream ends without `goodbye`, begin a new call and send `hello` again.",
)
SAME_VERSION: Final = _COMING_BACK(
    "Use the same bot version; another version does not continue the session.",
    "Send the same hello.bot_version on every connection.",
)
ANSWER_AGAIN: Final = _COMING_BACK(
    "If it arrived, it is among `answers`. If it did not, the decision is open again: answer it. If the"
    " first answer counted after all, `answer_ignored` says so and costs nothing.",
    "A decision that is asked again after a reconnect is open: answer it, even if you have answered it before.",
)

FORGOTTEN: Final = _COMING_BACK(
    "Drop its matches; the arena sends nothing more about them.",
    "When welcome.resumed is false, drop all matches; assignments may begin at 1 again.",
)
NOT_ANNOUNCED: Final = _COMING_BACK(
    "If an assignment is not announced again, it has ended.",
    "After a reconnect, drop the assignments that the arena does not announce again.",
)

LEAVE: Final = _LEAVING(
    "Send `capacity` with `matches` 0, play until no match is running, then half-close your side of the"
    " stream.",
    "On SIGTERM send `capacity` with 0 matches, play on, half-close, and exit with 0 after the goodbye.",
)
STOP: Final = _LEAVING(
    "A program that is asked to stop while it is not connected ends at once with 0 if it knows of no running"
    " match.",
    "Let SIGTERM also end the pauses and attempts in which your program connects.",
)
STOP_IN_MATCH: Final = _LEAVING(
    "Otherwise it may reconnect to play its matches, but not for longer than a few seconds: service managers"
    " send SIGKILL to programs that do not end.",
    "After SIGTERM, give up your matches when a few attempts to reconnect have failed, and exit.",
)
CROSSED: Final = _LEAVING(
    "After `capacity` 0 the arena makes no new assignment, but one may already be on its way: play it to"
    " its end.",
    "Answer `assigned` with `ready` even after `capacity` 0, and play that match to its end.",
)
DRAINING: Final = _LEAVING(
    "When the arena shuts down it sends `draining`: no new matches start, and matches that still run"
    " after `within_ms` become void.",
    "When `draining` arrives, continue the running matches.",
)

COME_BACK_LATER: Final = _GOODBYE(
    "If `come_back` is set, reconnect, but not before `come_back_after_ms` has passed. When the arena"
    " shuts down, a bot may also exit with 0.",
    "When come_back is set, wait for come_back_after_ms, then begin a new call.",
)
SENTENCE: Final = _GOODBYE(
    "Print its `sentence`, which gives the reason, for the bot's owner.",
    "Print the sentence of the `goodbye` on standard error.",
)

END: Final = _GOODBYE(
    "If `come_back` is not set, exit: the same hello would be rejected again.",
    "Exit when a `goodbye` arrives in which come_back is false.",
)
REFUSED: Final = _CHECKLIST(
    "obeys `goodbye`, and exits with a nonzero code when it was rejected;",
    "When rejected, print the sentence of the `goodbye` and exit with a nonzero code, for example 3.",
)
SECRET_OUTPUT: Final = _CHECKLIST(
    "reads the address and the token from the environment, and never prints the token;",
    "Do not print the token, nor the metadata or the environment that hold it.",
)
