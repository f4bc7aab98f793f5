"""Runs matches: referee, players, timers and log brought together on one event loop, without a task per match."""
