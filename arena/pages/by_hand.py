"""A person who is signed in plays by hand against a bot: unrated, as a bot of theirs, in their browser."""

import asyncio
import re
import uuid
from contextlib import suppress
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.core.clock.time_control import TimeControl
from arena.pages.account import own_bots, owner_of, resource_id
from arena.pages.answers import PRIVATE_HEADERS
from arena.pages.guard import check_csrf, check_same_origin
from arena.pages.hand_program import HandProgram, start_hand_program
from arena.pages.links import ID, Links
from arena.pages.match_rules import ClockChoice, MatchRules, RulesForm
from arena.pages.own_reads import OwnReads, SignedOutError
from arena.pages.reads import ArenaReads, PageError
from arena.pages.sessions import LONGEST_S, Session
from arena.pages.sign_in import SignIn
from arena.pages.site import Site
from arena.v1 import (
    bot_pb2,
    game_pb2,
    ladder_pb2,
    match_pb2,
    token_pb2,
    tournament_pb2,
)
from arena.wire.owner_wording import describe_unavailable
from arena.wire.wording import short

PROGRAMS: Final = 8
"""People who play by hand at the same time; each has a program of 100 MB."""
LOOK_S: Final = 2.0
"""How often the pages look how a challenge goes."""
GRACE_S: Final = 8.0
"""How long the program may show the end of the last match."""
BOTS: Final = 20
"""Bots of a person that are looked through for those that can be played by hand."""
CLOCKS: Final = tuple(
    ClockChoice(
        name,
        title,
        TimeControl(
            per_decision_ms=per_decision_ms,
            bank_ms=bank_ms,
            increment_ms=0,
            strikes=5,
            absence_ms=60_000,
            hold_ms=10_000,
            seat_limit_ms=1_800_000,
        ),
    )
    for name, title, per_decision_ms, bank_ms in (
        ("calm", "calm: 60 s a decision, reserve 10 min", 60_000, 600_000),
        ("brisk", "brisk: 20 s a decision, reserve 2 min", 20_000, 120_000),
        ("hasty", "hasty: 5 s a decision, reserve 1 min", 5_000, 60_000),
    )
)
"""The clocks of a person. The first is the longest that an owner's challenge may have."""
NOTE: Final = "played by hand"

_FILES: Final = {"", "play.js", "play.css", "pictures.css", "state"}
_AFTER: Final = re.compile(r"[0-9]{1,9}")
_COMMAND_BYTES: Final = 4096
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
    "frame-ancestors 'self'"
)


