"""The management services, which translate between messages and the store."""
