"""The sentences of docs/protocol.md that the kit checks, by section of the page."""

from __future__ import annotations

from typing import Final

from arena.conformance.verdict import Requirement

# Connecting

TOKEN: Final = Requirement(
    "Connecting",
    "Take it from `ARENA_TOKEN` and send it as metadata of the call, `authorization: Bearer <token>`.",
    "Send the metadata `authorization` with `Bearer ` and the value of ARENA_TOKEN.",
)
TOKEN_IS_SECRET: Final = Requirement(
    "Connecting",
    "Never put it into a message.",
    "Send the token in the metadata of the call and nowhere else.",
)
ADDRESS: Final = Requirement(
    "Connecting",
    "Take it from the environment variable `ARENA_ADDRESS`: `host:port`, or `unix:///path` for a Unix socket.",
    "Dial in at the value of ARENA_ADDRESS, and call arena.v1.PlayService/Play.",
)
ENCRYPTED: Final = Requirement(
    "Connecting",
    "`ARENA_TLS_CA` with the path of a PEM file of authorities to trust, tells a bot;",
    "If ARENA_TLS_CA is set, encrypt the connection and trust the certificates in that file.",
)
ONE_CONNECTION: Final = Requirement(
    "Connecting",
    "One connection is all that a program needs**: open the next one when the last is lost, and not before.",
    "Open one connection with one Play call, and after a loss wait longer from one attempt to the next.",
)
METADATA_FIRST: Final = Requirement(
    "Connecting",
    "Wait for the arena's initial metadata before you write.",
    "Begin the call, wait until its initial metadata (response headers) have come, then send `hello`.",
)
FIRST_CONNECT: Final = Requirement(
    "Connecting",
    "A first connect that fails (UNAVAILABLE) is treated as a lost connection.",
    "When nobody answers at the address, wait and try again, with growing pauses.",
)

# Frames

FRAME: Final = Requirement(
    "Frames",
    "A frame is a list of 1 to 64 messages and at most 128 KiB.",
    "Put 1 to 64 messages into each PlayRequest, each with exactly one kind.",
)
FLOOD: Final = Requirement(
    "Frames",
    "Send only what is asked for: more than 256 messages while no decision is open, `pong` not counted, or frames of"
    " more than 4 MiB since a decision was asked last, end the connection.",
    "Send each answer, `ready` and `pong` once, and a debug line or two for a decision.",
)
IN_ORDER: Final = Requirement(
    "Frames",
    "The messages of a frame are handled in order, as if each had come in a frame of its own.",
    "Loop over all messages of a frame; do not stop at the first.",
)
NEWER: Final = Requirement(
    "Frames",
    "If you find no kind that you know, ignore the message: it is from a newer arena and can be done without. The same"
    " holds for fields that you do not know, and a value of an enum that you do not know counts as not set.",
    "Ignore kinds, fields and enum values that you do not know, and go on.",
)

# Saying hello

HELLO_FIRST: Final = Requirement(
    "Saying hello",
    "The bot's first message is `hello`, and no other is:",
    "Say `hello` first on every connection, and only once.",
)
PROTOCOL: Final = Requirement(
    "Saying hello",
    "`lowest_protocol` and `highest_protocol`: 1 and 1, for what this page describes;",
    "Set hello.lowest_protocol and hello.highest_protocol to 1.",
)
GAMES: Final = Requirement(
    "Saying hello",
    "`games`: the ids of the games it plays",
    "Name a game that the arena runs in hello.games.",
)
NOT_BEFORE_WELCOME: Final = Requirement(
    "Saying hello",
    "Do not send anything else before `welcome`, and nothing that is newer than the protocol it names.",
    "After `hello` wait for `welcome` before you send anything.",
)
LABELS: Final = Requirement(
    "Saying hello",
    "`bot_version` and `language` consist of printable characters without a slash; play.proto says how long each label"
    " may be.",
    'Keep the labels of hello short and plain, for example "1.2", "go", "grpc-go 1.70".',
)
CAPACITY: Final = Requirement(
    "Capacity",
    "A `hello` without `capacity` means one match; a `capacity` in which `matches` is not set means 0.",
    "Set hello.capacity.matches to how many matches the bot takes at once, or leave hello.capacity out.",
)

# A match

