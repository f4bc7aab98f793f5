"""What planner is made of: where blocks can lie, placements and their worth, and turns that are played on."""
