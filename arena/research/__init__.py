"""Environments for experiments: games for PettingZoo, Gymnasium and OpenSpiel, and many matches at once."""