READY: Final = Requirement(
    "A match",
    "Answer `ready` once, with the same assignment, within `ready_within_ms`.",
    "Answer every `assigned` at once with `ready` and its assignment.",
)
ANSWER: Final = Requirement(
    "Three numbers",
    "An answer names its assignment and its decision.",
    "Answer every `decision` with its assignment, its number, and an index or an action.",
)
INDEX: Final = Requirement(
    "A match",
    "`index`: the place, from 0, in the list that this decision carried;",
    "Count from 0, in the list of this very decision.",
)
LEGAL: Final = Requirement(
    "When an answer does not count",
    "**The answer is illegal, cannot be read, or holds neither `index` nor `action`**: the arena plays the game's"
    " default action for you and gives you a strike.",
    "Answer with an index into the list of this decision, or with an action that the rules allow now.",
)
ONCE: Final = Requirement(
    "Checklist",
    "answers each decision once, with its own number, before `time_left_ms` is over;",
    "Send one answer for each decision, and none for a decision that was not asked.",
)
ASSIGNMENT: Final = Requirement(
    "Three numbers",
    "An **assignment** is one seat of one match given to this session. All messages about the match carry it.",
    "Put the assignment of the seat that is meant into `ready`, `answer` and `debug`.",
)
APART: Final = Requirement(
    "Checklist",
    "keeps the matches apart by assignment;",
    "Keep what belongs to a match under its assignment, and answer with that.",
)
TWO_SEATS: Final = Requirement(
    "Three numbers",
    "A bot may hold two seats of the same match: they are two assignments.",
    "Tell your matches apart by assignment, never by the match's name.",
)
WITHDRAWN: Final = Requirement(
    "A match",
    "If a seat is not ready in time the match does not begin: all seats get `withdrawn`,",
    "When `withdrawn` comes, forget the assignment and take the next one.",
)
SEAT_ENDED: Final = Requirement(
    "When an answer does not count",
    "The seat does not count against your `capacity` any more, so another match may come before `match_ended`.",
    "Answer `assigned` with `ready` whenever it comes; the arena counts your capacity.",
)
NEWS: Final = Requirement(
    "Checklist",
    "takes `decision_closed`, `answer_ignored`, `warning` and `seat_ended` as news, not as errors;",
    "Log these messages if you like, and go on.",
)
NO_TRY: Final = Requirement(
    "When an answer does not count",
    "There is no second try.",
    "After `decision_closed` forget that decision and answer the next one.",
)

# Pings

PONG: Final = Requirement(
    "Pings",
    "Answer `ping` with a `pong` of the same id at once, also while you think:",
    "Answer every `ping` with one `pong` that has the id of the ping.",
)

# Coming back

RESUME_TOKEN: Final = Requirement(
    "Coming back",
    "**Say `hello`** as always, with the `resume_token` of the last `welcome` you have heard.",
    "Keep welcome.resume_token, and put it into hello.resume_token when you come back.",
)
COME_BACK: Final = Requirement(
    "Coming back",
    "**Connect again**, first after 0.1 s, then after pauses that grow to 5 or 10 s.",
    "When the stream ends without `goodbye`, begin a new call and say `hello` again.",
)
SAME_VERSION: Final = Requirement(
    "Coming back",
    "Name the same bot version as before; another version does not go on with the session.",
    "Send the same hello.bot_version on every connection.",
)
ANSWER_AGAIN: Final = Requirement(
    "Coming back",
    "an answer that had arrived is among `answers`, for one that had not the decision is open again; answer it,"
    " and if it counted after all, `answer_ignored` says so and costs nothing.",
    "A decision that is told again after a comeback is open: answer it, also if you have answered it before.",
)

FORGOTTEN: Final = Requirement(
    "Coming back",
    "Forget its matches; nothing more is told of them.",
    "When welcome.resumed is false, drop all matches; assignments may begin at 1 again.",
)
NOT_ANNOUNCED: Final = Requirement(
    "Coming back",
    "An assignment that you held and that is not told anew is over.",
    "After a comeback go by what is told anew; drop the assignments that are not.",
)

# Leaving

LEAVE: Final = Requirement(
    "Leaving",
    "Send `capacity` with `matches` 0, go on until nothing is running, then half-close your side of the stream.",
    "On SIGTERM send `capacity` with 0 matches, play on, half-close, and exit with 0 after the goodbye.",
)
CROSSED: Final = Requirement(
    "Leaving",
    "After `capacity` 0 no new assignment is made, but one may have crossed it on the way: play it on.",
    "Also after `capacity` 0, answer `assigned` with `ready`, and play that match to its end.",
)
DRAINING: Final = Requirement(
    "Leaving",
    "When the arena shuts down it sends `draining`: no new matches come, and what still runs after `within_ms` is"
    " void.",
    "When `draining` comes, go on with the matches that run.",
)

# Goodbye

COME_BACK_LATER: Final = Requirement(
    "Goodbye",
    "If it is set, come back, but not before; when the arena shuts down, a bot may also end, with 0.",
    "When come_back is set, wait for come_back_after_ms, then begin a new call.",
)
SENTENCE: Final = Requirement(
    "Goodbye",
    "Its `sentence` says what was the matter: print it, for the bot's owner.",
    "Print the sentence of the `goodbye` on standard error.",
)

END: Final = Requirement(
    "Goodbye",
    "If `come_back` is not set, end the program: the same hello would be refused again.",
    "When a `goodbye` comes in which come_back is false, end the program.",
)
REFUSED: Final = Requirement(
    "Checklist",
    "obeys `goodbye`; ends with a code other than 0 when it was refused;",
    "When refused, print the sentence of the `goodbye` and exit with a code other than 0, for example 3.",
)
SECRET_OUTPUT: Final = Requirement(
    "Checklist",
    "reads the address and the token from the environment, never prints the token;",
    "Do not print the token, nor the metadata or the environment that hold it.",
)
