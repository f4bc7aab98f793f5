"""Environments for experiments (PettingZoo, Gymnasium, OpenSpiel, many matches at once), and statistics of results."""
