"""TeamService over a real connection: members own bots together, and everything counts for the team."""

from typing import Any

import pytest

from arena.server.limits import TEAM_MEMBERS
from arena.store.accounts.tokens import Role, Scope
from arena.v1 import token_pb2, user_pb2
from tests.unit.server.services.harness import FIELD_INVALID, Arena
from tests.unit.server.services.test_invite_service import join
from tests.unit.store.store_fixture import StoreFixture

TEAM_STATE = ("FAILED_PRECONDITION", "TEAM_STATE")
NOT_FOUND = ("NOT_FOUND", "TEAM_NOT_FOUND")
BOTS = ["bots/ant", "bots/bee", "bots/cat"]
"""Of ada."""
NOT_OWNER = ("PERMISSION_DENIED", "NOT_OWNER")
EXISTS = ("ALREADY_EXISTS", "USER_EXISTS")


@pytest.fixture
def lions(arena: Arena, db: StoreFixture) -> Any:
    """Return the answer to the creation of a team, with ada as its first member."""
    return arena.call("CreateTeam", "ada", team_id="lions")


def owner_of(arena: Arena, bot: str) -> str:
    owner: str = arena.call("GetBot", "organiser", name=f"bots/{bot}").bot.owner
    return owner


def test_the_first_member_brings_their_bots(arena: Arena, lions: Any) -> None:
    assert list(lions.team.members) == ["users/ada"]
    assert list(lions.team.bots) == BOTS
    assert owner_of(arena, "bee") == lions.team.owner == "owners/lions"
    assert arena.call("GetUser", "ada").user.team == "teams/lions"
    own = arena.call("GetOwnToken", "ada")
    assert (own.owner, own.token.owner) == ("owners/lions", "owners/ada")


def test_every_member_manages_all_bots(arena: Arena, lions: Any) -> None:
    assert arena.refusal("SetBotHidden", "bob", name="bots/bee", hidden=True).status == NOT_OWNER
    joined = arena.call("JoinTeam", "bob", code=lions.code.lower().replace("-", "")).team
    assert list(joined.members) == ["users/ada", "users/bob"]
    assert arena.call("SetBotHidden", "bob", name="bots/bee", hidden=True).bot.hidden
    assert arena.call("CreateBot", "bob", bot_id="new").bot.owner == "owners/lions"
    assert arena.call("SetBotChallenges", "ada", name="bots/new", refused=True).bot.refuses_challenges
    actor = arena.audited()[0].actor
    assert actor is not None
    assert actor.user == "ada"  # what is done is recorded for the person


def test_tokens_of_bots_are_the_teams_and_those_of_members_their_own(arena: Arena, lions: Any) -> None:
    of_bot = arena.call("CreateToken", "ada", role=token_pb2.ROLE_BOT, bot="bots/bee").token
    assert of_bot.owner == "owners/lions"
    own = arena.call("CreateToken", "ada", role=token_pb2.ROLE_OWNER).token
    assert own.owner == "owners/ada"
    arena.call("JoinTeam", "bob", code=lions.code)
    listed = {token.name for token in arena.call("ListTokens", "bob").tokens}
    assert of_bot.name in listed
    assert own.name not in listed
    assert arena.call("RevokeToken", "bob", name=of_bot.name).token.revoked
    assert arena.refusal("RevokeToken", "bob", name=own.name).status == NOT_OWNER
    of_team = {"role": token_pb2.ROLE_OWNER, "owner": "owners/lions"}
    assert arena.refusal("CreateToken", "organiser", **of_team).status == FIELD_INVALID


def test_the_tokens_of_bots_come_along(arena: Arena, db: StoreFixture) -> None:
    token = arena.call("CreateToken", "ada", role=token_pb2.ROLE_BOT, bot="bots/bee").token
    lions = arena.call("CreateTeam", "ada", team_id="lions")
    arena.call("JoinTeam", "bob", code=lions.code)
    assert arena.call("RevokeToken", "bob", name=token.name).token.owner == "owners/lions"


def test_quotas_count_for_the_team(arena: Arena, lions: Any) -> None:
    arena.call("JoinTeam", "bob", code=lions.code)
    quotas = user_pb2.UserQuotas(bots=4)
    arena.call("SetUserQuotas", "organiser", name="users/lions", quotas=quotas)
    assert arena.call("GetTeam", "ada").team.quotas_in_force.bots == 4
    arena.call("CreateBot", "bob", bot_id="fourth")
    assert arena.refusal("CreateBot", "ada", bot_id="fifth").reason == "QUOTA_EXCEEDED"


def test_those_who_leave_own_nothing_of_the_team(arena: Arena, lions: Any) -> None:
    arena.call("CreateBot", "bob", bot_id="bobs")
    arena.call("JoinTeam", "bob", code=lions.code)
    left = arena.call("LeaveTeam", "bob").team
    assert list(left.members) == ["users/ada"]
    assert "bots/bobs" in left.bots
    assert arena.refusal("SetBotHidden", "bob", name="bots/bobs", hidden=True).status == NOT_OWNER
    assert arena.refusal("GetTeam", "bob").status == NOT_FOUND
    assert arena.call("CreateBot", "bob", bot_id="own").bot.owner == "owners/bob"


