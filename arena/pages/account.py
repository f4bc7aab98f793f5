"""The pages of a bot's owner: which bots play and why not, their submissions, and a form to submit and to challenge."""

import asyncio
import hashlib
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any, BinaryIO, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.core.clock.time_control import TimeControl
from arena.pages.answers import PRIVATE_HEADERS
from arena.pages.forms import SentFile, read_file
from arena.pages.guard import check_csrf, check_same_origin
from arena.pages.links import ID, NUMBER, Links
from arena.pages.match_rules import ClockChoice, RulesForm
from arena.pages.own_reads import OwnReads, SignedOutError
from arena.pages.reads import PageError
from arena.pages.sessions import Session
from arena.pages.sign_in import SignIn
from arena.pages.site import Site
from arena.pages.teams import team_of
from arena.submissions.archive import is_archive
from arena.submissions.limits import DEFAULT_BOUNDS
from arena.v1 import (
    bot_pb2,
    game_pb2,
    ladder_pb2,
    submission_pb2,
    token_pb2,
    tournament_pb2,
)
from arena.wire.owner_wording import describe_unavailable

BOTS: Final = 5_000
"""Bots of the arena that are looked through for those of one owner."""
ROWS: Final = 20
"""Submissions and versions on the page of a bot."""
LADDERS: Final = 20
"""Ladders of which the page of a bot shows the queue."""
UPLOADS: Final = 4
"""Archives that are received at the same time, of all people together; of one person it is one."""
ROUNDS: Final = 20
"""Rounds of a challenge from the pages."""
CHUNK_BYTES: Final = 64 * 1024
CLOCKS: Final = (
    ClockChoice("usual", "usual: 1 s a decision, reserve 10 s", TimeControl()),
    ClockChoice(
        "quick",
        "quick: 0.1 s a decision, reserve 2 s",
        TimeControl(per_decision_ms=100, bank_ms=2_000, increment_ms=0),
    ),
    ClockChoice(
        "slow",
        "slow: 10 s a decision, reserve 1 min",
        TimeControl(per_decision_ms=10_000, bank_ms=60_000, increment_ms=0),
    ),
)
"""The clocks of a challenge; the first is the arena's default."""

_START_BYTES: Final = 512


