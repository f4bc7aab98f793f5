"""What people and programs read from match logs: explanations, stories, trades, exports."""
