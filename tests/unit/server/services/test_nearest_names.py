"""A wrong name of a bot, ladder or tournament is answered with the nearest ones that the caller may list."""

from typing import Any

import pytest

from arena.server.nearest_names import NEAREST
from arena.store.accounts.tokens import Role, Scope
from arena.store.bots.bots import BotRow
from arena.store.store import Transaction
from tests.unit.server.services.harness import Arena
from tests.unit.store.store_fixture import a_ladder, a_tournament


@pytest.fixture(autouse=True)
def _names(arena: Arena) -> None:
    """Names of which some are hidden."""

    def add(tx: Transaction) -> None:
        for bot in ("amber", "ambler", "embers", "basalt"):
            tx.bots.add(BotRow(bot, "ada", "", bot == "ambler", arena.now_us))
        for ladder in ("spring", "spring-secret"):
            tx.ladders.add(a_ladder(ladder))
        tx.ladders.set_hidden("spring-secret", True)
        for name in ("cup-2026", "cup-2027"):
            tx.tournaments.add(a_tournament(name, "amber", "basalt"))
        tx.tournaments.set_hidden("cup-2027", True)

    arena.change(add)


@pytest.mark.parametrize(
    ("method", "fields", "nearest"),
    [
        ("GetBot", {"name": "bots/ambre"}, "amber"),
        ("GetBot", {"name": "bots/amblers"}, "amber,embers"),
        ("GetBot", {"name": "bots/quartz"}, None),
        ("GetLadder", {"name": "ladders/sprng"}, "spring"),
        ("GetLadder", {"name": "ladders/spring-secre"}, "spring"),
        ("GetTournament", {"name": "tournaments/cup-2028"}, "cup-2026"),
        ("GetCrosstable", {"name": "tournaments/cup2026"}, "cup-2026"),
    ],
)
@pytest.mark.parametrize("who", ["organiser", "bob"])
def test_the_nearest_names_that_are_not_hidden_are_named(
    arena: Arena, who: str, method: str, fields: dict[str, Any], nearest: str | None
) -> None:
    refused = arena.refusal(method, who, **fields)
    assert refused.code.name == "NOT_FOUND"
    assert refused.metadata.get(NEAREST) == nearest
    assert ("Did you mean" in refused.sentence) is (nearest is not None)
    assert "ambler?" not in refused.sentence


def test_a_bot_that_exists_but_not_there_gets_no_other_name(arena: Arena) -> None:
    refused = arena.refusal(
        "WithdrawFromTournament", "organiser", name="tournaments/cup-2026", bot="bots/embers"
    )
    assert (refused.reason, NEAREST in refused.metadata) == ("BOT_NOT_FOUND", False)


def test_who_may_not_list_names_is_told_none(arena: Arena) -> None:
    arena.add_token("entering", Role.OWNER, "ada", scopes=frozenset({Scope.COMPETE}))
    refused = arena.refusal("JoinLadder", "entering", name="ladders/sprng", bot="bots/amber")
    assert (refused.reason, NEAREST in refused.metadata) == ("LADDER_NOT_FOUND", False)
    assert (
        arena.refusal("JoinLadder", "ada", name="ladders/sprng", bot="bots/amber").metadata[NEAREST]
        == "spring"
    )
