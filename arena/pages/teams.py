"""The page of a person's team: who is in it; joining with its code, creating, leaving, a new code."""

from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.pages.answers import PRIVATE_HEADERS
from arena.pages.links import Links
from arena.pages.own_reads import OwnReads, SignedOutError
from arena.pages.reads import PageError
from arena.pages.sessions import Session
from arena.pages.sign_in import SignIn
from arena.pages.site import Site
from arena.v1 import team_pb2

PLACE: Final = "account/team"


class Teams:
    """The handlers of this page. Everything is done with the person's own token."""

    def __init__(self, sign_in: SignIn) -> None:
        self._sign_in = sign_in

    def open(self, site: Site) -> None:
        """Begin to answer."""
        self._site = site

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [Route(f"/{PLACE}", self._show), Route(f"/{PLACE}", self._change, methods=["POST"])]

    async def _show(self, request: Request) -> Response:
        with self._sign_in.signed_in(request) as (session, reads):
            return await self._page(request, session, reads)

    async def _change(self, request: Request) -> Response:
        """Join, create or leave a team, or replace its code, as `arena team` does."""
        with self._sign_in.signed_in(request) as (session, reads):
            fields = await self._sign_in.form_of(request, session)
            try:
                code = await _change(reads, fields)
            except SignedOutError:
                raise
            except PageError as error:
                return await self._page(request, session, reads, sent=fields, error=error)
            if code:
                return await self._page(request, session, reads, sent=fields, code=code)
            return RedirectResponse(f"/{PLACE}", 303, PRIVATE_HEADERS)

    async def _page(
        self,
        request: Request,
        session: Session,
        reads: OwnReads,
        *,
        sent: dict[str, str] | None = None,
        error: PageError | None = None,
        code: str = "",
    ) -> Response:
        """Return the page. `sent`: the fields of the form; `error`: why it had no effect; `code`: that of a team."""
        html = await self._site.render(
            "account_team",
            Links(PLACE),
            session=session,
            team=await team_of(reads),
            sent={"do": "", "code": "", "team": "", **(sent or {})},
            error=error,
            code=code,
        )
        return await self._sign_in.answer(request, html, session, error.status if error else 200)


async def _change(reads: OwnReads, fields: dict[str, str]) -> str:
    """Do what a form asks for; return the code of the team if it is new, which is shown only once."""
    match fields.get("do", ""):
        case "join":
            await reads.get(
                reads.teams.JoinTeam, team_pb2.JoinTeamRequest(code=fields.get("code", "").strip())
            )
            return ""
        case "create":
            wanted = team_pb2.CreateTeamRequest(team_id=fields.get("team", "").strip())
            return str((await reads.get(reads.teams.CreateTeam, wanted)).code)
        case "renew":
            return str((await reads.get(reads.teams.RenewTeamCode, team_pb2.RenewTeamCodeRequest())).code)
        case "leave":
            await reads.get(reads.teams.LeaveTeam, team_pb2.LeaveTeamRequest())
            return ""
        case _:
            raise PageError(400, "This form is not known here. Open the page again.")


async def team_of(reads: OwnReads) -> team_pb2.Team | None:
    """Return the person's team; None if they are in none."""
    try:
        found: team_pb2.Team = (await reads.get(reads.teams.GetTeam, team_pb2.GetTeamRequest())).team
    except PageError as error:
        if error.status == 404:
            return None
        raise
    return found
