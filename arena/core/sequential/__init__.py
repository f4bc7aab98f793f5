"""Whether one of two bots is better, decided while they play: a sequential test whose unit is the match group."""
