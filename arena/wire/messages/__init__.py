"""Resources of the management services as messages."""
