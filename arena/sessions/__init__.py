"""The players that dial in: sessions, the seats they hold, and what is on its way to them. Domain objects only."""