class ByHand:
    """The handlers of these pages, and the people who play."""

    def __init__(self, sign_in: SignIn) -> None:
        self._sign_in = sign_in
        self._programs: dict[Session, HandProgram] = {}
        """The newest one of each session."""
        self._watching: set[asyncio.Task[None]] = set()
        self._starting = 0

    def open(self, site: Site, reads: ArenaReads) -> None:
        """Begin to answer."""
        self._site, self._arena = site, reads

    async def close(self) -> None:
        """End all programs."""
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/bots/{id}/play", self._form),
            Route("/bots/{id}/play", self._start, methods=["POST"]),
            Route("/play", self._play),
            Route("/play/end", self._end, methods=["POST"]),
            Route("/play/board/do", self._do, methods=["POST"]),
            Route("/play/board/", self._board),
            Route("/play/board/{file}", self._board),
        ]

    # Before

    async def _form(self, request: Request) -> Response:
        with self._sign_in.signed_in(request) as (session, reads):
            return await self._form_page(request, session, reads, {})

    async def _form_page(
        self,
        request: Request,
        session: Session,
        reads: OwnReads,
        sent: dict[str, str],
        error: PageError | None = None,
    ) -> Response:
        wanted = bot_pb2.GetBotRequest(name=f"bots/{resource_id(request)}")
        opponent = (await reads.get(reads.bots.GetBot, wanted)).bot
        games = (await reads.get(reads.games.ListGames, game_pb2.ListGamesRequest())).games
        own = [] if not session.owns_bots else await own_bots(reads)
        free = [each for each in own if not _why_busy(each) and each.name != opponent.name][:BOTS]
        html = await self._site.render(
            "by_hand",
            Links(f"{opponent.name}/play"),
            session=session,
            bot=opponent,
            own=[each for each in free if not await _why_not(reads, each)],
            new=_new_bot(session) if f"bots/{_new_bot(session)}" not in {each.name for each in own} else "",
            form=RulesForm(games, CLOCKS, sent, error, ("bot",)),
            absent=describe_unavailable(opponent),
        )
        return await self._sign_in.answer(request, html, session, error.status if error else 200)

    async def _start(self, request: Request) -> Response:
        """Start the program, and then the challenge that it plays."""
        with self._sign_in.signed_in(request) as (session, reads):
            fields = await self._sign_in.form_of(request, session)
            opponent = f"bots/{resource_id(request)}"
            games = (await reads.get(reads.games.ListGames, game_pb2.ListGamesRequest())).games
            try:
                rules = RulesForm(games, CLOCKS, fields).read()
                self._check_room(session)
                self._starting += 1
                try:
                    await self._begin(session, reads, fields.get("bot", ""), opponent, rules)
                finally:
                    self._starting -= 1
            except SignedOutError:
                raise
            except PageError as error:
                return await self._form_page(request, session, reads, fields, error)
            return RedirectResponse("/play", 303, PRIVATE_HEADERS)

    def _check_room(self, session: Session) -> None:
        """Raise PageError if nobody else can play, or if this person plays already."""
        for each in [each for each in self._programs if each not in self._sign_in.sessions]:
            if self._programs[each].over:
                del self._programs[each]
        playing = [each for each, program in self._programs.items() if not program.over]
        if any(each.user == session.user for each in playing):
            raise PageError(409, "You play already. Finish it, or end it on its page.")
        if len(playing) + self._starting >= PROGRAMS:
            raise PageError(
                503, f"{PROGRAMS} people play by hand now, and there is no room for more. Try later."
            )

    async def _begin(
        self, session: Session, reads: OwnReads, bot_id: str, opponent: str, rules: MatchRules
    ) -> None:
        if bot_id and not ID.fullmatch(bot_id):
            raise PageError(400, "Choose a bot of yours.", "bot")
        bot = await _bot_to_play(reads, session, bot_id)
        challenge = tournament_pb2.CreateTournamentRequest(
            format=tournament_pb2.Tournament.FORMAT_CHALLENGE,
            game=rules.game,
            bots=[bot.name, opponent],
            rounds=1,
            options=rules.options,
            time_control=rules.time_control,
            validate_only=True,
        )
        await reads.get(reads.tournaments.CreateTournament, challenge)  # before a program starts in vain
        challenge.validate_only = False
        challenge.request_id = str(uuid.uuid4())
        asked = token_pb2.CreateTokenRequest(
            role=token_pb2.ROLE_BOT, bot=bot.name, expire_minutes=round(LONGEST_S / 60), note=NOTE
        )
        made = await reads.get(reads.tokens.CreateToken, asked)
        program = await start_hand_program(
            self._arena.environment, bot.name, opponent, made.token.name, made.secret
        )
        try:
            program.tournament = (
                await reads.get(reads.tournaments.CreateTournament, challenge)
            ).tournament.name
        except BaseException:
            await _end(reads, program)
            raise
        self._programs[session] = program
        task = asyncio.create_task(self._watch(session, program))
        self._watching.add(task)
        task.add_done_callback(self._watching.discard)

    async def _watch(self, session: Session, program: HandProgram) -> None:
        """Follow a challenge to its end, and end its program then, or when the person is not signed in any more."""
        reads = OwnReads(self._arena.channel, session)
        try:
            while program.runs and session in self._sign_in.sessions and not program.over:
                with suppress(_BusyError):
                    if await _is_finished(reads, program):
                        await asyncio.sleep(GRACE_S)
                        break
                await asyncio.sleep(LOOK_S)
        except PageError:
            pass  # the token is not valid any more, or the challenge cannot be read
        finally:
            await _end(reads, program)

    # While it is played

    async def _play(self, request: Request) -> Response:
        with self._sign_in.signed_in(request) as (session, _reads):
            program = self._programs.get(session)
            shown = request.query_params.get("part")
            html = await self._site.render(
                "play",
                Links("play"),
                part=shown is not None,
                session=session,
                program=program,
            )
            answer = await self._sign_in.answer(request, html, session)
            if shown == "nothing" and program is not None and program.has_board:
                answer.headers["hx-refresh"] = "true"  # then the page has the board
            return answer

    async def _end(self, request: Request) -> Response:
        with self._sign_in.signed_in(request) as (session, reads):
            await self._sign_in.form_of(request, session)
            program = self._programs.get(session)
            if program is not None and not program.over:
                await _end(reads, program)
            return RedirectResponse("/play", 303, PRIVATE_HEADERS)

    async def _board(self, request: Request) -> Response:
        """Answer with what the program shows. Waiting for its news is no request of the person's."""
        session = self._sign_in.session_of(request)
        file = request.path_params.get("file", "")
        if session is None or file not in _FILES:
            raise PageError(404, "There is no such page.")
        place = file
        if file == "state":
            after = request.query_params.get("after", "0")
            place += f"?after={after if _AFTER.fullmatch(after) else 0}"
        try:
            answer = await self._program_of(session).ask("GET", place)
        except PageError as error:
            if file != "state" or error.status != 410:
                raise
            return Response(status_code=204, headers=PRIVATE_HEADERS)  # the page then asks no more
        body = answer.body
        if not file:
            mark = f'<meta name="csrf" content="{session.csrf}">\n<title>'
            body = body.replace(b"<title>", mark.encode(), 1)
        headers = {**PRIVATE_HEADERS, "content-security-policy": _POLICY, "content-type": answer.kind}
        return Response(body, answer.status, headers)

    async def _do(self, request: Request) -> Response:
        """Hand a command of the page to the program."""
        with self._sign_in.signed_in(request) as (session, _reads):
            check_same_origin(request)
            check_csrf(session, request.headers.get("x-csrf", ""))
            if request.headers.get("content-type", "") != "application/json":
                raise PageError(415, "This is no command of the page.")
            body = bytearray()
            async for chunk in request.stream():
                body += chunk
                if len(body) > _COMMAND_BYTES:
                    raise PageError(413, "The command is too long.")
            answer = await self._program_of(session).ask("POST", "do", bytes(body or b"0"))
            return Response(answer.body, answer.status, PRIVATE_HEADERS, media_type="text/plain")

    def _program_of(self, session: Session) -> HandProgram:
        program = self._programs.get(session)
        if program is None or program.over:
            raise PageError(410, "You do not play here now.")
        return program


