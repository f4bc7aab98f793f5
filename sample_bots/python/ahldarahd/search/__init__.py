"""What planner is made of: actions worth a look, and matches played on from them."""
