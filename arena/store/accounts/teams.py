"""Teams: users who own bots together. A team is the owner of its bots, in the table of the users."""

from sqlalchemy import delete, func, select

from arena.core.errors import ErrorReason
from arena.store.accounts.users import UserRow, user_of
from arena.store.repository import Repository, found
from arena.store.schema import BOTS, OWNERS, SUBMISSIONS, TOKENS


class Teams(Repository):
    """The teams. `Users.add` stores a new one."""

    def find(self, team: str) -> UserRow | None:
        """Return the team; None if there is none."""
        query = select(OWNERS).where(OWNERS.c.id == team, OWNERS.c.is_team.is_(True))
        return self._first(query, user_of)

    def get(self, team: str) -> UserRow:
        """Return the team. Raises NotFoundError (TEAM_NOT_FOUND)."""
        return found(self.find(team), ErrorReason.TEAM_NOT_FOUND, "team", team)

    def find_by_code(self, code_sha256: bytes) -> UserRow | None:
        """Return the team with this code; None if there is none."""
        return self._first(select(OWNERS).where(OWNERS.c.team_code_sha256 == code_sha256), user_of)

    def page(self, *, after: str | None, limit: int) -> tuple[UserRow, ...]:
        """Return teams by id, those after the id `after`."""
        teams = select(OWNERS).where(OWNERS.c.is_team.is_(True))
        return self._page(teams, OWNERS.c.id, after=after, limit=limit, make=user_of)

    def members(self, team: str) -> tuple[str, ...]:
        """Return the users who are members, by id."""
        query = select(OWNERS.c.id).where(OWNERS.c.team == team).order_by(OWNERS.c.id)
        return tuple(self._connection.execute(query).scalars())

    def count_members(self, team: str) -> int:
        """Return how many members the team has."""
        return self._number(select(func.count()).where(OWNERS.c.team == team))

    def set_code(self, team: str, code_sha256: bytes) -> None:
        """Set the code with which users join. `code_sha256`: its SHA-256, 32 bytes."""
        self._update(OWNERS, OWNERS.c.id == team, team_code_sha256=code_sha256)

    def remove(self, team: str) -> None:
        """Remove a team that has neither members nor bots, and never had bots."""
        self._connection.execute(delete(OWNERS).where(OWNERS.c.id == team))

    def set_member(self, user: str, team: str) -> None:
        """Make the user a member of this team alone; empty: of none. What they own becomes the team's.

        That is their bots, with their tokens and submissions; it stays with the team when they leave.
        """
        self._update(OWNERS, OWNERS.c.id == user, team=team)
        if team:
            self._update(BOTS, BOTS.c.owner == user, owner=team)
            self._update(SUBMISSIONS, SUBMISSIONS.c.owner == user, owner=team)
            self._update(TOKENS, TOKENS.c.owner == user, TOKENS.c.bot.is_not(None), owner=team)
