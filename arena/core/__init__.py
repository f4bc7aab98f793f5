"""The arena's own rules, pure and synchronous: clock, referee, terminations, pairing, rating. No I/O, no asyncio."""