class Account:
    """The handlers of these pages. Everything in them is read with the person's own token."""

    def __init__(self, sign_in: SignIn) -> None:
        self._sign_in = sign_in
        self._uploads: Counter[str] = Counter()

    def open(self, site: Site) -> None:
        """Begin to answer."""
        self._site = site

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/account", self._overview),
            Route("/account/bots/{id}", self._bot),
            Route("/account/bots/{id}/submissions", self._submit, methods=["POST"]),
            Route("/account/bots/{id}/submissions/{number}", self._submission),
            Route("/bots/{id}/challenge", self._challenge_form),
            Route("/bots/{id}/challenge", self._challenge, methods=["POST"]),
        ]

    # Bots

    async def _overview(self, request: Request) -> Response:
        with self._sign_in.signed_in(request) as (session, reads):
            own = await own_bots(reads) if session.owns_bots else []
            html = await self._site.render(
                "account", Links("account"), session=session, bots=own, team=await team_of(reads)
            )
            return await self._sign_in.answer(request, html, session)

    async def _bot(self, request: Request) -> Response:
        with self._sign_in.signed_in(request) as (session, reads):
            return await self._bot_page(request, session, reads)

    async def _bot_page(
        self, request: Request, session: Session, reads: OwnReads, error: PageError | None = None
    ) -> Response:
        """Return the page of a bot of the person's. `error`: why its last submission was not taken."""
        bot = await owned_bot(reads, session, resource_id(request))
        token = request.query_params.get("page", "")
        versions = bot_pb2.ListVersionsRequest(bot=bot.name)
        html = await self._site.render(
            "account_bot",
            Links(request.scope["path"].strip("/")),
            session=session,
            bot=bot,
            ladders=[each async for each in _ladders(reads, bot.name)],
            submissions=await _submissions(reads, bot.name, token),
            versions=(await reads.rows(reads.bots.ListVersions, versions, ROWS)).versions,
            error=error,
            archive_mib=DEFAULT_BOUNDS.archive_bytes >> 20,
        )
        return await self._sign_in.answer(request, html, session, error.status if error else 200)

    # Submissions

    async def _submit(self, request: Request) -> Response:
        """Take an archive, and hand it to the arena as `arena bot submit` does."""
        with self._sign_in.signed_in(request) as (session, reads):
            check_same_origin(request)
            name = f"bots/{resource_id(request)}"
            if self._uploads[session.user] or self._uploads.total() >= UPLOADS:
                raise PageError(503, "Other archives are being received now. Try again in a moment.")
            self._uploads[session.user] += 1
            try:
                async with read_file(request, DEFAULT_BOUNDS.archive_bytes) as sent:
                    check_csrf(session, sent.fields.get("csrf", ""))
                    submission = await _submit(reads, name, sent)
            except SignedOutError:
                raise
            except PageError as error:
                if error.status in (403, 404, 408, 415):
                    raise
                return await self._bot_page(request, session, reads, error)
            finally:
                del self._uploads[session.user]
            return RedirectResponse(f"/account/{submission.name}", 303, PRIVATE_HEADERS)

    async def _submission(self, request: Request) -> Response:
        with self._sign_in.signed_in(request) as (session, reads):
            number = str(request.path_params["number"])
            if not NUMBER.fullmatch(number):
                raise PageError(404, "Submissions have numbers.")
            name = f"bots/{resource_id(request)}/submissions/{number}"
            wanted = submission_pb2.GetSubmissionRequest(name=name)
            submission = (await reads.get(reads.submissions.GetSubmission, wanted)).submission
            html = await self._site.render(
                "account_submission",
                Links(f"account/{name}"),
                part="part" in request.query_params,
                session=session,
                submission=submission,
            )
            return await self._sign_in.answer(request, html, session)

    # Challenges

    async def _challenge_form(self, request: Request) -> Response:
        with self._sign_in.signed_in(request) as (session, reads):
            return await self._challenge_page(request, session, reads, {})

    async def _challenge_page(
        self,
        request: Request,
        session: Session,
        reads: OwnReads,
        sent: dict[str, str],
        error: PageError | None = None,
    ) -> Response:
        wanted = bot_pb2.GetBotRequest(name=f"bots/{resource_id(request)}")
        bot = (await reads.get(reads.bots.GetBot, wanted)).bot
        own = await own_bots(reads) if session.owns_bots else []
        games = (await reads.get(reads.games.ListGames, game_pb2.ListGamesRequest())).games
        html = await self._site.render(
            "challenge",
            Links(f"{bot.name}/challenge"),
            session=session,
            bot=bot,
            own=[each for each in own if each.name != bot.name],
            form=RulesForm(games, CLOCKS, sent, error, ("bot", "rounds")),
            rounds=ROUNDS,
            absent=describe_unavailable(bot),
        )
        return await self._sign_in.answer(request, html, session, error.status if error else 200)

    async def _challenge(self, request: Request) -> Response:
        """Create a challenge as `arena challenge` does; it starts at once."""
        with self._sign_in.signed_in(request) as (session, reads):
            fields = await self._sign_in.form_of(request, session)
            rounds, own = fields.get("rounds", ""), fields.get("bot", "")
            games = (await reads.get(reads.games.ListGames, game_pb2.ListGamesRequest())).games
            try:
                rules = RulesForm(games, CLOCKS, fields).read()
                if rounds not in map(str, range(1, ROUNDS + 1)):
                    raise PageError(400, f"The number of rounds is 1 to {ROUNDS}.", "rounds")
                if not ID.fullmatch(own):
                    raise PageError(400, "Choose a bot of yours.", "bot")
                challenge = tournament_pb2.CreateTournamentRequest(
                    format=tournament_pb2.Tournament.FORMAT_CHALLENGE,
                    game=rules.game,
                    bots=[f"bots/{own}", f"bots/{resource_id(request)}"],
                    rounds=int(rounds),
                    options=rules.options,
                    time_control=rules.time_control,
                    request_id=str(uuid.uuid4()),
                )
                made = await reads.get(reads.tournaments.CreateTournament, challenge)
            except SignedOutError:
                raise
            except PageError as error:
                return await self._challenge_page(request, session, reads, fields, error)
            return RedirectResponse(f"/{made.tournament.name}", 303, PRIVATE_HEADERS)


async def own_bots(reads: OwnReads) -> list[bot_pb2.Bot]:
    """Return the bots of the person or their team, hidden ones too, by name."""
    request = bot_pb2.ListBotsRequest(show_hidden=True)
    listing = await reads.rows(reads.bots.ListBots, request, BOTS)
    owner = await owner_of(reads)
    return [each for each in listing.bots if each.owner == owner]


