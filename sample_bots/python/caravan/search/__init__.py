"""What planner and mcts share: jobs, a quick policy, candidate turns and playouts, all on the engine's positions."""
