"""Tours by the Cities to a Town. Clauses: docs/rules/wasteland.md."""

from engine.wasteland import WASTELAND
from engine.wasteland.board import SPACE_IDS
from engine.wasteland.missions import MISSION_IDS
from engine.wasteland.plans import ALL_KINDS, OFFERED, TOURS, plan_for
from engine.wasteland.resources import FUEL, MUNITIONS, RATIONS


def space(name: str) -> int:
    return SPACE_IDS.index(name)


def test_tours_lead_by_the_cities_that_offer_what_is_missing() -> None:
    """W4: from Pumphouse one step to Northgate for Fuel and Rations; Munitions are three further, at Westhold."""
    tours = TOURS[space("i1")]
    assert tours[0][space("i1")] == 0
    assert tours[1 << FUEL | 1 << RATIONS][space("i1")] == 2
    assert tours[1 << MUNITIONS][space("N")] == 3 + 4
    assert OFFERED[space("X0")] == ALL_KINDS


def test_a_plan_leads_first_to_the_city_where_its_tour_begins() -> None:
    """W4, W6: i2A needs Fuel and Munitions, which Westhold has; Southfork and Northgate would be two stops."""
    state = WASTELAND.new_match(2, WASTELAND.options(2, {}), bytes(32))
    state.spaces[0] = space("c2")
    mission = MISSION_IDS.index("i2A")
    plan = plan_for(state, 0, mission)
    assert (plan.goal, plan.steps) == (space("W"), 1 + TOURS[space("i2")][0][space("W")])
    state.stores[0] = [1, 1, 0, 0]
    assert plan_for(state, 0, mission).goal == space("i2")
