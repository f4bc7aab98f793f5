"""The referee of one match: events in, effects out."""