def test_the_last_member_of_a_team_with_bots_stays(arena: Arena, lions: Any) -> None:
    assert arena.refusal("LeaveTeam", "ada").status == TEAM_STATE


def test_a_user_is_in_one_team_at_a_time(arena: Arena, lions: Any) -> None:
    other = arena.call("CreateTeam", "bob", team_id="tigers")
    assert arena.refusal("JoinTeam", "ada", code=other.code).status == TEAM_STATE
    assert arena.refusal("CreateTeam", "ada", team_id="second").status == TEAM_STATE


def test_teams_and_users_share_their_names(arena: Arena, lions: Any) -> None:
    assert arena.refusal("CreateTeam", "bob", team_id="ada").status == EXISTS
    assert arena.refusal("CreateUser", "organiser", user_id="lions").status == EXISTS
    invite = arena.call("CreateInvite", "organiser", uses=1).code
    assert arena.refusal("AcceptInvite", None, code=invite, user_id="lions").status == EXISTS
    missing = ("NOT_FOUND", "USER_NOT_FOUND")
    assert arena.refusal("CreateInvite", "organiser", user="users/lions").status == missing
    role = {"name": "users/lions", "role": token_pb2.ROLE_ORGANISER}
    assert arena.refusal("SetUserRole", "organiser", **role).status == FIELD_INVALID
    listed = [user.name for user in arena.call("ListUsers", "organiser").users]
    assert "users/lions" not in listed


def test_a_new_code_ends_the_old_one(arena: Arena, lions: Any) -> None:
    assert arena.refusal("RenewTeamCode", "bob", name="teams/lions").status == NOT_OWNER
    code = arena.call("RenewTeamCode", "ada").code
    assert arena.refusal("JoinTeam", "bob", code=lions.code).status == NOT_FOUND
    assert arena.refusal("JoinTeam", "bob", code=code[:-1]).status == FIELD_INVALID
    invite = arena.call("CreateInvite", "organiser", uses=1).code
    assert arena.refusal("JoinTeam", "bob", code=invite).status == FIELD_INVALID
    assert arena.call("JoinTeam", "bob", code=code).team.name == "teams/lions"


def test_a_full_team_takes_members_from_organisers_only(arena: Arena, lions: Any) -> None:
    for number in range(TEAM_MEMBERS - 1):
        arena.call("CreateUser", "organiser", user_id=f"s{number}")
        arena.call("SetUserTeam", "organiser", user=f"users/s{number}", team="teams/lions")
    assert arena.refusal("JoinTeam", "bob", code=lions.code).status == TEAM_STATE
    changed = arena.call("SetUserTeam", "organiser", user="users/bob", team="teams/lions").user
    assert changed.team == "teams/lions"


def test_a_disabled_team_takes_nobody_and_its_bots_do_not_play(arena: Arena, lions: Any) -> None:
    arena.call("SetUserDisabled", "organiser", name="users/lions", disabled=True)
    assert arena.refusal("JoinTeam", "bob", code=lions.code).status == TEAM_STATE
    assert arena.call("GetTeam", "ada").team.disabled
    assert arena.call("GetBot", "ada", name="bots/bee").bot.paused


def test_an_organiser_moves_users_between_teams(arena: Arena, lions: Any) -> None:
    tigers = arena.call("CreateTeam", "organiser", team_id="tigers").team
    assert not tigers.members
    arena.call("SetUserTeam", "organiser", user="users/ada", team="teams/tigers")
    assert owner_of(arena, "bee") == "owners/lions"  # bots of a team stay with it
    arena.call("SetUserTeam", "organiser", user="users/ada")
    assert arena.call("GetUser", "ada").user.team == ""
    assert arena.refusal("SetUserTeam", "organiser", user="users/ada", team="teams/none").status == NOT_FOUND
    missing = ("NOT_FOUND", "USER_NOT_FOUND")
    both = {"user": "users/lions", "team": "teams/tigers"}
    assert arena.refusal("SetUserTeam", "organiser", **both).status == missing


def test_only_organisers_with_the_scope_see_other_teams(arena: Arena, lions: Any) -> None:
    assert arena.refusal("GetTeam", "bob", name="teams/lions").status == NOT_OWNER
    arena.add_token("helper", Role.ORGANISER, "root", scopes=frozenset({Scope.READ}))
    assert arena.refusal("GetTeam", "helper", name="teams/lions").reason == "SCOPE_REQUIRED"
    assert arena.call("GetTeam", "organiser", name="teams/lions").team == arena.call("GetTeam", "ada").team


