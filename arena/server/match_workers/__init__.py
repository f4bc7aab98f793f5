"""The match workers: processes beside the arena that play matches of hosted bots."""