async def owner_of(reads: OwnReads) -> str:
    """Return the owner of what the person registers, "owners/{owner}": they themselves, or their team."""
    own: token_pb2.GetOwnTokenResponse = await reads.get(
        reads.tokens.GetOwnToken, token_pb2.GetOwnTokenRequest()
    )
    return own.owner


async def owned_bot(reads: OwnReads, session: Session, bot_id: str) -> bot_pb2.Bot:
    """Return a bot that the person may manage. Raises PageError (403): it is somebody else's."""
    bot: bot_pb2.Bot = (await reads.get(reads.bots.GetBot, bot_pb2.GetBotRequest(name=f"bots/{bot_id}"))).bot
    if not session.organises and bot.owner != await owner_of(reads):
        raise PageError(403, f"The bot {bot_id} belongs to somebody else.")
    return bot


def resource_id(request: Request) -> str:
    """Return the id in the path. Raises PageError if no resource can have it."""
    found = str(request.path_params["id"])
    if not ID.fullmatch(found):
        raise PageError(404, "Names have 1 to 32 of a-z, 0-9 and -.")
    return found


async def _ladders(reads: OwnReads, bot: str) -> AsyncIterator[tuple[ladder_pb2.Ladder, Any]]:
    """Yield the ladders that a bot is on, each with its place in the queue, or None."""
    wanted = ladder_pb2.ListBotStandingsRequest(bot=bot)
    standings = await reads.rows(reads.ladders.ListBotStandings, wanted, LADDERS)
    for each in standings.standings:
        if not each.withdrawn:
            ladder = await reads.get(reads.ladders.GetLadder, ladder_pb2.GetLadderRequest(name=each.ladder))
            queue = await reads.get(reads.ladders.ListQueue, ladder_pb2.ListQueueRequest(name=each.ladder))
            yield ladder.ladder, next((place for place in queue.places if place.bot == bot), None)


async def _submissions(
    reads: OwnReads, bot: str, token: str
) -> submission_pb2.ListSubmissionsResponse | PageError:
    """Return the submissions of a bot, or why this token does not see them."""
    wanted = submission_pb2.ListSubmissionsRequest(bot=bot, page_token=token)
    try:
        listing: submission_pb2.ListSubmissionsResponse = await reads.rows(
            reads.submissions.ListSubmissions, wanted, ROWS
        )
    except PageError as error:
        if error.status != 403:
            raise
        return error
    return listing


async def _submit(reads: OwnReads, bot: str, sent: SentFile) -> submission_pb2.Submission:
    """Hand an archive to the arena. Raises PageError: it is none, or the arena refuses it."""
    start = await sent.file.read(_START_BYTES)
    if not start:
        raise PageError(400, "Choose the archive of a bot: the file is empty, or none was chosen.")
    if not is_archive(start):
        raise PageError(
            400, "The file is not an archive. Pack the folder with bot.toml in it as tar, tar.gz or zip."
        )
    digest = await asyncio.to_thread(_sha256, sent.file.file)
    request = submission_pb2.CreateSubmissionRequest(
        bot=bot, archive_sha256=digest, archive_bytes=sent.size, request_id=str(uuid.uuid4())
    )
    submission = (await reads.get(reads.submissions.CreateSubmission, request)).submission
    if submission.state == submission_pb2.Submission.STATE_UPLOADING:
        submission = (await reads.upload(_pieces(submission, sent))).submission
    found: submission_pb2.Submission = submission
    return found


def _sha256(file: BinaryIO) -> str:
    file.seek(0)
    digest = hashlib.sha256()
    while data := file.read(CHUNK_BYTES):
        digest.update(data)
    return digest.hexdigest()


async def _pieces(
    submission: submission_pb2.Submission, sent: SentFile
) -> AsyncIterator[submission_pb2.UploadArchiveRequest]:
    offset = submission.received_bytes
    await sent.file.seek(offset)
    data = await sent.file.read(CHUNK_BYTES)
    yield submission_pb2.UploadArchiveRequest(name=submission.name, offset=offset, data=data)
    while data:
        offset += len(data)
        if data := await sent.file.read(CHUNK_BYTES):
            yield submission_pb2.UploadArchiveRequest(offset=offset, data=data)