def test_an_invite_may_be_to_a_team(arena: Arena, lions: Any) -> None:
    made = arena.call("CreateInvite", "organiser", uses=2, team="teams/lions")
    assert arena.call("LookUpInvite", None, code=made.code).team == "teams/lions"
    assert join(arena, made.code, "zoe").user.team == "teams/lions"
    assert arena.call("CreateBot", "zoe", bot_id="zoes").bot.owner == "owners/lions"
    both = {"user": "users/bob", "team": "teams/lions"}
    assert arena.refusal("CreateInvite", "organiser", **both).status == FIELD_INVALID
    assert arena.refusal("CreateInvite", "organiser", uses=1, team="teams/none").status == NOT_FOUND


def test_a_roster_makes_teams_and_members(arena: Arena, db: StoreFixture) -> None:
    roster = [
        user_pb2.RosterEntry(user_id="s01", team_id="lions"),
        user_pb2.RosterEntry(user_id="ada", team_id="lions"),
        user_pb2.RosterEntry(user_id="s02"),
    ]
    done = arena.call("ImportUsers", "organiser", entries=roster).users
    assert [each.user.team for each in done] == ["teams/lions", "teams/lions", ""]
    team = arena.call("GetTeam", "organiser", name="teams/lions").team
    assert list(team.members) == ["users/ada", "users/s01"]
    assert list(team.bots) == BOTS
    again = arena.call("ImportUsers", "organiser", entries=roster).users
    assert {each.outcome for each in again} == {user_pb2.ImportedUser.OUTCOME_UNCHANGED}


@pytest.mark.parametrize(
    "roster",
    [
        [user_pb2.RosterEntry(user_id="s01", team_id="ada")],
        [user_pb2.RosterEntry(user_id="lions")],
        [user_pb2.RosterEntry(user_id="s01"), user_pb2.RosterEntry(user_id="s02", team_id="s01")],
        [user_pb2.RosterEntry(user_id="s01", team_id="Lions!")],
    ],
)
def test_a_roster_in_which_a_name_means_two_things_changes_nothing(
    arena: Arena, lions: Any, roster: list[user_pb2.RosterEntry]
) -> None:
    before = [user.name for user in arena.call("ListUsers", "organiser").users]
    assert arena.refusal("ImportUsers", "organiser", entries=roster).reason in (
        "USER_EXISTS",
        "FIELD_INVALID",
    )
    assert [user.name for user in arena.call("ListUsers", "organiser").users] == before


def test_progress_of_members_is_that_of_their_team(arena: Arena, lions: Any) -> None:
    arena.call("JoinTeam", "bob", code=lions.code)
    progress = {each.user.name: each for each in arena.call("ListUserProgress", "organiser").progress}
    assert list(progress["users/ada"].bots) == list(progress["users/bob"].bots) == BOTS
    assert "users/lions" not in progress


def test_a_team_without_bots_is_removed_with_its_last_member(arena: Arena, db: StoreFixture) -> None:
    arena.call("CreateTeam", "bob", team_id="tigers")
    code = arena.call("CreateInvite", "organiser", uses=1, team="teams/tigers").code
    assert list(arena.call("LeaveTeam", "bob").team.members) == []
    assert arena.refusal("GetTeam", "organiser", name="teams/tigers").status == NOT_FOUND
    assert arena.refusal("AcceptInvite", None, code=code, user_id="zoe").status == NOT_FOUND
    arena.call("CreateTeam", "bob", team_id="tigers")


def test_a_team_has_the_quotas_of_who_creates_it(arena: Arena, db: StoreFixture) -> None:
    quotas = user_pb2.UserQuotas(bots=5)
    arena.call("SetUserQuotas", "organiser", name="users/ada", quotas=quotas)
    assert arena.call("CreateTeam", "ada", team_id="lions").team.quotas_in_force.bots == 5
    roster = [user_pb2.RosterEntry(user_id="s01", team_id="tigers", quotas=user_pb2.UserQuotas(bots=2))]
    arena.call("ImportUsers", "organiser", entries=roster)
    tigers = arena.call("GetTeam", "organiser", name="teams/tigers").team
    assert tigers.quotas_in_force.bots == 2


def test_a_roster_says_who_changes_teams(arena: Arena, lions: Any) -> None:
    roster = [user_pb2.RosterEntry(user_id=user, team_id="tigers") for user in ("ada", "bob")]
    [ada, bob] = arena.call("ImportUsers", "organiser", entries=roster, validate_only=True).users
    assert (ada.previous_team, bob.previous_team) == ("teams/lions", "")
    arena.call("ImportUsers", "organiser", entries=roster)
    assert "ada from lions to tigers" in arena.audited()[0].sentence


def test_a_roster_names_the_field_whose_name_is_taken(arena: Arena, lions: Any) -> None:
    arena.call("CreateTeam", "organiser", team_id="tigers")
    for user, team, field in (("lions", "tigers", "user_id"), ("s01", "bob", "team_id")):
        roster = [user_pb2.RosterEntry(user_id=user, team_id=team)]
        refused = arena.refusal("ImportUsers", "organiser", entries=roster)
        assert (refused.status, refused.metadata["field"]) == (EXISTS, f"entries[0].{field}")
