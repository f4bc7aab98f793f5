"""Environments for experiments: every game by the interfaces of PettingZoo and Gymnasium, and many matches at once."""
