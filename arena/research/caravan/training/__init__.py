"""An example of training: a bot that learns Caravan by self-play (docs/training.md)."""
