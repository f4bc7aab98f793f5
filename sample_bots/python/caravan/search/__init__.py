"""What planner and mcts share beyond engine/caravan/quick, and the search of mcts."""