class _BusyError(Exception):
    """The arena does not answer now."""


async def _is_finished(reads: OwnReads, program: HandProgram) -> bool:
    """Read how a challenge goes; return whether all its matches have ended. Raises _BusyError, PageError."""
    try:
        wanted = match_pb2.ListMatchesRequest(tournament=program.tournament)
        program.matches = list(reversed((await reads.rows(reads.matches.ListMatches, wanted, BOTS)).matches))
        request = tournament_pb2.GetTournamentRequest(name=program.tournament)
        found = await reads.get(reads.tournaments.GetTournament, request)
    except SignedOutError:
        raise
    except PageError as error:
        if error.status == 503:
            raise _BusyError from error
        raise
    return bool(found.tournament.state == tournament_pb2.Tournament.STATE_FINISHED)


async def _end(reads: OwnReads, program: HandProgram) -> None:
    """End a program and revoke its token."""
    was_over = program.over
    await program.end()
    if not was_over:
        with suppress(PageError):  # otherwise it expires
            await reads.get(reads.tokens.RevokeToken, token_pb2.RevokeTokenRequest(name=program.token))


def _new_bot(session: Session) -> str:
    """Return the id of the bot that is registered for a person to play by hand."""
    return f"{session.user[:24]}-by-hand"


async def _bot_to_play(reads: OwnReads, session: Session, bot_id: str) -> Any:
    """Return the bot that the person plays as; without an id `_new_bot`, registered when it is missing.

    Raises PageError: it cannot be played so.
    """
    if not bot_id:
        bot_id = _new_bot(session)
        request = bot_pb2.CreateBotRequest(bot_id=bot_id, description=f"Played by hand by {session.user}.")
        try:
            return (await reads.get(reads.bots.CreateBot, request)).bot
        except PageError as error:
            if error.status != 409:  # it is there from an earlier form
                raise
    bot = (await reads.get(reads.bots.GetBot, bot_pb2.GetBotRequest(name=f"bots/{bot_id}"))).bot
    if bot.owner != await owner_of(reads):
        raise PageError(403, f"The bot {bot_id} belongs to somebody else. Choose one of yours.")
    if why := _why_busy(bot) or await _why_not(reads, bot):
        raise PageError(409, f"{why} Choose another bot.")
    return bot


def _why_busy(bot: bot_pb2.Bot) -> str:
    """Return why a program plays as the bot already, in a sentence; empty if none does."""
    if bot.hosting.mode in (bot_pb2.Hosting.MODE_NEWEST, bot_pb2.Hosting.MODE_PINNED):
        return f"The arena runs a program as {short(bot.name)}."
    if bot.connections:
        return f"A program is connected as {short(bot.name)}."
    return ""


async def _why_not(reads: OwnReads, bot: bot_pb2.Bot) -> str:
    """Return why other matches of the bot would come to the person, in a sentence; empty if none would."""
    standings = ladder_pb2.ListBotStandingsRequest(bot=bot.name)
    for each in (await reads.rows(reads.ladders.ListBotStandings, standings)).standings:
        if not each.withdrawn:
            return f"{short(bot.name)} is on the ladder {short(each.ladder)}: its rated matches would come to you, too."
    pending = match_pb2.ListMatchesRequest(bot=bot.name, state=match_pb2.MATCH_STATE_PENDING)
    if (await reads.rows(reads.matches.ListMatches, pending, 1)).matches:
        return f"Other matches wait for {short(bot.name)}, and would come to you, too."
    return ""
