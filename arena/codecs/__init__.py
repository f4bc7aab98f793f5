"""Between the engine's ints and dataclasses and the wire's messages: one file per game."""
